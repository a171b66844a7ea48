import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { signInAs } from '../test/fixtures.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()

const AFTERNOON = '2027-03-10T18:00:00Z'
const MIDNIGHT = '2027-03-10T06:00:00Z'
const CONSENT = { said_on: '2027-03-09', words: 'Sure, just text me' }

let phoneCount = 0
/** Each test has a phone of its own, because STOP counts in all schools. */
const newPhone = () => {
  phoneCount += 1
  return `+1512555${String(1000 + phoneCount)}`
}

async function createLead(phone = newPhone(), time = AFTERNOON) {
  setClock(time)
  const sensei = await server.createSensei()
  const form = {
    name: 'Ana Ruiz',
    visitors: [{ name: 'Leo', age: 7 }],
    source: 'Phone call',
    phone,
  }
  const { id } = (await sensei.post('/leads', form)).body
  const record = (changes: object = {}) =>
    sensei.post(`/leads/${id}/spoken-consent`, { ...CONSENT, ...changes })
  const readLead = async () => (await sensei.get(`/leads/${id}`)).body
  const receive = async (text: string): Promise<string | null> =>
    (await sensei.post('/sms/simulated/incoming', { phone_number: phone, text })).body.answer
  const listTexts = async (): Promise<string[]> => {
    const { rows } = await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.execute<{ text: string }>(sql`select text from messages where phone = ${phone}`),
    )
    return rows.map(({ text }) => text)
  }
  const textLead = () =>
    sensei.post(`/sms/conversations/${encodeURIComponent(phone)}/messages`, { text: 'Hello' })
  return { sensei, id, phone, record, readLead, receive, listTexts, textLead }
}

describe('an agreement on the phone', () => {
  test('is kept with the day, the words and who wrote it down, and the phone is asked once', async () => {
    const { sensei, record, listTexts, readLead } = await createLead()
    const { status, body } = await record()
    expect([status, body.may_be_texted, body.spoken_consent]).toEqual([
      200,
      false,
      {
        ...CONSENT,
        recorded_by_name: sensei.name,
        asked_at: expect.any(String),
        confirmed_at: null,
      },
    ])
    expect(await listTexts()).toEqual([expect.stringContaining('Reply YES to agree')])
    const repetition = await record({ words: 'Yes' })
    expect([repetition.status, repetition.body.detail]).toEqual([
      409,
      'This phone was asked already.',
    ])
    expect(await listTexts()).toHaveLength(1)
    expect(await readLead()).toMatchObject({ spoken_consent: CONSENT })
  })

  test('allows texts only after the phone has replied YES', async () => {
    const { record, readLead, receive, textLead } = await createLead()
    await record()
    const refusal = await textLead()
    expect([refusal.status, refusal.body.detail]).toEqual([
      409,
      'This phone has not agreed to texts yet. Please call or email.',
    ])
    expect(await receive('yes!')).toMatch(/^Thank you!/)
    expect(await readLead()).toMatchObject({
      may_be_texted: true,
      spoken_consent: { confirmed_at: expect.any(String) },
    })
    expect((await textLead()).status).toBe(200)
    expect(await receive('Yes')).toBeNull()
  })

  test('leaves a proof of the YES', async () => {
    const { sensei, record, receive } = await createLead()
    await record()
    await receive('YES')
    const { rows } = await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.execute(sql`select purpose, wording_version
        from lead_consents`),
    )
    expect(rows).toEqual([{ purpose: 'service_text', wording_version: 'spoken-2026-11-27' }])
  })

  test('is not confirmed by a YES that answers something else', async () => {
    const { readLead, receive } = await createLead()
    expect(await receive('Yes')).toBeNull()
    expect(await readLead()).toMatchObject({ may_be_texted: false, spoken_consent: null })
  })

  test('counts for nothing if the phone replied STOP before', async () => {
    const { record, receive, listTexts, readLead } = await createLead()
    await receive('STOP')
    const { status, body } = await record()
    expect([status, body.detail]).toEqual([
      409,
      'This phone gets no texts, because its owner ended them. Please call.',
    ])
    expect(await listTexts()).toEqual([])
    expect(await readLead()).toMatchObject({ has_stopped_texts: true, spoken_consent: null })
  })

  test('ends with a later STOP', async () => {
    const { record, receive, readLead, textLead } = await createLead()
    await record()
    await receive('YES')
    await receive('STOP')
    expect(await readLead()).toMatchObject({ has_stopped_texts: true })
    expect((await textLead()).status).toBe(409)
  })

  test('waits for the morning with its question', async () => {
    const { sensei, id, record, listTexts } = await createLead(newPhone(), MIDNIGHT)
    expect((await record()).body.spoken_consent).toMatchObject({ asked_at: null })
    expect(await listTexts()).toEqual([])
    setClock(AFTERNOON)
    const client = server.clientFor(await signInAs(server.db, sensei.id))
    const { body } = await client.post(`/leads/${id}/spoken-consent`, CONSENT)
    expect(body.spoken_consent).toMatchObject({ asked_at: expect.any(String) })
    expect(await listTexts()).toHaveLength(1)
  })

  test('ends when the lead gets another phone number', async () => {
    const { sensei, id, record, receive, readLead } = await createLead()
    await record()
    await receive('YES')
    const form = { name: 'Ana Ruiz', visitors: [{ name: 'Leo', age: 7 }], source: 'Phone call' }
    await sensei.put(`/leads/${id}`, { ...form, phone: newPhone() })
    expect(await readLead()).toMatchObject({ may_be_texted: false, spoken_consent: null })
  })

  test.each([
    ['said_on', { said_on: '2027-03-11' }, 'Day must not be in the future'],
    ['words', { words: '' }, 'What they said is required'],
  ])('is refused for a wrong %s', async (field, changes, message) => {
    const { record, listTexts } = await createLead()
    const { status, body } = await record(changes)
    expect([status, body.errors]).toEqual([422, [{ field, message }]])
    expect(await listTexts()).toEqual([])
  })

  test('cannot be written down for a lead without a phone', async () => {
    setClock(AFTERNOON)
    const sensei = await server.createSensei()
    const form = { name: 'Ana', visitors: [{ name: 'Ana', age: null }], source: 'Website' }
    const { id } = (await sensei.post('/leads', { ...form, email: 'ana@home.org' })).body
    expect((await sensei.post(`/leads/${id}/spoken-consent`, CONSENT)).status).toBe(409)
  })
})
