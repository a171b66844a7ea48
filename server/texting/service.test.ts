import { afterAll, expect, test } from 'vitest'
import { connect } from '../db/database.ts'
import { setClock } from '../test/clock.ts'
import { type TwilioFault, startFakeTwilio } from '../test/fake-twilio.ts'
import { createClients, startTestServer } from '../test/test-server.ts'
import { chooseProvider } from './service.ts'

const server = await startTestServer()
const sensei = await server.createSensei()
const twilio = await startFakeTwilio()
afterAll(() => twilio.close())

/** Opens a server with these settings, and returns an instructor's requests to it. */
async function openServerWith(settings: object) {
  const { http } = await server.openServer(settings)
  const client = createClients(http).clientFor(sensei.token)
  const read = async (path: string) => (await client.get(path)).body
  return {
    check: async () => (await client.post('/sms/init')).body,
    readStatus: () => read('/sms/status'),
    readInfo: () => read('/sms/info'),
    readQr: () => read('/whatsapp/qr'),
  }
}
const user = { name: 'Aiko Tanaka' }

test('reports the simulator as ready, under its own name', async () => {
  const { check, readStatus, readInfo, readQr } = await openServerWith({ smsProvider: 'simulator' })
  expect(await readStatus()).toEqual({
    status: 'ready',
    connected: true,
    user,
    instructorId: sensei.id,
    phone_number: null,
    service: 'simulator',
    error: null,
  })
  expect(await readInfo()).toEqual({ service: 'simulator', phone_number: null, status: 'ready' })
  expect(await readQr()).toEqual({ qr: null, status: 'ready', connected: true, user })
  expect(await check()).toEqual({
    success: true,
    message: 'Test mode: no text leaves this computer.',
  })
})

test('reports Twilio as checking until the first check, then ready', async () => {
  const { check, readStatus, readInfo, readQr } = await openServerWith(twilio.settings(twilio.url))
  expect(await readStatus()).toMatchObject({
    status: 'checking',
    connected: false,
    service: 'twilio_sms',
    phone_number: '+15005550006',
  })
  expect((await readQr()).qr).toMatch(/^data:image\/png;base64,iVBOR/)
  expect(await check()).toEqual({ success: true, message: 'The text service is ready.' })
  expect([await readStatus(), await readInfo(), await readQr()]).toMatchObject([
    { status: 'ready', connected: true },
    { service: 'twilio_sms', status: 'ready' },
    { qr: null, connected: true },
  ])
})

test.each([
  [
    'no answer',
    { ...twilio.settings('http://127.0.0.1:9') },
    'service_unreachable',
    'network',
    'Network error during SMS initialization',
  ],
  [
    'a wrong token',
    { ...twilio.settings(twilio.url), twilioAuthToken: 'wrong' },
    'service_unavailable',
    'authentication',
    'The text service does not accept our credentials',
  ],
  [
    'somebody else’s number',
    { ...twilio.settings(twilio.url), twilioFrom: '+15005550001' },
    'service_unavailable',
    'initialization',
    'Failed to initialize SMS service',
  ],
])('reports %s by its type and message', async (_, settings, state, error_type, error) => {
  const { check, readStatus, readQr } = await openServerWith(settings)
  expect(await check()).toEqual({ success: false, error, error_type })
  expect(await readStatus()).toMatchObject({ status: state, connected: false, error })
  expect(await readQr()).toMatchObject({
    qr: expect.stringMatching(/^data:image\/png/),
    status: state,
    connected: false,
  })
})

test('reports a failing provider as not accessible', async () => {
  const fault: TwilioFault = 'broken-before'
  const failingTwilio = await startFakeTwilio((call) => (call === 'check' ? fault : null))
  const { check, readStatus } = await openServerWith(failingTwilio.settings(failingTwilio.url))
  expect(await check()).toEqual({
    success: false,
    error: 'SMS service is not accessible',
    error_type: 'connectivity',
  })
  expect(await readStatus()).toMatchObject({
    status: 'service_unavailable',
    error: 'SMS service is not accessible',
  })
  await failingTwilio.close()
})

test('checks the provider at most once in three seconds', async () => {
  let checkCount = 0
  const countingTwilio = await startFakeTwilio((call) => {
    if (call === 'check') checkCount += 1
    return null
  })
  const { check } = await openServerWith(countingTwilio.settings(countingTwilio.url))
  const results = [...(await Promise.all([check(), check(), check()])), await check()]
  // A check looks up the account and its number.
  const callsPerCheck = 2
  expect([results.filter(({ success }) => success).length, checkCount]).toEqual([4, callsPerCheck])
  setClock(new Date(Date.now() + 4000).toISOString())
  expect([(await check()).success, checkCount]).toEqual([true, 2 * callsPerCheck])
  await countingTwilio.close()
})

test('reports disconnected if there is no provider', async () => {
  const { check, readStatus } = await openServerWith({ smsProvider: 'none' })
  expect(await readStatus()).toMatchObject({
    status: 'disconnected',
    connected: false,
    service: 'none',
    error: 'SMS service is not accessible',
  })
  expect(await check()).toMatchObject({ success: false, error_type: 'connectivity' })
})

const unreachableDatabase = connect('postgres://nobody@127.0.0.1:9/nothing')
const hasCallbacks = (publicUrl: string) =>
  chooseProvider(
    {
      publicUrl,
      smsPerSecond: 1,
      twilioAccountSid: `AC${'0'.repeat(32)}`,
      twilioAuthToken: 'token',
      twilioFrom: '+15005550006',
    },
    unreachableDatabase,
  ).hasCallbacks

test.each([
  'https://dojo.com',
  'https://dojo.com:8443',
  'https://a.dojo.co.jp/',
  'https://8.8.8.8',
])('asks Twilio to post statuses to %s', (url) => {
  expect(hasCallbacks(url)).toBe(true)
})

test.each([
  'http://dojo.com',
  'https://localhost',
  'https://dojo',
  'https://dojo.local',
  'https://dojo.local.',
  'https://dojo.lan',
  'https://dojo.home.arpa',
  'https://dojo.internal',
  'https://127.0.0.1',
  'https://10.1.2.3',
  'https://172.16.0.1',
  'https://192.168.1.1',
  'https://100.64.0.1',
  'https://[::1]',
])('polls statuses because %s cannot be reached from the internet', (url) => {
  expect(hasCallbacks(url)).toBe(false)
})
