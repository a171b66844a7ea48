import { ledgerApi } from '@tatami/contract/ledger/ledger'
import { salesTaxApi } from '@tatami/contract/ledger/sales-tax'
import { call } from './api.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const OPEN_PERIOD = { starts_on: '2000-01-01', ends_on: null }

test('an owner sets the sales tax of monthly fees', async ({ page, dojo, visit }) => {
  await dojo.createStudent({ name: 'Mia Diaz', monthly_payment_amount: 75.15 })
  await signIn(page, dojo)
  await visit('/school')
  await page.getByRole('button', { name: 'Sales tax' }).click()
  const form = page.getByRole('dialog', { name: 'Sales tax rates' })
  await expect(form.getByText('You charge no sales tax.')).toBeVisible()
  await form.getByRole('button', { name: 'Add a tax' }).click()
  const fields = form.getByRole('group', { name: 'Tax on Monthly fee or plan' })
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(fields.getByText('Sales tax must be more than 0 and at most 30%')).toBeVisible()
  await expectAccessible(page)
  await fields.getByLabel('Tax in %').fill('8.25')
  await fields.getByLabel('From').fill('2020-01-01')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  expect(await call(salesTaxApi.list, {}, dojo.token)).toEqual({
    taxes: [
      { kind: 'month', percent: 8.25, is_added: true, starts_on: '2020-01-01', ends_on: null },
    ],
  })
  await visit('/payment-center')
  const row = page.getByRole('row').or(page.getByRole('listitem')).filter({ hasText: 'Mia Diaz' })
  await expect(row).toContainText('$81.35')
})

test('shows the tax of a payment on the receipt, the statement and the reports', async ({
  page,
  dojo,
  visit,
}) => {
  const taxes = [{ kind: 'month' as const, percent: 8.25, is_added: true, ...OPEN_PERIOD }]
  await call(salesTaxApi.set, { body: { taxes } }, dojo.token)
  const mia = await dojo.createStudent({ name: 'Mia Diaz', monthly_payment_amount: 75.15 })
  const payment = { student_id: mia.id, amount: 81.35, method: 'cash' as const }
  await call(ledgerApi.pay, { body: payment }, dojo.token)
  await signIn(page, dojo)
  await visit('/payment-figures')
  await expect(page.getByRole('heading', { name: 'Sales tax collected' })).toBeVisible()
  await expect(page.getByRole('row', { name: /8\.25%/ })).toContainText('$6.20')
  await expectAccessible(page)
  await visit(`/statements/student/${mia.id}`)
  await expect(page.getByRole('article')).toContainText('Includes $6.20 sales tax (8.25%)')
})

test('says what a charge costs with the tax that is added', async ({ page, dojo, visit }) => {
  const taxes = [{ kind: 'equipment' as const, percent: 10, is_added: true, ...OPEN_PERIOD }]
  await call(salesTaxApi.set, { body: { taxes } }, dojo.token)
  const mia = await dojo.createStudent({ name: 'Mia Diaz' })
  await signIn(page, dojo)
  await visit(`/students/${mia.id}`)
  await page.getByRole('button', { name: 'Charge, refund or write off' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('Equipment').click()
  await sheet.getByLabel('Amount').fill('40')
  await expect(sheet.getByText('$44.00 with 10% sales tax.')).toBeVisible()
  await sheet.getByRole('button', { name: 'Add charge' }).click()
  await expect(page.getByText('Includes $4.00 sales tax (10%)').first()).toBeVisible()
})
