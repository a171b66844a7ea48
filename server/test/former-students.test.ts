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

/** POST calls that change nothing. */
const READING_POSTS = [
  '/sms/preview',
  '/promotions/preview',
  '/kiosk/search',
  '/kiosk/code',
  '/log-in-invitations/look-up',
]
const isRead = ({ method, path }: Endpoint) => method === 'GET' || READING_POSTS.includes(path)
/** Whoever asks for a student by id wants to see that student. */
const asksForStudent = ({ path }: Endpoint) =>
  path.startsWith('/students/:id') || path.includes('/students/:studentId')
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** What instructors still find about a former student, and why. */
const HISTORY: Record<string, string> = {
  'GET /former-students': 'the list of former students',
  'GET /attendance': 'the marks of past classes stay',
  'GET /audit-log': 'a log of what was done',
  'GET /notifications': 'what an instructor was told before',
  'GET /families/changes': 'what can be undone',
  'GET /promotions/acts': 'past promotions',
  'GET /owing': 'open charges stay owed',
  'GET /payment-balances': 'open charges and credit stay',
  'GET /payment-promises': 'a promise to pay open charges',
  'GET /payment-records': 'payments of past months',
  'GET /month-dues': 'what past months cost',
  'GET /receipts': 'receipts that were issued',
  'GET /receipts/:id': 'a receipt that was issued',
  'GET /statements': 'the account of a student',
  'GET /certificates/:code': 'a certificate that was issued',
  'GET /sms/batches': 'texts that were sent',
  'GET /sms/batches/:id': 'texts that were sent',
  'GET /sms/conversations': 'texts of a phone, and whose it is',
  'GET /sms/conversations/:phone/messages': 'texts of a phone, and whose it is',
  'GET /sms/inbox': 'replies that came in',
  'GET /sms/phones/:phone': 'whose phone it is',
  'GET /sms/simulated': 'texts that were sent',
  'POST /promotions/preview': 'the refusal names the student who was asked for',
}

/** Without optional fields, because a filter might hide the student. */
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
    // A kiosk is searched for the student.
    body: endpoint.path === '/kiosk/search' ? { text: NAME.slice(0, 4) } : body,
  }
}

async function readReplies(role: CallerRole, token: string): Promise<Map<string, string>> {
  const calls = endpoints.filter(
    (endpoint) =>
      isRead(endpoint) &&
      !asksForStudent(endpoint) &&
      (endpoint.access === 'public' ||
        (ROLES_BY_ACCESS[endpoint.access] as readonly string[]).includes(role)),
  )
  const replies = new Map<string, string>()
  for (const endpoint of calls) {
    const response = await server.http.inject({
      ...injectOptions(endpoint, requestParts(endpoint)),
      headers: { authorization: `Bearer ${token}` },
    })
    expect([nameOf(endpoint), response.statusCode < 500]).toEqual([nameOf(endpoint), true])
    replies.set(nameOf(endpoint), exportedText(response))
  }
  return replies
}

/** The calls whose reply names the student, by id or by name. */
async function findMentions(role: CallerRole, token: string): Promise<string[]> {
  const replies = [...(await readReplies(role, token))]
  return replies
    .filter(([, text]) => [ids.student_id, NAME, 'Zebulon'].some((word) => text.includes(word)))
    .map(([call]) => call)
}

const sessionOf = (id: string) => server.db.withoutDojo((tx) => openSession(tx, id))
const CALLERS = {
  instructor: () => sessionOf(ids.instructor_id),
  guardian: () => sessionOf(ids.guardian_id),
  kiosk: () => Promise.resolve(sampleKioskToken(ids)),
} as const
const mentionsFor = async (role: keyof typeof CALLERS) => findMentions(role, await CALLERS[role]())

/** Puts the student wherever a current student can be. */
async function putStudentEverywhere() {
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

test('a student who left is off every list, roll, count and preview', async () => {
  await putStudentEverywhere()
  const mentions = {
    instructor: await mentionsFor('instructor'),
    guardian: await mentionsFor('guardian'),
    kiosk: await mentionsFor('kiosk'),
  }
  // Proves that the calls would show the student.
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

  const sensei = server.clientFor(await sessionOf(ids.instructor_id))
  // In the dojo's time zone, it may still be the day before.
  const leaving = { left_on: addDays(TODAY, -1), reason: 'schedule' }
  expect((await sensei.post(`/students/${ids.student_id}/leave`, leaving)).status).toBe(200)
  const unexpectedCalls = (await mentionsFor('instructor')).filter((call) => !(call in HISTORY))
  expect(unexpectedCalls).toEqual([])
  // A guardian sees the reason for an empty page, and what they paid.
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

/** A student who left so long ago that no statistic of the last year includes the departure. */
async function addLongGoneStudent() {
  const goneIds = { ...ids, student_id: newId() }
  await runSql(`
    insert into students (dojo_id, id, name, monthly_payment_amount, date_of_birth, joined_on,
      created_at, on_vacation)
    values ('${ids.dojo_id}', '${goneIds.student_id}', 'Long Gone', 9000,
      '2012-${TODAY.slice(5)}', '2020-01-01', '2020-01-01T00:00:00Z', true)`)
  for (const table of ['guardianships', 'check_in_pins', 'enrolments'])
    await runSql(sampleRowStatement(table, goneIds))
  return async () => {
    await runSql(`delete from enrolments where student_id = '${goneIds.student_id}'`)
    await runSql(`
      update students set left_on = '2021-01-31', left_reason = 'moved', on_vacation = false
      where id = '${goneIds.student_id}'`)
  }
}

/** `has_former_students` of a guardian changes. */
const FAMILIES = 'GET /families'

test('a student who left long ago changes no count', async () => {
  const token = await CALLERS.instructor()
  const repliesBefore = await readReplies('instructor', token)
  // A reply that contains the time or a fresh address differs from call to call.
  const repeatedReplies = await readReplies('instructor', token)
  const letGo = await addLongGoneStudent()
  const callsOf = (replies: Map<string, string>) =>
    [...repliesBefore]
      .filter(([call, text]) => repeatedReplies.get(call) === text && replies.get(call) !== text)
      .map(([call]) => call)
  // Proves that the calls would count the student.
  expect(callsOf(await readReplies('instructor', token))).toEqual(
    expect.arrayContaining([
      'GET /kiosks',
      'GET /students',
      'GET /dashboard/stats',
      'GET /dashboard/analytics',
    ]),
  )
  await letGo()
  const unexpectedCalls = callsOf(await readReplies('instructor', token)).filter(
    (call) => !(call in HISTORY) && call !== FAMILIES,
  )
  expect(unexpectedCalls).toEqual([])
})
