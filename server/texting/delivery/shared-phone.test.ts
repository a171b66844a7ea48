import { afterAll, expect, test } from 'vitest'
import { type TwilioFault, startFakeTwilio } from '../../test/fake-twilio.ts'
import { startTestServer } from '../../test/test-server.ts'
import { startTestWorker } from '../../test/texting-worker.ts'

const faults: TwilioFault[] = []
const twilio = await startFakeTwilio((call) => (call === 'send' && faults.shift()) || null)
const settings = {
  publicUrl: 'http://localhost:3000',
  smsPerSecond: 10,
  ...twilio.settings(twilio.url),
}
const server = await startTestServer(settings)
const stopWorker = startTestWorker(server, settings)
afterAll(async () => {
  await stopWorker()
  await twilio.close()
})

test(
  'sends two equal replies to one phone, even if one response is lost and one is late',
  { timeout: 30_000 },
  async () => {
    const sensei = await server.createSensei()
    const phone = '+15125550142'
    for (const name of ['Ann Lee', 'Bo Lee'])
      await server.createStudent(sensei, { name, phone_number: phone })
    faults.push('cut-after', 'slow')
    const path = `/sms/conversations/${encodeURIComponent(phone)}/messages`
    for (let times = 0; times < 2; times += 1)
      expect((await sensei.post(path, { text: 'See you on Monday.' })).status).toBe(200)
    const readStates = async () =>
      (await sensei.get(path)).body.map(({ state }: { state: string }) => state)
    await expect.poll(readStates, { timeout: 20_000 }).toEqual(['accepted', 'accepted'])
    expect(twilio.messages).toHaveLength(2)
  },
)
