import { ledgerApi } from '@tatami/contract/ledger/ledger'
import { receiptsApi } from '@tatami/contract/bookkeeping/receipts'
import { call } from './api.ts'
import type { Dojo } from './dojo.ts'
import { createGuardian } from './families.ts'
import { expect, expectAccessible, expectAllAccessible, signIn, test } from './harness.ts'
import { createQrCode, mockCall } from './text-service.ts'

const takePayment = (
  dojo: Dojo,
  student_id: string,
  amount: number,
  method: 'cash' | 'card' = 'cash',
) => call(ledgerApi.pay, { body: { student_id, amount, method } }, dojo.token)
const issueReceipt = (dojo: Dojo, act_id: string) =>
  call(receiptsApi.issue, { body: { act_id } }, dojo.token)

test('shows a receipt, sends it and prints it', async ({ page, dojo, visit }) => {
  const ken = await dojo.createStudent({ name: 'Ken Adams' })
  const { act_id } = await takePayment(dojo, ken.id, 85.5)
  const { id, number } = await issueReceipt(dojo, act_id)
  await signIn(page, dojo)
  await visit('/receipts')
  await page.getByRole('link', { name: new RegExp(number) }).click()
  await expect(page).toHaveURL(new RegExp(`/receipts/${id}$`))
  const receipt = page.getByRole('article', { name: `Receipt ${number}` })
  await expect(receipt).toContainText('Tanaka Dojo')
  await expect(receipt).toContainText('Received fromKen Adams')
  await expect(receipt.getByRole('row', { name: /Cash/ })).toContainText('$85.50')
  await expect(receipt.getByRole('row', { name: 'Total' })).toContainText('$85.50')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send as a text' }).click()
  await expect(
    page.getByRole('status').filter({ hasText: 'Texted to Ken Adams. Test mode:' }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Send by email' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Emailed to Ken Adams.' })).toBeVisible()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(receipt).toBeVisible()
  await expect(receipt.getByText('Ken Adams').first()).toHaveCSS('color', 'rgb(0, 0, 0)')
  for (const element of [
    page.getByRole('button', { name: 'Print' }),
    page.getByRole('link', { name: 'All receipts' }),
  ])
    await expect(element).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
})

test('a statement of what is owed has a QR code, if families can pay online', async ({
  page,
  dojo,
  visit,
}) => {
  const mia = await dojo.createStudent({ name: 'Mia Diaz', monthly_payment_amount: 100 })
  await signIn(page, dojo)
  const statement = page.getByRole('article', { name: 'Statement' })
  const payOnline = statement.getByRole('region', { name: 'Pay online' })
  await visit(`/statements/student/${mia.id}`)
  await expect(statement.getByRole('row', { name: /^Owed/ })).toContainText('$100.00')
  await expect(payOnline).toHaveCount(0)
  const status = { is_on: true, is_simulated: false, is_test: false, has_payments: true }
  await page.route('**/api/online-payment/status', (route) => route.fulfill({ json: status }))
  const link = 'https://tatami.example.org/pay/1.2'
  const qr = await createQrCode()
  await page.route('**/api/pay-links', (route) => route.fulfill({ json: { link, qr } }))
  await page.reload()
  await expect(payOnline.getByRole('img', { name: 'QR code for paying online' })).toBeVisible()
  await expect(payOnline).toContainText('tatami.example.org/pay/1.2')
  await page.emulateMedia({ media: 'print' })
  await expect(payOnline).toBeVisible()
  await page.emulateMedia({ media: 'screen' })
  await expectAccessible(page)
})

test('does not text a receipt when the daily limit is reached', async ({ page, dojo, visit }) => {
  const ken = await dojo.createStudent({ name: 'Ken Adams' })
  const { id } = await issueReceipt(dojo, (await takePayment(dojo, ken.id, 85.5)).act_id)
  await mockCall(page, '/daily-message-usage', {
    date: '2026-11-26',
    message_count: 300,
    daily_limit: 300,
    remaining_messages: 0,
    limit_reached: true,
  })
  await signIn(page, dojo)
  await visit(`/receipts/${id}`)
  await expect(page.getByRole('button', { name: 'Send as a text' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Send by email' })).toBeEnabled()
  await expect(page.getByText('Daily limit reached. Resets at midnight UTC.')).toBeVisible()
  await expectAccessible(page)
})

test(
  'shows that a receipt is canceled, without the name of a deleted student',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/404/)
    const ken = await dojo.createStudent({ name: 'Ken Adams' })
    const { act_id } = await takePayment(dojo, ken.id, 85.5)
    const { id } = await issueReceipt(dojo, act_id)
    await call(ledgerApi.undo, { params: { id: act_id } }, dojo.token)
    await signIn(page, dojo)
    await visit(`/receipts/${id}`)
    await expect(page.getByText('Canceled: payment undone on')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send as a text' })).toHaveCount(0)
    await dojo.inDatabase((tx) => tx.execute(`delete from students where id = '${ken.id}'`))
    await visit('/receipts')
    const row = page.getByRole('main').getByRole('listitem')
    await expect(row).toContainText('Former member')
    await expect(row).toContainText('Canceled')
    await expect(row).toContainText('$85.50')
    await expect(page.getByText('Ken Adams')).toHaveCount(0)
    await expectAccessible(page)
    await visit(`/receipts/${ken.id}`)
    await expect(page.getByText('Receipt not found')).toBeVisible()
  },
)

test('counts the cash of a day, two taps from the Payment Center', async ({
  page,
  dojo,
  visit,
}) => {
  const ken = await dojo.createStudent({ name: 'Ken Adams' })
  await takePayment(dojo, ken.id, 60)
  await takePayment(dojo, ken.id, 25.5, 'card')
  await signIn(page, dojo)
  await visit('/payment-center')
  await page.getByRole('link', { name: 'Money', exact: true }).click()
  await page.getByRole('link', { name: 'Cash Count' }).click()
  await expect(page.getByRole('row', { name: /^Cash/ })).toContainText('$60.00')
  await expect(page.getByRole('row', { name: /^Card/ })).toContainText('$25.50')
  await expect(page.getByText('Expected: $60.00')).toBeVisible()
  await page.getByLabel('Counted cash').fill('55.5')
  await expect(page.getByRole('status').filter({ hasText: '$4.50 short.' })).toBeVisible()
  await page.getByLabel('Note').fill('A roll of coins')
  await page.getByRole('button', { name: 'Save count' }).click()
  await expect(page.getByText('Counted: $55.50. $4.50 short.')).toBeVisible()
  await expect(page.getByText('A roll of coins')).toBeVisible()
  await expectAllAccessible(page)
  await page.getByRole('button', { name: 'Previous day' }).click()
  await expect(page.getByText('No payments on this day.')).toBeVisible()
  await page.getByRole('button', { name: 'Next day' }).click()
  await expect(page.getByText('Counted: $55.50.')).toBeVisible()
})

test('prints the statement of a student and of the family', async ({ page, dojo, visit }) => {
  const mia = await dojo.createStudent({ name: 'Mia Diaz', monthly_payment_amount: 100 })
  const leo = await dojo.createStudent({ name: 'Leo Diaz', monthly_payment_amount: 80 })
  await createGuardian(dojo, [mia, leo], { pays: true })
  await takePayment(dojo, mia.id, 100)
  await signIn(page, dojo)
  await visit(`/students/${mia.id}`)
  await page.getByRole('link', { name: 'Statement' }).click()
  const statement = page.getByRole('article', { name: 'Statement' })
  await expect(statement.getByRole('row', { name: /Payment: / })).toContainText('-$100.00')
  await expect(statement.getByRole('row', { name: /^Owed/ })).toContainText('$0.00')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Rosa Diaz’s family' }).click()
  await expect(statement.getByRole('row', { name: /so far/ })).toContainText('$80.00')
  await expect(statement.getByRole('row', { name: /^Owed/ })).toContainText('$80.00')
  await page.emulateMedia({ media: 'print' })
  await expect(statement).toBeVisible()
  await expect(page.getByLabel('Year')).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
})
