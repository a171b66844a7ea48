import type { Page } from '@playwright/test'
import type { OnlinePayment } from '@tatami/contract/online-payment/online-payment'
import type { OnlinePaymentDetails } from '@tatami/contract/online-payment/refunds'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const PAYMENT_ID = '0d0f7b7e-3a51-4a5f-8a8e-0d6f1c1f0001'
const STUDENT_ID = '0d0f7b7e-3a51-4a5f-8a8e-0d6f1c1f0002'
const CHARGE_ID = '0d0f7b7e-3a51-4a5f-8a8e-0d6f1c1f0003'
const PAID_AT = '2026-11-02T15:00:00.000Z'

const PAYMENT: OnlinePayment = {
  id: PAYMENT_ID,
  state: 'paid',
  amount: 95,
  payer_name: 'Ana Diaz',
  is_test: false,
  student_ids: [STUDENT_ID],
  line_names: ['Leo: November 2026'],
  refunded: 0,
  review_reason: null,
  decline_reason: null,
  paid_twice: 0,
  created_at: PAID_AT,
  paid_at: PAID_AT,
}
const DECLINED_PAYMENT: OnlinePayment = {
  ...PAYMENT,
  id: '0d0f7b7e-3a51-4a5f-8a8e-0d6f1c1f0004',
  state: 'declined',
  payer_name: 'Ben Okafor',
  line_names: ['Ada: November 2026'],
  decline_reason: 'Not enough money in the account',
  paid_at: null,
}
const DETAILS: OnlinePaymentDetails = {
  id: PAYMENT_ID,
  state: 'paid',
  amount: 95,
  lines: [{ name: 'Leo: November 2026', amount: 95 }],
  fee: 3.06,
  payer_name: 'Ana Diaz',
  paid_at: PAID_AT,
  is_live: true,
  refundable: 95,
  parts: [
    {
      student_id: STUDENT_ID,
      charge_id: CHARGE_ID,
      name: 'Leo Diaz: November 2026',
      refundable: 95,
      pays_now: [],
      free_credit: 0,
    },
  ],
  refunds: [],
  dispute: null,
  review_reason: null,
  stripe_url: 'https://dashboard.stripe.com/payments/pi_1',
}
const REFUND = {
  id: '0d0f7b7e-3a51-4a5f-8a8e-0d6f1c1f0005',
  amount: 40,
  note: null,
  failure_reason: null,
  created_at: PAID_AT,
}

/** Stands in for the server, which has no Stripe in these tests. */
async function mockPayments(page: Page, payments: OnlinePayment[], details = DETAILS) {
  const bodies: unknown[] = []
  await page.route('**/api/online-payment/status', (route) =>
    route.fulfill({
      json: { is_on: true, is_simulated: false, is_test: false, has_payments: true },
    }),
  )
  await page.route('**/api/online-payments', (route) => route.fulfill({ json: payments }))
  await page.route('**/api/online-payments/*', (route) => route.fulfill({ json: details }))
  for (const path of ['online-payments/*/refunds', 'online-refunds/*/record'])
    await page.route(`**/api/${path}`, (route) => {
      bodies.push(route.request().postDataJSON())
      return route.fulfill({ json: details })
    })
  return bodies
}

test('shows what is on its way and declined, and refunds a payment', async ({
  page,
  dojo,
  visit,
}) => {
  await signIn(page, dojo)
  const bodies = await mockPayments(page, [PAYMENT, DECLINED_PAYMENT])
  await visit('/online-payments')
  await expect(page.getByRole('button', { name: /Ben Okafor/ })).toContainText(
    'Not enough money in the account',
  )
  await expectAccessible(page)
  await page.getByRole('button', { name: /Ana Diaz/ }).click()
  const sheet = page.getByRole('dialog', { name: '$95.00 from Ana Diaz' })
  await expect(sheet).toContainText('$3.06')
  const paidFor = sheet.getByRole('list', { name: 'What it was for' })
  await expect(paidFor).toContainText('Leo: November 2026$95.00')
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Refund' }).click()
  const dialog = page.getByRole('dialog', { name: 'Refund' })
  await expect(dialog.getByLabel('Leo Diaz: November 2026')).toHaveValue('')
  await expect(dialog).toContainText('Choose how much of each part to give back.')
  await dialog.getByRole('button', { name: 'Everything: $95.00' }).click()
  await expect(dialog).toContainText('$95.00 will be owed again. Autopay leaves it out.')
  await dialog.getByLabel('Leo Diaz: November 2026').fill('40')
  await dialog.getByText('Not owed anymore').click()
  await expect(dialog).toContainText(
    '$40.00 goes back to the card or bank account of Ana Diaz. Stripe keeps its fee of $3.06.',
  )
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Refund $40.00' }).click()
  await expect(sheet).toBeVisible()
  expect(bodies).toEqual([
    {
      parts: [{ student_id: STUDENT_ID, charge_id: CHARGE_ID, amount: 40 }],
      outcome: 'written_off',
      note: null,
    },
  ])
  await expect(page).toHaveURL(/payment=/)
})

test('names a student once who paid for two charges of a kind', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  const line_names = ['Leo: Other charge', 'Leo: Other charge', 'Mia: Other charge']
  await mockPayments(page, [{ ...PAYMENT, line_names }])
  await visit('/online-payments')
  await expect(page.getByRole('button', { name: /Ana Diaz/ })).toContainText(
    'Leo and Mia · Other charge (3 charges)',
  )
})

test('says which charge is owed again when credit is refunded', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  const credit = {
    student_id: STUDENT_ID,
    charge_id: null,
    name: 'Leo Diaz: Credit',
    refundable: 95,
    pays_now: [{ name: 'November 2026', amount: 95 }],
    free_credit: 0,
  }
  await mockPayments(page, [PAYMENT], { ...DETAILS, parts: [credit] })
  await visit('/online-payments')
  await page.getByRole('button', { name: /Ana Diaz/ }).click()
  await page.getByRole('button', { name: 'Refund' }).click()
  const dialog = page.getByRole('dialog', { name: 'Refund' })
  await dialog.getByLabel('Leo Diaz: Credit').fill('40')
  await expect(dialog).toContainText(
    '$40.00 will be owed again for November 2026, which this credit pays now.',
  )
})

test('says what a refund in Stripe was for', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  const bodies = await mockPayments(
    page,
    [{ ...PAYMENT, refunded: 40, review_reason: 'outside_refund' }],
    {
      ...DETAILS,
      refundable: 55,
      review_reason: 'outside_refund',
      refunds: [{ ...REFUND, state: 'refunded', created_by: null, is_recorded: false }],
    },
  )
  await visit('/online-payments?filter=review')
  await page.getByRole('button', { name: /Ana Diaz/ }).click()
  const sheet = page.getByRole('dialog', { name: '$95.00 from Ana Diaz' })
  await expect(sheet).toContainText('This payment was refunded in Stripe.')
  await sheet.getByRole('button', { name: 'Say what it was for' }).click()
  const dialog = page.getByRole('dialog', { name: 'What was the refund for?' })
  await expect(dialog.getByLabel('Leo Diaz: November 2026')).toHaveValue('40.00')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(sheet).toBeVisible()
  expect(bodies).toMatchObject([{ parts: [{ amount: 40 }], outcome: 'owed' }])
})

test('without online payment, the money screens do not mention it', async ({
  page,
  dojo,
  visit,
}) => {
  await signIn(page, dojo)
  await visit('/payment-figures')
  await expect(page.getByRole('link', { name: 'Cash Count' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Online' })).toHaveCount(0)
})
