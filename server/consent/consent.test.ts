import { expect, test } from 'vitest'
import { startTestServer } from '../test/test-server.ts'
import { consents } from './tables.ts'

const server = await startTestServer()
const form = {
  sensei_name: 'Aiko Tanaka',
  phone_number: '(512) 555-0100',
  email: '',
  signature: 'Ann Adams',
  date: '2026-11-21',
}
const listStoredConsents = () => server.db.withoutDojo((tx) => tx.select().from(consents))

test('records a consent with IP address, time and wording, and notifies super admins', async () => {
  expect((await server.anonymous.post('/consent-form', form)).body).toEqual({
    success: true,
    message: 'Your consent has been recorded.',
  })
  expect(await listStoredConsents()).toEqual([
    {
      ...form,
      email: null,
      id: expect.any(String),
      address: '127.0.0.1',
      wording_version: '2026-11-21',
      created_at: expect.stringMatching(/Z$/),
    },
  ])
  const superAdmin = await server.signInSuperAdmin()
  expect((await superAdmin.get('/notifications')).body[0]).toMatchObject({
    title: 'Consent submitted',
    message: 'Ann Adams agreed to text messages from Aiko Tanaka.',
  })
})

test('reports missing fields in the specified order, then an invalid email', async () => {
  const consentsBefore = await listStoredConsents()
  const details = []
  for (const consentInput of [
    {},
    { sensei_name: ' A ' },
    { sensei_name: 'A', phone_number: '5' },
    { ...form, email: 'no' },
  ])
    details.push((await server.anonymous.post('/consent-form', consentInput)).body.detail)
  expect(details).toEqual([
    'Sensei name is required',
    'Phone number is required',
    'Digital signature is required',
    'Email must be a valid email address',
  ])
  expect(await listStoredConsents()).toEqual(consentsBefore)
})

test('accepts 30 consents an hour from one IP address', async () => {
  const { http } = await server.openServer({ consentsPerHour: 30 })
  const statuses = []
  for (let times = 0; times < 31; times += 1)
    statuses.push(
      (await http.inject({ method: 'POST', url: '/api/consent-form', payload: form })).statusCode,
    )
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429])
})
