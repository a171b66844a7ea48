import { sql } from 'drizzle-orm'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { setSecretsKey } from '../accounts/sealed-secrets.ts'
import { now } from '../lib/clock.ts'
import { setClock } from '../test/clock.ts'
import { type FakeAccount, startFakeTwilio, type TwilioFault } from '../test/fake-twilio.ts'
import { unzipTexts } from '../test/files.ts'
import { PASSWORD } from '../test/fixtures.ts'
import { accountForm, ownAccount, setTestSecretsKey } from '../test/own-twilio.ts'
import { createClients, startTestServer } from '../test/test-server.ts'

let checkFault: TwilioFault | null = null
const twilio = await startFakeTwilio((call) => (call === 'check' ? checkFault : null))
afterAll(() => twilio.close())
setTestSecretsKey()
afterAll(() => setSecretsKey(undefined))
const PUBLIC_URL = 'https://tatami.example.org'
const server = await startTestServer({
  publicUrl: PUBLIC_URL,
  smsProvider: undefined,
  twilioApiUrl: twilio.url,
})
const account = ownAccount(1)
twilio.accounts.push(account)

const pickStatusAndDetail = ({ status, body }: { status: number; body: { detail?: string } }) => [
  status,
  body.detail,
]

test('saves an account that Twilio confirms, and never returns its token', async () => {
  const sensei = await server.createSensei()
  expect((await sensei.get('/sms/account')).body).toMatchObject({
    account: null,
    obstacle: null,
    server_service: 'simulator',
  })
  const saveReply = await sensei.put('/sms/account', accountForm(account))
  expect([saveReply.status, saveReply.body.account]).toEqual([
    200,
    {
      account_sid: account.sid,
      sender: account.number,
      state: 'ready',
      error: null,
      is_trial: false,
      gets_replies: false,
      checked_at: expect.any(String),
      changed_at: expect.any(String),
      changed_by: 'Aiko Tanaka',
    },
  ])
  const setUp = await sensei.get('/sms/account')
  expect(JSON.stringify([saveReply.body, setUp.body])).not.toContain(account.token)
  const { rows } = await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.execute<{ sealed_token: string }>(sql`select sealed_token from texting_accounts`),
  )
  expect(rows).toEqual([{ sealed_token: expect.stringMatching(/^v1\.[\w-]+$/) }])
  expect(await readActions(sensei.dojoId)).toContain('own texting account saved')
})

const readActions = async (dojoId: string) =>
  (
    await server.db.withoutDojo((tx) =>
      tx.execute<{ action: string }>(
        sql`select action from audit_log where dojo_id = ${dojoId} order by id`,
      ),
    )
  ).rows.map(({ action }) => action)

test('uses the account instead of the server’s service until it is removed', async () => {
  const sensei = await server.createSensei()
  await sensei.put('/sms/account', accountForm(account))
  const { body } = await sensei.get('/sms/status')
  expect(body).toMatchObject({
    status: 'ready',
    connected: true,
    service: 'twilio_sms',
    phone_number: account.number,
  })
  const otherSensei = await server.createSensei()
  expect((await otherSensei.get('/sms/info')).body.service).toBe('simulator')
  expect((await sensei.post('/sms/account/remove', {})).body.account).toBeNull()
  expect((await sensei.get('/sms/info')).body.service).toBe('simulator')
  expect((await sensei.post('/sms/account/remove', {})).status).toBe(404)
})

const suspendedAccount = ownAccount(2, { status: 'suspended' })
const voiceAccount = ownAccount(3, { sendsTexts: false })
twilio.accounts.push(suspendedAccount, voiceAccount)
const WRONG_TOKEN = 'Twilio does not accept this Account SID with this auth token. Copy both again.'

test.each<[string, object, string, string]>([
  ['a wrong token', { auth_token: '0'.repeat(32) }, 'auth_token', WRONG_TOKEN],
  ['an unknown account', { account_sid: `AC${'9'.repeat(32)}` }, 'auth_token', WRONG_TOKEN],
  [
    'a number of somebody else',
    { sender: '(512) 555-0199' },
    'sender',
    'The number +15125550199 does not belong to the account',
  ],
  [
    'a number that cannot send texts',
    accountForm(voiceAccount),
    'sender',
    `The number ${voiceAccount.number} cannot send texts`,
  ],
  [
    'a messaging service of somebody else',
    { sender: `MG${'7'.repeat(32)}` },
    'sender',
    'The messaging service does not belong to the account',
  ],
  [
    'neither a number nor a service',
    { sender: 'my number' },
    'sender',
    'Enter a phone number, or a messaging service SID that starts with MG',
  ],
  [
    'a suspended account',
    accountForm(suspendedAccount),
    'account_sid',
    'Twilio has suspended this account. Twilio can tell you why.',
  ],
  [
    'an API key',
    { account_sid: `SK${'1'.repeat(32)}` },
    'account_sid',
    'This is the SID of an API key. Your Account SID starts with AC',
  ],
  [
    'a token that is too short',
    { auth_token: 'abc' },
    'auth_token',
    'The auth token has 32 letters and digits',
  ],
  ['no token', { auth_token: '' }, 'auth_token', 'Auth token is required'],
])('refuses %s, and changes nothing', async (_, changes, field, message) => {
  const sensei = await server.createSensei()
  const { status, body } = await sensei.put('/sms/account', { ...accountForm(account), ...changes })
  expect([status, body.detail, body.errors[0]]).toEqual([422, message, { field, message }])
  expect((await sensei.get('/sms/account')).body.account).toBeNull()
})

test('accepts a messaging service, and recognizes a trial account', async () => {
  const messagingService = `MG${'4'.repeat(32)}`
  const trialAccount = ownAccount(4, { messagingService, type: 'Trial' })
  twilio.accounts.push(trialAccount)
  const sensei = await server.createSensei()
  const form = { ...accountForm(trialAccount), sender: messagingService }
  expect((await sensei.put('/sms/account', form)).body.account).toMatchObject({
    sender: messagingService,
    state: 'ready',
    is_trial: true,
  })
})

test('keeps the token if only the number changes', async () => {
  const sensei = await server.createSensei()
  await sensei.put('/sms/account', accountForm(account))
  const { auth_token: _, ...form } = accountForm(account)
  expect((await sensei.put('/sms/account', form)).status).toBe(200)
  expect(
    pickStatusAndDetail(
      await sensei.put('/sms/account', { ...form, account_sid: voiceAccount.sid }),
    ),
  ).toEqual([422, 'Auth token is required'])
})

test('shows whether replies reach the school', async () => {
  const sensei = await server.createSensei()
  const savedSetUp = (await sensei.put('/sms/account', accountForm(account))).body
  expect(savedSetUp).toMatchObject({
    reply_url: `${PUBLIC_URL}/api/sms/webhooks/incoming/${sensei.dojoId}`,
    account: { gets_replies: false },
  })
  await withChanges(account, { replyUrl: savedSetUp.reply_url }, async () => {
    expect((await sensei.post('/sms/init')).body.success).toBe(true)
    expect((await sensei.get('/sms/account')).body.account.gets_replies).toBe(true)
  })
})

/** Changes an account at Twilio while `work` runs. */
async function withChanges(
  changedAccount: FakeAccount,
  changes: Partial<FakeAccount>,
  work: () => Promise<void>,
) {
  const original = { ...changedAccount }
  Object.assign(changedAccount, changes)
  try {
    await work()
  } finally {
    for (const key of Object.keys(changes)) delete changedAccount[key as keyof FakeAccount]
    Object.assign(changedAccount, original)
  }
}

test('a check notices that the token has become wrong or right again', async () => {
  const sensei = await server.createSensei()
  await sensei.put('/sms/account', accountForm(account))
  await withChanges(account, { token: 'e'.repeat(32) }, async () => {
    expect((await sensei.post('/sms/init')).body).toEqual({
      success: false,
      error: 'The text service does not accept our credentials',
      error_type: 'authentication',
    })
    expect((await sensei.get('/sms/status')).body).toMatchObject({
      status: 'service_unavailable',
      error: 'The text service does not accept our credentials',
    })
    expect((await sensei.get('/sms/account')).body.account.state).toBe('wrong_credentials')
  })
  expect((await sensei.post('/sms/init')).body.success).toBe(true)
  expect((await sensei.get('/sms/account')).body.account).toMatchObject({
    state: 'ready',
    error: null,
  })
})

const NO_RESPONSE =
  'Twilio did not respond, so nothing was saved, and nothing changes for your texts. Please try ' +
  'again in a few minutes.'

test('changes nothing if Twilio does not respond', async () => {
  const sensei = await server.createSensei()
  const save = () => sensei.put('/sms/account', accountForm(account))
  const saveWhileDown = async (form: object = accountForm(account)) => {
    checkFault = 'broken-before'
    try {
      return pickStatusAndDetail(await sensei.put('/sms/account', form))
    } finally {
      checkFault = null
    }
  }
  expect(await saveWhileDown()).toEqual([409, NO_RESPONSE])
  expect((await sensei.get('/sms/account')).body.account).toBeNull()
  expect((await sensei.get('/sms/status')).body).toMatchObject({
    status: 'ready',
    service: 'simulator',
  })
  const savedAccount = (await save()).body.account
  expect(await saveWhileDown(accountForm(voiceAccount))).toEqual([409, NO_RESPONSE])
  expect((await sensei.get('/sms/account')).body.account).toEqual(savedAccount)
})

test('completes the texting step of a new school once Twilio confirms the account', async () => {
  const sensei = await server.createSensei()
  const readStep = async () =>
    (await sensei.get('/dashboard/stats')).body.setup.find(
      ({ step }: { step: string }) => step === 'texting',
    ).state
  const check = async (fault: TwilioFault | null) => {
    checkFault = fault
    await sensei.post('/sms/init')
    return readStep()
  }
  expect(await readStep()).toBe('open')
  await sensei.put('/sms/account', accountForm(account))
  expect(await readStep()).toBe('done')
  expect(await check('broken-before'), 'while Twilio is down').toBe('done')
  expect(await check({ status: 401, code: 20003 })).toBe('open')
  expect(await check(null)).toBe('done')
})

test('asks for the password ten minutes after the login', async () => {
  const sensei = await server.createSensei()
  setClock(new Date(now().getTime() + 11 * 60_000).toISOString())
  for (const [path, method] of [
    ['/sms/account', sensei.put],
    ['/sms/account/remove', sensei.post],
  ] as const) {
    const form = path === '/sms/account' ? accountForm(account) : {}
    expect(pickStatusAndDetail(await method(path, form))).toEqual([422, 'Password is required'])
    expect(pickStatusAndDetail(await method(path, { ...form, current_password: 'wrong' }))).toEqual(
      [422, 'Current password is not correct'],
    )
    expect((await method(path, { ...form, current_password: PASSWORD })).status).toBe(200)
  }
})

test('tells the instructor that SECRETS_KEY is missing or has changed', async () => {
  const sensei = await server.createSensei()
  await sensei.put('/sms/account', accountForm(account))
  setSecretsKey(undefined)
  onTestFinished(setTestSecretsKey)
  const error =
    'This server can no longer read your auth token, because its SECRETS_KEY is missing.'
  expect((await sensei.get('/sms/account')).body).toMatchObject({
    obstacle: 'no_secrets_key',
    account: { state: 'wrong_credentials', error },
  })
  expect((await sensei.get('/sms/status')).body).toMatchObject({ connected: false, error })
  expect(pickStatusAndDetail(await sensei.post('/sms/test-text'))).toEqual([409, error])
  expect(pickStatusAndDetail(await sensei.put('/sms/account', accountForm(account)))).toEqual([
    409,
    'This server cannot store your auth token safely yet. Ask the person who runs it to set ' +
      'SECRETS_KEY.',
  ])
  expect((await sensei.post('/sms/init')).body).toMatchObject({ success: false, error })
  setSecretsKey('another key that has enough characters')
  expect((await sensei.get('/sms/account')).body.account).toMatchObject({
    state: 'wrong_credentials',
    error: 'This server can no longer read your auth token. Please enter the auth token again.',
  })
  expect((await sensei.put('/sms/account', accountForm(account))).body.account.state).toBe('ready')
})

test('ignores the account while SMS_PROVIDER decides for all schools', async () => {
  const sensei = await server.createSensei()
  await sensei.put('/sms/account', accountForm(account))
  const { http } = await server.openServer({ smsProvider: 'none' })
  const client = createClients(http).clientFor(sensei.token)
  expect((await client.get('/sms/account')).body.obstacle).toBe('sms_provider')
  expect((await client.get('/sms/info')).body.service).toBe('none')
  expect((await client.put('/sms/account', accountForm(account))).status).toBe(409)
})

test('sends a test text only to the caller, and only while the account works', async () => {
  const sensei = await server.createSensei()
  const setPhone = (phone: string) =>
    server.db.inDojo(sensei.dojoId, (tx) =>
      tx.execute(sql`update instructors set phone_number = ${phone}`),
    )
  await setPhone('555')
  expect((await sensei.get('/sms/account')).body.test_phone).toBeNull()
  expect(pickStatusAndDetail(await sensei.post('/sms/test-text'))).toEqual([
    409,
    'Add your mobile number to your profile first.',
  ])
  await setPhone('(512) 555-0190')
  await sensei.put('/sms/account', accountForm(account))
  const { status, body } = await sensei.post('/sms/test-text')
  expect([status, body]).toEqual([
    200,
    { success: true, batch_id: expect.any(String), phone_number: '+15125550190' },
  ])
  expect((await sensei.get(`/sms/batches/${body.batch_id}`)).body.texts).toMatchObject([
    { phone_number: '+15125550190', state: 'queued' },
  ])
  expect((await sensei.get('/daily-message-usage')).body.message_count).toBe(1)
  await withChanges(account, { token: 'e'.repeat(32) }, async () => {
    await sensei.post('/sms/init')
    expect(pickStatusAndDetail(await sensei.post('/sms/test-text'))).toEqual([
      409,
      'The text service does not accept our credentials',
    ])
  })
})

test('includes the account in the download of all data, but not its token', async () => {
  const sensei = await server.createSensei()
  await sensei.put('/sms/account', accountForm(account))
  const { rows } = await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.execute<{ sealed_token: string }>(sql`select sealed_token from texting_accounts`),
  )
  const { body } = await sensei.post('/export')
  const files = Object.values(unzipTexts(body)).join('\n')
  expect(files).toContain(account.sid)
  expect(files).not.toContain(rows[0]!.sealed_token)
})
