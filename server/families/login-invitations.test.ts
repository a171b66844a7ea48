import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { students } from '../students/tables.ts'
import { setClock } from '../test/clock.ts'
import { uniqueEmail } from '../test/fixtures.ts'
import { startMailServer } from '../test/mail-server.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
const { smtpUrl, mailsTo } = await startMailServer()
const NOT_VALID = [400, 'This invitation is no longer valid. Please ask your dojo for a new one.']
const PASSWORD = 'eight8-8'

async function setUpDojo() {
  const sensei = await server.createSensei({ dojo_name: 'Cedar Park Judo' })
  const leo = await server.createStudent(sensei, { name: 'Leo Adams' })
  const email = uniqueEmail('ann')
  const { body } = await sensei.post('/guardians', {
    name: 'Ann Adams',
    email,
    students: [{ student_id: leo.id }],
  })
  return { sensei, leo, ann: body.guardian, email }
}
const readSecret = (body: { link: string }) => body.link.split('#')[1]!
const accept = (invitation: string, password = PASSWORD) =>
  server.anonymous.post('/log-in-invitations/accept', { invitation, password })
const getStatusAndDetail = ({ status, body }: { status: number; body: { detail?: string } }) => [
  status,
  body.detail,
]

describe('an invitation', () => {
  test('is a link to copy without a mail server, and creates one login', async () => {
    const { sensei, leo, ann, email } = await setUpDojo()
    const { status, body } = await sensei.post(`/guardians/${ann.id}/log-in-invitation`)
    expect([status, body]).toEqual([
      200,
      {
        email,
        is_sent: false,
        expires_at: expect.any(String),
        link: expect.stringMatching(/^https:\/\/tatami\.test\/accept-invitation#/),
      },
    ])
    expect((await sensei.get('/families')).body.guardians[0].invited_until).toBe(body.expires_at)
    const invitation = readSecret(body)
    expect(
      (await server.anonymous.post('/log-in-invitations/look-up', { invitation })).body,
    ).toEqual({
      dojo_name: 'Cedar Park Judo',
      dojo_city: 'Austin',
      dojo_state: 'Texas',
      dojo_logo: null,
      dojo_color: null,
      name: 'Ann Adams',
      email,
      is_guardian: true,
    })
    const acceptResponse = await accept(invitation)
    expect([acceptResponse.status, acceptResponse.body.user]).toMatchObject([
      200,
      { id: ann.id, email, is_guardian: true, students: [{ id: leo.id }] },
    ])
    expect(
      (await server.clientFor(acceptResponse.body.token).get('/family/home')).body.children,
    ).toMatchObject([{ id: leo.id }])
    expect((await server.signIn(email, PASSWORD)).id).toBe(ann.id)
    expect((await sensei.get('/families')).body.guardians[0]).toMatchObject({
      has_log_in: true,
      invited_until: null,
    })
    expect(getStatusAndDetail(await accept(invitation))).toEqual(NOT_VALID)
    expect(getStatusAndDetail(await sensei.post(`/guardians/${ann.id}/log-in-invitation`))).toEqual(
      [409, 'They already have a login'],
    )
  })

  test('is emailed with a mail server, and not shown to the instructor', async () => {
    const mailingServer = await server.openServer({ smtpUrl })
    const { sensei, ann, email } = await setUpDojo()
    const response = await mailingServer.http.inject({
      method: 'POST',
      url: `/api/guardians/${ann.id}/log-in-invitation`,
      headers: { authorization: `Bearer ${sensei.token}` },
    })
    expect(response.json()).toEqual({
      email,
      is_sent: true,
      expires_at: expect.any(String),
      link: null,
    })
    await expect.poll(() => mailsTo(email)).toHaveLength(1)
    const [mail = ''] = mailsTo(email)
    expect(mail).toContain('Cedar Park Judo invites you')
    const [, invitation] = /accept-invitation#(\S+)/.exec(mail)!
    expect((await accept(invitation!)).status).toBe(200)
  })

  test('ends after 7 days, or with a new invitation, a new email or a deletion', async () => {
    const { sensei, ann } = await setUpDojo()
    const invite = async () =>
      readSecret((await sensei.post(`/guardians/${ann.id}/log-in-invitation`)).body)
    const replacedInvitation = await invite()
    const invitationToOldEmail = await invite()
    expect(getStatusAndDetail(await accept(replacedInvitation))).toEqual(NOT_VALID)
    await sensei.put(`/guardians/${ann.id}`, { email: uniqueEmail('other') })
    expect(getStatusAndDetail(await accept(invitationToOldEmail))).toEqual(NOT_VALID)
    const expiredInvitation = await invite()
    setClock(new Date(Date.now() + 7 * DAY_MS + 1000).toISOString())
    expect(getStatusAndDetail(await accept(expiredInvitation))).toEqual(NOT_VALID)
    const invitationOfDeletedGuardian = await invite()
    await sensei.delete(`/guardians/${ann.id}`)
    expect(getStatusAndDetail(await accept(invitationOfDeletedGuardian))).toEqual(NOT_VALID)
  })

  test('is refused if it is unknown or belongs to another dojo', async () => {
    const { sensei, ann } = await setUpDojo()
    const otherDojo = await setUpDojo()
    const secret = readSecret((await sensei.post(`/guardians/${ann.id}/log-in-invitation`)).body)
    const [, secretWithoutDojo] = secret.split('.')
    for (const invitation of [
      'x',
      `${otherDojo.sensei.dojoId}.${secretWithoutDojo}`,
      `${sensei.dojoId}.${'A'.repeat(43)}`,
      secretWithoutDojo!,
    ])
      expect([
        getStatusAndDetail(await accept(invitation)),
        getStatusAndDetail(
          await server.anonymous.post('/log-in-invitations/look-up', { invitation }),
        ),
      ]).toEqual([NOT_VALID, NOT_VALID])
    expect((await accept(secret)).status).toBe(200)
  })

  test('needs an email that has no login yet, and says what to do otherwise', async () => {
    const { sensei, leo, ann } = await setUpDojo()
    const otherDojo = await setUpDojo()
    const inviteWithEmail = async (email: string | null) => {
      await sensei.put(`/guardians/${ann.id}`, { email })
      return getStatusAndDetail(await sensei.post(`/guardians/${ann.id}/log-in-invitation`))
    }
    expect(await inviteWithEmail(null)).toEqual([422, 'Enter the guardian’s email first'])
    expect(await inviteWithEmail(leo.email)).toEqual([
      409,
      expect.stringContaining('An account in your dojo already has this email.'),
    ])
    expect(await inviteWithEmail(otherDojo.leo.email)).toEqual([
      409,
      expect.stringContaining('A login belongs to one dojo, so please enter another email.'),
    ])
  })

  test('creates only one login if it is accepted several times at the same time', async () => {
    const { sensei, ann } = await setUpDojo()
    const secret = readSecret((await sensei.post(`/guardians/${ann.id}/log-in-invitation`)).body)
    const responses = await Promise.all([1, 2, 3].map(() => accept(secret)))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
  })

  test('does not work while the dojo is not active', async () => {
    const { sensei, ann } = await setUpDojo()
    const secret = readSecret((await sensei.post(`/guardians/${ann.id}/log-in-invitation`)).body)
    const admin = await server.signInSuperAdmin()
    await admin.put(`/super-admin/sensei/${sensei.id}/toggle-active`)
    expect((await accept(secret)).status).toBe(403)
    await admin.put(`/super-admin/sensei/${sensei.id}/toggle-active`)
    expect((await accept(secret)).status).toBe(200)
    await admin.put(`/super-admin/sensei/${sensei.id}/toggle-active`)
    const refusal = await server.anonymous.post('/login', { email: ann.email, password: PASSWORD })
    expect(getStatusAndDetail(refusal)).toEqual([
      403,
      'Your dojo is not active. Please contact your instructor.',
    ])
  })

  test('is stored only as a hash', async () => {
    const { sensei, ann } = await setUpDojo()
    const secret = readSecret((await sensei.post(`/guardians/${ann.id}/log-in-invitation`)).body)
    const { rows } = await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.execute(sql`select i::text from log_in_invitations i`),
    )
    expect(JSON.stringify(rows)).not.toContain(secret.split('.')[1])
  })
})

describe('a student without a login', () => {
  const childForm = (date_of_birth: string, guardian_ids: string[]) => ({
    name: 'Ana Adams',
    phone_number: '512 555 0150',
    date_of_birth,
    emergency_contact_name: 'Ann Adams',
    emergency_contact_phone: '512 555 0143',
    monthly_payment_amount: 85.5,
    class_preferences: ['saturday'],
    guardian_ids,
  })

  test('is invited to create one', async () => {
    setClock('2027-03-01T12:00:00Z')
    const { sensei, ann } = await setUpDojo()
    const { student } = (await sensei.post('/students', childForm('2013-03-01', [ann.id]))).body
    const email = uniqueEmail('ana')
    const invitation = await sensei.post(`/students/${student.id}/log-in-invitation`, { email })
    const acceptResponse = await accept(readSecret(invitation.body))
    expect(acceptResponse.body.user).toMatchObject({
      id: student.id,
      email,
      is_guardian: false,
      belt_level: 'white',
    })
    expect((await server.signIn(email, PASSWORD)).id).toBe(student.id)
    expect(
      getStatusAndDetail(await sensei.post(`/students/${student.id}/log-in-invitation`, { email })),
    ).toEqual([409, 'They already have a login'])
  })

  test('is invited only after a guardian has agreed, if they are under 13', async () => {
    setClock('2027-03-01T12:00:00Z')
    const { sensei, ann, leo } = await setUpDojo()
    const { student } = (await sensei.post('/students', childForm('2014-03-02', [ann.id]))).body
    const invite = async () =>
      getStatusAndDetail(
        await sensei.post(`/students/${student.id}/log-in-invitation`, {
          email: uniqueEmail('ana'),
        }),
      )
    const refusal = [
      422,
      'Students under 13 get a login once a guardian who sees their page agrees',
    ]
    expect(await invite()).toEqual(refusal)
    const ben = await server.createGuardian(sensei, [leo, student])
    expect(await invite()).toEqual(refusal)
    await ben.put(`/family/students/${student.id}/log-in`, { is_allowed: true })
    expect(await invite()).toEqual([200, undefined])
    await sensei.put(`/guardians/${ben.id}/students/${student.id}`, { sees: false })
    expect(await invite()).toEqual(refusal)
  })

  test('needs a date of birth before the invitation if they have a guardian', async () => {
    setClock('2027-03-01T12:00:00Z')
    const { sensei, leo, ann } = await setUpDojo()
    const { student } = (await sensei.post('/students', childForm('2014-03-02', [ann.id]))).body
    const setDateOfBirth = (id: string, date_of_birth: string | null) =>
      server.db.inDojo(sensei.dojoId, (tx) =>
        tx.update(students).set({ date_of_birth }).where(eq(students.id, id)),
      )
    await setDateOfBirth(student.id, null)
    const invite = (id = student.id) =>
      sensei.post(`/students/${id}/log-in-invitation`, { email: uniqueEmail('ana') })
    const refusal = [
      422,
      'Enter the date of birth first. Under 13, a guardian has to agree to a login',
    ]
    expect(getStatusAndDetail(await invite())).toEqual(refusal)
    const ben = await server.createGuardian(sensei, [leo, student])
    await ben.put(`/family/students/${student.id}/log-in`, { is_allowed: true })
    const { body } = await invite()
    await ben.put(`/family/students/${student.id}/log-in`, { is_allowed: false })
    expect(getStatusAndDetail(await accept(readSecret(body)))).toEqual(NOT_VALID)
    await sensei.put(`/students/${student.id}`, { ...childForm('2013-03-01', []), email: null })
    expect(getStatusAndDetail(await invite())).toEqual([200, undefined])
    await setDateOfBirth(student.id, null)
    for (const { id } of [ann, ben]) await sensei.delete(`/guardians/${id}/students/${student.id}`)
    expect(getStatusAndDetail(await invite())).toEqual([200, undefined])
  })

  test('cannot accept an invitation that is no longer allowed', async () => {
    setClock('2027-03-01T12:00:00Z')
    const { sensei, leo } = await setUpDojo()
    const ben = await server.createGuardian(sensei, [leo])
    const { student } = (await sensei.post('/students', childForm('2014-03-02', [ben.id]))).body
    const setConsent = (is_allowed: boolean) =>
      ben.put(`/family/students/${student.id}/log-in`, { is_allowed })
    await setConsent(true)
    const email = uniqueEmail('ana')
    const { body } = await sensei.post(`/students/${student.id}/log-in-invitation`, { email })
    const invitation = readSecret(body)
    await setConsent(false)
    expect(getStatusAndDetail(await accept(invitation))).toEqual(NOT_VALID)
    expect(
      getStatusAndDetail(
        await server.anonymous.post('/log-in-invitations/look-up', { invitation }),
      ),
    ).toEqual(NOT_VALID)
    const setBirthday = async (date_of_birth: string) =>
      sensei.put(`/students/${student.id}`, { ...childForm(date_of_birth, []), email: null })
    expect((await setBirthday('2014-03-01')).status).toBe(200)
    expect(
      (await server.anonymous.post('/log-in-invitations/look-up', { invitation })).status,
    ).toBe(200)
    expect((await setBirthday('2014-03-02')).status).toBe(200)
    expect(getStatusAndDetail(await accept(invitation))).toEqual(NOT_VALID)
    await setConsent(true)
    expect((await accept(invitation)).status).toBe(200)
  })
})
