import type { Page, Route } from '@playwright/test'
import { expect, expectAccessible, signIn, test } from './harness.ts'
import { mockCall } from './text-service.ts'

const accountSection = (page: Page) => page.getByRole('region', { name: 'Your own Twilio account' })
const SID = `AC${'1'.repeat(32)}`
const TOKEN = '2'.repeat(32)
const BATCH_ID = '0199f0a2-6c1e-7a3b-9d54-2f8e1c7b5a90'

const NO_ACCOUNT = {
  account: null,
  obstacle: null,
  server_service: 'simulator',
  reply_url: 'https://tatami.example.org/api/sms/webhooks/incoming/1',
  test_phone: '+15125550100',
}
const ACCOUNT = {
  account_sid: SID,
  sender: '+15125550170',
  state: 'ready',
  error: null,
  is_trial: false,
  gets_replies: false,
  checked_at: '2026-11-26T12:00:00.000Z',
  changed_at: '2026-11-26T12:00:00.000Z',
  changed_by: 'Aiko Tanaka',
}
const createSetup = (changes: object = {}) => ({
  ...NO_ACCOUNT,
  account: { ...ACCOUNT, ...changes },
})

const createRefusal = (field: string, message: string) => ({
  detail: message,
  errors: [{ field, message }],
})

/** Replaces the server, which has no SECRETS_KEY and no Twilio in these tests. Each save and each
 *  removal gets the next of the replies. */
async function mockAccount(page: Page, initial: object, replies: object[] = []) {
  const mock = { setUp: initial, bodies: [] as unknown[] }
  const replyToChange = (route: Route) => {
    mock.bodies.push(route.request().postDataJSON())
    const reply = replies.shift() ?? mock.setUp
    if ('detail' in reply)
      return route.fulfill({ status: 'errors' in reply ? 422 : 409, json: reply })
    mock.setUp = reply
    return route.fulfill({ json: reply })
  }
  await page.route('**/api/sms/account/remove', replyToChange)
  await page.route('**/api/sms/account', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: mock.setUp }) : replyToChange(route),
  )
  return mock
}

test('says what the operator must change if the server cannot store a token', async ({
  page,
  dojo,
  visit,
}) => {
  await signIn(page, dojo)
  await visit('/sms-setup')
  await expect(accountSection(page)).toContainText(
    'the person who installed Tatami has to change one setting on the server',
  )
  await expect(accountSection(page).getByRole('textbox', { name: 'Send them this' })).toHaveValue(
    /Please set SECRETS_KEY on our Tatami server/,
  )
  await expect(accountSection(page).getByRole('textbox')).toHaveCount(1)
  await expect(accountSection(page).getByRole('button')).toHaveText(['Copy'])
  await expectAccessible(page)
})

test('connects an account from the Message Center, and sends a test text', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/422/)
  await signIn(page, dojo)
  const mock = await mockAccount(page, NO_ACCOUNT, [
    createRefusal('sender', 'The number +15125550199 does not belong to the account'),
    createSetup(),
  ])
  await visit('/message-center?tab=setup')
  await page.getByRole('link', { name: 'Set up texting' }).click()
  await expect(accountSection(page)).toContainText('no text leaves this server')
  await accountSection(page).getByText('Register with US carriers').click()
  await expect(accountSection(page)).toContainText('A2P 10DLC registration')
  await expectAccessible(page)
  const field = (name: string) => accountSection(page).getByRole('textbox', { name })
  await field('Account SID').fill(`SK${'1'.repeat(32)}`)
  await field('Auth token').fill(TOKEN)
  await field('Number').fill('(512) 555-0199')
  const save = accountSection(page).getByRole('button', { name: 'Check and save' })
  await save.click()
  await expect(accountSection(page)).toContainText('This is the SID of an API key.')
  expect(mock.bodies).toEqual([])
  await field('Account SID').fill(SID)
  await save.click()
  await expect(accountSection(page)).toContainText('The number +15125550199 does not belong')
  await expect(field('Number')).toBeFocused()
  await field('Number').fill('(512) 555-0170')
  await save.click()
  await expect(accountSection(page).getByRole('status').first()).toContainText('Connected')
  expect(mock.bodies.at(-1)).toMatchObject({
    account_sid: SID,
    auth_token: TOKEN,
    sender: '(512) 555-0170',
  })
  await expect(accountSection(page)).toContainText('(512) 555-0170')
  await expect(accountSection(page)).not.toContainText(TOKEN)
  await mockCall(page, '/sms/test-text', {
    success: true,
    batch_id: BATCH_ID,
    phone_number: '+15125550100',
  })
  await mockCall(page, `/sms/batches/${BATCH_ID}`, createBatchReply('delivered', null))
  await accountSection(page).getByRole('button', { name: 'Send a test text to my phone' }).click()
  await expect(accountSection(page).getByRole('region', { name: 'Test' })).toContainText(
    'Delivered',
  )
  await accountSection(page).getByText('Register with US carriers').click()
  await expect(accountSection(page)).toContainText('A2P 10DLC registration')
  await expectAccessible(page)
})

const createBatchReply = (state: string, reason: string | null) => ({
  id: BATCH_ID,
  message_type: 'test',
  text: 'A test from Cedar Park Judo: your texts arrive.',
  created_at: ACCOUNT.changed_at,
  updated_at: ACCOUNT.changed_at,
  counts: {},
  texts: [
    {
      id: BATCH_ID,
      text_id: BATCH_ID,
      student_id: null,
      name: '+15125550100',
      state,
      reason,
      text: 'A test from Cedar Park Judo: your texts arrive.',
      phone_number: '+15125550100',
      call_phone: null,
      updated_at: ACCOUNT.changed_at,
      may_send_again: false,
      acknowledged_at: null,
    },
  ],
})

for (const [state, title, advice] of [
  ['wrong_credentials', 'Wrong auth token', 'copy the auth token from the Twilio console again'],
  ['not_registered', 'Number not registered', 'until you register your number with Twilio'],
  ['paused', 'Suspended by Twilio', 'Log in to Twilio to see why.'],
] as const)
  test(`explains the state ${state}`, async ({ page, dojo, visit }) => {
    await signIn(page, dojo)
    await mockAccount(page, createSetup({ state, error: 'What Twilio said' }))
    await visit('/sms-setup')
    const status = accountSection(page).getByRole('status').first()
    await expect(status).toContainText(title)
    await expect(status).toContainText(advice)
    await expect(status).toContainText('Last error: What Twilio said')
    await expectAccessible(page)
  })

for (const [obstacle, reason] of [
  ['no_secrets_key', 'Your texts wait, because this server can’t read your auth token'],
  ['sms_provider', 'so your own account isn’t used'],
] as const)
  test(`does not say that an unused account is connected (${obstacle})`, async ({
    page,
    dojo,
    visit,
  }) => {
    await signIn(page, dojo)
    await mockAccount(page, { ...createSetup(), obstacle })
    await visit('/sms-setup')
    await expect(accountSection(page)).toContainText(reason)
    await expect(accountSection(page)).not.toContainText('Connected')
    await expect(accountSection(page).getByRole('button')).toHaveText(['Remove'])
  })

test('keeps everything that was typed if Twilio does not respond', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/409/)
  await signIn(page, dojo)
  await mockAccount(page, NO_ACCOUNT, [{ detail: 'Twilio did not respond' }, createSetup()])
  await visit('/sms-setup')
  const field = (name: string) => accountSection(page).getByRole('textbox', { name })
  await field('Account SID').fill(SID)
  await field('Auth token').fill(TOKEN)
  await field('Number').fill('(512) 555-0170')
  const save = accountSection(page).getByRole('button', { name: 'Check and save' })
  await save.click()
  await expect(accountSection(page).getByRole('alert')).toContainText('Twilio did not respond')
  await expect(field('Account SID')).toHaveValue(SID)
  await expect(field('Auth token')).toHaveValue(TOKEN)
  await expect(field('Number')).toHaveValue('(512) 555-0170')
  await save.click()
  await expect(accountSection(page).getByRole('status').first()).toContainText('Connected')
})

test('keeps what was typed, except for the token', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  await mockAccount(page, NO_ACCOUNT)
  await visit('/sms-setup')
  const field = (name: string) => accountSection(page).getByRole('textbox', { name })
  await field('Account SID').fill(SID)
  await field('Auth token').fill(TOKEN)
  await page.getByRole('link', { name: 'Back to Message Center' }).click()
  await page.getByRole('tab', { name: 'SMS Setup' }).click()
  await page.getByRole('link', { name: 'Set up texting' }).click()
  await expect(field('Account SID')).toHaveValue(SID)
  await expect(field('Auth token')).toHaveValue('')
})

test('asks for the password if the login was a while ago, and removes the account', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/422/)
  await signIn(page, dojo)
  const mock = await mockAccount(page, createSetup(), [
    createRefusal('current_password', 'Password is required'),
    NO_ACCOUNT,
  ])
  await visit('/sms-setup')
  await accountSection(page).getByRole('button', { name: 'Remove' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove the Twilio account' })
  await expect(dialog).toContainText('No text will leave this server')
  await expectAccessible(page)
  const password = dialog.getByLabel('Your Tatami password')
  await expect(password).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await password.fill('Kiai2026!')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(dialog).toHaveCount(0)
  expect(mock.bodies.at(-1)).toEqual({ current_password: 'Kiai2026!' })
  await expect(accountSection(page).getByRole('button', { name: 'Check and save' })).toBeVisible()
})
