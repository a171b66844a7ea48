import { afterAll, expect, test } from 'vitest'
import { type Fault, fakeTwilio } from '../../test/fake-twilio.ts'
import { startTestServer } from '../../test/test-server.ts'
import { startTestWorker } from '../../test/texting-worker.ts'

const faults: Fault[] = []
const twilio = await fakeTwilio((call) => (call === 'send' && faults.shift()) || null)
const settings = { publicUrl: 'http://localhost:3000', smsPerSecond: 10, ...twilio.settings(twilio.url) }
const server = await startTestServer(settings)
const stop = startTestWorker(server, settings)
afterAll(async () => {
  await stop()
  await twilio.close()
})

test('sends siblings who share a phone one text each, though one response is lost and the other late', { timeout: 30_000 }, async () => {
  const sensei = await server.createSensei()
  for (const name of ['Ann Lee', 'Bo Lee']) await server.createStudent(sensei, { name })
  faults.push('cut-after', 'slow')
  const { batch_id } = (await sensei.post('/sms/send-bulk-message', { message_type: 'weather_cancel', custom_message: 'No class today.' }))
    .body
  const states = async () => (await sensei.get(`/sms/batches/${batch_id}`)).body.texts.map(({ state }: { state: string }) => state)
  await expect.poll(states, { timeout: 20_000 }).toEqual(['accepted', 'accepted'])
  expect(twilio.messages).toHaveLength(2)
})
