import { studentsApi } from '@tatami/contract/students/students'
import { paymentsApi } from '@tatami/contract/dues/payments'
import { pricesApi } from '@tatami/contract/dues/prices'
import { call } from './api.ts'
import { type Dojo, uniqueEmail } from './dojo.ts'
import { createGuardian } from './families.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'
import { THIS_MONTH } from './this-month.ts'

/** Creates two students with the same payer. */
async function createSiblings(dojo: Dojo) {
  const mia = await dojo.createStudent({ name: 'Mia Diaz', monthly_payment_amount: 120 })
  const leo = await dojo.createStudent({
    name: 'Leo Diaz',
    email: uniqueEmail('leo'),
    monthly_payment_amount: 80,
  })
  await createGuardian(dojo, [mia, leo], { pays: true })
  return leo
}

test('lets a sensei set sibling prices, and records them with Mark Paid', async ({
  page,
  dojo,
  visit,
}) => {
  const leo = await createSiblings(dojo)
  await signIn(page, dojo)
  await visit('/school')
  await page.getByRole('button', { name: 'Prices' }).click()
  const form = page.getByRole('dialog', { name: 'Sibling Prices' })
  await form.getByLabel('2nd student', { exact: true }).fill('101')
  await form.getByRole('button', { name: 'Save Changes' }).click()
  await expect(form.getByText('The reduction must be 1 to 100%')).toBeVisible()
  await expectAccessible(page)
  await form.getByLabel('2nd student', { exact: true }).fill('12.50')
  await form.getByLabel('Unit, 2nd student', { exact: true }).selectOption('$ off')
  await form.getByRole('button', { name: 'Save Changes' }).click()
  await expect(form).toBeHidden()
  expect(await call(pricesApi.rule, {}, dojo.token)).toEqual({
    ordered_by: 'highest_fee',
    prices: [{ nth: 2, percent: null, amount_off: 12.5 }],
  })
  await visit('/payment-center')
  const row = page.getByRole('row').or(page.getByRole('listitem')).filter({ hasText: 'Leo Diaz' })
  await expect(row).toContainText('$67.50 of $80.00')
  await expect(row.getByText('2nd of 2: −$12.50', { exact: true })).toBeVisible()
  await row.getByRole('button', { name: 'Mark Paid' }).click()
  await expect(page.getByText('Leo Diaz marked paid')).toBeVisible()
  const records = await call(paymentsApi.list, { query: THIS_MONTH }, dojo.token)
  expect(records).toMatchObject([
    { student_id: leo.id, monthly_payment_amount: 67.5, price_reason: '2nd of 2: −$12.50' },
  ])
  await expectAccessible(page)
  const students = await call(studentsApi.list, {}, dojo.token)
  expect(students.find(({ id }) => id === leo.id)?.monthly_payment_amount).toBe(80)
})

test(
  'records the reduced price with Mark Paid, even before the prices have loaded',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/status of 403/)
    const leo = await createSiblings(dojo)
    await call(
      pricesApi.setRule,
      { body: { ordered_by: 'highest_fee', prices: [{ nth: 2, amount_off: 12.5 }] } },
      dojo.token,
    )
    const records = async () => await call(paymentsApi.list, { query: THIS_MONTH }, dojo.token)
    await signIn(page, dojo)
    await visit(`/students/${leo.id}`)
    const payments = page.getByRole('region', { name: 'Payments' })
    await expect(payments).toContainText('$80.00 a month')
    await expect(payments).toContainText('This month $67.50, 2nd of 2: −$12.50')
    await page.getByRole('button', { name: 'Mark Paid' }).click()
    await expect(payments.getByRole('listitem').first()).toContainText('Paid $67.50')
    await expect
      .poll(records)
      .toMatchObject([
        { monthly_payment_amount: 67.5, price_reason: '2nd of 2: −$12.50', payment_status: 'paid' },
      ])
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(records).toMatchObject([{ payment_status: 'unpaid' }])
    // The page would retry calls that get no response, so these are refused.
    await page.route('**/sibling-prices/students*', (route) =>
      route.fulfill({ status: 403, json: { detail: 'Not now' } }),
    )
    await visit('/payment-center')
    const row = page.getByRole('row').or(page.getByRole('listitem')).filter({ hasText: 'Leo Diaz' })
    await row.getByRole('button', { name: 'Mark Paid' }).click()
    await expect(row).toContainText('$67.50 of $80.00')
    await expect(row).toContainText('2nd of 2: −$12.50')
    expect(await records()).toMatchObject([
      { monthly_payment_amount: 67.5, price_reason: '2nd of 2: −$12.50' },
    ])
  },
)
