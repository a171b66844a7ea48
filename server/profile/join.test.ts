import { describe, expect, test } from 'vitest'
import { guardians, guardianships } from '../guardians/tables.ts'
import { setClock } from '../test/clock.ts'
import { PASSWORD, uniqueEmail } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

async function createTestDojo() {
  const sensei = await server.createSensei()
  const kids = await server.createClass(sensei)
  const { invite_code } = (await sensei.get('/invitation')).body
  const createForm = (changes: object = {}) => ({
    name: 'Mia Chen',
    email: uniqueEmail('mia'),
    password: PASSWORD,
    invite_code,
    ...changes,
  })
  const join = (changes: object = {}) => server.anonymous.post('/register', createForm(changes))
  const readStudent = async () => (await sensei.get('/students')).body[0]
  return { sensei, kids, invite_code, createForm, join, readStudent }
}

test('offers the classes of the dojo on the join page', async () => {
  const { sensei, kids, invite_code } = await createTestDojo()
  await sensei.put('/profile', {
    email: `${Math.random()}@dojo.com`,
    dojo_name: 'Cedar Park Judo',
    time_zone: 'Europe/Oslo',
  })
  const { body } = await server.anonymous.get(`/register?invite_code=${invite_code}`)
  expect(body).toMatchObject({ dojo_name: 'Cedar Park Judo', time_zone: 'Europe/Oslo' })
  expect(body.classes).toEqual([
    expect.objectContaining({
      id: kids.id,
      class_name: 'Kids Judo',
      class_days: ['monday', 'wednesday'],
    }),
  ])
  expect(body.classes[0]).not.toHaveProperty('description')
})

test('enrolls an adult who joined when the instructor approves', async () => {
  const { sensei, kids, join, readStudent } = await createTestDojo()
  const { body } = await join({
    date_of_birth: '1990-05-01',
    phone_number: '512 555 0142',
    emergency_contact_name: 'Li Chen',
    emergency_contact_phone: '512 555 0143',
    class_preferences: [kids.id],
  })
  const mia = server.clientFor(body.token)
  expect(body.user).toMatchObject({
    awaits_approval: true,
    is_trial: true,
    date_of_birth: '1990-05-01',
    enrolled_classes: [],
  })
  expect(await readStudent()).toMatchObject({
    awaits_approval: true,
    class_preferences: [kids.id],
    emergency_contact_name: 'Li Chen',
  })
  const approval = await sensei.post(`/students/${body.user.id}/approve`)
  expect(approval.body.student).toMatchObject({
    awaits_approval: false,
    is_trial: true,
    enrolled_classes: [kids.id],
  })
  expect((await mia.get('/notifications')).body).toMatchObject([
    { title: 'Approved', message: 'Your instructor has approved you. See you in class.' },
  ])
  expect((await mia.get('/profile')).body).toMatchObject({ awaits_approval: false })
})

test('sends no text to a phone before an instructor has approved its student', async () => {
  const { sensei, join } = await createTestDojo()
  const { body } = await join({ phone_number: '512 555 0142' })
  const send = () =>
    sensei.post('/sms/send-bulk-message', {
      message_type: 'weather_cancel',
      custom_message: 'No class.',
      selected_classes: null,
    })
  expect((await send()).body).toMatchObject({
    success_count: 0,
    skipped: [{ student_id: body.user.id, reason: 'awaits_approval' }],
  })
  const text = () => sensei.post('/sms/messages', { student_ids: [body.user.id], text: 'Hello' })
  const refusal = await text()
  expect([refusal.status, refusal.body.detail]).toEqual([
    409,
    'Mia Chen isn’t approved yet and gets no texts.',
  ])
  await sensei.post(`/students/${body.user.id}/approve`)
  expect((await send()).body).toMatchObject({ success_count: 1, skipped: [] })
  expect((await text()).status).toBe(200)
})

test('lets an instructor reply to a phone that has texted or has an approved student', async () => {
  const { sensei, join } = await createTestDojo()
  const replyTo = async (digits: string) => {
    const { status, body } = await sensei.post(
      `/sms/conversations/${encodeURIComponent(`+1${digits}`)}/messages`,
      { text: 'Hi {name}' },
    )
    return [status, body.detail]
  }
  const refusal = [409, 'Mia Chen isn’t approved yet and gets no texts.']
  const success = [200, undefined]
  await join({ phone_number: '512 555 0151' })
  expect(await replyTo('5125550151')).toEqual(refusal)
  await sensei.post('/sms/simulated/incoming', {
    phone_number: '512 555 0151',
    text: 'May I come on Monday?',
  })
  expect(await replyTo('5125550151')).toEqual(success)

  const { body } = await join({ phone_number: '512 555 0152' })
  expect(await replyTo('5125550152')).toEqual(refusal)
  await sensei.post(`/students/${body.user.id}/approve`)
  expect(await replyTo('5125550152')).toEqual(success)

  await server.createStudent(sensei, { name: 'Leo Chen', phone_number: '512 555 0153' })
  await join({ phone_number: '512 555 0153' })
  expect(await replyTo('5125550153')).toEqual(success)
})

test('ignores a second approval of the same student', async () => {
  const { sensei, join, readStudent } = await createTestDojo()
  const { body } = await join()
  for (let approvals = 0; approvals < 2; approvals += 1)
    expect((await sensei.post(`/students/${body.user.id}/approve`)).status).toBe(200)
  expect(await readStudent()).toMatchObject({ awaits_approval: false, enrolled_classes: [] })
  expect((await server.clientFor(body.token).get('/notifications')).body).toHaveLength(1)
})

test('lets only the student’s own instructor approve', async () => {
  const { join, readStudent } = await createTestDojo()
  const { body } = await join()
  const otherSensei = await server.createSensei()
  const responses = [
    await server.clientFor(body.token).post(`/students/${body.user.id}/approve`),
    await otherSensei.post(`/students/${body.user.id}/approve`),
  ]
  expect(responses.map(({ status }) => status)).toEqual([403, 404])
  expect(await readStudent()).toMatchObject({ awaits_approval: true })
})

test('makes the guardian in the form the payer and the emergency contact', async () => {
  setClock('2027-03-01T12:00:00Z')
  const { sensei, join, readStudent } = await createTestDojo()
  const guardian = {
    name: 'Rosa Diaz',
    relation: 'mother',
    phone: '512 555 0177',
    email: 'rosa@home.org',
  }
  const { body } = await join({ date_of_birth: '2014-03-01', guardian })
  expect(await readStudent()).toMatchObject({
    emergency_contact_name: 'Rosa Diaz',
    emergency_contact_phone: '512 555 0177',
  })
  const [links, people] = await server.db.inDojo(sensei.dojoId, async (tx) => [
    await tx.select().from(guardianships),
    await tx.select().from(guardians),
  ])
  expect(links).toMatchObject([
    { student_id: body.user.id, relation: 'mother', pays: true, gets_texts: true },
  ])
  expect(people).toMatchObject([{ name: 'Rosa Diaz', email: 'rosa@home.org', account_id: null }])
})

describe('refuses', () => {
  test('a child with their own login until the 13th birthday, in the dojo’s time zone', async () => {
    // In Austin, it is still the evening of March 1.
    setClock('2027-03-02T03:00:00Z')
    const { sensei, join } = await createTestDojo()
    const guardian = { name: 'Rosa Diaz', relation: 'mother', phone: '512 555 0177' }
    const expectRefusal = async (changes: object) => {
      const email = uniqueEmail('leo')
      const { status, body } = await join({
        email,
        date_of_birth: '2014-03-02',
        phone_number: '512 555 0142',
        ...changes,
      })
      expect([status, body.errors]).toEqual([
        422,
        [
          {
            field: 'date_of_birth',
            message: 'Children under 13 need a parent or guardian to sign them up',
          },
        ],
      ])
      expect((await server.anonymous.post('/login', { email, password: PASSWORD })).status).toBe(
        401,
      )
    }
    await expectRefusal({})
    await expectRefusal({ guardian })
    await expectRefusal({
      text_consent: { wording_version: 'join-2026-11-22' },
      date_of_birth: '2026-01-01',
    })
    expect([
      (await sensei.get('/students')).body,
      (await sensei.get('/families')).body.guardians,
    ]).toEqual([[], []])
    expect((await sensei.get('/notifications')).body).toEqual([])
    setClock('2027-03-02T12:00:00Z')
    expect((await join({ date_of_birth: '2014-03-02', guardian })).status).toBe(200)
  })

  test('a class of another dojo', async () => {
    const { join, sensei } = await createTestDojo()
    const otherDojosClass = await server.createClass(await server.createSensei())
    expect((await join({ class_preferences: [otherDojosClass.id] })).status).toBe(422)
    expect((await sensei.get('/students')).body).toEqual([])
  })

  test('a birthday after today in the dojo’s time zone', async () => {
    const { join } = await createTestDojo()
    // In Austin, it is still the evening of March 1.
    setClock('2027-03-02T03:00:00Z')
    expect((await join({ date_of_birth: '2027-03-02' })).body.detail).toBe(
      'Date of birth must not be after today',
    )
    expect((await join({ date_of_birth: '2027-03-01' })).body.detail).toBe(
      'Children under 13 need a parent or guardian to sign them up',
    )
  })
})
