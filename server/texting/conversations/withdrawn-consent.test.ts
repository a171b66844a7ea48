import { expect, test } from 'vitest'
import { startTestServer } from '../../test/test-server.ts'
import { type ClaimedText, claimNextTexts } from '../delivery/queue.ts'
import { receiveText } from '../../messages/incoming.ts'

const server = await startTestServer()

let phones = 0
let receivedCount = 0
const receive = (sender: string, text: string) =>
  server.db.withoutDojo((tx) =>
    receiveText(tx, { id: `SM${(receivedCount += 1)}`, from: sender, text }),
  )

async function aStudent() {
  const sensei = await server.createSensei(),
    phone = `+1512555${7000 + (phones += 1)}`
  const leo = await server.createStudent(sensei, { name: 'Leo Chen', phone_number: phone })
  const encodedPhone = encodeURIComponent(phone)
  const record = (event: 'given' | 'revoked') =>
    sensei.post(`/sms/phones/${encodedPhone}/consents`, { event, given_by: 'Ann Chen' })
  const reply = (text: string) =>
    sensei.post(`/sms/conversations/${encodedPhone}/messages`, { text })
  const textLeo = () => sensei.post('/sms/messages', { student_ids: [leo.id], text: 'Hello' })
  const skipReasons = async () =>
    (await sensei.post('/sms/preview', { message_type: 'weather_cancel', custom_message: 'x' }))
      .body.students[0].reason
  const events = async () =>
    (await sensei.get(`/sms/phones/${encodedPhone}`)).body.consents.map(
      ({ event, source }: { event: string; source: string }) => `${event} ${source}`,
    )
  return { sensei, phone, leo, record, reply, textLeo, skipped: skipReasons, events }
}

test('sends nothing to a phone without consent, until somebody agrees again', async () => {
  const { sensei, leo, record, reply, textLeo, skipped } = await aStudent()
  await record('given')
  expect(await skipped()).toBe(null)
  await record('revoked')
  expect(await skipped()).toBe('opted_out')
  expect((await sensei.get(`/students/${leo.id}/phones`)).body).toMatchObject([
    { obstacle: 'withdrawn' },
  ])
  const refusals = [await reply('Hello'), await textLeo()].map(({ status, body }) => [
    status,
    body.detail,
  ])
  expect(refusals).toEqual([
    [409, 'This phone’s owner no longer agrees to texts, so it gets none.'],
    [409, 'Leo Chen no longer agrees to texts and gets none.'],
  ])
  await record('given')
  expect([await skipped(), (await textLeo()).status]).toEqual([null, 200])
})

test('its START ends that and is confirmed, and a STOP before it hides nothing', async () => {
  const { phone, record, skipped } = await aStudent()
  await record('revoked')
  await receive(phone, 'STOP')
  expect(await skipped()).toBe('opted_out')
  await receive(phone, 'START')
  expect(await skipped()).toBe(null)
  await record('revoked')
  expect(await receive(phone, 'START')).toMatch(/^You will get our texts again/)
  expect(await skipped()).toBe(null)
})

test('concerns the dojo alone that has recorded it', async () => {
  const { phone, record } = await aStudent()
  await record('revoked')
  const otherSensei = await server.createSensei()
  const mia = await server.createStudent(otherSensei, { phone_number: phone })
  expect(
    (await otherSensei.post('/sms/messages', { student_ids: [mia.id], text: 'Hello' })).status,
  ).toBe(200)
})

test('keeps what is queued already from being sent', async () => {
  const { sensei, record, textLeo } = await aStudent()
  const claim = async () => {
    const claimedTexts: ClaimedText[] = []
    for (let waitMs: number | null = 0; waitMs !== null;) {
      const next = await server.db.withoutDojo((tx) => claimNextTexts(tx, 1000, 100))
      claimedTexts.push(...next.claimed)
      waitMs = next.waitMs
    }
    return claimedTexts
      .filter(({ dojo_id }) => dojo_id === sensei.dojoId)
      .map(({ opted_out }) => opted_out)
  }
  await claim()
  await textLeo()
  expect(await claim()).toEqual([false])
  await textLeo()
  await record('revoked')
  expect(await claim()).toEqual([true])
})

test('"Yes" is an answer, and counts as consent only where it ends an opt-out', async () => {
  const { sensei, phone, events } = await aStudent()
  expect(await receive(phone, 'Yes.')).toBe(null)
  expect(await events()).toEqual([])
  expect((await sensei.get('/sms/inbox')).body).toMatchObject([{ text: 'Yes.', wish: null }])
  await receive(phone, 'STOP')
  expect(await receive(phone, 'YES')).toMatch(/^You will get our texts again/)
  expect(await events()).toEqual(['given START', 'revoked STOP'])
})
