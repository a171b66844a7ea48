import { endpoints } from '@tatami/contract/api'
import { ROLES_BY_ACCESS, type Endpoint } from '@tatami/contract/lib/endpoint'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../accounts/passwords.ts'
import { openSession } from '../accounts/sessions.ts'
import { newId } from '../db/columns.ts'
import { insertPayLink } from '../online-payment/pay-links.ts'
import { createContext } from '../online-payment/stripe-account.ts'
import { performDueTasks } from '../online-payment/worker.ts'
import { SETTLE_TRIAL_PAYMENTS } from '../trials/settle-payment.ts'
import { runDueJobs } from '../schedule.ts'
import { receiveText, receiveTextToOwnNumber } from '../messages/incoming.ts'
import { receiveStatus, recordAccepted } from '../texting/delivery/outcomes.ts'
import { type ClaimedText, claimNextOwnTexts, claimNextTexts } from '../texting/delivery/queue.ts'
import { claimDueTexts } from '../texting/delivery/reconcile.ts'
import type { DeliveryStatus } from '../texting/providers/provider.ts'
import { setClock } from './clock.ts'
import { PASSWORD } from './fixtures.ts'
import { TEST_FOR_NEXT_RANK } from './next-rank.ts'
import { capturePlans, type PlannedStatement, type Scan } from './query-plans.ts'
import { sampleKioskToken } from './sample-kiosk-rows.ts'
import type { Ids } from './sample-ids.ts'
import { createSampleDojo, SAMPLE_ROWS } from './sample-rows.ts'
import { startTestServer } from './test-server.ts'
import { injectOptions, validRequestParts } from './valid-requests.ts'

const server = await startTestServer()
const passwordHash = await hashPassword(PASSWORD)
const superAdmin = await server.signInSuperAdmin()
const owner = new pg.Client({ connectionString: server.adminUrl })
await owner.connect()
await owner.query('set role tatami_owner')
const plans = capturePlans()
afterAll(async () => {
  plans.stop()
  await owner.end()
})

/** Full scans that are allowed because they are cheap or rare. The keys come from `scanName`. */
const ALLOWED_FULL_SCANS: Record<string, string> = {
  vapid_keys: 'one row',
  system_config: 'one row',
  sensei_totals: 'one row',
  sending_rate: 'one row',
  'dojos for the schedule': 'once a minute, to find the time zones of all dojos',
  'dojos by dojos_pkey': 'on reminder days, the schedule reads every dojo',
  'staff_members by staff_members_dojo_id_instructor_id_pk':
    'once a day, the schedule finds staff whose last day has passed',
  'autopay_agreements by autopay_agreements_of_payer':
    'once a day, a partial index of only the agreements in force',
  'messages by messages_waiting': 'a partial index of only the texts to send',
  'message_batches by message_batches_with_failures': 'a partial index of only failed batches',
  'bookings by bookings_waiting': 'once a minute, a partial index of only those who wait',
  'leads by leads_referred': 'once a day, a partial index of only the friends of students',
  'followups by followups_open': 'once a day, a partial index of only the open steps',
  'provider_messages to be deleted': 'once a night',
  'sign_in_addresses to be deleted': 'once a night',
  'sessions to be deleted': 'once a night',
  'ended_sessions to be deleted': 'once a night',
  'passkey_challenges to be deleted': 'once a night',
  'password_resets to be deleted': 'once a night',
  'account_recoveries to be deleted': 'once a night',
}
const scanName = ({ table, index }: Scan, { text, isOverseer }: PlannedStatement) => {
  if (index) return `${table} by ${index}`
  if (text.startsWith('delete')) return `${table} to be deleted`
  return isOverseer ? `${table} for the schedule` : table
}
const listScans = (statements: PlannedStatement[]) =>
  statements.flatMap((statement) => statement.scans.map((scan) => ({ scan, statement })))
const listFullScans = (statements: PlannedStatement[]) =>
  listScans(statements).flatMap(({ scan, statement }) =>
    scan.conditions === '' ? [scanName(scan, statement)] : [],
  )

/** Statements that read a table across dojos, which only the overseer may do. */
const findStatementsAcrossDojos = (statements: PlannedStatement[]) =>
  listScans(statements).flatMap(({ scan, statement }) =>
    scan.table in SAMPLE_ROWS &&
    !statement.isOverseer &&
    !/\bdojo_id = /.test(`${scan.conditions} ${scan.filter}`)
      ? [statement.text]
      : [],
  )

const REQUESTS_PER_CALLER = 2
const withNewEmail = (body: Record<string, unknown>) =>
  'email' in body ? { ...body, email: `${newId()}@dojo.com` } : body
const ACCOUNT_IDS = {
  student: ({ student_id }: Ids) => student_id,
  guardian: ({ guardian_id }: Ids) => guardian_id,
  instructor: ({ instructor_id }: Ids) => instructor_id,
  'super-admin': () => superAdmin.id,
}

const dojoForReads = await createSampleDojo(server.db, passwordHash)
const createTokenOf = (accountId: string) =>
  server.db.withoutDojo((tx) => openSession(tx, accountId))

/** Returns a function for each role that may make the call. The function creates a token. */
function listTokenFactories({ access }: Endpoint): ((ids: Ids) => Promise<string> | undefined)[] {
  if (access === 'public') return [() => undefined]
  if (access === 'kiosk') return [(ids) => Promise.resolve(sampleKioskToken(ids))]
  return ROLES_BY_ACCESS[access].map((role) => (ids: Ids) => createTokenOf(ACCOUNT_IDS[role](ids)))
}

/** Makes the call with random requests for each role. Returns the statements that the server
 *  ran. */
async function collectStatements(endpoint: Endpoint): Promise<PlannedStatement[]> {
  const statements: PlannedStatement[] = []
  for (const createToken of listTokenFactories(endpoint)) {
    const ids =
      endpoint.method === 'GET' ? dojoForReads : await createSampleDojo(server.db, passwordHash)
    const requests = fc.sample(validRequestParts(endpoint, ids), {
      seed: 13,
      numRuns: REQUESTS_PER_CALLER,
    })
    for (const parts of requests) {
      const token = await createToken(ids)
      plans.take()
      const { statusCode, payload } = await server.http.inject({
        ...injectOptions(endpoint, { ...parts, body: withNewEmail(parts.body) }),
        headers: token ? { authorization: `Bearer ${token}` } : {},
      })
      if (statusCode >= 500) throw new Error(payload)
      statements.push(...plans.take())
    }
  }
  return statements
}

/** The calls above have created many dojos, so these tests take long. */
const MANY_DOJOS_TIMEOUT_MS = 120_000

const calls = endpoints.map(
  (endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const,
)
const allStatements: PlannedStatement[] = []
const usedExceptions = new Set<string>()

function findUnexpectedFullScans(statements: PlannedStatement[]): string[] {
  const scanNames = listFullScans(statements)
  for (const name of scanNames) usedExceptions.add(name)
  return scanNames.filter((name) => !(name in ALLOWED_FULL_SCANS))
}

describe.each(calls)('%s', (_, endpoint) => {
  let statements: PlannedStatement[]
  beforeAll(async () => {
    statements = await collectStatements(endpoint)
    allStatements.push(...statements)
  })

  test('does not scan whole tables', () => {
    expect(findUnexpectedFullScans(statements)).toEqual([])
  })

  test('filters by dojo, so that the tables can be sharded', () => {
    expect(findStatementsAcrossDojos(statements)).toEqual([])
  })
})

test(
  'the jobs of the schedule, of texts and of payments scan no whole tables, and filter by dojo',
  { timeout: MANY_DOJOS_TIMEOUT_MS },
  async () => {
    const { dojo_id } = await createSampleDojo(server.db, passwordHash)
    await server.db.inDojo(dojo_id, (tx) =>
      tx.execute(sql`update open_months set month = '2027-02-01'`),
    )
    // The ladder ends at age 11, and the students turn 12 in that month.
    await server.db.inDojo(dojo_id, (tx) =>
      tx.execute(sql`update ladders set max_age = 11, continues_as = id`),
    )
    await server.db.inDojo(dojo_id, (tx) =>
      tx.execute(sql`update students set date_of_birth = '2015-03-20'`),
    )
    await server.db.inDojo(dojo_id, (tx) =>
      tx.execute(sql`update place_requests set awaits_text = true`),
    )
    plans.take()
    // This is a reminder day, after the reminder hour. Old sample rows are due for deletion.
    setClock('2027-03-01T20:00:00Z')
    await runDueJobs(server.db, (error) => {
      throw error
    })
    await server.db.withoutDojo((tx) => claimDueTexts(tx, { inDoubt: 10, awaitingStatus: 10 }))
    const context = createContext(server.db, { publicUrl: '' })
    const throwError = (error: unknown) => {
      throw error
    }
    await performDueTasks(context, throwError, [SETTLE_TRIAL_PAYMENTS])
    const statements = plans.take()
    expect(statements.length).toBeGreaterThan(20)
    allStatements.push(...statements)
    expect(findUnexpectedFullScans(statements)).toEqual([])
    expect(findStatementsAcrossDojos(statements)).toEqual([])
  },
)

test(
  'sending, delivery reports and incoming texts scan no whole tables, and filter by dojo',
  { timeout: MANY_DOJOS_TIMEOUT_MS },
  async () => {
    const { dojo_id, instructor_id, student_id } = await createSampleDojo(server.db, passwordHash)
    const token = await server.db.withoutDojo((tx) => openSession(tx, instructor_id))
    const payload = { student_ids: [student_id], text: 'Hello' }
    const headers = { authorization: `Bearer ${token}` }
    expect(
      (await server.http.inject({ method: 'POST', url: '/api/sms/messages', headers, payload }))
        .statusCode,
    ).toBe(200)
    plans.take()
    const claimedTexts = await server.db.withoutDojo(async (tx) => {
      const texts: ClaimedText[] = []
      for (const claim of [claimNextTexts, claimNextOwnTexts])
        for (let waitMs: number | null = 0; waitMs !== null;) {
          const batch = await claim(tx, 1000, 100)
          texts.push(...batch.texts)
          waitMs = batch.waitMs
        }
      return texts
    })
    // The sample dojo has its own account.
    const { id, phone, account_sid } = claimedTexts.find((text) => text.dojo_id === dojo_id)!
    expect(account_sid).not.toBeNull()
    const provider_id = `SM${newId()}`
    const acceptance = { id: provider_id, status: 'accepted', errorCode: null } as const
    const hasCallbacks = true
    await server.db.inDojo(dojo_id, (tx) =>
      recordAccepted(tx, { id, dojo_id, account_sid }, acceptance, hasCallbacks),
    )
    const receiveReport = (status: DeliveryStatus, errorCode: number | null) =>
      server.db.withoutDojo((tx) => receiveStatus(tx, { id: provider_id, status, errorCode }))
    await receiveReport('undelivered', 21610)
    await receiveReport('delivered', null)
    const receive = (sender: string, text: string) =>
      server.db.withoutDojo((tx) => receiveText(tx, { id: `SM${newId()}`, from: sender, text }))
    for (const text of ['Hello', 'OUT', 'OK', 'STOP', 'START', 'Yes']) await receive(phone, text)
    await receive('+15125550999', 'Who is this?')
    for (const text of ['Hello', 'STOP', 'START'])
      await server.db.inDojo(dojo_id, (tx) =>
        receiveTextToOwnNumber(tx, dojo_id, { id: `SM${newId()}`, from: phone, text }),
      )
    const statements = plans.take()
    expect(statements.length).toBeGreaterThan(50)
    allStatements.push(...statements)
    expect(findUnexpectedFullScans(statements)).toEqual([])
    expect(findStatementsAcrossDojos(statements)).toEqual([])
  },
)

test('a pay link scans no whole tables, and filters by dojo', async () => {
  const { dojo_id, payer_id } = await createSampleDojo(server.db, passwordHash)
  plans.take()
  const link = await server.db.inDojo(dojo_id, (tx) =>
    insertPayLink(tx, dojo_id, payer_id, 'https://tatami.example.org'),
  )
  expect((await server.http.inject({ url: new URL(link).pathname })).statusCode).toBe(200)
  const statements = plans.take()
  allStatements.push(...statements)
  expect(findUnexpectedFullScans(statements)).toEqual([])
  expect(findStatementsAcrossDojos(statements)).toEqual([])
})

test(
  'a belt test, from invitations to certificates, scans no whole tables, and filters by dojo',
  { timeout: MANY_DOJOS_TIMEOUT_MS },
  async () => {
    const { dojo_id, instructor_id, student_id, sibling_id, grading_id, rank_id } =
      await createSampleDojo(server.db, passwordHash)
    await server.db.inDojo(dojo_id, (tx) => tx.execute(sql.raw(TEST_FOR_NEXT_RANK)))
    // This is the day of the belt test.
    setClock('2027-06-01T20:00:00Z')
    const token = await server.db.withoutDojo((tx) => openSession(tx, instructor_id))
    const callGrading = async (method: 'PUT' | 'POST', path: string, payload: object = {}) => {
      const headers = { authorization: `Bearer ${token}` }
      const { statusCode } = await server.http.inject({
        method,
        url: `/api/gradings/${grading_id}/${path}`,
        headers,
        payload,
      })
      expect([path, statusCode]).toEqual([path, 200])
    }
    plans.take()
    await callGrading('PUT', 'candidates', {
      add: [{ student_id: sibling_id, to_rank_id: rank_id }],
    })
    await callGrading('POST', 'invitations', {
      student_ids: [student_id, sibling_id],
      text: 'Reply COMING.',
    })
    await server.db.withoutDojo((tx) =>
      receiveText(tx, { id: `SM${newId()}`, from: '+15125550142', text: 'COMING' }),
    )
    const results = [
      { student_id, result: 'partial', stripes_given: 1 },
      { student_id: sibling_id, result: 'pass' },
    ]
    await callGrading('PUT', 'results', { results })
    await callGrading('POST', 'finish')
    await callGrading('POST', 'certificates')
    const statements = plans.take()
    for (const table of ['candidates', 'certificate_counters'])
      expect(
        statements.filter(({ text }) => new RegExp(`^(update|insert into) "?${table}`).test(text))
          .length,
      ).toBeGreaterThan(0)
    allStatements.push(...statements)
    expect(findUnexpectedFullScans(statements)).toEqual([])
    expect(findStatementsAcrossDojos(statements)).toEqual([])
  },
)

test('the tests above used every table and every allowed full scan', () => {
  const isWritten = (table: string) =>
    allStatements.some(({ text }) =>
      new RegExp(`^(insert into|update|delete from) "?${table}\\b`, 'i').test(text),
    )
  const readTables = new Set(listScans(allStatements).map(({ scan }) => scan.table))
  const uncheckedTables = Object.keys(SAMPLE_ROWS).filter(
    (table) => !readTables.has(table) && !isWritten(table),
  )
  expect(uncheckedTables).toEqual([])
  expect(
    Object.keys(ALLOWED_FULL_SCANS).filter(
      (name) => !name.includes(' by ') && !usedExceptions.has(name),
    ),
  ).toEqual([])
})

describe('the checks of this file', () => {
  const explain = async (query: string, dojoId?: string) => {
    plans.take()
    // A statement is explained only once, so its text must be new.
    const newStatement = sql.raw(`${query} /* ${newId()} */`)
    await (dojoId
      ? server.db.inDojo(dojoId, (tx) => tx.execute(newStatement))
      : server.db.withoutDojo((tx) => tx.execute(newStatement)))
    return plans.take()
  }

  test.each([
    [
      'sessions_of_account',
      `select * from sessions where account_id = '${superAdmin.id}'`,
      'sessions',
    ],
    ['accounts_super_admins', `select id from accounts where role = 'super-admin'`, 'accounts'],
  ])('notice that the index %s is missing', async (index, query, table) => {
    expect(listFullScans(await explain(query))).toEqual([])
    const { rows } = await owner.query<{ indexdef: string }>(
      'select indexdef from pg_indexes where indexname = $1',
      [index],
    )
    await owner.query(`drop index ${index}`)
    expect(listFullScans(await explain(query))).toEqual([table])
    await owner.query(rows[0]!.indexdef)
  })

  test('notice that a primary key or a policy is missing', async () => {
    const { dojo_id } = await createSampleDojo(server.db, passwordHash)
    const query = 'select * from message_settings'
    expect(listFullScans(await explain(query, dojo_id))).toEqual([])
    await owner.query('alter table message_settings drop constraint message_settings_dojo_id_pk')
    const scans = await explain(query, dojo_id)
    expect([listFullScans(scans), findStatementsAcrossDojos(scans)]).toEqual([
      ['message_settings'],
      [],
    ])
    await owner.query('alter table message_settings disable row level security')
    expect(findStatementsAcrossDojos(await explain(query, dojo_id))).toHaveLength(1)
  })
})
