import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { exampleStudent, uniqueEmail } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'
import { namesSchool } from './student-consents.ts'
import { textConsents } from './tables.ts'

const server = await startTestServer()
const ROSAS = '+15125550177'
const FATHERS_PHONE = '+15125550178'

async function aFamily() {
  const sensei = await server.createSensei()
  const leo = await server.createStudent(sensei, { name: 'Leo Diaz', phone_number: FATHERS_PHONE })
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
  const record = (phone: string, body: object) =>
    sensei.post(`/sms/phones/${encodeURIComponent(phone)}/consents`, body)
  return { sensei, leo, rosa, shown: listConsents, record }
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

test('lists every phone of a student once, whoever holds it', async () => {
  const { sensei, leo, shown } = await aFamily()
  await sensei.post('/sms/simulated/incoming', { phone_number: '512 555 0180', text: 'Hello' })
  await sensei.put(`/sms/conversations/${encodeURIComponent('+15125550180')}/student`, {
    student_id: leo.id,
    holder_name: 'Grandma',
  })
  const emptyEntry = { opted_out_at: null, consents: [] }
  expect(await shown()).toEqual([
    { phone_number: '+15125550179', holder: 'guardian', holder_name: 'Ben Diaz', ...emptyEntry },
    { phone_number: ROSAS, holder: 'guardian', holder_name: 'Rosa Diaz', ...emptyEntry },
    { phone_number: FATHERS_PHONE, holder: 'student', holder_name: null, ...emptyEntry },
    { phone_number: '+15125550180', holder: 'linked', holder_name: 'Grandma', ...emptyEntry },
  ])
})

test('says who agreed or ended it, when, from where, in which words, and who recorded it', async () => {
  setClock('2027-03-01T12:00:00Z')
  const { shown, record } = await aFamily()
  await record(ROSAS, { event: 'given', given_by: 'Rosa Diaz' })
  setClock('2027-03-02T12:00:00Z')
  await record(ROSAS, { event: 'revoked', given_by: 'Rosa Diaz' })
  const givenBy = {
    given_by: 'Rosa Diaz',
    recorded_by: 'Aiko Tanaka',
    wording_version: null,
    signed_form: null,
  }
  expect(
    (await shown()).find((entry: { phone_number: string }) => entry.phone_number === ROSAS)
      .consents,
  ).toMatchObject([
    {
      ...givenBy,
      event: 'revoked',
      source: 'instructor',
      at: expect.stringMatching(/^2027-03-02T12:00:/),
    },
    {
      ...givenBy,
      event: 'given',
      source: 'paper',
      at: expect.stringMatching(/^2027-03-01T12:00:/),
    },
  ])
})

test('says that a phone has replied STOP', async () => {
  const { sensei, shown } = await aFamily()
  await sensei.post('/sms/simulated/incoming', { phone_number: FATHERS_PHONE, text: 'STOP' })
  expect(
    (await shown()).find((entry: { phone_number: string }) => entry.phone_number === FATHERS_PHONE)
      .opted_out_at,
  ).toEqual(expect.any(String))
})

test('shows a form that was signed after or before the student came, once', async () => {
  const { sensei, leo, shown } = await aFamily()
  await sign()
  const rosas = async () =>
    (await shown()).find((entry: { phone_number: string }) => entry.phone_number === ROSAS).consents
  const signedConsent = {
    event: 'given',
    source: 'form',
    given_by: 'Rosa Diaz',
    wording_version: '2026-11-21',
    recorded_by: null,
    signed_form: { sensei_name: 'Aiko Tanaka', date: '2027-02-28' },
  }
  expect(await rosas()).toMatchObject([signedConsent])
  expect(JSON.stringify(await rosas())).not.toContain('rosa@home.org')

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

test('passes over a form for another school, and another phone with the same ending', async () => {
  const { sensei } = await aFamily()
  await sign({ phone_number: '512 555 0188', sensei_name: 'Marco Rossi' })
  await sign({ phone_number: '214 555 0188' })
  const mia = await server.createStudent(sensei, { phone_number: '512 555 0188' })
  expect((await sensei.get(`/students/${mia.id}/consents`)).body).toMatchObject([{ consents: [] }])
})

test('is for instructors of the dojo only: no guardian learns of the other', async () => {
  const { leo, rosa } = await aFamily()
  const otherSensei = await server.createSensei()
  const answers = await Promise.all(
    [leo, rosa, otherSensei].map((person) => person.get(`/students/${leo.id}/consents`)),
  )
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 404])
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
])('%s names the school of Aiko Tanaka: %s', (input, expected) => {
  expect(namesSchool(input, { dojo: 'Cedar Park Judo', senseis: ['Aiko Tanaka'] })).toBe(expected)
})

test('an enrolment records who agreed, for the phones that it names, once for each press', async () => {
  const sensei = await server.createSensei()
  const text_consent = { given_by: 'Rosa Diaz', wording_version: 'enrolment-2026-11-22' }
  const guardian = { name: 'Rosa Diaz', phone: '512 555 0177' }
  const enrol = (changes: object = {}) =>
    sensei.post('/students', {
      ...exampleStudent({ class_preferences: ['saturday'] }),
      guardian,
      ...changes,
    })
  const storedConsents = () =>
    server.db.inDojo(sensei.dojoId, (tx) =>
      tx.select().from(textConsents).orderBy(textConsents.phone),
    )
  await enrol()
  expect(await storedConsents()).toEqual([])
  const payload = {
    ...exampleStudent({ class_preferences: ['saturday'], phone_number: FATHERS_PHONE }),
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
  expect(await storedConsents()).toMatchObject([
    { ...givenConsent, phone: ROSAS },
    { ...givenConsent, phone: FATHERS_PHONE },
  ])
  const nameless = await enrol({ text_consent: { ...text_consent, given_by: ' ' } })
  expect([nameless.status, nameless.body.errors]).toEqual([
    422,
    [{ field: 'text_consent.given_by', message: 'Who agreed is required' }],
  ])
})

test('with the child a consent for a phone that texts did not go to loses its number and name, too', async () => {
  const sensei = await server.createSensei()
  const guardian = { name: 'Rosa Diaz', phone: '512 555 0177' }
  const text_consent = { given_by: 'Rosa Diaz', wording_version: 'enrolment-2026-11-22' }
  const form = exampleStudent({
    class_preferences: ['saturday'],
    phone_number: FATHERS_PHONE,
    date_of_birth: '2020-01-01',
  })
  const { id } = (await sensei.post('/students', { ...form, guardian, text_consent })).body.student
  const { id: sister } = (
    await sensei.post('/students', {
      ...exampleStudent({ class_preferences: ['saturday'] }),
      phone_number: '1',
    })
  ).body.student
  const { id: rosa } = (await sensei.get('/families')).body.guardians[0]
  await sensei.put(`/guardians/${rosa}/students/${sister}`, {})
  await sensei.delete(`/students/${id}`)
  const remainingConsents = () =>
    server.db.inDojo(sensei.dojoId, (tx) => tx.select().from(textConsents).orderBy(textConsents.id))
  expect(await remainingConsents()).toMatchObject([
    { phone: expect.stringMatching(/^[\w-]{43}$/), given_by: null },
    { phone: ROSAS, given_by: 'Rosa Diaz' },
  ])
  await sensei.delete(`/students/${sister}?guardians=delete`)
  expect((await remainingConsents()).map(({ given_by }) => given_by)).toEqual([null, null])
})
