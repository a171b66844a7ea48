import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { ALL_RIGHTS, type Right, rightsOfPreset } from '@tatami/contract/rights'
import { HELPER_RIGHTS } from '@tatami/contract/staff/staff-grants'
import { beforeEach, describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { uniqueEmail } from '../test/fixtures.ts'
import { startMailServer } from '../test/mail-server.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const { smtpUrl, mailsTo } = await startMailServer()
const PASSWORD = 'eight8-8'
const grant = { preset: 'desk', rights: rightsOfPreset('desk'), class_ids: null, title: 'Desk' }

let sensei: Awaited<ReturnType<typeof server.createSensei>>
beforeEach(async () => {
  sensei = await server.createSensei({ dojo_name: 'Cedar Park Judo' })
})

const readSecret = (body: { link: string }) => body.link.split('#')[1] ?? ''
const invite = async (fields: object = {}, caller = sensei) =>
  caller.post('/open-staff-invitations', { ...grant, name: 'Kim Park', ...fields })
const accept = (invitation: string, fields: object = {}) =>
  server.anonymous.post('/staff-invitations/accept', { invitation, password: PASSWORD, ...fields })
const statusAndDetail = ({ status, body }: { status: number; body: { detail?: string } }) => [
  status,
  body.detail,
]
const INVALID_INVITATION = [
  400,
  'This invitation is no longer valid. Please ask your dojo for a new one.',
]

describe('an invitation to the staff', () => {
  test('is a link that creates one login with the invited rights', async () => {
    const email = uniqueEmail('kim')
    const { status, body } = await invite({ email })
    expect([status, body]).toMatchObject([
      200,
      {
        is_sent: false,
        link: expect.stringMatching(/^https:\/\/tatami\.test\/join-staff#/),
        invitation: { name: 'Kim Park', email, invited_by: sensei.name, is_expired: false },
      },
    ])
    const invitation = readSecret(body)
    const { body: details } = await server.anonymous.post('/staff-invitations/look-up', {
      invitation,
    })
    expect(details).toMatchObject({
      dojo_name: 'Cedar Park Judo',
      name: 'Kim Park',
      email,
      title: 'Desk',
      class_names: null,
      has_login: false,
    })
    const acceptance = await accept(invitation)
    expect([acceptance.status, acceptance.body.user]).toMatchObject([
      200,
      { name: 'Kim Park', email, is_instructor: true, staff: { is_owner: false } },
    ])
    const kim = server.clientFor(acceptance.body.token)
    expect((await kim.get('/students')).status).toBe(200)
    expect((await kim.get('/staff')).status).toBe(403)
    expect(statusAndDetail(await accept(invitation, { email: uniqueEmail('lee') }))).toEqual(
      INVALID_INVITATION,
    )
    const { body: staff } = await sensei.get('/staff')
    expect(staff).toMatchObject({
      people: [
        { name: sensei.name, is_owner: true },
        { name: 'Kim Park', preset: 'desk', title: 'Desk' },
      ],
      invitations: [],
    })
    const { body: log } = await sensei.get('/audit-log?kind=staff')
    expect(log).toMatchObject([
      { action: 'staff joined', actor: 'Kim Park' },
      { action: 'staff invited', actor: sensei.name },
    ])
    const { body: notifications } = await sensei.get('/notifications')
    expect(JSON.stringify(notifications)).toContain('Kim Park has accepted the invitation.')
  })

  test('can get its email when it is accepted', async () => {
    const invitation = readSecret((await invite()).body)
    expect(statusAndDetail(await accept(invitation))).toEqual([422, 'Email is required'])
    const email = uniqueEmail('kim')
    const { status, body } = await accept(invitation, { email, name: 'Kim Lee Park' })
    expect([status, body.user]).toMatchObject([200, { name: 'Kim Lee Park', email }])
  })

  test('expires after 7 days, and can be renewed and canceled', async () => {
    const { body } = await invite()
    setClock(new Date(Date.now() + 7 * DAY_MS + 1000).toISOString())
    const { body: staff } = await sensei.get('/staff')
    expect(staff.invitations).toMatchObject([{ is_expired: true }])
    expect(statusAndDetail(await accept(readSecret(body)))).toEqual(INVALID_INVITATION)
    const { body: renewal } = await sensei.post(
      `/open-staff-invitations/${body.invitation.id}/renew`,
    )
    const email = uniqueEmail('kim')
    expect(renewal.invitation.is_expired).toBe(false)
    expect((await sensei.delete(`/open-staff-invitations/${body.invitation.id}`)).status).toBe(200)
    expect(statusAndDetail(await accept(readSecret(renewal), { email }))).toEqual(
      INVALID_INVITATION,
    )
  })

  test('replaces an earlier invitation to the same address', async () => {
    const email = uniqueEmail('kim')
    const firstSecret = readSecret((await invite({ email })).body)
    const secondSecret = readSecret((await invite({ email })).body)
    expect(statusAndDetail(await accept(firstSecret))).toEqual(INVALID_INVITATION)
    expect((await accept(secondSecret)).status).toBe(200)
  })

  test('is sent by email, and its link is also returned', async () => {
    const mailingServer = await server.openServer({ smtpUrl, mailFrom: 'dojo@tatami.test' })
    const email = uniqueEmail('kim')
    const { payload } = await mailingServer.http.inject({
      method: 'POST',
      url: '/api/open-staff-invitations',
      headers: { authorization: `Bearer ${sensei.token}` },
      payload: { ...grant, name: 'Kim Park', email },
    })
    const { is_sent, link } = JSON.parse(payload)
    expect(is_sent).toBe(true)
    await expect.poll(() => mailsTo(email)).toHaveLength(1)
    const [mail] = mailsTo(email)
    expect(mail).toContain('Subject: Cedar Park Judo invites you to its staff')
    expect(mail).toContain(link)
  })

  test('gives only rights that the inviting person has and that fit the classes', async () => {
    const manager = await server.createStaff(sensei, { rights: ['staff', 'roll'] })
    const refusal = await manager.post('/open-staff-invitations', { ...grant, name: 'Kim Park' })
    expect(statusAndDetail(refusal)).toEqual([
      403,
      'Your login may not set up the kiosk. Ask the owner.',
    ])
    const kids = await server.createClass(sensei)
    expect(statusAndDetail(await invite({ class_ids: [kids.id] }))).toEqual([
      422,
      'Staff with only their own classes can’t change classes, dates and holidays',
    ])
    const helper = await invite({ class_ids: [kids.id], preset: 'helper', rights: ['roll'] })
    expect(helper.status).toBe(200)
  })

  test('ends when the work of the sender ends', async () => {
    const manager = await server.createStaff(sensei, { rights: ['staff', 'roll'] })
    const form = { ...grant, rights: ['roll'], preset: null, name: 'Kim Park' }
    const { body } = await manager.post('/open-staff-invitations', form)
    await sensei.post(`/staff/${manager.id}/end`, {})
    expect(statusAndDetail(await accept(readSecret(body), { email: uniqueEmail('kim') }))).toEqual(
      INVALID_INVITATION,
    )
  })
})

describe('a person with a login in the dojo', () => {
  test('logs in, joins, and switches between both views', async () => {
    const leo = await server.createStudent(sensei, { name: 'Leo Adams' })
    const ann = await server.createGuardian(sensei, [leo])
    const { body } = await invite({ email: ann.email, name: 'Ann Adams' })
    const invitation = readSecret(body)
    const { body: details } = await server.anonymous.post('/staff-invitations/look-up', {
      invitation,
    })
    expect(details.has_login).toBe(true)
    expect(statusAndDetail(await accept(invitation))).toEqual([
      409,
      'You already have a login here. Log in with it to join the staff.',
    ])
    const otherGuardian = await server.createGuardian(sensei, [leo])
    expect(
      statusAndDetail(await otherGuardian.post('/staff-invitations/join', { invitation })),
    ).toEqual([
      403,
      'This invitation is for somebody else. Log in with the email that it was sent to.',
    ])
    const joinReply = await ann.post('/staff-invitations/join', { invitation })
    expect([joinReply.status, joinReply.body.user]).toMatchObject([
      200,
      {
        id: ann.id,
        is_instructor: true,
        is_guardian: true,
        has_family_view: true,
        is_in_family_view: false,
        staff: { is_owner: false },
      },
    ])
    expect((await ann.get('/students')).status).toBe(200)
    const switchReply = await ann.put('/my/view', { family: true })
    expect(switchReply.body.user).toMatchObject({
      is_instructor: false,
      is_in_family_view: true,
      staff: null,
      students: [{ id: leo.id }],
    })
    expect((await ann.get('/students')).status).toBe(403)
    expect((await ann.get('/family/home')).body.children).toMatchObject([{ id: leo.id }])
    await ann.put('/my/view', { family: false })
    expect((await ann.get('/students')).status).toBe(200)
  })

  test('is refused if the invitation is from another dojo', async () => {
    const otherSensei = await server.createSensei()
    const stranger = await server.createStudent(otherSensei, {})
    expect(statusAndDetail(await invite({ email: stranger.email }))).toEqual([
      409,
      'An account with this email already exists in another dojo. A login belongs to one dojo, ' +
        'so please enter another email.',
    ])
    const invitation = readSecret((await invite()).body)
    const refusal = await stranger.post('/staff-invitations/join', { invitation })
    expect(refusal.status).toBe(409)
  })

  test('keeps the family view until their first day', async () => {
    const ken = await server.createStudent(sensei, { date_of_birth: '1990-01-01' })
    const { body } = await invite({ starts_on: '2199-01-01', email: ken.email })
    const joinReply = await ken.post('/staff-invitations/join', { invitation: readSecret(body) })
    expect(joinReply.body.user).toMatchObject({ is_instructor: false, has_family_view: false })
    expect((await ken.get('/students')).status).toBe(403)
    const signedIn = await server.anonymous.post('/login', {
      email: ken.email,
      password: 'Kiai2026!',
    })
    expect([signedIn.status, signedIn.body.user.is_instructor]).toEqual([200, false])
  })
})

describe('a new member before their first day', () => {
  test('cannot log in yet, and is told when they can', async () => {
    const email = uniqueEmail('kim')
    const { body } = await invite({ starts_on: '2199-01-04', email })
    const acceptance = await accept(readSecret(body))
    expect([acceptance.status, acceptance.body]).toEqual([200, { token: null, user: null }])
    const refusal = await server.anonymous.post('/login', { email, password: PASSWORD })
    expect(statusAndDetail(refusal)).toEqual([
      403,
      expect.stringMatching(/^You can log in from .*4/),
    ])
  })
})

describe('a student under 18', () => {
  const helper = { preset: 'helper', rights: ['roll'], title: null }

  test('can help at 14 or older, with a guardian’s consent and without seeing contacts', async () => {
    const kids = await server.createClass(sensei)
    const teen = await server.createStudent(sensei, {
      name: 'Mia Adams',
      date_of_birth: bornYearsAgo(15),
      enrolled_classes: [kids.id],
    })
    const ann = await server.createGuardian(sensei, [teen])
    const form = { ...helper, student_id: teen.id, class_ids: [kids.id] }
    expect(statusAndDetail(await invite(form))).toEqual([
      422,
      'Choose the guardian who agreed. Students under 18 need one',
    ])
    const formWithConsent = { ...form, guardian_id: ann.id }
    expect(
      statusAndDetail(
        await invite({ ...formWithConsent, class_ids: null, rights: ['students.contact'] }),
      ),
    ).toEqual([422, 'Students under 18 can’t see phones, emails and guardians'])
    const { body } = await invite(formWithConsent)
    const joinReply = await teen.post('/staff-invitations/join', { invitation: readSecret(body) })
    expect(joinReply.status).toBe(200)
    const { body: students } = await teen.get('/students')
    expect(students).toMatchObject([{ name: 'Mia', phone_number: null }])
    const { body: staff } = await sensei.get('/staff')
    const person = staff.people.find(({ id }: { id: string }) => id === teen.id)
    expect(person).toMatchObject({ is_minor: true, agreed_guardian: 'Ann Adams', preset: 'helper' })
    const raiseResponse = await sensei.put(`/staff/${teen.id}`, {
      ...helper,
      rights: ['texts.send'],
    })
    expect(raiseResponse.status).toBe(422)
    const confirmation = { current_password: 'Kiai2026!' }
    expect(statusAndDetail(await sensei.post(`/staff/${teen.id}/ownership`, confirmation))).toEqual(
      [409, 'An owner must be at least 18'],
    )
  })

  test('sees no contacts, notes, texts or fees, and cannot get rights to see them', async () => {
    const teen = await server.createStudent(sensei, { date_of_birth: bornYearsAgo(15) })
    const mia = await server.createStudent(sensei, { name: 'Mia Lund' })
    const ann = await server.createGuardian(sensei, [teen])
    const form = { ...helper, student_id: teen.id, guardian_id: ann.id }
    const { body } = await invite({ ...form, rights: HELPER_RIGHTS })
    await teen.post('/staff-invitations/join', { invitation: readSecret(body) })
    const closedCalls = [
      '/sms/conversations',
      '/sms/batches',
      `/students/${mia.id}/account`,
      `/students/${mia.id}/guardians`,
      '/payment-balances',
      '/staff',
      '/audit-log',
    ]
    for (const path of closedCalls) {
      const { status } = await teen.get(path)
      expect([path, status]).toEqual([path, path.endsWith('guardians') ? 404 : 403])
    }
    const { body: page } = await teen.get(`/students/${mia.id}`)
    expect(page).toMatchObject({
      student: { phone_number: null, email: null, monthly_payment_amount: null },
      allergies: null,
      private_notes: null,
    })
    for (const right of ALL_RIGHTS.filter((candidate) => !isHelperRight(candidate))) {
      const { status } = await sensei.put(`/staff/${teen.id}`, { ...helper, rights: [right] })
      expect([right, status]).toEqual([right, 422])
    }
  })

  test('cannot help before 14, or with an invitation that does not name them', async () => {
    const child = await server.createStudent(sensei, { date_of_birth: bornYearsAgo(13) })
    const ann = await server.createGuardian(sensei, [child])
    const refusal = await invite({ ...helper, student_id: child.id, guardian_id: ann.id })
    expect(statusAndDetail(refusal)).toEqual([422, 'Students must be 14 or older to help'])
    const teen = await server.createStudent(sensei, { date_of_birth: bornYearsAgo(16) })
    const invitation = readSecret((await invite(helper)).body)
    expect((await teen.post('/staff-invitations/join', { invitation })).status).toBe(422)
  })
})

const isHelperRight = (right: Right) => (HELPER_RIGHTS as readonly Right[]).includes(right)

function bornYearsAgo(years: number): string {
  const date = new Date()
  return `${date.getFullYear() - years}-01-01`
}
