import { endpoints } from '@tatami/contract/api'
import { ROLES_BY_ACCESS, type Endpoint } from '@tatami/contract/lib/endpoint'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openSession } from '../accounts/sessions.ts'
import { newId } from '../db/columns.ts'
import { type RequestParts, validRequestParts, injectOptions } from './valid-requests.ts'
import { exampleStudent } from './fixtures.ts'
import { startTestServer } from './test-server.ts'
import { OWED_MONTHS_SQL } from './owed-months.ts'
import type { Ids } from './sample-ids.ts'
import { createSampleDojo, SAMPLE_ROWS } from './sample-rows.ts'

/** POST calls that take no Idempotency-Key, because sending them twice does no harm. */
const NEEDLESS: Record<string, string> = {
  'POST /login': 'the answer holds a token, which is never stored; a second session is harmless',
  'POST /logout': 'the session ends once',
  'POST /register':
    'the answer holds a token, which is never stored; a second account is refused by its ' +
    'email (409)',
  'POST /register/guardian':
    'the answer holds a token, which is never stored; a second account is refused by its ' +
    'email (409)',
  'POST /sensei/register': 'a second account is refused by its email (409)',
  'POST /password-check': 'only looks',
  'POST /password-reset/request': 'a second link is harmless, and there are three at most',
  'POST /password-reset': 'the link works once',
  'POST /account-recovery': 'the link works once, and the answer holds a token',
  'POST /guardians/:id/log-in-invitation':
    'an earlier invitation stops working, and the answer holds a link',
  'POST /students/:id/approve': 'who is approved already stays as they are',
  'POST /students/:id/log-in-invitation':
    'an earlier invitation stops working, and the answer holds a link',
  'POST /students/:id/log-in/reopen': 'what is open is not opened again (409)',
  'POST /passkey-sign-in/options': 'only what a passkey has to sign, which lapses by itself',
  'POST /passkey-sign-in': 'what was signed works once, and the answer holds a token',
  'POST /passkey-options': 'only what a new passkey has to sign, which lapses by itself',
  'POST /passkeys': 'what was signed works once, and the answer may hold recovery codes',
  'POST /authenticator': 'a secret that is not confirmed yet is replaced, and the answer holds it',
  'POST /authenticator/remove': 'what is switched off is not switched off again (404)',
  'POST /recovery-codes': 'there are always ten, and the answer holds them',
  'POST /log-in-invitations/look-up': 'only looks',
  'POST /log-in-invitations/accept': 'the invitation works once, and the answer holds a token',
  'POST /families/suggestions/dismiss': 'a pair is dismissed once',
  'POST /families/preview': 'only looks',
  'POST /promotions/preview': 'only looks',
  'POST /families/changes/:id/undo': 'what is undone is not undone again (409)',
  'POST /student-imports/preview': 'only looks',
  'POST /student-imports/:id/undo': 'what is undone is not undone again (409)',
  'POST /kiosk/search': 'only looks',
  'POST /kiosk/code': 'only looks',
  'POST /kiosk/check-ins': 'the kiosk names each check-in, which is one however often it is sent',
  'POST /kiosks': 'the answer holds a credential, and a kiosk too many can be ended',
  'POST /kiosk-links': 'the answer holds the link, which lapses by itself',
  'POST /kiosk-links/switch-on': 'the link works once, and the answer holds a credential',
  'POST /my/check-in/code': 'there is always one code',
  'POST /invitation': 'the invitation is replaced, and there is always one',
  'POST /students/:id/enroll/:classId': 'enrolling twice is a success that changes nothing',
  'POST /attendance': 'one record per student, class and day',
  'POST /excuses': 'one excuse per student, class and day',
  'POST /class-dates': 'a class has one date on a day (409)',
  'POST /class-dates/places': 'one place per student, class and day',
  'POST /calendar-feed': 'the address is replaced, and there is one at most',
  'POST /payment-records': 'one record per student and month',
  'POST /promotions/acts/:id/undo': 'what is taken back already stays so',
  'POST /promotions/:id/undo': 'what is taken back already stays so',
  'POST /promotions/:id/certificate': 'a promotion has one number',
  'POST /promotions/acts/:id/certificates': 'a promotion has one number',
  'POST /gradings/:id/certificates': 'a promotion has one number',
  'POST /gradings/:id/finish': 'a grading is finished once',
  'POST /charges/:id/write-off': 'what is forgiven owes nothing more (409)',
  'POST /ledger-acts/:id/undo': 'what is taken back is not taken back again (409)',
  'POST /receipts': 'a payment has one receipt',
  'POST /sms/init': 'only looks',
  'POST /sms/preview': 'only looks',
  'POST /export': 'only reads, and each file that is taken is a line in the audit log',
  'POST /export/students': 'only reads, and each file that is taken is a line in the audit log',
  'POST /export/attendance': 'only reads, and each file that is taken is a line in the audit log',
  'POST /export/payments': 'only reads, and each file that is taken is a line in the audit log',
  'POST /export/bookkeeping': 'only reads, and each file that is taken is a line in the audit log',
  'POST /students/:id/export': 'only reads, and each file that is taken is a line in the audit log',
  'POST /family/students/:id/export':
    'only reads, and each file that is taken is a line in the audit log',
}

/** A rank cannot be given twice. */
const TAKE_BACK_ALL = `insert into belt_changes (id, student_id, belt_level, previous_belt,
    changed_at, changed_by, kind, undoes)
  select gen_random_uuid(), student_id, previous_belt, belt_level, now(), changed_by, 'correction',
    id from belt_changes c
  where undoes is null and not exists (select from belt_changes u where u.undoes = c.id)`

const server = await startTestServer()
const overseer = new pg.Client({ connectionString: server.adminUrl })
await overseer.connect()
afterAll(() => overseer.end())

const creating = endpoints
  .filter(({ method }) => method === 'POST')
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)
const keyedCalls = creating.filter(([, { idempotent }]) => idempotent)

test('every creating call takes a key, or has a reason why not', () => {
  expect(
    creating
      .filter(([, { idempotent }]) => !idempotent)
      .map(([name]) => name)
      .toSorted(),
  ).toEqual(Object.keys(NEEDLESS).toSorted())
})

const fieldsIn = (schema: unknown) => JSON.stringify(schema, (_, value: unknown) => value)
test('stored answers contain no token or password', () => {
  for (const [, { reply }] of keyedCalls) expect(fieldsIn(reply)).not.toMatch(/token|password/)
})

const COUNTED_TABLES = [...Object.keys(SAMPLE_ROWS), 'accounts', 'consents', 'audit_log']
async function rowCounts(): Promise<Record<string, number>> {
  const counts = COUNTED_TABLES.map((table) => `(select count(*)::int from ${table}) as ${table}`)
  return (await overseer.query<Record<string, number>>(`select ${counts.join(', ')}`)).rows[0]!
}
async function countAdded(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const countsBefore = await rowCounts()
  await work()
  const countsAfter = await rowCounts()
  return Object.fromEntries(
    COUNTED_TABLES.map((table) => [table, countsAfter[table]! - countsBefore[table]!]),
  )
}

async function callerOf({ access }: Endpoint, ids: Ids): Promise<string | undefined> {
  if (access === 'public') return undefined
  const id = (ROLES_BY_ACCESS[access] as readonly string[]).includes('instructor')
    ? ids.instructor_id
    : ids.student_id
  return server.db.withoutDojo((tx) => openSession(tx, id))
}
const withFreshEmail = (forms: RequestParts): RequestParts =>
  'email' in forms.body && 'password' in forms.body
    ? { ...forms, body: { ...forms.body, email: `${newId()}@dojo.com` } }
    : forms

/** What lets an act be done again with another key. */
const READY: Record<string, string[]> = {
  'POST /late-fees': OWED_MONTHS_SQL,
  'POST /promotions': [TAKE_BACK_ALL],
}

describe.each(keyedCalls)('%s', (name, endpoint) => {
  let ids: Ids
  const makeReady = () =>
    server.db.inDojo(ids.dojo_id, async (tx) => {
      for (const statement of READY[name] ?? []) await tx.execute(sql.raw(statement))
    })
  beforeEach(makeReady)

  let call: (forms: RequestParts, key?: string) => Promise<{ status: number; text: string }>
  let forms: RequestParts, otherForms: RequestParts

  beforeAll(async () => {
    ids = await createSampleDojo(server.db)
    // A failed text can be sent again; a simulated one can be answered.
    await server.db.inDojo(ids.dojo_id, (tx) =>
      tx.execute(sql`update messages set state = 'failed'`),
    )
    const token = await callerOf(endpoint, ids)
    call = async (parts, key) => {
      const headers = {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(key && { 'idempotency-key': key }),
      }
      const answer = await server.http.inject({ ...injectOptions(endpoint, parts), headers })
      return { status: answer.statusCode, text: answer.payload }
    }
    const samples = fc
      .sample(validRequestParts(endpoint, ids), { seed: 7, numRuns: 50 })
      .map(withFreshEmail)
    // The server checks the password before the key.
    const isOther = (parts: RequestParts) =>
      parts.body.password === forms.body.password &&
      JSON.stringify(injectOptions(endpoint, parts)) !==
        JSON.stringify(injectOptions(endpoint, forms))
    // Some calls cannot be repeated with another key: a reminder must be the month's first.
    for (const sample of samples) {
      forms = sample
      const answers = []
      for (const parts of [sample, sample]) {
        await makeReady()
        answers.push(await call(withFreshEmail(parts)))
      }
      if (answers.every(({ status }) => status === 200)) break
    }
    forms = withFreshEmail(forms)
    // A password that is easy to guess would be refused.
    const isSafe = ({ body }: RequestParts) =>
      [undefined, forms.body.password].includes(body.password)
    const otherIds = Object.fromEntries(Object.keys(forms.params).map((field) => [field, newId()]))
    otherForms = samples.find((parts) => isOther(parts) && isSafe(parts)) ?? {
      ...forms,
      params: otherIds,
    }
  })

  test('gives a repeated key the first answer, and does nothing else', async () => {
    const key = newId()
    const first = await call(forms, key)
    expect(first.status).toBe(200)
    expect(await countAdded(async () => expect(await call(forms, key)).toEqual(first))).toEqual(
      await countAdded(async () => {}),
    )
  })

  test('refuses a key that was used for another request', async () => {
    const key = newId()
    forms = withFreshEmail(forms)
    expect((await call(forms, key)).status).toBe(200)
    const addedByOther = await countAdded(async () =>
      expect(await call(otherForms, key)).toEqual({
        status: 409,
        text: '{"detail":"This Idempotency-Key was used for another request"}',
      }),
    )
    expect(addedByOther).toEqual(await countAdded(async () => {}))
  })

  test('runs only once for simultaneous requests with the same key', async () => {
    const [once, atOnce] = [withFreshEmail(forms), withFreshEmail(forms)]
    const addedByFirst = await countAdded(() => call(once, newId()))
    await makeReady()
    const key = newId()
    const four = await countAdded(async () => {
      const answers = await Promise.all([1, 2, 3, 4].map(() => call(atOnce, key)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    })
    expect(four).toEqual(addedByFirst)
    expect(addedByFirst.idempotency_keys).toBe(1)
  })
})

const create = (token: string, form: object, key: string) =>
  server.http.inject({
    method: 'POST',
    url: '/api/students',
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
    payload: form,
  })
const storedAnswers = async () =>
  JSON.stringify((await overseer.query('select * from idempotency_keys')).rows)

test('stores neither a password nor a hash of it with the answer', async () => {
  const sensei = await server.createSensei()
  const form = exampleStudent({ class_preferences: ['saturday'], password: 'Unforgettable1' })
  const first = await create(sensei.token, form, 'enrolment')
  const retry = await create(sensei.token, { ...form, password: 'Another-one-2' }, 'enrolment')
  expect([retry.statusCode, retry.payload]).toEqual([200, first.payload])
  expect(await storedAnswers()).not.toMatch(/password|Unforgettable1/)
})

test('a late repetition does not create a deleted student again', async () => {
  const sensei = await server.createSensei()
  const form = exampleStudent({ class_preferences: ['saturday'], name: 'Wenceslaus Unforgettable' })
  const { student } = (await create(sensei.token, form, 'enrolment')).json()
  expect(await storedAnswers()).toContain('Wenceslaus')
  await sensei.delete(`/students/${student.id}`)
  const late = await create(sensei.token, form, 'enrolment')
  expect([late.statusCode, late.json()]).toEqual([
    409,
    { detail: 'This was done before, and has been deleted since' },
  ])
  expect(await storedAnswers()).not.toMatch(new RegExp(`Wenceslaus|${student.id}`))
})
