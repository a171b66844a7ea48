import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { exampleStudent, uniqueEmail } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { namesSchool } from './student-consents.ts'
import { textConsents } from './tables.ts'

const server = await startTestServer()
const ROSA_PHONE = '+15125550177'
const STUDENT_PHONE = '+15125550178'

async function createFamily() {
  const sensei = await server.createSensei()
  const leo = await server.createStudent(sensei, { name: 'Leo Diaz', phone_number: STUDENT_PHONE })
  const rosa = await server.createGuardian(sensei, [leo], {
    name: 'Rosa Diaz',
    phone: '(512) 555-0177',
  })
  const link = { student_id: leo.id, sees: false, gets_texts: false }
  await sensei.post('/guardians', {
    name: 'Ben Diaz',
    phone: '512 555 0179',
    email: uniqueEmail('ben'),
    students: [link],
  })
  const listConsents = async () => (await sensei.get(`/students/${leo.id}/consents`)).body
  const findPhoneConsents = async (phone: string) =>
    (await listConsents()).find((entry: { phone_number: string }) => entry.phone_number === phone)
  const record = (phone: string, body: object) =>
    sensei.post(`/sms/phones/${encodeURIComponent(phone)}/consents`, body)
  return { sensei, leo, rosa, listConsents, findPhoneConsents, record }
}
const FORM = {
  sensei_name: 'Aiko Tanaka',
  phone_number: '512-555-0177',
  signature: 'Rosa Diaz',
  email: 'rosa@home.org',
  date: '2027-02-28',
}
const sign = (changes: object = {}) =>
  server.anonymous.post('/consent-form', { ...FORM, ...changes })

test('lists each phone of a student and their guardians once', async () => {
  const { sensei, leo, listConsents } = await createFamily()
  await sensei.post('/sms/simulated/incoming', { phone_number: '512 555 0180', text: 'Hello' })
  await sensei.put(`/sms/conversations/${encodeURIComponent('+15125550180')}/student`, {
    student_id: leo.id,
    holder_name: 'Grandma',
  })
  const emptyEntry = { opted_out_at: null, consents: [] }
  expect(await listConsents()).toEqual([
    { phone_number: '+15125550179', holder: 'guardian', holder_name: 'Ben Diaz', ...emptyEntry },
    { phone_number: ROSA_PHONE, holder: 'guardian', holder_name: 'Rosa Diaz', ...emptyEntry },
    { phone_number: STUDENT_PHONE, holder: 'student', holder_name: null, ...emptyEntry },
    { phone_number: '+15125550180', holder: 'linked', holder_name: 'Grandma', ...emptyEntry },
  ])
})

test('shows who gave or revoked consent, when and how, and who recorded it', async () => {
  setClock('2027-03-01T12:00:00Z')
  const { findPhoneConsents, record } = await createFamily()
  await record(ROSA_PHONE, { event: 'given', given_by: 'Rosa Diaz' })
  setClock('2027-03-02T12:00:00Z')
  await record(ROSA_PHONE, { event: 'revoked', given_by: 'Rosa Diaz' })
  const recordedConsent = {
    given_by: 'Rosa Diaz',
    recorded_by: 'Aiko Tanaka',
    wording_version: null,
    signed_form: null,
  }
  expect((await findPhoneConsents(ROSA_PHONE)).consents).toMatchObject([
    {
      ...recordedConsent,
      event: 'revoked',
      source: 'instructor',
      at: expect.stringMatching(/^2027-03-02T12:00:/),
    },
    {
      ...recordedConsent,
      event: 'given',
      source: 'paper',
      at: expect.stringMatching(/^2027-03-01T12:00:/),
    },
  ])
})

test('shows that a phone has replied STOP', async () => {
  const { sensei, findPhoneConsents } = await createFamily()
  await sensei.post('/sms/simulated/incoming', { phone_number: STUDENT_PHONE, text: 'STOP' })
  expect((await findPhoneConsents(STUDENT_PHONE)).opted_out_at).toEqual(expect.any(String))
})

test('shows a form once, even from before the student joined, and allows deletion', async () => {
  const { sensei, leo, findPhoneConsents } = await createFamily()
  await sign()
  const signedConsent = {
    event: 'given',
    source: 'form',
    given_by: 'Rosa Diaz',
    wording_version: '2026-11-21',
    recorded_by: null,
    signed_form: { sensei_name: 'Aiko Tanaka', date: '2027-02-28' },
  }
  const { consents } = await findPhoneConsents(ROSA_PHONE)
  expect(consents).toMatchObject([signedConsent])
  expect(JSON.stringify(consents)).not.toContain('rosa@home.org')

  await sign({
    phone_number: '+1 512 555 0199',
    signature: 'Mia Chen',
    sensei_name: 'Sensei Tanaka',
  })
  const mia = await server.createStudent(sensei, {
    name: 'Mia Chen',
    phone_number: '(512) 555-0199',
  })
  expect((await sensei.get(`/students/${mia.id}/consents`)).body).toMatchObject([
    { consents: [{ given_by: 'Mia Chen', signed_form: { sensei_name: 'Sensei Tanaka' } }] },
  ])
  expect((await sensei.delete(`/students/${leo.id}`)).status).toBe(200)
})

test('ignores forms for another school or for a phone with the same last digits', async () => {
  const { sensei } = await createFamily()
  await sign({ phone_number: '512 555 0188', sensei_name: 'Marco Rossi' })
  await sign({ phone_number: '214 555 0188' })
  const mia = await server.createStudent(sensei, { phone_number: '512 555 0188' })
  expect((await sensei.get(`/students/${mia.id}/consents`)).body).toMatchObject([{ consents: [] }])
})

test('shows consents only to instructors of the dojo, not to families', async () => {
  const { leo, rosa } = await createFamily()
  const otherSensei = await server.createSensei()
  const responses = await Promise.all(
    [leo, rosa, otherSensei].map((person) => person.get(`/students/${leo.id}/consents`)),
  )
  expect(responses.map(({ status }) => status)).toEqual([403, 403, 404])
})

test.each([
  ['Aiko Tanaka', true],
  ['sensei tanaka', true],
  ['Tanaka Aiko', true],
  ['Mr. Áiko', true],
  ['Cedar Park Judo', true],
  ['Aiko Tanaka, Cedar Park Judo', true],
  ['Cedar Park', false],
  ['Judo', false],
  ['Aiko Rossi', false],
  ['Sensei', false],
  ['?', false],
])('says whether %j names Aiko Tanaka or Cedar Park Judo: %s', (input, expected) => {
  expect(namesSchool(input, { dojo: 'Cedar Park Judo', senseis: ['Aiko Tanaka'] })).toBe(expected)
})

test('records consent once for each phone in the form when a student is enrolled', async () => {
  const sensei = await server.createSensei()
  const text_consent = { given_by: 'Rosa Diaz', wording_version: 'enrolment-2026-11-22' }
  const guardian = { name: 'Rosa Diaz', phone: '512 555 0177' }
  const enrollStudent = (changes: object = {}) =>
    sensei.post('/students', {
      ...exampleStudent({ class_preferences: ['saturday'] }),
      guardian,
      ...changes,
    })
  const listStoredConsents = () =>
    server.db.inDojo(sensei.dojoId, (tx) =>
      tx.select().from(textConsents).orderBy(textConsents.phone),
    )
  await enrollStudent()
  expect(await listStoredConsents()).toEqual([])
  const payload = {
    ...exampleStudent({ class_preferences: ['saturday'], phone_number: STUDENT_PHONE }),
    guardian,
    text_consent,
  }
  const headers = { authorization: `Bearer ${sensei.token}`, 'idempotency-key': 'one-press' }
  for (let press = 0; press < 2; press += 1)
    expect(
      (await server.http.inject({ method: 'POST', url: '/api/students', headers, payload }))
        .statusCode,
    ).toBe(200)
  const givenConsent = {
    event: 'given',
    source: 'enrolment',
    given_by: 'Rosa Diaz',
    wording_version: 'enrolment-2026-11-22',
    recorded_by: sensei.id,
  }
  expect(await listStoredConsents()).toMatchObject([
    { ...givenConsent, phone: ROSA_PHONE },
    { ...givenConsent, phone: STUDENT_PHONE },
  ])
  const refusal = await enrollStudent({ text_consent: { ...text_consent, given_by: ' ' } })
  expect([refusal.status, refusal.body.errors]).toEqual([
    422,
    [{ field: 'text_consent.given_by', message: 'Who agreed is required' }],
  ])
})

test('deletes number and name from a consent once nobody has the phone', async () => {
  const sensei = await server.createSensei()
  const guardian = { name: 'Rosa Diaz', phone: '512 555 0177' }
  const text_consent = { given_by: 'Rosa Diaz', wording_version: 'enrolment-2026-11-22' }
  const form = exampleStudent({
    class_preferences: ['saturday'],
    phone_number: STUDENT_PHONE,
    date_of_birth: '2020-01-01',
  })
  const { id } = (await sensei.post('/students', { ...form, guardian, text_consent })).body.student
  const { id: sisterId } = (
    await sensei.post('/students', {
      ...exampleStudent({ class_preferences: ['saturday'] }),
      phone_number: '1', // No valid phone
    })
  ).body.student
  const { id: rosaId } = (await sensei.get('/families')).body.guardians[0]
  await sensei.put(`/guardians/${rosaId}/students/${sisterId}`, {})
  await sensei.delete(`/students/${id}`)
  const listRemainingConsents = () =>
    server.db.inDojo(sensei.dojoId, (tx) => tx.select().from(textConsents).orderBy(textConsents.id))
  expect(await listRemainingConsents()).toMatchObject([
    { phone: expect.stringMatching(/^[\w-]{43}$/), given_by: null },
    { phone: ROSA_PHONE, given_by: 'Rosa Diaz' },
  ])
  await sensei.delete(`/students/${sisterId}?guardians=delete`)
  expect((await listRemainingConsents()).map(({ given_by }) => given_by)).toEqual([null, null])
})
