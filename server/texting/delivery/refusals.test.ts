import { afterAll, expect, test } from 'vitest'
import { type TwilioFault, startFakeTwilio } from '../../test/fake-twilio.ts'
import { startTestServer } from '../../test/test-server.ts'
import { startTestWorker } from '../../test/texting-worker.ts'
import { notifyFailures } from '../history.ts'
import { chooseProvider } from '../service.ts'
import type { SendFailure } from '../providers/provider.ts'
import { dojoIdOf } from '../../test/fixtures.ts'

const faults = new Map<string, TwilioFault>()
const twilio = await startFakeTwilio((_, phone) => faults.get(phone) ?? null)
const settings = {
  publicUrl: 'http://localhost:3000',
  smsPerSecond: 1000,
  ...twilio.settings(twilio.url),
}
const server = await startTestServer(settings)
const stopWorker = startTestWorker(server, settings, { notSentAfterSeconds: 6 })
afterAll(async () => {
  await stopWorker()
  await twilio.close()
})

let phoneCount = 0
async function createText(fault: TwilioFault | null) {
  const sensei = await server.createSensei()
  const phone = `+1512555${String(2000 + (phoneCount += 1))}`
  if (fault) faults.set(phone, fault)
  await server.createStudent(sensei, { phone_number: phone })
  const message = { message_type: 'weather_cancel', custom_message: 'No class today.' }
  const { batch_id } = (await sensei.post('/sms/send-bulk-message', message)).body
  const readText = async () => (await sensei.get(`/sms/batches/${batch_id}`)).body.texts[0]
  const readPreview = async () => (await sensei.post('/sms/preview', message)).body.students[0]
  const countUsed = async () => (await sensei.get('/daily-message-usage')).body.message_count
  return { sensei, phone, batch_id, readText, readPreview, countUsed }
}

test.each([
  [21610, 'Opted out of texts', 'opted_out'],
  [21211, 'Not a phone number that can get texts', 'no_valid_phone'],
  [21614, 'Not a mobile number', 'no_valid_phone'],
  [21612, 'Not a phone number that can get texts', 'no_valid_phone'],
  [21408, 'The text service could not deliver it (21408)', null],
])(
  'gives up after error %i, with a reason, and refunds the text',
  async (code, reason, skipReason) => {
    const { readText, readPreview, countUsed } = await createText({ status: 400, code })
    await expect
      .poll(readText, { timeout: 8000 })
      .toMatchObject({ state: 'failed', reason, may_send_again: true })
    expect([await countUsed(), (await readPreview()).reason]).toEqual([0, skipReason])
  },
)

test('notifies the instructor of a failed text once the batch has finished', async () => {
  const { sensei, readText } = await createText({ status: 400, code: 21614 })
  await expect.poll(async () => (await readText()).state).toBe('failed')
  const dojoId = await dojoIdOf(server.db, sensei.id)
  for (let times = 0; times < 2; times += 1)
    await server.db.inDojo(dojoId, (tx) => notifyFailures(tx, dojoId))
  expect((await sensei.get('/notifications')).body).toMatchObject([
    {
      title: 'Some texts did not arrive',
      message: expect.stringMatching(/^Weather Cancellation: 1 text did not arrive/),
    },
  ])
})

test('retries a text that was sent too fast', async () => {
  const { phone, readText } = await createText('rate-limited')
  await expect.poll(() => twilio.sendTimes.length).toBeGreaterThan(0)
  faults.delete(phone)
  await expect.poll(async () => (await readText()).state, { timeout: 8000 }).toBe('accepted')
})

test.each([
  ['2', 2],
  [() => new Date(Date.now() + 30_000).toUTCString(), 30],
  ['86400', 60],
  ['-1', 0],
  ['soon', 0],
])('reads Retry-After %s as at most 60 seconds', async (header, seconds) => {
  const retryAfter = typeof header === 'function' ? header() : header
  const phone = '+15125553999'
  faults.set(phone, { status: 429, code: 20429, retryAfter })
  const failure = await chooseProvider(settings, server.db)
    .send({ dojoId: '', messageId: '', to: phone, text: 'No class today.' })
    .catch((error: unknown) => error)
  expect(failure).toMatchObject({ kind: 'rate-limited', code: 20429, status: 429 })
  const { retryAfterSeconds } = failure as SendFailure
  expect(retryAfterSeconds).toBeLessThanOrEqual(seconds)
  // A date may come closer during a slow test.
  expect(retryAfterSeconds).toBeGreaterThanOrEqual(Math.max(0, seconds - 20))
})

test('opts a phone out after error 21610, and does not text it', async () => {
  const { phone, readPreview } = await createText({ status: 400, code: 21610 })
  await expect.poll(async () => (await readPreview()).reason).toBe('opted_out')
  faults.delete(phone)
  expect(twilio.messages.filter(({ to }) => to === phone)).toEqual([])
})

test(
  'leaves a text uncertain if the provider is silent, and lets an instructor send it again',
  { timeout: 60_000 },
  async () => {
    const { sensei, phone, readText, batch_id, countUsed } = await createText('cut-before')
    await expect.poll(async () => (await readText()).state, { timeout: 30_000 }).toBe('uncertain')
    expect(await readText()).toMatchObject({
      reason: 'The text service can’t confirm that it was sent',
      may_send_again: true,
    })
    expect([twilio.messages.filter(({ to }) => to === phone).length, await countUsed()]).toEqual([
      0, 1,
    ])
    faults.delete(phone)
    await sensei.post(`/sms/batches/${batch_id}/send-again`)
    await expect.poll(async () => (await readText()).state, { timeout: 15_000 }).toBe('accepted')
    expect(twilio.messages.filter(({ to }) => to === phone)).toHaveLength(1)
  },
)

test('polls statuses until they are final if the server has no public URL', async () => {
  const { phone, readText } = await createText(null)
  await expect.poll(() => twilio.messages.filter(({ to }) => to === phone)).toHaveLength(1)
  Object.assign(
    twilio.messages.find(({ to }) => to === phone)!,
    { status: 'undelivered', error_code: 30005 },
  )
  await expect
    .poll(readText, { timeout: 8000 })
    .toMatchObject({ state: 'undelivered', reason: 'The number is unknown or no longer in use' })
})

test('stops sending when the credentials are rejected, and notifies the instructor', async () => {
  const { phone, sensei, readText, countUsed } = await createText({ status: 401, code: 20003 })
  await expect
    .poll(async () => (await sensei.get('/notifications')).body, { timeout: 8000 })
    .toMatchObject([
      {
        title: 'Texts are not going out',
        message: 'The text service does not accept our credentials',
      },
    ])
  expect([(await readText()).state, await countUsed()]).toEqual(['queued', 1])
  faults.delete(phone)
})

test('follows Twilio’s API in every call', () => expect(twilio.violations).toEqual([]))
