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
import { TEST_FOR_NEXT_RANK } from './next-rank.ts'
import { createSampleDojo, SAMPLE_ROWS } from './sample-rows.ts'

/** POST calls without an Idempotency-Key, with the reason why sending them twice does no harm. */
const CALLS_WITHOUT_KEY: Record<string, string> = {
  'POST /login':
    'the response contains a token, which must not be stored; a second session is harmless',
  'POST /logout': 'the session ends once',
  'POST /register':
    'the response contains a token, which must not be stored; a second account with the ' +
    'email is refused (409)',
  'POST /register/guardian':
    'the response contains a token, which must not be stored; a second account with the ' +
    'email is refused (409)',
  'POST /sensei/register': 'a second account with the email is refused (409)',
  'POST /password-check': 'changes nothing',
  'POST /students/:id/holds/preview': 'changes nothing',
  'POST /holds/:id/end': 'a hold that has ended stays as it is',
  'POST /holds/:id/reopen': 'a hold that has not ended cannot be reopened (409)',
  'POST /password-reset/request': 'a second link is harmless, and there are at most three',
  'POST /password-reset': 'the link works once',
  'POST /account-recovery': 'the link works once, and the response contains a token',
  'POST /guardians/:id/log-in-invitation':
    'an earlier invitation stops working, and the response contains a link',
  'POST /public-page/photos': 'adding the same picture again changes nothing',
  'POST /kiosk/trials': 'a visitor who checks in twice is marked once',
  'POST /trials/:id/approve': 'an approved trial stays approved',
  'POST /trials/:id/cancel': 'a canceled trial stays canceled',
  'POST /students/:id/approve': 'an approved student stays approved',
  'POST /students/:id/leave': 'a former student stays a former student',
  'POST /students/:id/return': 'a student who returned stays enrolled',
  'POST /students/:id/log-in-invitation':
    'an earlier invitation stops working, and the response contains a link',
  'POST /students/:id/log-in/reopen': 'an open login cannot be opened again (409)',
  'POST /passkey-sign-in/options': 'only returns a challenge, which expires',
  'POST /passkey-sign-in': 'a signed challenge works once, and the response contains a token',
  'POST /passkey-options': 'only returns a challenge, which expires',
  'POST /passkeys': 'a signed challenge works once, and the response may hold recovery codes',
  'POST /authenticator': 'replaces an unconfirmed secret, and the response contains it',
  'POST /authenticator/remove': 'a removed authenticator cannot be removed again (404)',
  'POST /recovery-codes': 'there are always ten codes, and the response contains them',
  'POST /log-in-invitations/look-up': 'changes nothing',
  'POST /log-in-invitations/accept': 'the invitation works once, and the response contains a token',
  'POST /open-staff-invitations':
    'the response contains the link, and a second invitation ends the first or can be canceled',
  'POST /open-staff-invitations/:id/renew':
    'the response contains the link, and only the last one works',
  'POST /staff-invitations/look-up': 'changes nothing',
  'POST /staff-invitations/accept': 'the invitation works once, and the response contains a token',
  'POST /staff-invitations/join': 'the invitation works once',
  'POST /staff/:id/end': 'ended work cannot be ended again (409)',
  'POST /staff/:id/rehire': 'somebody who works here cannot be rehired (409)',
  'POST /staff-certificates/:id/recheck': 'a second recheck on the same day changes nothing',
  'POST /staff-certificates/:id/restore': 'a restored certificate stays restored',
  'POST /staff/:id/ownership': 'an owner cannot become one again (409)',
  'POST /staff/:id/ownership/remove': 'only an owner can be removed (409)',
  'POST /families/suggestions/dismiss': 'a pair is dismissed once',
  'POST /families/preview': 'changes nothing',
  'POST /plans/:id/retire': 'a retired plan stays retired',
  'POST /plans/:id/restore': 'a restored plan stays restored',
  'POST /plans/:id/price-announcements': 'replaces an announcement that has not taken effect',
  'POST /students/:id/subscriptions/preview': 'changes nothing',
  'POST /subscriptions/:id/change/preview': 'changes nothing',
  'POST /subscriptions/:id/change': 'a plan that was changed cannot be changed again (409)',
  'POST /subscriptions/:id/end/preview': 'changes nothing',
  'POST /subscriptions/:id/end': 'a plan that ends does not end twice',
  'POST /subscriptions/:id/undo': 'a start cannot be undone twice (409)',
  'POST /subscriptions/:id/keep': 'a plan that continues stays as it is',
  'POST /my/subscriptions/:id/end/preview': 'changes nothing',
  'POST /my/subscriptions/:id/end': 'a plan that ends does not end twice',
  'POST /my/subscriptions/:id/keep': 'a plan that continues stays as it is',
  'POST /promotions/preview': 'changes nothing',
  'POST /families/changes/:id/undo': 'a change cannot be undone twice (409)',
  'POST /student-imports/preview': 'changes nothing',
  'POST /student-imports/:id/undo': 'a change cannot be undone twice (409)',
  'POST /documents/:id/publish': 'a text is published once (409)',
  'POST /students/:id/signing-links': 'the response may contain the link; a second one is harmless',
  'POST /students/:id/document-passes': 'a student passes once a day',
  'POST /signatures/:id/confirm': 'a confirmed signature stays confirmed',
  'POST /signatures/:id/revoke': 'a signature is revoked once (409)',
  'POST /signing/open': 'changes nothing',
  'POST /signing/sign': 'a person signs a version once, and a retry gets the first response',
  'POST /signing/not-my-child': 'the link stops working once',
  'POST /signing/copy': 'changes nothing',
  'POST /signatures/:id/medical-note': 'an answer is added only once',
  'POST /my-documents/link': 'the response contains the link, and a second one is harmless',
  'POST /kiosk/search': 'changes nothing',
  'POST /kiosk/code': 'changes nothing',
  'POST /kiosk/check-ins': 'the kiosk gives each check-in an id, so a repeated one is recognized',
  'POST /lead-sources': 'a second source with the name is refused (409)',
  'POST /students/:id/referral-link': 'a student has one link',
  'POST /leads/:id/spoken-consent': 'a phone is asked only once (409)',
  'POST /leads/:id/merge': 'a merged lead cannot be merged again (404)',
  'POST /leads/:id/unmerge': 'a merge is undone only once (404)',
  'POST /leads/:id/join': 'a visitor joins only once (409)',
  'POST /followups/students/:id/start': 'a student who started cannot start again (409)',
  'POST /followups/students/:id/stop': 'a plan that was stopped has no open steps (409)',
  'POST /kiosks': 'the response contains a credential, and an extra kiosk can be ended',
  'POST /kiosk-links': 'the response contains the link, which expires',
  'POST /kiosk-links/switch-on': 'the link works once, and the response contains a credential',
  'POST /kiosk/work': 'changes nothing',
  'POST /my/hours/classes': 'a class is entered once per person',
  'POST /approved-staff-hours': 'approved hours stay approved',
  'POST /pay/periods': 'a period is closed once (409)',
  'POST /pay/rates': 'there is one rate per person, task and first day',
  'POST /my/check-in/code': 'there is always one code',
  'POST /invitation': 'the invitation is replaced, and there is always one',
  'POST /students/:id/enroll/:classId': 'enrolling twice is a success that changes nothing',
  'POST /attendance': 'one record per student, class and day',
  'POST /excuses': 'one excuse per student, class and day',
  'POST /class-dates': 'a class has one date per day (409)',
  'POST /class-dates/places': 'one place per student, class and day',
  'POST /calendar-feed': 'the address is replaced, so there is at most one',
  'POST /payment-records': 'one record per student and month',
  'POST /promotions/acts/:id/undo': 'an undone promotion stays undone',
  'POST /promotions/:id/undo': 'an undone promotion stays undone',
  'POST /promotions/:id/certificate': 'a promotion has one number',
  'POST /promotions/acts/:id/certificates': 'a promotion has one number',
  'POST /gradings/:id/certificates': 'a promotion has one number',
  'POST /gradings/:id/finish': 'a grading is finished once',
  'POST /charges/:id/write-off': 'a charge cannot be written off twice (409)',
  'POST /ledger-acts/:id/undo': 'an act cannot be undone twice (409)',
  'POST /receipts': 'a payment has one receipt',
  'POST /sms/init': 'records only the result of the check',
  'POST /online-payment/account/remove': 'a removed account cannot be removed again (404)',
  'POST /online-payment/simulation': 'trying it out twice changes nothing',
  'POST /online-payment/confirmation': 'confirming twice changes nothing',
  'POST /online-payments/:id/review/end': 'a review ends once',
  'POST /payer/pay': 'a second press opens the same page of Stripe',
  'POST /payer/autopay': 'the agreement is replaced, and there is at most one',
  'POST /payer/method': 'a second press opens the same page of Stripe',
  'POST /payer/autopay/stop': 'autopay that is off stays off',
  'POST /students/:id/autopay/permissions': 'a charge that is allowed stays allowed',
  'POST /students/:id/autopay/stop': 'autopay that is off stays off',
  'POST /pay-links': 'another link leads to the same page',
  'POST /sms/account/remove': 'a removed account cannot be removed again (404)',
  'POST /sms/preview': 'changes nothing',
  'POST /export': 'changes nothing but the audit log, which records each download',
  'POST /export/students': 'changes nothing but the audit log, which records each download',
  'POST /export/attendance': 'changes nothing but the audit log, which records each download',
  'POST /export/payments': 'changes nothing but the audit log, which records each download',
  'POST /pay/export': 'changes nothing but the audit log, which records each download',
  'POST /export/bookkeeping': 'changes nothing but the audit log, which records each download',
  'POST /students/:id/export': 'changes nothing but the audit log, which records each download',
  'POST /family/students/:id/export':
    'changes nothing but the audit log, which records each download',
}

/** A student cannot be promoted twice to the same rank, so earlier promotions are undone. */
const UNDO_ALL_PROMOTIONS = `insert into belt_changes (id, student_id, belt_level, previous_belt,
    changed_at, changed_by, kind, undoes)
  select gen_random_uuid(), student_id, previous_belt, belt_level, now(), changed_by, 'correction',
    id from belt_changes c
  where undoes is null and not exists (select from belt_changes u where u.undoes = c.id)`

const server = await startTestServer()
const overseer = new pg.Client({ connectionString: server.adminUrl })
await overseer.connect()
afterAll(() => overseer.end())

const postCalls = endpoints
  .filter(({ method }) => method === 'POST')
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)
const keyedCalls = postCalls.filter(([, { idempotent }]) => idempotent)

test('every POST call takes an Idempotency-Key, or has a reason not to', () => {
  expect(
    postCalls
      .filter(([, { idempotent }]) => !idempotent)
      .map(([name]) => name)
      .toSorted(),
  ).toEqual(Object.keys(CALLS_WITHOUT_KEY).toSorted())
})

test('stored responses contain no token or password', () => {
  for (const [, { reply }] of keyedCalls)
    expect(JSON.stringify(reply)).not.toMatch(/token|password/)
})

const COUNTED_TABLES = [...Object.keys(SAMPLE_ROWS), 'accounts', 'consents', 'audit_log']
const NO_ADDED_ROWS = Object.fromEntries(COUNTED_TABLES.map((table) => [table, 0]))
async function countRows(): Promise<Record<string, number>> {
  const counts = COUNTED_TABLES.map((table) => `(select count(*)::int from ${table}) as ${table}`)
  return (await overseer.query<Record<string, number>>(`select ${counts.join(', ')}`)).rows[0]!
}
async function countAddedRows(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const countsBefore = await countRows()
  await work()
  const countsAfter = await countRows()
  return Object.fromEntries(
    COUNTED_TABLES.map((table) => [table, countsAfter[table]! - countsBefore[table]!]),
  )
}

/** Calls that succeed only for a guardian. */
const GUARDIAN_CALLS = ['POST /family/messages']

async function createToken(
  name: string,
  { access }: Endpoint,
  ids: Ids,
): Promise<string | undefined> {
  if (access === 'public') return undefined
  const roles: readonly string[] = GUARDIAN_CALLS.includes(name)
    ? ['guardian']
    : ROLES_BY_ACCESS[access]
  const role = (['instructor', 'guardian'] as const).find((candidate) => roles.includes(candidate))
  const id = ids[`${role ?? 'student'}_id`]
  return server.db.withoutDojo((tx) => openSession(tx, id))
}
const withNewEmail = (parts: RequestParts): RequestParts =>
  'email' in parts.body && 'password' in parts.body
    ? { ...parts, body: { ...parts.body, email: `${newId()}@dojo.com` } }
    : parts

/** SQL statements that let a call succeed once more with another key. */
const PREPARATIONS: Record<string, string[]> = {
  'POST /late-fees': OWED_MONTHS_SQL,
  'POST /plans': ['update plans set name = id::text'],
  'POST /promotions': [UNDO_ALL_PROMOTIONS],
  'POST /students/:id/subscriptions': ['delete from subscriptions'],
  'POST /students/:id/holds': ['delete from holds'],
  'POST /students/:id/packs': [
    "update plans set kind = 'pack', is_add_on = false",
    'delete from student_packs',
  ],
}

/** These need a payment at Stripe, so server/online-payment/refunds.test.ts tests them. */
const STRIPE_CALLS = ['POST /online-payments/:id/refunds', 'POST /online-refunds/:id/record']
const testedCalls = keyedCalls.filter(([name]) => !STRIPE_CALLS.includes(name))

describe.each(testedCalls)('%s', (name, endpoint) => {
  let ids: Ids
  const prepareDojo = () =>
    server.db.inDojo(ids.dojo_id, async (tx) => {
      for (const statement of PREPARATIONS[name] ?? []) await tx.execute(sql.raw(statement))
    })
  beforeEach(prepareDojo)

  let call: (parts: RequestParts, key?: string) => Promise<{ status: number; text: string }>
  let requestParts: RequestParts
  let otherParts: RequestParts

  beforeAll(async () => {
    ids = await createSampleDojo(server.db)
    await server.db.inDojo(ids.dojo_id, async (tx) => {
      // Only a failed text can be sent again.
      await tx.execute(sql`update messages set state = 'failed'`)
      await tx.execute(sql.raw(TEST_FOR_NEXT_RANK))
    })
    const token = await createToken(name, endpoint, ids)
    call = async (parts, key) => {
      const headers = {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(key && { 'idempotency-key': key }),
      }
      const response = await server.http.inject({ ...injectOptions(endpoint, parts), headers })
      return { status: response.statusCode, text: response.payload }
    }
    const samples = fc
      .sample(validRequestParts(endpoint, ids), { seed: 7, numRuns: 50 })
      .map(withNewEmail)
    // The server checks the password before the key.
    const isOtherRequest = (parts: RequestParts) =>
      parts.body.password === requestParts.body.password &&
      JSON.stringify(injectOptions(endpoint, parts)) !==
        JSON.stringify(injectOptions(endpoint, requestParts))
    // Looks for a request that succeeds twice. Some do not: a reminder is sent once a month.
    for (const sample of samples) {
      requestParts = sample
      const responses = []
      for (const parts of [sample, sample]) {
        await prepareDojo()
        responses.push(await call(withNewEmail(parts)))
      }
      if (responses.every(({ status }) => status === 200)) break
    }
    requestParts = withNewEmail(requestParts)
    // A random password would be refused, because it is easy to guess.
    const hasSafePassword = ({ body }: RequestParts) =>
      [undefined, requestParts.body.password].includes(body.password)
    const newIds = Object.fromEntries(
      Object.keys(requestParts.params).map((field) => [field, newId()]),
    )
    otherParts = samples.find((parts) => isOtherRequest(parts) && hasSafePassword(parts)) ?? {
      ...requestParts,
      params: newIds,
    }
  })

  test('a repeated key returns the first response and changes nothing', async () => {
    const key = newId()
    const firstResponse = await call(requestParts, key)
    expect(firstResponse.status).toBe(200)
    const rowsAddedByRetry = await countAddedRows(async () =>
      expect(await call(requestParts, key)).toEqual(firstResponse),
    )
    expect(rowsAddedByRetry).toEqual(NO_ADDED_ROWS)
  })

  // Without parameters or a body, no other request is possible.
  const hasParameters = 'body' in endpoint || endpoint.path.includes(':')
  test.runIf(hasParameters)('refuses a key that was used for another request', async () => {
    const key = newId()
    requestParts = withNewEmail(requestParts)
    expect((await call(requestParts, key)).status).toBe(200)
    const rowsAddedByOtherRequest = await countAddedRows(async () =>
      expect(await call(otherParts, key)).toEqual({
        status: 409,
        text: '{"detail":"This Idempotency-Key was used for another request"}',
      }),
    )
    expect(rowsAddedByOtherRequest).toEqual(NO_ADDED_ROWS)
  })

  test('simultaneous requests with the same key have the effect of one request', async () => {
    const singleParts = withNewEmail(requestParts)
    const simultaneousParts = withNewEmail(requestParts)
    const rowsAddedByOne = await countAddedRows(() => call(singleParts, newId()))
    await prepareDojo()
    const key = newId()
    const rowsAddedByFour = await countAddedRows(async () => {
      const responses = await Promise.all([1, 2, 3, 4].map(() => call(simultaneousParts, key)))
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    })
    expect(rowsAddedByFour).toEqual(rowsAddedByOne)
    expect(rowsAddedByOne.idempotency_keys).toBe(1)
  })
})

const createStudent = (token: string, form: object, key: string) =>
  server.http.inject({
    method: 'POST',
    url: '/api/students',
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
    payload: form,
  })
const readStoredResponses = async () =>
  JSON.stringify((await overseer.query('select * from idempotency_keys')).rows)

test('the stored response contains neither a password nor its hash', async () => {
  const sensei = await server.createSensei()
  const form = exampleStudent({ class_preferences: ['saturday'], password: 'Unforgettable1' })
  const firstResponse = await createStudent(sensei.token, form, 'enrollment')
  const retry = await createStudent(
    sensei.token,
    { ...form, password: 'Another-one-2' },
    'enrollment',
  )
  expect([retry.statusCode, retry.payload]).toEqual([200, firstResponse.payload])
  expect(await readStoredResponses()).not.toMatch(/password|Unforgettable1/)
})

test('a late retry does not create a deleted student again', async () => {
  const sensei = await server.createSensei()
  const form = exampleStudent({ class_preferences: ['saturday'], name: 'Wenceslaus Unforgettable' })
  const { student } = (await createStudent(sensei.token, form, 'enrollment')).json()
  expect(await readStoredResponses()).toContain('Wenceslaus')
  await sensei.delete(`/students/${student.id}`)
  const lateResponse = await createStudent(sensei.token, form, 'enrollment')
  expect([lateResponse.statusCode, lateResponse.json()]).toEqual([
    409,
    { detail: 'This was done before, and has been deleted since' },
  ])
  expect(await readStoredResponses()).not.toMatch(new RegExp(`Wenceslaus|${student.id}`))
})
