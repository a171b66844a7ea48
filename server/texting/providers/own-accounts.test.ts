import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { setSecretsKey } from '../../accounts/sealed-secrets.ts'
import {
  type FakeAccount,
  startFakeTwilio,
  TOKEN,
  type TwilioFault,
} from '../../test/fake-twilio.ts'
import { accountForm, ownAccount, setTestSecretsKey } from '../../test/own-twilio.ts'
import { startTestServer } from '../../test/test-server.ts'
import { startTestWorker } from '../../test/texting-worker.ts'

const faults = new Map<string, TwilioFault>()
const twilio = await startFakeTwilio((_, phone) => faults.get(phone) ?? null)
const PUBLIC_URL = 'https://tatami.example.org'
const settings = { publicUrl: PUBLIC_URL, smsPerSecond: 1000, ...twilio.settings(twilio.url) }
setTestSecretsKey()
const server = await startTestServer(settings)
const stopWorker = startTestWorker(server, settings, { notSentAfterSeconds: 6 })
afterAll(async () => {
  await stopWorker()
  await twilio.close()
  setSecretsKey(undefined)
})

type Sensei = Awaited<ReturnType<typeof server.createSensei>>
let accountCount = 0
let phoneCount = 0

async function createSenseiWithAccount(changes: Partial<FakeAccount> = {}) {
  const account = ownAccount((accountCount += 1), changes)
  twilio.accounts.push(account)
  const sensei = await server.createSensei()
  expect((await sensei.put('/sms/account', accountForm(account))).status).toBe(200)
  return { sensei, account }
}

const createPhone = () => `+1512555${String(6000 + (phoneCount += 1))}`

/** Texts all students of the dojo, and returns functions that read the newest student's text. */
async function sendText(sensei: Sensei, phone = createPhone()) {
  await server.createStudent(sensei, { phone_number: phone })
  const { batch_id } = (
    await sensei.post('/sms/send-bulk-message', {
      message_type: 'weather_cancel',
      custom_message: 'No class today.',
    })
  ).body
  const readText = async () => {
    const { texts } = (await sensei.get(`/sms/batches/${batch_id}`)).body
    return texts.find((text: { phone_number: string }) => text.phone_number === phone)
  }
  const waitFor = async (state: string) => {
    await expect.poll(async () => (await readText()).state, { timeout: 8000 }).toBe(state)
  }
  return { phone, readText, waitFor }
}

const readAccount = async (sensei: Sensei) => (await sensei.get('/sms/account')).body.account
const findSentText = (phone: string) => twilio.messages.find(({ to }) => to === phone)

test('only the texts of the school itself go through its own account', async () => {
  const { sensei, account } = await createSenseiWithAccount()
  const ownText = await sendText(sensei)
  const otherText = await sendText(await server.createSensei())
  await Promise.all([ownText.waitFor('accepted'), otherText.waitFor('accepted')])
  expect(findSentText(ownText.phone)).toMatchObject({
    account_sid: account.sid,
    from: account.number,
  })
  expect(findSentText(otherText.phone)?.account_sid).not.toBe(account.sid)
})

test('a wrong token stops the texts of its own school only, until it is corrected', async () => {
  const { sensei, account } = await createSenseiWithAccount()
  const { sensei: otherSensei } = await createSenseiWithAccount()
  account.token = 'c'.repeat(32)
  const waitingText = await sendText(sensei)
  await expect
    .poll(async () => (await readAccount(sensei)).state, { timeout: 8000 })
    .toBe('wrong_credentials')
  expect((await sensei.get('/notifications')).body).toMatchObject([
    {
      title: 'Texts are not going out',
      message: 'The text service does not accept our credentials',
    },
  ])
  const texts = [await sendText(otherSensei), await sendText(await server.createSensei())]
  for (const { waitFor } of texts) await waitFor('accepted')
  expect((await readAccount(otherSensei)).state).toBe('ready')
  await waitingText.waitFor('queued')
  expect((await sensei.put('/sms/account', accountForm(account))).status).toBe(200)
  await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.execute(sql`update messages set due_at = clock_timestamp() where state = 'queued'`),
  )
  await waitingText.waitFor('accepted')
  expect(await readAccount(sensei)).toMatchObject({ state: 'ready', error: null })
})

test('shows that a number is not registered until a text is delivered', async () => {
  const { sensei, account } = await createSenseiWithAccount()
  const { phone, waitFor } = await sendText(sensei)
  await waitFor('accepted')
  const { sid } = findSentText(phone)!
  await report(sensei, account.token, sid, { MessageStatus: 'undelivered', ErrorCode: '30034' })
  expect(await readAccount(sensei)).toMatchObject({
    state: 'not_registered',
    error: 'Our number is not registered with the carriers',
  })
  await sensei.post('/sms/init')
  expect((await readAccount(sensei)).state).toBe('not_registered')
  await report(sensei, account.token, sid, { MessageStatus: 'delivered' })
  expect((await readAccount(sensei)).state).toBe('ready')
})

type Form = Record<string, string>

async function callWebhook(path: string, token: string, form: Form) {
  const signedFields = Object.keys(form)
    .toSorted()
    .map((name) => `${name}${form[name]}`)
  const signature = createHmac('sha1', token)
    .update(`${PUBLIC_URL}${path}${signedFields.join('')}`)
    .digest('base64')
  const { statusCode, payload } = await server.http.inject({
    method: 'POST',
    url: path,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': signature,
    },
    payload: new URLSearchParams(form).toString(),
  })
  return { status: statusCode, text: payload }
}

const report = ({ dojoId }: Sensei, token: string, MessageSid: string, form: Form) =>
  callWebhook(`/api/sms/webhooks/status/${dojoId}`, token, { MessageSid, ...form })

test('accepts reports that the school’s token signed, and only for its own texts', async () => {
  const { sensei, account } = await createSenseiWithAccount()
  const { sensei: otherSensei, account: otherAccount } = await createSenseiWithAccount()
  const { phone, readText, waitFor } = await sendText(sensei)
  await waitFor('accepted')
  const { sid } = findSentText(phone)!
  const deliveredForm = { MessageStatus: 'delivered' }
  for (const token of [TOKEN, otherAccount.token])
    expect((await report(sensei, token, sid, deliveredForm)).status).toBe(403)
  expect((await report(otherSensei, otherAccount.token, sid, deliveredForm)).status).toBe(200)
  expect((await readText()).state).toBe('accepted')
  expect((await report(sensei, account.token, sid, deliveredForm)).status).toBe(200)
  expect((await readText()).state).toBe('delivered')
  const noDojo = { ...sensei, dojoId: 'not-an-id' }
  expect((await report(noDojo, account.token, sid, deliveredForm)).status).toBe(403)
})

let receivedCount = 0
const postReply = (
  { dojoId }: Sensei,
  { token, number }: FakeAccount,
  phone: string,
  Body: string,
) =>
  callWebhook(`/api/sms/webhooks/incoming/${dojoId}`, token, {
    MessageSid: `SM${String((receivedCount += 1)).padStart(32, '0')}`,
    From: phone,
    To: number ?? '',
    Body,
  })

const readInbox = async (sensei: Sensei) =>
  (await sensei.get('/sms/inbox')).body.map(({ text }: { text: string }) => text)

/** Why the dojo's only student would get no text. */
const readSkipReason = async (sensei: Sensei) =>
  (await sensei.post('/sms/preview', { message_type: 'weather_cancel', custom_message: 'x' })).body
    .students[0].reason

test('replies to the number of a school reach only this school', async () => {
  const { sensei, account } = await createSenseiWithAccount()
  const otherSensei = await server.createSensei()
  const phone = createPhone()
  for (const owner of [sensei, otherSensei])
    await server.createStudent(owner, { phone_number: phone })
  expect((await postReply(sensei, account, phone, 'See you')).status).toBe(200)
  expect([await readInbox(sensei), await readInbox(otherSensei)]).toEqual([['See you'], []])
  expect((await postReply(otherSensei, account, phone, 'Forged')).status).toBe(403)
  expect(await readInbox(otherSensei)).toEqual([])
})

test('STOP and START to the number of a school change nothing for other schools', async () => {
  const { sensei, account } = await createSenseiWithAccount()
  const otherSensei = await server.createSensei()
  const phone = createPhone()
  for (const owner of [sensei, otherSensei])
    await server.createStudent(owner, { phone_number: phone })
  const readSkipReasons = async () => [
    await readSkipReason(sensei),
    await readSkipReason(otherSensei),
  ]
  expect((await postReply(sensei, account, phone, 'STOP')).text).toContain(
    'You will get no more texts',
  )
  expect(await readSkipReasons()).toEqual(['opted_out', null])
  const incomingPath = '/api/sms/webhooks/incoming'
  const textToServer = (Body: string) => ({
    MessageSid: `SM${String((receivedCount += 1)).padStart(32, '0')}`,
    From: phone,
    To: '+15005550006',
    Body,
  })
  await callWebhook(incomingPath, TOKEN, textToServer('STOP'))
  expect(await readSkipReasons()).toEqual(['opted_out', 'opted_out'])
  expect((await postReply(sensei, account, phone, 'START')).text).toContain(
    'You will get our texts again',
  )
  expect(await readSkipReasons()).toEqual([null, 'opted_out'])
  await sensei.post('/sms/account/remove', {})
  expect(await readSkipReasons(), 'the number of the server is stopped').toEqual([
    'opted_out',
    'opted_out',
  ])
})

test('a text in doubt becomes uncertain if the school has changed its account', async () => {
  const { sensei } = await createSenseiWithAccount()
  const phone = createPhone()
  faults.set(phone, 'cut-before')
  const { waitFor } = await sendText(sensei, phone)
  await waitFor('in_doubt')
  const replacement = ownAccount((accountCount += 1))
  twilio.accounts.push(replacement)
  expect((await sensei.put('/sms/account', accountForm(replacement))).status).toBe(200)
  faults.delete(phone)
  await waitFor('uncertain')
  expect(findSentText(phone)).toBeUndefined()
})

test('follows Twilio’s API in every call', () => expect(twilio.violations).toEqual([]))
