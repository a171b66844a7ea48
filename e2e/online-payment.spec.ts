import type { Page, Route } from '@playwright/test'
import { expect, expectAccessible, signIn, test } from './harness.ts'
import { createQrCode } from './text-service.ts'

const KEY = 'rk_test_51TatamiTestsOnly4242'
const NOT_SET_UP = {
  account: null,
  can_store_keys: true,
  awaits_confirmation: false,
  on_its_way: 0,
  autopay_payers: 0,
}
const ACCOUNT = {
  key_ending: 'rk_test_…4242',
  is_live: false,
  is_unrestricted: false,
  is_simulated: false,
  state: 'ready',
  error: null,
  missing_permissions: ['Disputes'],
  has_webhook: false,
  checked_at: '2026-11-26T12:00:00.000Z',
  changed_at: '2026-11-26T12:00:00.000Z',
  changed_by: 'Aiko Tanaka',
}
const SET_UP = { ...NOT_SET_UP, account: ACCOUNT, on_its_way: 75, autopay_payers: 2 }

const section = (page: Page) => page.getByRole('region', { name: 'Stripe account' })

/** Stands in for the server, which has no SECRETS_KEY and no Stripe in these tests. Each change
 *  gets the next of the replies. */
async function mockSetUp(page: Page, initial: object, replies: object[] = []) {
  const mock = { setUp: initial, bodies: [] as unknown[] }
  const replyToChange = (route: Route) => {
    mock.bodies.push(route.request().postDataJSON())
    const reply = replies.shift() ?? mock.setUp
    if ('detail' in reply) return route.fulfill({ status: 422, json: reply })
    mock.setUp = reply
    return route.fulfill({ json: reply })
  }
  await page.route('**/api/online-payment/account', replyToChange)
  await page.route('**/api/online-payment/account/remove', replyToChange)
  await page.route('**/api/online-payment/confirmation', replyToChange)
  await page.route('**/api/online-payment/simulation', replyToChange)
  await page.route('**/api/online-payment', (route) => route.fulfill({ json: mock.setUp }))
  return mock
}

test('says what the operator must do if the server cannot store a key', async ({
  page,
  dojo,
  visit,
}) => {
  await signIn(page, dojo)
  await visit('/school')
  await page.getByRole('link', { name: /^Online payment/ }).click()
  await expect(section(page).getByRole('textbox', { name: 'Send them this' })).toHaveValue(
    /Please set SECRETS_KEY/,
  )
  await expectAccessible(page)
})

test('saves a key that Stripe accepts, and turns online payment off again', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/422/)
  await signIn(page, dojo)
  const refusal = 'Stripe does not accept this key. Copy it again.'
  const mock = await mockSetUp(page, NOT_SET_UP, [
    { detail: refusal, errors: [{ field: 'secret_key', message: refusal }] },
    SET_UP,
    NOT_SET_UP,
  ])
  await visit('/online-payment')
  await expectAccessible(page)
  const key = section(page).getByRole('textbox', { name: 'Restricted key' })
  const save = section(page).getByRole('button', { name: 'Check and save' })
  await key.fill('pk_test_12345678901')
  await save.click()
  await expect(section(page)).toContainText('This is a publishable key.')
  await key.fill(KEY)
  await save.click()
  await expect(section(page)).toContainText(refusal)
  await save.click()
  await expect(section(page)).toContainText('Families can pay online')
  await expect(section(page)).toContainText('This is a test key.')
  await expect(section(page)).toContainText('give it access to: Disputes.')
  await expect(section(page)).not.toContainText(KEY)
  expect(mock.bodies.at(-1)).toMatchObject({ secret_key: KEY })
  await expectAccessible(page)
  await section(page).getByRole('button', { name: 'Turn off' }).click()
  const dialog = page.getByRole('dialog', { name: 'Turn off online payment' })
  await expect(dialog).toContainText('$75.00 is on its way from banks.')
  await expect(dialog).toContainText('2 payers have autopay.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(key).toBeVisible()
})

test('a restored server takes no payments until somebody confirms', async ({
  page,
  dojo,
  visit,
}) => {
  await signIn(page, dojo)
  await mockSetUp(page, { ...SET_UP, awaits_confirmation: true }, [SET_UP])
  await visit('/online-payment')
  await expect(section(page)).toContainText('This server was restored or copied')
  await section(page).getByRole('button', { name: 'Take payments on this server' }).click()
  const dialog = page.getByRole('dialog', { name: 'Take payments on this server?' })
  await dialog.getByRole('button', { name: 'Take payments' }).click()
  await expect(section(page)).toContainText('Families can pay online')
})

test('a student’s account has a pay link, if families can pay online', async ({
  page,
  dojo,
  visit,
}) => {
  const { id } = await dojo.createStudent({ name: 'Leo Diaz', monthly_payment_amount: 95 })
  await signIn(page, dojo)
  const payLink = page.getByRole('button', { name: 'Pay link' })
  await visit(`/students/${id}`)
  await expect(page.getByRole('button', { name: 'Take payment' })).toBeVisible()
  await expect(payLink).toHaveCount(0)
  await page.route('**/api/online-payment/status', (route) =>
    route.fulfill({
      json: { is_on: true, is_simulated: false, is_test: false, has_payments: true },
    }),
  )
  const link = 'https://tatami.example.org/pay/1.2'
  const qr = await createQrCode()
  await page.route('**/api/pay-links', (route) => route.fulfill({ json: { link, qr } }))
  await page.reload()
  await payLink.click()
  const sheet = page.getByRole('dialog', { name: 'Pay link' })
  await expect(sheet.getByRole('textbox', { name: 'Link' })).toHaveValue(link)
  await expect(sheet.getByRole('img', { name: 'QR code for the link' })).toBeVisible()
  await expectAccessible(page)
})

test('a school can try it out without a Stripe account', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  const simulatedAccount = { ...ACCOUNT, key_ending: '', is_simulated: true }
  await mockSetUp(page, NOT_SET_UP, [{ ...NOT_SET_UP, account: simulatedAccount }, NOT_SET_UP])
  await visit('/online-payment')
  const tryButton = section(page).getByRole('button', { name: 'Try it without a Stripe account' })
  await tryButton.click()
  await expect(section(page)).toContainText('Simulation: no money is taken')
  await expect(section(page).getByRole('button', { name: 'Enter your Stripe key' })).toBeVisible()
  await expectAccessible(page)
  await section(page).getByRole('button', { name: 'Stop trying it out' }).click()
  const dialog = page.getByRole('dialog', { name: 'Stop trying it out' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(tryButton).toBeVisible()
})

test('the list says in amber that payments are only simulated', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  await page.route('**/api/online-payment/status', (route) =>
    route.fulfill({ json: { is_on: true, is_simulated: true, is_test: true, has_payments: true } }),
  )
  await visit('/online-payments')
  await expect(page.getByText('Simulation: no money is taken')).toBeVisible()
  await expectAccessible(page)
})
