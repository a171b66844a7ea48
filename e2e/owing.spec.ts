import { ledgerApi } from '@tatami/contract/ledger/ledger'
import { owingApi } from '@tatami/contract/dues/owing'
import { textingApi } from '@tatami/contract/texting/texting'
import type { Page } from '@playwright/test'
import { call } from './api.ts'
import type { Dojo } from './dojo.ts'
import { createGuardian } from './families.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'
import { THIS_MONTH, THIS_MONTH_NAME } from './this-month.ts'

const LAST_MONTH =
  THIS_MONTH.month === 0
    ? { month: 11, year: THIS_MONTH.year - 1 }
    : { ...THIS_MONTH, month: THIS_MONTH.month - 1 }
const monthName = ({ month, year }: typeof LAST_MONTH) =>
  new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(
    Date.UTC(year, month),
  )

/** Creates Rosa, who pays for Mia and for Leo, who owes $75.50 for last month. Creates Ken, who
 *  pays for himself. */
async function createDebtors(dojo: Dojo) {
  const leo = await dojo.createStudent({ name: 'Leo Diaz', monthly_payment_amount: 80 })
  const mia = await dojo.createStudent({ name: 'Mia Diaz', monthly_payment_amount: 100 })
  const ken = await dojo.createStudent({ name: 'Ken Adams', monthly_payment_amount: 85.5 })
  await createGuardian(dojo, [leo, mia], { pays: true })
  await call(
    ledgerApi.pay,
    { body: { student_id: leo.id, amount: 4.5, toward: LAST_MONTH } },
    dojo.token,
  )
  return { leo, mia, ken }
}
const familiesRegion = (page: Page) => page.getByRole('region', { name: 'Families' })
const familyRows = (page: Page) => familiesRegion(page).getByRole('listitem')
const readOwedTotal = async (dojo: Dojo) =>
  (await call(owingApi.list, {}, dojo.token)).reduce((sum, { total }) => sum + total, 0)

test('lists what families owe and since when, and texts the total to selected families', async ({
  page,
  dojo,
  visit,
}) => {
  await createDebtors(dojo)
  await signIn(page, dojo)
  await visit('/payment-center')
  await page.getByRole('link', { name: 'Past due', exact: true }).click()
  await expect(page).toHaveURL(/\/owing$/)
  // Only Leo's last month is past due. The total is shown only once.
  await expect(page.getByText('1 family, $75.50')).toHaveCount(1)
  await expect(familyRows(page)).toHaveCount(2)
  await expect(familyRows(page).first()).toContainText('Leo Diaz $155.50, Mia Diaz $100.00')
  await expect(familyRows(page).first()).toContainText('$255.50')
  await expect(familyRows(page).last()).toContainText('Ken Adams')
  await expect(familyRows(page).last()).toContainText('$85.50')
  const textButton = page.getByRole('button', { name: /^Text/ })
  await expect(textButton).toBeDisabled()
  await expectAccessible(page)
  await page.getByLabel('All', { exact: true }).check()
  await expect(textButton).toHaveText('Text 2 families')
  await page.getByLabel('Select Ken Adams').uncheck()
  await expect(familiesRegion(page)).toContainText('1 selected, $255.50')
  await textButton.click()
  const dialog = page.getByRole('dialog', { name: 'Late Fee Reminder' })
  await expect(dialog).toContainText('2 students get this')
  await expect(dialog).toContainText('2 students, 1 text')
  await expect(dialog.getByLabel('Month')).toHaveCount(0)
  await dialog.getByText('Names and reasons').click()
  await expect(
    dialog.getByRole('list', { name: 'Will get it', exact: true }).getByRole('listitem'),
  ).toHaveText(['Leo Diaz$155.50', 'Mia Diaz$100.00'])
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('Sent to 2 students')).toBeVisible()
  const [batch] = await call(textingApi.batches, { query: {} }, dojo.token)
  const { texts } = await call(textingApi.batch, { params: { id: batch!.id } }, dojo.token)
  const expectedText =
    'Hi Leo and Mia, our records show that $255.50 has not been paid yet. Please pay as soon as you can.'
  expect(texts.map(({ text }) => text)).toEqual([expectedText, expectedText])
})

test('shows what is past due by age, and lists one age', async ({ page, dojo, visit }) => {
  const { ken } = await createDebtors(dojo)
  const charged_on = `${THIS_MONTH.year - 1}-06-10`
  await call(
    ledgerApi.charge,
    { body: { student_ids: [ken.id], kind: 'equipment', amount: 20, charged_on } },
    dojo.token,
  )
  await signIn(page, dojo)
  await visit('/owing')
  const ages = page.getByRole('group', { name: 'Past due by age' })
  const oldestDebtsButton = ages.getByRole('button', {
    name: /^\$20\.00 Over 90 days \(1 family\)/,
  })
  await expect(ages.getByRole('button')).toHaveCount(5)
  // The fees of students who were enrolled today are not past due.
  const notDueButton = ages.getByRole('button', {
    name: /^\$265\.50 Due today or later \(2 families\)/,
  })
  await expect(notDueButton).toBeVisible()
  await oldestDebtsButton.click()
  await expect(oldestDebtsButton).toHaveAttribute('aria-pressed', 'true')
  await expect(familyRows(page)).toHaveCount(1)
  await expect(familyRows(page)).toContainText('Ken Adams')
  await expect(familiesRegion(page)).toContainText('1 family, $20.00')
  await expectAccessible(page)
  await oldestDebtsButton.click()
  await expect(familyRows(page)).toHaveCount(2)
})

test('records a promise in two taps, which the list and the student’s page show', async ({
  page,
  dojo,
  visit,
}) => {
  const { leo } = await createDebtors(dojo)
  const owedBefore = await readOwedTotal(dojo)
  await signIn(page, dojo)
  await visit('/owing')
  const familyRow = familyRows(page).filter({ hasText: 'Leo Diaz' })
  await familyRow.getByRole('button', { name: /^Will pay by/ }).click()
  const promiseDialog = page.getByRole('dialog', { name: /^When will .* pay\?$/ })
  await expect(promiseDialog.getByRole('button', { name: 'Tomorrow' })).toBeInViewport()
  await expectAccessible(page)
  await promiseDialog.getByRole('button', { name: 'Tomorrow' }).click()
  await expect(promiseDialog).toBeHidden()
  await expect(familyRow).toContainText(/Will pay by \w+day/)
  expect(await readOwedTotal(dojo)).toBe(owedBefore)
  await familyRow.getByLabel(/^Select/).check()
  await page.getByRole('button', { name: 'Text 1 family' }).click()
  const textDialog = page.getByRole('dialog', { name: 'Late Fee Reminder' })
  await expect(textDialog).toContainText(
    '2 students who get this have promised to pay. They’ll still get it.',
  )
  await textDialog.getByRole('button', { name: 'Close' }).click()
  await visit(`/students/${leo.id}`)
  const payments = page.getByRole('region', { name: 'Payments' })
  await expect(payments).toContainText(/Will pay by \w+day/)
  await payments.getByRole('button', { name: /^Change/ }).click()
  const leoPromiseDialog = page.getByRole('dialog', { name: 'When will Leo Diaz pay?' })
  await leoPromiseDialog.getByRole('button', { name: 'Clear' }).click()
  await expect(leoPromiseDialog).toBeHidden()
  await expect(payments).not.toContainText(/Will pay by \w+day/)
  await expectAccessible(page)
})

test('takes a family’s payment from its row, and undoes it', async ({ page, dojo, visit }) => {
  await createDebtors(dojo)
  await signIn(page, dojo)
  await visit('/owing')
  await familyRows(page)
    .first()
    .getByRole('button', { name: /^Take payment/ })
    .click()
  const sheet = page.getByRole('dialog', { name: 'Payment from Rosa Diaz' })
  await expect(sheet.getByRole('radiogroup', { name: 'Method' })).toBeVisible()
  await expect(sheet.getByText('Method', { exact: true })).toBeVisible()
  await expect(sheet.getByLabel('Received on')).toHaveValue(/^\d{4}-\d\d-\d\d$/)
  await expect(sheet).toContainText('Pays the oldest debt first.')
  await expect(sheet.getByLabel('Leo Diaz')).toHaveValue('155.50')
  await expect(sheet.getByLabel('Mia Diaz')).toHaveValue('100.00')
  await expectAccessible(page)
  await sheet.getByLabel('Mia Diaz').fill('60')
  await sheet.getByText('Cash', { exact: true }).click()
  await sheet.getByRole('button', { name: 'Take $215.50' }).click()
  await expect(sheet).toBeHidden()
  await expect(page.getByRole('status').filter({ hasText: 'paid $215.50' })).toBeVisible()
  await expect(page.getByText('Nothing past due yet')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('1 family, $75.50').first()).toBeVisible()
})

test('previews late fees before charging them, and undoes them with one tap', async ({
  page,
  dojo,
  visit,
}) => {
  await createDebtors(dojo)
  await signIn(page, dojo)
  await visit('/owing')
  await page.getByRole('button', { name: 'Late Fees' }).click()
  const dialog = page.getByRole('dialog', { name: 'Late Fees' })
  await expect(dialog).toContainText('No late fees')
  await dialog.getByRole('button', { name: 'Set a rule' }).click()
  const ruleDialog = page.getByRole('dialog', { name: 'Late fee rule' })
  await ruleDialog.getByLabel('Late fee', { exact: true }).fill('101')
  await ruleDialog.getByRole('button', { name: 'Save' }).click()
  await expect(ruleDialog.getByText('The late fee must be 1 to 100%')).toBeVisible()
  await expectAccessible(page)
  await ruleDialog.getByLabel('Late fee', { exact: true }).fill('10')
  await ruleDialog.getByLabel('Grace period in days').fill('5')
  await ruleDialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toContainText('10% of what is owed, after 5 days')
  await dialog.getByLabel('Month').selectOption(monthName(LAST_MONTH))
  await expect(dialog.getByRole('list', { name: 'Students' }).getByRole('listitem')).toHaveText([
    /Leo Diaz.*\$75\.50 owed, \d+ days late.*\$7\.55/,
  ])
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Charge 1 student $7.55' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('1 late fee charged, $7.55')).toBeVisible()
  await expect(familyRows(page).filter({ hasText: 'Leo Diaz' })).toContainText('$263.05')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(familyRows(page).filter({ hasText: 'Leo Diaz' })).toContainText('$255.50')
  expect(THIS_MONTH_NAME).not.toBe(monthName(LAST_MONTH))
})

test(
  'shows that nobody owes anything, or that the list could not be loaded',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/status of 404/)
    await signIn(page, dojo)
    await visit('/owing')
    await expect(page.getByText('Nobody owes anything')).toBeVisible()
    await expectAccessible(page)
    await page.route('**/api/owing', (route) =>
      route.fulfill({ status: 404, json: { detail: 'Not found' } }),
    )
    await page.reload()
    await expect(page.getByText('Past due families could not be loaded.')).toBeVisible()
    await page.unroute('**/api/owing')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Nobody owes anything')).toBeVisible()
  },
)
