import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { eq } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { accountRecoveries } from '../accounts/tables.ts'
import { loginInvitations } from '../guardians/tables.ts'
import { moveClock } from '../lib/clock.ts'
import { ADMIN_INBOX_ID } from '../notifications/notify.ts'
import { deleteExpiredGlobal } from '../retention.ts'
import { PASSWORD } from '../test/fixtures.ts'
import { createFixtures, startTestServer } from '../test/test-server.ts'
import { startMailServer } from '../test/mail-server.ts'

const { smtpUrl, mailsTo } = await startMailServer()
const server = await startTestServer({ smtpUrl })
let clockOffsetMs = 0
const advanceClock = (ms: number) => {
  clockOffsetMs += ms
  moveClock(ms)
}
afterEach(() => advanceClock(-clockOffsetMs))

const INVALID_LINK = [400, { detail: 'This link is no longer valid. It works once, for 7 days.' }]
/** Time between the setup and the theft, so that existing access is clearly older. */
const PAUSE_MS = 3 * DAY_MS
let emailCount = 0
const createEmail = (person = 'thief') => `${person}${(emailCount += 1)}@elsewhere.com`
const listStoredLinks = (id: string) =>
  server.db.withoutDojo((tx) =>
    tx.select().from(accountRecoveries).where(eq(accountRecoveries.account_id, id)),
  )

async function waitForRecoveryLink(address: string, count = 1): Promise<string> {
  const findLinks = () =>
    mailsTo(address).flatMap((mail) => /recover-account#([\w-]{43})/.exec(mail)?.[1] ?? [])
  await expect.poll(() => findLinks().length, { timeout: 10_000 }).toBe(count)
  return findLinks().at(-1)!
}
const recover = (recovery_token: string, changes: object = {}) =>
  server.anonymous.post('/account-recovery', { recovery_token, ...changes })
const canLogIn = async (email: string, password = PASSWORD) =>
  (await server.anonymous.post('/login', { email, password })).status === 200

type Person = Awaited<ReturnType<typeof server.createSensei>>
/** Signs in as a thief, who had the victim's token and changed the email and password. */
async function stealAccount(
  victim: Person,
  email = createEmail(),
  password = 'the thief’s own',
): Promise<Person> {
  expect((await victim.put('/profile', { email, dojo_name: 'Stolen', password })).status).toBe(200)
  return { ...victim, ...(await server.signIn(email, password)) }
}

test('recovers a stolen account by the link sent to the previous address', async () => {
  const sensei = await server.createSensei()
  const thief = await stealAccount(sensei)
  const link = await waitForRecoveryLink(sensei.email)
  const { email } = thief
  const thiefReset = await server.anonymous.post('/password-reset/request', { email })
  expect(thiefReset.status).toBe(200)
  const { status, body } = await recover(link)
  expect([status, body]).toEqual([
    200,
    {
      email: sensei.email,
      reset_token: expect.stringMatching(/^[\w-]{43}$/),
      guardian_log_ins: [],
      student_log_ins: [],
    },
  ])
  expect((await thief.get('/profile')).status).toBe(401)
  expect(await canLogIn(thief.email, 'the thief’s own')).toBe(false)
  expect(await canLogIn(sensei.email, 'the thief’s own')).toBe(false)
  expect(await canLogIn(sensei.email, PASSWORD)).toBe(false)
  await expect
    .poll(() => mailsTo(thief.email).some((mail) => mail.includes('/reset-password#')), {
      timeout: 10_000,
    })
    .toBe(true)
  const thiefResetToken = mailsTo(thief.email).flatMap(
    (mail) => /reset-password#([\w-]{43})/.exec(mail)?.[1] ?? [],
  )[0]!
  const thiefResponse = await server.anonymous.post('/password-reset', {
    reset_token: thiefResetToken,
    new_password: 'once more',
  })
  expect(thiefResponse.status).toBe(400)
  await server.anonymous.post('/password-reset', {
    reset_token: body.reset_token,
    new_password: 'mine again',
  })
  expect(await canLogIn(sensei.email, 'mine again')).toBe(true)
  const superAdmin = await server.signInSuperAdmin()
  const { body: auditEntries } = await superAdmin.get('/super-admin/audit-log')
  const [passwordEntry, recoveryEntry] = auditEntries
  expect(passwordEntry).toMatchObject({ action: 'password chosen by link' })
  expect(recoveryEntry).toMatchObject({
    action: 'account taken back',
    actor: sensei.email,
    subject: sensei.email,
  })
})

test('sends a mail that says what changed, but not the new values', async () => {
  const sensei = await server.createSensei()
  await stealAccount(sensei, 'burglar@elsewhere.com')
  await waitForRecoveryLink(sensei.email)
  const [mail] = mailsTo(sensei.email)
  expect(mail).toContain('Subject: The email and password of your Tatami account were changed')
  expect(mail).toContain('https://tatami.test/recover-account#')
  expect(mail).not.toContain('burglar')
})

test('invalidates newer links when an older link is used', async () => {
  const sensei = await server.createSensei()
  const firstTheft = await stealAccount(sensei)
  const secondTheft = await stealAccount(firstTheft, createEmail(), 'and another one')
  const ownerLink = await waitForRecoveryLink(sensei.email)
  const thiefLink = await waitForRecoveryLink(firstTheft.email)
  expect((await recover(ownerLink)).body.email).toBe(sensei.email)
  expect((await secondTheft.get('/profile')).status).toBe(401)
  const refusal = await recover(thiefLink)
  expect([refusal.status, refusal.body]).toEqual(INVALID_LINK)
  expect(await listStoredLinks(sensei.id)).toEqual([])
})

test('keeps an older link valid when a newer link is used', async () => {
  const sensei = await server.createSensei()
  const firstTheft = await stealAccount(sensei)
  await stealAccount(firstTheft)
  const ownerLink = await waitForRecoveryLink(sensei.email)
  const thiefLink = await waitForRecoveryLink(firstTheft.email)
  expect((await recover(thiefLink)).body.email).toBe(firstTheft.email)
  expect((await recover(ownerLink)).body.email).toBe(sensei.email)
})

test('accepts a link only once, even if it is opened four times at the same time', async () => {
  const sensei = await server.createSensei()
  await stealAccount(sensei)
  const link = await waitForRecoveryLink(sensei.email)
  const responses = await Promise.all([1, 2, 3, 4].map(() => recover(link)))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(responses.filter(({ status }) => status === 400)).toHaveLength(3)
  const secondResponse = await recover(link)
  expect([secondResponse.status, secondResponse.body]).toEqual(INVALID_LINK)
  const unknownResponse = await recover('no such link')
  expect([unknownResponse.status, unknownResponse.body]).toEqual(INVALID_LINK)
})

test('accepts a link for seven days, and deletes it the next night', async () => {
  const sensei = await server.createSensei()
  const otherSensei = await server.createSensei()
  await stealAccount(sensei)
  await stealAccount(otherSensei)
  advanceClock(7 * DAY_MS - 60_000)
  const link = await waitForRecoveryLink(sensei.email)
  expect((await recover(link)).status).toBe(200)
  advanceClock(120_000)
  const lateResponse = await recover(await waitForRecoveryLink(otherSensei.email))
  expect([lateResponse.status, lateResponse.body]).toEqual(INVALID_LINK)
  advanceClock(DAY_MS)
  await server.db.inDojo(ADMIN_INBOX_ID, deleteExpiredGlobal)
  expect(await listStoredLinks(otherSensei.id)).toEqual([])
})

test('accepts another email if a different account now has the previous one', async () => {
  const sensei = await server.createSensei()
  const thief = await stealAccount(sensei)
  const link = await waitForRecoveryLink(sensei.email)
  const newOwner = await server.createSensei({ email: sensei.email })
  const refusal = await recover(link)
  expect([refusal.status, refusal.body]).toEqual([
    409,
    { detail: 'An account with this email already exists' },
  ])
  expect((await thief.get('/profile')).status).toBe(200)
  const dotOrgResponse = await recover(link, { email: 'aiko@dojo.org' })
  expect([dotOrgResponse.status, dotOrgResponse.body.detail]).toEqual([
    422,
    'Email must have .com domain',
  ])
  const ownEmail = createEmail('aiko')
  expect((await recover(link, { email: ownEmail })).body.email).toBe(ownEmail)
  expect([(await thief.get('/profile')).status, (await newOwner.get('/profile')).status]).toEqual([
    401, 200,
  ])
})

test('notifies a student of a changed password, with a link that reverts it', async () => {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei)
  await student.put('/profile/password', {
    current_password: PASSWORD,
    new_password: 'a classmate’s',
  })
  const link = await waitForRecoveryLink(student.email)
  expect(mailsTo(student.email)[0]).toContain(
    'Subject: The password of your Tatami account was changed',
  )
  expect((await student.get('/notifications')).body[0]).toMatchObject({ title: 'Password changed' })
  expect((await recover(link)).status).toBe(200)
  expect([
    (await student.get('/profile')).status,
    await canLogIn(student.email, 'a classmate’s'),
  ]).toEqual([401, false])
})

test('does not put the link into notifications, logs or tables', async () => {
  const sensei = await server.createSensei()
  const thief = await stealAccount(sensei)
  const link = await waitForRecoveryLink(sensei.email)
  const notices = (await thief.get('/notifications')).body
  expect(notices[0]).toMatchObject({
    title: 'Email and password changed',
    message: expect.stringContaining(
      'use the link that we emailed to your old address. It works for 7 days',
    ),
  })
  const superAdmin = await server.signInSuperAdmin()
  const storedTexts = [
    notices,
    await listStoredLinks(sensei.id),
    (await superAdmin.get('/super-admin/audit-log')).body,
    (await superAdmin.get('/notifications')).body,
  ]
  expect(JSON.stringify(storedTexts)).not.toContain(link)
})

test('sends nothing if neither email nor password changes', async () => {
  const sensei = await server.createSensei()
  await sensei.put('/profile', { email: sensei.email, dojo_name: 'New name', password: '' })
  expect([await listStoredLinks(sensei.id), mailsTo(sensei.email)]).toEqual([[], []])
  const client = await server.signIn(sensei.email)
  expect((await client.get('/notifications')).body).toEqual([])
})

test('sends at most ten valid links to an address', async () => {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei)
  for (let n = 0; n < 12; n += 1)
    await student.put('/profile/password', {
      current_password: n === 0 ? PASSWORD : `${n - 1} plums and drums`,
      new_password: `${n} plums and drums`,
    })
  expect(await listStoredLinks(student.id)).toHaveLength(10)
  await waitForRecoveryLink(student.email, 10)
})

test('deletes the links of a deleted student', async () => {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei)
  await student.put('/profile/password', {
    current_password: PASSWORD,
    new_password: 'another one',
  })
  const link = await waitForRecoveryLink(student.email)
  await sensei.delete(`/students/${student.id}`)
  const reply = await recover(link)
  expect([reply.status, reply.body, await listStoredLinks(student.id)]).toEqual([
    ...INVALID_LINK,
    [],
  ])
})

test('notifies the user and the super admin if there is no mail server', async () => {
  const { http } = await server.openServer({ smtpUrl: undefined })
  const fixtures = createFixtures({ http, db: server.db })
  const sensei = await fixtures.createSensei({ email: createEmail('offline') })
  const thief = createEmail()
  await sensei.put('/profile', { email: thief, dojo_name: 'Stolen', password: 'the thief’s own' })
  expect(await listStoredLinks(sensei.id)).toEqual([])
  const thiefClient = await fixtures.signIn(thief, 'the thief’s own')
  expect((await thiefClient.get('/notifications')).body[0]).toMatchObject({
    title: 'Email and password changed',
    message:
      'The email and password of your account were changed. If this wasn’t you, ask the ' +
      'admin team to reset your password.',
  })
  const superAdmin = await fixtures.signInSuperAdmin()
  expect((await superAdmin.get('/notifications')).body[0]).toMatchObject({
    title: 'Sensei email changed',
    message: 'Aiko Tanaka of Stolen now logs in with another email.',
  })
  const resetResponse = await superAdmin.put(`/super-admin/sensei/${sensei.id}/reset-password`, {
    new_password: 'set by the admin',
  })
  expect(resetResponse.status).toBe(200)
  expect(await canLogIn(thief, 'set by the admin')).toBe(true)
})

test('limits recovery attempts per minute from one IP address', async () => {
  const { http } = await server.openServer({ signInsPerMinute: 2 })
  const tryCode = async () =>
    (
      await http.inject({
        method: 'POST',
        url: '/api/account-recovery',
        payload: { recovery_token: 'guess' },
      })
    ).statusCode
  expect([await tryCode(), await tryCode(), await tryCode()]).toEqual([400, 400, 429])
})

const getKioskStatus = async (token: string) => (await server.clientFor(token).get('/kiosk')).status

const countInvitations = ({ dojoId }: { dojoId: string }) =>
  server.db.inDojo(dojoId, (tx) => tx.$count(loginInvitations))

test('turns off kiosks, links, feeds and invitations that a thief created', async () => {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei)
  const guardian = await server.createGuardian(sensei, [student])
  const oldKiosk = (await sensei.post('/kiosks', { name: 'Front door' })).body.token
  advanceClock(PAUSE_MS)
  const thief = await stealAccount({ ...sensei, ...(await server.signIn(sensei.email)) })
  const { token } = (await thief.post('/kiosks', { name: 'Mine' })).body
  const { link } = (await thief.post('/kiosk-links', { name: 'Later' })).body
  const calendar = new URL((await thief.post('/calendar-feed')).body.url).pathname
  const mia = { name: 'Mia Ortiz', email: createEmail(), students: [{ student_id: student.id }] }
  const { guardian: uninvitedGuardian } = (await thief.post('/guardians', mia)).body
  const invitation = await thief.post(`/guardians/${uninvitedGuardian.id}/log-in-invitation`)
  expect([invitation.status, await countInvitations(sensei)]).toEqual([200, 1])
  expect([
    await getKioskStatus(token),
    (await server.http.inject({ url: calendar })).statusCode,
  ]).toEqual([200, 200])
  await recover(await waitForRecoveryLink(sensei.email))
  expect([
    await getKioskStatus(token),
    (await server.http.inject({ url: calendar })).statusCode,
  ]).toEqual([401, 404])
  const [, code] = String(link).split('#')
  expect((await server.anonymous.post('/kiosk-links/switch-on', { code })).status).toBe(400)
  expect(await countInvitations(sensei)).toBe(0)
  // Older access is kept.
  expect(await getKioskStatus(oldKiosk)).toBe(200)
  expect((await guardian.get('/profile')).status).toBe(200)
})

test('turns off a guardian’s check-in code and calendar address', async () => {
  const sensei = await server.createSensei()
  const kiosk = server.clientFor((await sensei.post('/kiosks', { name: 'Front door' })).body.token)
  const { id: class_id } = await server.createClass(sensei, {
    class_days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  })
  const student = await server.createStudent(sensei, { enrolled_classes: [class_id] })
  const guardian = await server.createGuardian(sensei, [student])
  const calendar = new URL((await guardian.post('/calendar-feed')).body.url).pathname
  const { code } = (await guardian.get('/my/check-in/code')).body
  const identify = async () => (await kiosk.post('/kiosk/code', { code, class_id })).status
  expect(await identify()).toBe(200)
  const change = { current_password: PASSWORD, new_password: 'the thief’s own' }
  expect((await guardian.put('/profile/password', change)).status).toBe(200)
  await recover(await waitForRecoveryLink(guardian.email))
  expect([await identify(), (await server.http.inject({ url: calendar })).statusCode]).toEqual([
    404, 404,
  ])
})

/** Creates kiosks and a calendar address, with which a thief could keep access. */
async function createAccess(thief: Person) {
  const kiosk = (await thief.post('/kiosks', { name: 'Mine' })).body.token
  const { link } = (await thief.post('/kiosk-links', { name: 'Later' })).body
  const code = String(link).split('#')[1]
  const calendar = new URL((await thief.post('/calendar-feed')).body.url).pathname
  const listStatuses = async () => [
    await getKioskStatus(kiosk),
    (await server.anonymous.post('/kiosk-links/switch-on', { code: `${code}` })).status,
    (await server.http.inject({ url: calendar })).statusCode,
  ]
  return { listStatuses }
}
const ENDED_STATUSES = [401, 400, 404]

async function requestResetToken(address: string): Promise<string> {
  await server.anonymous.post('/password-reset/request', { email: address })
  const findLinks = () =>
    mailsTo(address).flatMap((mail) => /reset-password#([\w-]{43})/.exec(mail)?.[1] ?? [])
  await expect.poll(() => findLinks().length, { timeout: 10_000 }).toBe(1)
  return findLinks()[0] ?? ''
}

test('turns off access from the last week when the password is reset by email', async () => {
  const sensei = await server.createSensei()
  const oldKiosk = (await sensei.post('/kiosks', { name: 'Front door' })).body.token
  advanceClock(9 * DAY_MS)
  const thief = await server.signIn(sensei.email)
  const access = await createAccess({ ...sensei, ...thief })
  const reset_token = await requestResetToken(sensei.email)
  const newPassword = { reset_token, new_password: 'mine once again' }
  expect((await server.anonymous.post('/password-reset', newPassword)).status).toBe(200)
  expect(await access.listStatuses()).toEqual(ENDED_STATUSES)
  expect(await getKioskStatus(oldKiosk)).toBe(200)
  const owner = await server.signIn(sensei.email, 'mine once again')
  expect((await owner.get('/notifications')).body[0]).toMatchObject({
    title: 'Password reset',
    message: expect.stringContaining('1 calendar address, 2 kiosks and kiosk links'),
  })
})

test('turns off access since the email change when a super admin resets the password', async () => {
  const sensei = await server.createSensei()
  const oldKiosk = (await sensei.post('/kiosks', { name: 'Front door' })).body.token
  advanceClock(2 * DAY_MS)
  const thief = await stealAccount({ ...sensei, ...(await server.signIn(sensei.email)) })
  const access = await createAccess(thief)
  advanceClock(12 * DAY_MS)
  const superAdmin = await server.signInSuperAdmin()
  const path = `/super-admin/sensei/${sensei.id}/reset-password`
  expect((await superAdmin.put(path, { new_password: 'given back' })).status).toBe(200)
  expect(await access.listStatuses()).toEqual(ENDED_STATUSES)
  expect(await getKioskStatus(oldKiosk)).toBe(200)
})

test('keeps older kiosks when the owner chooses a password after a recovery', async () => {
  const sensei = await server.createSensei()
  const oldKiosk = (await sensei.post('/kiosks', { name: 'Front door' })).body.token
  advanceClock(PAUSE_MS)
  await stealAccount({ ...sensei, ...(await server.signIn(sensei.email)) })
  const link = await waitForRecoveryLink(sensei.email)
  const { reset_token } = (await recover(link)).body
  const newPassword = { reset_token, new_password: 'mine once again' }
  expect((await server.anonymous.post('/password-reset', newPassword)).status).toBe(200)
  expect(await getKioskStatus(oldKiosk)).toBe(200)
})

test('keeps all kiosks when somebody changes their own password', async () => {
  const sensei = await server.createSensei()
  const kiosk = (await sensei.post('/kiosks', { name: 'Front door' })).body.token
  const change = { current_password: PASSWORD, new_password: 'mine, changed' }
  expect((await sensei.put('/profile/password', change)).status).toBe(200)
  expect(await getKioskStatus(kiosk)).toBe(200)
})

async function acceptInvitation(email: string): Promise<void> {
  const findInvitation = () =>
    mailsTo(email).flatMap((mail) => /accept-invitation#([\w.-]+)/.exec(mail)?.[1] ?? [])[0]
  await expect.poll(findInvitation, { timeout: 10_000 }).toBeDefined()
  const { status } = await server.anonymous.post('/log-in-invitations/accept', {
    invitation: findInvitation(),
    password: 'three green apples',
  })
  expect(status).toBe(200)
}

test('lists guardians whose logins were created after the account was stolen', async () => {
  const sensei = await server.createSensei()
  const student = await server.createStudent(sensei)
  await server.createGuardian(sensei, [student])
  advanceClock(PAUSE_MS)
  const thief = await stealAccount({ ...sensei, ...(await server.signIn(sensei.email)) })
  const aunt = { name: 'Nice Aunt', email: createEmail(), students: [{ student_id: student.id }] }
  const { guardian } = (await thief.post('/guardians', aunt)).body
  await thief.post(`/guardians/${guardian.id}/log-in-invitation`)
  await acceptInvitation(aunt.email)
  const link = await waitForRecoveryLink(sensei.email)
  const { email, reset_token, guardian_log_ins } = (await recover(link)).body
  expect(guardian_log_ins).toEqual(['Nice Aunt'])
  const newPassword = { reset_token, new_password: 'mine once again' }
  await server.anonymous.post('/password-reset', newPassword)
  const owner = await server.signIn(email, 'mine once again')
  expect((await owner.get('/notifications')).body[0]).toMatchObject({
    title: 'Account recovered',
    message: '1 guardian login was added in the meantime: Nice Aunt. Check it under Families.',
  })
})

test('lists students whose logins were created after the account was stolen', async () => {
  const sensei = await server.createSensei()
  await server.createStudent(sensei)
  const ken = await server.createStudent(sensei, { name: 'Ken Adams' })
  expect((await sensei.delete(`/students/${ken.id}/log-in`)).status).toBe(200)
  advanceClock(PAUSE_MS)
  const thief = await stealAccount({ ...sensei, ...(await server.signIn(sensei.email)) })
  const email = createEmail()
  expect((await thief.post(`/students/${ken.id}/log-in-invitation`, { email })).status).toBe(200)
  await acceptInvitation(email)
  const kenSession = await server.signIn(email, 'three green apples')
  await server.createStudent(sensei, { name: 'Mia Ruiz' })
  const link = await waitForRecoveryLink(sensei.email)
  const { reset_token, guardian_log_ins, student_log_ins } = (await recover(link)).body
  expect([guardian_log_ins, student_log_ins]).toEqual([[], ['Ken Adams', 'Mia Ruiz']])
  await server.anonymous.post('/password-reset', { reset_token, new_password: 'mine once again' })
  const owner = await server.signIn(sensei.email, 'mine once again')
  expect((await owner.get('/notifications')).body[0]).toMatchObject({
    title: 'Account recovered',
    message:
      '2 student logins were added in the meantime: Ken Adams, Mia Ruiz. Check them in the ' +
      'Student Center: you can end a login on the student’s page.',
  })
  expect((await kenSession.get('/profile')).status).toBe(200)
  expect((await owner.delete(`/students/${ken.id}/log-in`)).body).toEqual({ success: true })
  expect((await kenSession.get('/profile')).status).toBe(401)
  expect(await canLogIn(email, 'three green apples')).toBe(false)
  expect((await owner.get(`/students/${ken.id}`)).body.student).toMatchObject({
    name: 'Ken Adams',
    email: null,
  })
})
