import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

const FORM = {
  name: 'Ana Ruiz',
  phone: '(512) 555-0143',
  email: 'ana@example.com',
  visitors: [{ name: 'Leo Ruiz', age: 7 }],
  interest: null,
  source: 'Spring fair',
  purposes: ['service_text'],
  wording_version: 'fair-2026-11-27',
  taken_at: '2027-03-09T18:00:00Z',
}

async function createSchool() {
  setClock('2027-03-10T18:00:00Z')
  const sensei = await server.createSensei()
  const send = (changes: object = {}) => sensei.post('/fair-leads', { ...FORM, ...changes })
  const listLeads = async () => (await sensei.get('/leads')).body
  return { sensei, send, listLeads }
}

test('a lead from a fair keeps what the visitor ticked, the wording, and when', async () => {
  const { sensei, send, listLeads } = await createSchool()
  expect((await send()).status).toBe(200)
  expect(await listLeads()).toMatchObject([
    { name: 'Ana Ruiz', phone: '+15125550143', source: 'Spring fair', stage: 'new' },
  ])
  const { rows } = await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.execute(sql`select purpose, wording_version, at::text from lead_consents`),
  )
  expect(rows).toEqual([
    {
      purpose: 'service_text',
      wording_version: 'fair-2026-11-27',
      at: expect.stringContaining('2027-03-09 18:00:00'),
    },
  ])
})

test('a lead that a device sends twice is added once', async () => {
  const { sensei, listLeads } = await createSchool()
  const sendAgain = () =>
    server.http.inject({
      method: 'POST',
      url: '/api/fair-leads',
      payload: FORM,
      headers: { authorization: `Bearer ${sensei.token}`, 'idempotency-key': 'one-visitor' },
    })
  const responses = [await sendAgain(), await sendAgain()]
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect(await listLeads()).toHaveLength(1)
})

test('the same visitor twice is two leads, which ask later if they are one person', async () => {
  const { sensei, send, listLeads } = await createSchool()
  await send()
  await send({ name: 'Ana R.' })
  const [first] = await listLeads()
  const { body } = await sensei.get(`/leads/${first.id}`)
  expect(body.similar_leads).toHaveLength(1)
})

test('a visitor who is named twice is one', async () => {
  const { send, listLeads } = await createSchool()
  const visitors = [
    { name: 'Leo Ruiz', age: 7 },
    { name: 'Leo Ruiz', age: 8 },
  ]
  expect((await send({ visitors })).status).toBe(200)
  expect(await listLeads()).toMatchObject([{ visitors: [{ name: 'Leo Ruiz', age: 8 }] }])
})

test('a wrong phone number becomes a note, and gives no consent', async () => {
  const { sensei, send, listLeads } = await createSchool()
  expect((await send({ phone: '555', email: '' })).status).toBe(200)
  const [lead] = await listLeads()
  expect(lead.phone).toBeNull()
  const { events } = (await sensei.get(`/leads/${lead.id}`)).body
  expect(events).toMatchObject([{ kind: 'note', note: 'Phone number as typed: 555' }, {}])
})

test.each(['/fair-leads', '/leads'])(
  'a child under 13 gives no name and contact without a parent at %s',
  async (path) => {
    const { sensei, send, listLeads } = await createSchool()
    const child = { name: 'Tiny Ruiz', visitors: [{ name: 'tiny ruiz ', age: 12 }] }
    const { status, body } = await sensei.post(path, { ...FORM, ...child })
    expect([status, body.errors]).toEqual([
      422,
      [{ field: 'visitors', message: expect.stringContaining('a parent or guardian has to') }],
    ])
    expect(await listLeads()).toEqual([])
    const teenager = { name: 'Tia Ruiz', visitors: [{ name: 'Tia Ruiz', age: 13 }] }
    expect((await send(teenager)).status).toBe(200)
  },
)

test.each([
  ['phone', { phone: '', email: '' }, 'Phone or email is required'],
  ['wording_version', { wording_version: 'fair-1999' }, 'Wording is not valid'],
  ['taken_at', { taken_at: 'yesterday' }, 'Time is not valid'],
  ['taken_at', { taken_at: '0000-01-01T00:00:00Z' }, 'Time is not valid'],
])('is refused for a wrong %s', async (field, changes, message) => {
  const { send, listLeads } = await createSchool()
  const { status, body } = await send(changes)
  expect([status, body.errors]).toEqual([422, [{ field, message }]])
  expect(await listLeads()).toEqual([])
})
