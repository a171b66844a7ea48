import { endpoints } from '@tatami/contract/api'
import { type Endpoint, ROLES_BY_ACCESS } from '@tatami/contract/lib/endpoint'
import { missingRight } from '@tatami/contract/needed-rights'
import {
  ALL_RIGHTS,
  MONEY_RIGHTS,
  PRESETS,
  type Preset,
  type Right,
  RIGHTS,
  rightsOfPreset,
  withoutRights,
} from '@tatami/contract/rights'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import { textingApi } from '@tatami/contract/texting/texting'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { auditAction } from '../audit/audit.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { openSession } from '../accounts/sessions.ts'
import { createClass, createStaff } from './fixtures.ts'
import { exportedText } from './files.ts'
import { grantEverything } from './grant-everything.ts'
import { createSampleDojo } from './sample-rows.ts'
import { startTestServer } from './test-server.ts'
import { injectOptions, validRequestParts } from './valid-requests.ts'

/** Makes every read-only call as staff with each preset, and with all rights except one. Each
 *  secret column contains a text with the column's name, which no response may contain without its
 *  right. */
const server = await startTestServer()
const ids = await createSampleDojo(server.db)
await grantEverything(server)

/** Columns that staff may read only with one of the rights. */
const SECRET_COLUMNS: [table: string, column: string, rights: readonly Right[]][] = [
  ['students', 'phone_number', ['students.contact']],
  ['students', 'emergency_contact_name', ['students.contact']],
  ['students', 'emergency_contact_phone', ['students.contact']],
  ['guardians', 'phone', ['students.contact']],
  ['guardianships', 'note', ['students.contact']],
  ['student_notes', 'allergies', ['medical']],
  ['student_notes', 'medical_note', ['medical']],
  ['student_notes', 'private_notes', ['notes']],
  ['students', 'left_note', ['notes']],
  ['students', 'price_note', MONEY_RIGHTS],
  ['students', 'payment_method', MONEY_RIGHTS],
  ['ledger_lines', 'note', MONEY_RIGHTS],
  ['payment_promises', 'note', MONEY_RIGHTS],
  ['receipt_lines', 'note', MONEY_RIGHTS],
  ['messages', 'text', ['texts.read']],
  ['incoming_texts', 'text', ['texts.read']],
  ['message_batches', 'text', ['texts.read']],
]
const FEE_CENTS = 7_731_234
const FEE_IN_DOLLARS = '77312.34'
const FAMILY_NAME = 'Zanshinsky'

const FEE_TEXT = 'zanshin of a text about fees'
const FEE_PHONE = '+15125550149'
const feeBatchId = newId()

/** Adds a late fee reminder to all places that show texts, and a payment to the audit log. */
async function addFeeRows(tx: Tx) {
  const [messageId, announcementId, createdAt] = [newId(), newId(), nowIso()]
  await tx.execute(sql`insert into message_batches (id, kind, text, created_at)
    values (${feeBatchId}, 'late_fee', ${FEE_TEXT}, ${createdAt})`)
  await tx.execute(sql`
    insert into messages (id, batch_id, student_id, phone, text, amount, state, updated_at)
    values (${messageId}, ${feeBatchId}, ${ids.student_id}, ${FEE_PHONE}, ${FEE_TEXT},
      ${FEE_CENTS}, 'failed', ${createdAt})`)
  await tx.execute(sql`
    insert into simulated_texts (message_id, id, sent_at) values (${messageId}, 'SM1', ${createdAt})`)
  await tx.execute(sql`insert into conversations (phone, id, unread, last_at)
    values (${FEE_PHONE}, ${newId()}, 0, ${createdAt})`)
  await tx.execute(sql`insert into announcements (id, title, category, content, created_at)
    values (${announcementId}, 'Late Fee Reminder', 'fee', ${FEE_TEXT}, ${createdAt})`)
  await auditAction(tx, { id: ids.instructor_id, dojoId: ids.dojo_id }, 'payment taken', {
    subject_id: ids.student_id,
    details: { amount: Number(FEE_IN_DOLLARS) },
  })
  await auditAction(tx, { id: ids.instructor_id, dojoId: ids.dojo_id }, 'student changed', {
    subject_id: ids.student_id,
  })
}

await server.db.inDojo(ids.dojo_id, async (tx) => {
  for (const [table, column] of SECRET_COLUMNS)
    await tx.execute(sql.raw(`update ${table} set ${column} = 'zanshin of ${table}.${column}'`))
  await tx.execute(sql`update students set name = 'Ken ' || ${FAMILY_NAME},
    monthly_payment_amount = ${FEE_CENTS}`)
  await addFeeRows(tx)
})

const readOnlyCalls = endpoints.filter(
  ({ access, method, path, file }) =>
    access !== 'public' &&
    (ROLES_BY_ACCESS[access] as readonly string[]).includes('instructor') &&
    (method === 'GET' || file !== undefined || path.endsWith('/preview')),
)

const isOptional = (schema: Endpoint['body']): boolean => schema?.safeParse({}).success === true
const ALL_DAYS = { from: '2000-01-01', to: '2099-12-31' }

/** Leaves out optional filters, because they might hide a leak. */
function requestFor(endpoint: Endpoint) {
  const [parts] = fc.sample(validRequestParts(endpoint, ids), { seed: 1, numRuns: 1 })
  if (!parts) throw new Error('There is no valid request')
  const fileBody = isOptional(endpoint.body) ? {} : { ...parts.body, ...ALL_DAYS }
  return injectOptions(endpoint, {
    ...parts,
    ...(isOptional(endpoint.query) && { query: {} }),
    ...(endpoint.file !== undefined && endpoint.body && { body: fileBody }),
  })
}

const requests = [
  ...readOnlyCalls.map((endpoint) => ({ endpoint, options: requestFor(endpoint) })),
  ...[
    { endpoint: textingApi.batch, url: `/api/sms/batches/${feeBatchId}` },
    {
      endpoint: conversationsApi.thread,
      url: `/api/sms/conversations/${encodeURIComponent(FEE_PHONE)}/messages`,
    },
  ].map(({ endpoint, url }) => ({ endpoint, options: { method: endpoint.method, url } })),
]

async function readEverything(memberId: string, rights: ReadonlySet<Right>): Promise<string[]> {
  const token = await server.db.withoutDojo((tx) => openSession(tx, memberId))
  const texts: string[] = []
  for (const { endpoint, options } of requests) {
    if (missingRight(endpoint.right ?? 'any', rights) !== undefined) continue
    const headers = { authorization: `Bearer ${token}` }
    const response = await server.http.inject({ ...options, headers })
    texts.push(`${endpoint.method} ${endpoint.path} ${exportedText(response)}`)
  }
  return texts
}

function findLeaks(texts: readonly string[], rights: ReadonlySet<Right>): string[] {
  const mayRead = (neededRights: readonly Right[]) =>
    neededRights.some((right) => rights.has(right))
  const secrets: [secret: string, rights: readonly Right[]][] = [
    ...SECRET_COLUMNS.map(([table, column, neededRights]): [string, readonly Right[]] => [
      `zanshin of ${table}.${column}`,
      neededRights,
    ]),
    [FEE_TEXT, MONEY_RIGHTS],
    [FEE_IN_DOLLARS, MONEY_RIGHTS],
    [FAMILY_NAME, ['students.read']],
  ]
  return texts.flatMap((text) =>
    secrets
      .filter(([secret, neededRights]) => !mayRead(neededRights) && text.includes(secret))
      .map(([secret]) => `${text.split(' ', 2).join(' ')} shows ${secret}`),
  )
}

const presets = Object.keys(PRESETS) as Preset[]
const combinations: [name: string, rights: Right[]][] = [
  ['no right', []],
  ['the right to take attendance', ['roll']],
  ...presets.map((preset): [string, Right[]] => [preset, rightsOfPreset(preset)]),
  ...ALL_RIGHTS.map((removedRight): [string, Right[]] => [
    `all rights except ${removedRight}`,
    withoutRights(removedRight),
  ]),
  ['all rights except those about money', withoutRights(...MONEY_RIGHTS)],
]

test('an owner reads every secret', async () => {
  const texts = (await readEverything(ids.instructor_id, new Set(ALL_RIGHTS))).join('\n')
  const missingColumns = SECRET_COLUMNS.filter(
    ([table, column]) => !texts.includes(`zanshin of ${table}.${column}`),
  )
  expect(missingColumns).toEqual([])
  expect([texts.includes(FEE_IN_DOLLARS), texts.includes(FAMILY_NAME)]).toEqual([true, true])
})

test('an owner gets every file and every place with a text about fees', async () => {
  const texts = await readEverything(ids.instructor_id, new Set(ALL_RIGHTS))
  const callsWith = (secret: string) =>
    texts.filter((text) => text.includes(secret)).map((text) => text.split(' ', 2).join(' '))
  expect(callsWith('zanshin of students.phone_number')).toEqual(
    expect.arrayContaining(['POST /export', 'POST /export/students', 'POST /students/:id/export']),
  )
  expect(callsWith(FAMILY_NAME)).toEqual(
    expect.arrayContaining([
      ...['POST /export/attendance', 'POST /export/payments', 'POST /export/bookkeeping'],
      'GET /audit-log',
    ]),
  )
  expect(callsWith(FEE_TEXT)).toEqual(
    expect.arrayContaining([
      ...['GET /sms/batches', 'GET /sms/batches/:id', 'GET /sms/simulated', 'GET /announcements'],
      ...['GET /sms/conversations', 'GET /sms/conversations/:phone/messages', 'GET /students/:id'],
      'POST /students/:id/export',
    ]),
  )
})

describe.each(combinations)('staff with %s', (_, rights) => {
  test('cannot read anything that needs another right', async () => {
    const { id } = await createStaff(server.db, ids.dojo_id, { rights })
    const heldRights = new Set(rights)
    expect(findLeaks(await readEverything(id, heldRights), heldRights)).toEqual([])
  })
})

describe('staff limited to classes that the student is not in', async () => {
  const { id: classId } = await createClass(server.db, ids.dojo_id, { class_name: 'Adults' })
  const rights = ALL_RIGHTS.filter((right) => RIGHTS[right].canLimitToClasses)
  const { student_id, class_id } = ids

  test.each([
    ['one class', [classId]],
    ['no class', []],
  ])('see nothing about the student if they have %s', async (_, class_ids) => {
    const { id } = await createStaff(server.db, ids.dojo_id, { rights, class_ids })
    const texts = await readEverything(id, new Set(rights))
    const secrets = ['zanshin of', FEE_IN_DOLLARS, FAMILY_NAME, student_id, class_id]
    const leaks = secrets.flatMap((secret) =>
      texts
        .filter((text) => text.replaceAll(/^\S+ \S+/g, '').includes(secret))
        .map((text) => `${text.slice(0, 200)} … shows ${secret}`),
    )
    expect(leaks).toEqual([])
  })

  test('have a policy on every table with students or classes', async () => {
    const { rows } = await server.db.withoutDojo((tx) =>
      tx.execute<{ name: string }>(sql`
        select c.table_name || '.' || c.column_name as name from information_schema.columns c
        join pg_class on relname = c.table_name and relnamespace = 'public'::regnamespace
        where c.table_schema = 'public' and relkind = 'r' and relrowsecurity
          and c.column_name in ('class_id', 'student_id') and not exists (
            select from pg_policies p where p.tablename = c.table_name
              and p.policyname = 'own_classes_by_' || c.column_name and p.permissive = 'RESTRICTIVE')`),
    )
    // The policy of `students` reads `enrolments`, so a policy on `enrolments` would be circular.
    expect(rows.map(({ name }) => name)).toEqual(['enrolments.student_id'])
  })
})
