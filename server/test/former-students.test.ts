import { endpoints } from '@tatami/contract/api'
import { DEFAULT_TIME_ZONE } from '@tatami/contract/dojos/dojos'
import { addDays } from '@tatami/contract/lib/calendar-day'
import { type CallerRole, type Endpoint, ROLES_BY_ACCESS } from '@tatami/contract/lib/endpoint'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { openSession } from '../accounts/sessions.ts'
import { exportedText } from './files.ts'
import { sampleKioskToken } from './sample-kiosk-rows.ts'
import { todayIn } from '../dojos/calendar.ts'
import { newId } from '../db/columns.ts'
import { TEST_FOR_NEXT_RANK } from './next-rank.ts'
import { createSampleDojo, sampleRowStatement } from './sample-rows.ts'
import { startTestServer } from './test-server.ts'
import { injectOptions, type RequestParts, validRequestParts } from './valid-requests.ts'

const server = await startTestServer()
const ids = await createSampleDojo(server.db)
const NAME = 'Zebulon Unforgettable'
const TODAY = todayIn(DEFAULT_TIME_ZONE)
const runSql = (statement: string) =>
  server.db.inDojo(ids.dojo_id, (tx) => tx.execute(sql.raw(statement)))

/** POST calls that only read. */
const READ_ONLY_POSTS = [
  '/sms/preview',
  '/promotions/preview',
  '/kiosk/search',
  '/kiosk/code',
  '/log-in-invitations/look-up',
]
const isRead = ({ method, path }: Endpoint) => method === 'GET' || READ_ONLY_POSTS.includes(path)
/** Such a call may still show a former student. */
const isForOneStudent = ({ path }: Endpoint) =>
  path.startsWith('/students/:id') || path.includes('/students/:studentId')
const callName = ({ method, path }: Endpoint) => `${method} ${path}`

/** The calls that still show a former student to instructors, with the reason. */
const HISTORY: Record<string, string> = {
  'GET /former-students': 'the list of former students',
  'GET /attendance': 'the marks of past classes stay',
  'GET /audit-log': 'a log of what was done',
  'GET /notifications': 'notifications that an instructor already has',
  'GET /families/changes': 'changes that can be undone',
  'GET /promotions/acts': 'past promotions',
  'GET /owing': 'open charges stay owed',
  'GET /payment-balances': 'open charges and credit stay',
  'GET /payment-promises': 'a promise to pay open charges',
  'GET /membership-figures': 'plans that end this month',
  'GET /payment-records': 'payments of past months',
  'GET /month-dues': 'the prices of past months',
  'GET /receipts': 'receipts that were issued',
  'GET /receipts/:id': 'a receipt that was issued',
  'GET /statements': 'the account of a student',
  'GET /certificates/:code': 'a certificate that was issued',
  'GET /sms/batches': 'texts that were sent',
  'GET /sms/batches/:id': 'texts that were sent',
  'GET /sms/conversations': 'texts of a phone, and its owner',
  'GET /sms/conversations/:phone/messages': 'texts of a phone, and its owner',
  'GET /sms/inbox': 'replies from the phone',
  'GET /sms/phones/:phone': 'the owner of a phone',
  'GET /sms/simulated': 'texts that were sent',
  'POST /promotions/preview': 'the refusal contains the name of the student in the request',
}

/** Leaves out optional fields, because a filter might hide the student. */
function withoutOptionalFields(schema: z.ZodType | undefined, values: object) {
  const form: Record<string, unknown> = { ...values }
  for (const [field, value] of Object.entries(form)) {
    delete form[field]
    if (!schema?.safeParse(form).success) form[field] = value
  }
  return form
}

function requestParts(endpoint: Endpoint): RequestParts {
  const [parts] = fc.sample(validRequestParts(endpoint, ids), { seed: 1, numRuns: 1 })
  if (!parts) throw new Error('No request')
  const body = withoutOptionalFields(endpoint.body, parts.body)
  return {
    params: parts.params,
    query: withoutOptionalFields(endpoint.query, parts.query),
    // The kiosk searches for the student's name.
    body: endpoint.path === '/kiosk/search' ? { text: NAME.slice(0, 4) } : body,
  }
}

async function readReplies(role: CallerRole, token: string): Promise<Map<string, string>> {
  const calls = endpoints.filter(
    (endpoint) =>
      isRead(endpoint) &&
      !isForOneStudent(endpoint) &&
      (endpoint.access === 'public' ||
        (ROLES_BY_ACCESS[endpoint.access] as readonly string[]).includes(role)),
  )
  const replies = new Map<string, string>()
  for (const endpoint of calls) {
    const response = await server.http.inject({
      ...injectOptions(endpoint, requestParts(endpoint)),
      headers: { authorization: `Bearer ${token}` },
    })
    expect([callName(endpoint), response.statusCode < 500]).toEqual([callName(endpoint), true])
    replies.set(callName(endpoint), exportedText(response))
  }
  return replies
}

/** Returns the calls whose reply contains the student's id or name. */
async function findMentions(role: CallerRole, token: string): Promise<string[]> {
  const replies = [...(await readReplies(role, token))]
  return replies
    .filter(([, text]) => [ids.student_id, NAME, 'Zebulon'].some((word) => text.includes(word)))
    .map(([call]) => call)
}

const createToken = (accountId: string) => server.db.withoutDojo((tx) => openSession(tx, accountId))
const TOKENS = {
  instructor: () => createToken(ids.instructor_id),
  guardian: () => createToken(ids.guardian_id),
  kiosk: () => Promise.resolve(sampleKioskToken(ids)),
} as const
const mentionsFor = async (role: keyof typeof TOKENS) => findMentions(role, await TOKENS[role]())

/** Adds the student to every list on which a current student can be. */
async function addStudentToAllLists() {
  await runSql(TEST_FOR_NEXT_RANK)
  await runSql(`
    update students set name = '${NAME}', date_of_birth = '2012-${TODAY.slice(5)}',
      monthly_payment_amount = 8500 where id = '${ids.student_id}';
    update classes set class_days = array['monday','tuesday','wednesday','thursday','friday',
      'saturday','sunday'], class_start_time = '6:00 AM', class_end_time = '10:00 PM', places = 1;
    update excuses set class_date = '${addDays(TODAY, 2)}';
    update place_requests set day = '${addDays(TODAY, 2)}';
    update candidates set invited_at = now();
    update gradings set state = 'open', held_on = '${addDays(TODAY, 30)}';
    update open_months set month = '${TODAY.slice(0, 8)}01'`)
}

test('lists, rolls and previews do not show a former student', async () => {
  await addStudentToAllLists()
  const mentions = {
    instructor: await mentionsFor('instructor'),
    guardian: await mentionsFor('guardian'),
    kiosk: await mentionsFor('kiosk'),
  }
  // Checks that these calls show the student before the departure.
  expect(mentions.instructor).toEqual(
    expect.arrayContaining([
      'GET /students',
      'GET /class-dates',
      'GET /excuses',
      'GET /families',
      'GET /gradings/:id',
      'GET /sms/people',
      'GET /student-birthdays',
      'POST /sms/preview',
    ]),
  )
  expect(mentions.guardian).toEqual(
    expect.arrayContaining([
      'GET /attendance',
      'GET /family/home',
      'GET /my/belts',
      'GET /my/check-in',
      'GET /my/gradings',
      'GET /profile',
    ]),
  )
  expect(mentions.kiosk).toEqual(['POST /kiosk/search'])

  const sensei = server.clientFor(await createToken(ids.instructor_id))
  // In the dojo's time zone, it may still be yesterday.
  const departure = { left_on: addDays(TODAY, -1), reason: 'schedule' }
  expect((await sensei.post(`/students/${ids.student_id}/leave`, departure)).status).toBe(200)
  const unexpectedCalls = (await mentionsFor('instructor')).filter((call) => !(call in HISTORY))
  expect(unexpectedCalls).toEqual([])
  // The guardian still sees why the page is empty, and the payments they made.
  expect(await mentionsFor('guardian')).toEqual([
    'GET /family/home',
    'GET /family/payments',
    'GET /receipts/:id',
  ])
  expect(await mentionsFor('kiosk')).toEqual([])

  await sensei.post(`/students/${ids.student_id}/return`)
  expect(await mentionsFor('instructor')).toEqual(
    expect.arrayContaining(['GET /students', 'GET /families', 'GET /sms/people']),
  )
  expect(await mentionsFor('guardian')).toEqual(
    expect.arrayContaining(['GET /attendance', 'GET /family/home', 'GET /my/belts']),
  )
  expect(await mentionsFor('kiosk')).toEqual(['POST /kiosk/search'])
})

/** Adds a student. Returns a function that makes the student a former one, who left so long ago
 *  that the statistics of the last year do not include the departure. */
async function addLeavingStudent() {
  const newIds = { ...ids, student_id: newId() }
  await runSql(`
    insert into students (dojo_id, id, name, monthly_payment_amount, date_of_birth, joined_on,
      created_at, on_vacation)
    values ('${ids.dojo_id}', '${newIds.student_id}', 'Long Gone', 9000,
      '2012-${TODAY.slice(5)}', '2020-01-01', '2020-01-01T00:00:00Z', true)`)
  for (const table of ['guardianships', 'check_in_pins', 'enrolments'])
    await runSql(sampleRowStatement(table, newIds))
  return async () => {
    await runSql(`delete from enrolments where student_id = '${newIds.student_id}'`)
    await runSql(`
      update students set left_on = '2021-01-31', left_reason = 'moved', on_vacation = false
      where id = '${newIds.student_id}'`)
  }
}

/** The reply changes, because the guardian now `has_former_students`. */
const FAMILIES_CALL = 'GET /families'

test('counts do not include a student who left long ago', async () => {
  const token = await TOKENS.instructor()
  const repliesBefore = await readReplies('instructor', token)
  // Replies that contain the time or a new address differ each time, so they are not compared.
  const repeatedReplies = await readReplies('instructor', token)
  const recordDeparture = await addLeavingStudent()
  const changedCalls = (replies: Map<string, string>) =>
    [...repliesBefore]
      .filter(([call, text]) => repeatedReplies.get(call) === text && replies.get(call) !== text)
      .map(([call]) => call)
  // Checks that these calls count the student before the departure.
  expect(changedCalls(await readReplies('instructor', token))).toEqual(
    expect.arrayContaining([
      'GET /kiosks',
      'GET /students',
      'GET /dashboard/stats',
      'GET /dashboard/analytics',
    ]),
  )
  await recordDeparture()
  const unexpectedCalls = changedCalls(await readReplies('instructor', token)).filter(
    (call) => !(call in HISTORY) && call !== FAMILIES_CALL,
  )
  expect(unexpectedCalls).toEqual([])
})
