import type { Page } from '@playwright/test'
import { autopayWords } from '@tatami/contract/online-payment/autopay-words'
import type { PayerHome } from '@tatami/contract/online-payment/payer-home'
import type { Dojo } from './dojo.ts'
import { createGuardian } from './families.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const TERMS = { school: 'Cedar Park Judo', students: ['Leo Diaz', 'Mia Diaz'], usual_amount: 120 }
const OWING: PayerHome = {
  is_test: true,
  owed: 120,
  lines: [
    { name: 'Leo: April 2026', amount: 70 },
    { name: 'Mia: April 2026', amount: 50 },
  ],
  on_its_way: 0,
  waiting: 0,
  method: null,
  autopay: null,
  is_setting_up: false,
  terms: TERMS,
  fees: {
    card: { amount: 3.78, is_measured: false },
    bank: { amount: 0.96, is_measured: true },
  },
  payments: [],
}
const WITH_AUTOPAY: PayerHome = {
  ...OWING,
  owed: 0,
  lines: [],
  method: {
    kind: 'card',
    brand: 'visa',
    last4: '4242',
    expires: { month: 11, year: 2034 },
    expires_soon: false,
  },
  autopay: {
    day_of_month: 5,
    limit: null,
    agreed_at: '2026-04-01T12:00:00.000Z',
    next: { on: '2026-05-05', amount: 120, owed: 120, is_over_limit: false },
    left_out: [],
    trouble: null,
  },
  payments: [
    { id: '01a1f000-0000-7000-8000-000000000001', paid_on: '2026-04-05', amount: 120, refunded: 0 },
  ],
}

const panel = (page: Page) => page.getByRole('region', { name: 'Your payments' })
const payNow = (page: Page) => page.getByRole('region', { name: 'What you owe' })

/** Stands in for the server, which has no Stripe in these tests. Returns what was sent. */
async function mockHome(page: Page, home: PayerHome | null) {
  const mock = { home, bodies: [] as unknown[] }
  await page.route('**/api/payer/home', (route) => route.fulfill({ json: { home: mock.home } }))
  for (const path of ['pay', 'autopay', 'method'])
    await page.route(`**/api/payer/${path}`, (route) => {
      mock.bodies.push(route.request().postDataJSON())
      return route.fulfill({ json: { url: '/pay/page-of-stripe' } })
    })
  await page.route('**/api/payer/autopay/stop', (route) => {
    mock.home = { ...WITH_AUTOPAY, autopay: null, method: null }
    return route.fulfill({ json: { on_its_way: 0 } })
  })
  await page.route('**/pay/page-of-stripe', (route) => route.fulfill({ body: 'Stripe' }))
  return mock
}

async function createMother(dojo: Dojo) {
  const leo = await dojo.createStudent({ name: 'Leo Diaz', monthly_payment_amount: 70 })
  const mia = await dojo.createStudent({ name: 'Mia Diaz', monthly_payment_amount: 50 })
  return { leo, mother: await createGuardian(dojo, [leo, mia], { pays: true }) }
}

test('a payer sees what is owed and pays it', async ({ page, dojo, visit }) => {
  const { mother } = await createMother(dojo)
  const mock = await mockHome(page, OWING)
  await signIn(page, mother)
  await visit('/dashboard')
  await expect(payNow(page)).toContainText('Leo: April 2026')
  await expect(payNow(page)).toContainText('Test mode: no real money is taken.')
  await expect(panel(page)).toContainText(
    'Paying from a bank account costs your school about $0.96 a month instead of $3.78.',
  )
  await expectAccessible(page)
  await payNow(page).getByRole('button', { name: 'Pay $120.00' }).click()
  await page.waitForURL('**/pay/page-of-stripe')
  expect(mock.bodies).toEqual([{ amount: 120 }])
})

test('a payer agrees to autopay with their own tick', async ({ page, dojo, visit }) => {
  const { mother } = await createMother(dojo)
  const mock = await mockHome(page, OWING)
  await signIn(page, mother)
  await visit('/dashboard')
  await panel(page).getByRole('button', { name: 'Set up autopay' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up autopay' })
  const tick = dialog.getByRole('checkbox', { name: 'I agree to this' })
  await expect(tick).not.toBeChecked()
  await dialog.getByText('Day and limit').click()
  await dialog.getByRole('combobox', { name: 'Day of the month' }).selectOption('5')
  await dialog.getByRole('textbox', { name: /^Never more than/ }).fill('200')
  const words = autopayWords({
    ...TERMS,
    usualAmount: TERMS.usual_amount,
    dayOfMonth: 5,
    limit: 200,
  })
  await expect(dialog).toContainText('It never charges more than $200.00 at once.')
  await expectAccessible(page)
  const agree = dialog.getByRole('button', { name: 'Agree and continue' })
  await agree.click()
  await expect(dialog).toContainText('Please agree first')
  await tick.check()
  await agree.click()
  await page.waitForURL('**/pay/page-of-stripe')
  expect(mock.bodies).toEqual([
    { day_of_month: 5, limit: 200, is_agreed: true, words, pays_amount: 120 },
  ])
})

test('home says that autopay is being set up, until it is on', async ({ page, dojo, visit }) => {
  const { mother } = await createMother(dojo)
  const mock = await mockHome(page, { ...OWING, owed: 0, lines: [], is_setting_up: true })
  await signIn(page, mother)
  await visit('/dashboard')
  await expect(panel(page)).toContainText('Autopay is being set up')
  await expectAccessible(page)
  mock.home = WITH_AUTOPAY
  await expect(panel(page)).toContainText('Autopay is on')
})

test('a payer sees the next payment, and stops autopay in two taps', async ({
  page,
  dojo,
  visit,
}) => {
  const { mother } = await createMother(dojo)
  await mockHome(page, WITH_AUTOPAY)
  await signIn(page, mother)
  await visit('/dashboard')
  await expect(panel(page)).toContainText('Autopay is on')
  await expect(panel(page)).toContainText(/Next: \$120\.00 on May\s5,\s2026/)
  await expect(panel(page)).toContainText('Visa ending in 4242, expires 12/2034')
  await panel(page).getByRole('button', { name: 'Turn off autopay' }).click()
  const dialog = page.getByRole('dialog', { name: 'Turn off autopay?' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(panel(page)).toContainText('Autopay is off')
})

test('a payer pays in one tap what autopay leaves out', async ({ page, dojo, visit }) => {
  const { mother } = await createMother(dojo)
  const left_out = [{ name: 'Leo: March 2026', amount: 70 }]
  const autopay = WITH_AUTOPAY.autopay && { ...WITH_AUTOPAY.autopay, left_out }
  const mock = await mockHome(page, { ...WITH_AUTOPAY, autopay })
  await signIn(page, mother)
  await visit('/dashboard')
  await expect(panel(page)).toContainText('it was paid before and is owed again: Leo: March 2026')
  await expectAccessible(page)
  await panel(page).getByRole('button', { name: 'Pay it now' }).click()
  await expect(page.getByText('Stripe', { exact: true })).toBeVisible()
  expect(mock.bodies).toEqual([{ amount: 70, is_left_out: true }])
})

test('without online payment, a payer sees nothing of it', async ({ page, dojo, visit }) => {
  const { mother } = await createMother(dojo)
  await signIn(page, mother)
  await visit('/dashboard')
  await expect(page.getByRole('region', { name: 'Your children' })).toBeVisible()
  await expect(panel(page)).toHaveCount(0)
})

test('staff stop autopay for a payer, with a reason', async ({ page, dojo, visit }) => {
  const { leo } = await createMother(dojo)
  const payer = {
    payer_name: 'Ana Diaz',
    method: WITH_AUTOPAY.method,
    autopay: { next_on: '2026-05-05', next_amount: 120, is_over_limit: false, left_out: [] },
  }
  let isOn = true
  await page.route('**/api/students/*/autopay', (route) =>
    route.fulfill({ json: { payer: isOn ? payer : null } }),
  )
  await page.route('**/api/students/*/autopay/stop', (route) => {
    expect(route.request().postDataJSON()).toEqual({ reason: 'Asked on the phone' })
    isOn = false
    return route.fulfill({ json: { on_its_way: 0 } })
  })
  await signIn(page, dojo)
  await visit(`/students/${leo.id}`)
  await expect(page.getByText('Ana Diaz pays by autopay')).toBeVisible()
  await page.getByRole('button', { name: 'Stop autopay' }).click()
  const dialog = page.getByRole('dialog', { name: 'Stop autopay' })
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Asked on the phone')
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('Ana Diaz pays by autopay')).toHaveCount(0)
})

test('staff let autopay take a charge that it leaves out', async ({ page, dojo, visit }) => {
  const { leo } = await createMother(dojo)
  const charge_id = '01a1f000-0000-7000-8000-000000000002'
  const next = { next_on: '2026-05-05', next_amount: 120, is_over_limit: false }
  const left_out = [{ charge_id, name: 'Leo: March 2026', amount: 70 }]
  const payerWith = (lines: object[]) => ({
    payer_name: 'Ana Diaz',
    method: WITH_AUTOPAY.method,
    autopay: { ...next, left_out: lines },
  })
  let lines: object[] = left_out
  await page.route('**/api/students/*/autopay', (route) =>
    route.fulfill({ json: { payer: payerWith(lines) } }),
  )
  await page.route('**/api/students/*/autopay/permissions', (route) => {
    expect(route.request().postDataJSON()).toEqual({ charge_id })
    lines = []
    return route.fulfill({ json: { payer: payerWith(lines) } })
  })
  await signIn(page, dojo)
  await visit(`/students/${leo.id}`)
  const note = page.getByText('Autopay leaves out Leo: March 2026, $70.00')
  await expect(note).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Autopay may take it' }).click()
  await expect(note).toHaveCount(0)
})
