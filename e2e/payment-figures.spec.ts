import { readFileSync } from 'node:fs'
import { ledgerApi } from '@tatami/contract/ledger/ledger'
import { membershipsApi } from '@tatami/contract/memberships/memberships'
import { plansApi } from '@tatami/contract/plans/plans'
import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { firstDayOf } from '@tatami/contract/lib/calendar-day'
import { call } from './api.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'
import { THIS_MONTH } from './this-month.ts'

test('shows what was expected and received, each chart with its table', async ({
  page,
  dojo,
  visit,
}) => {
  const kids = await dojo.createClass({ class_name: 'Kids Judo' })
  const ken = await dojo.createStudent({
    name: 'Ken Adams',
    monthly_payment_amount: 100,
    enrolled_classes: [kids.id],
  })
  await dojo.createStudent({ name: 'Ben Moss', monthly_payment_amount: 70 })
  await call(
    ledgerApi.pay,
    { body: { student_id: ken.id, amount: 60, method: 'cash' } },
    dojo.token,
  )
  await signIn(page, dojo)
  await visit('/payment-center')
  await page.getByRole('link', { name: 'Money', exact: true }).click()
  const tile = (label: string) => page.locator('dl > div', { hasText: label })
  await expect(tile('Expected')).toContainText('$170.00')
  await expect(tile('Received')).toContainText('$60.00')
  await expect(tile('Still owed')).toContainText('$110.00')
  await expect(page.getByRole('img', { name: /^Expected and received by month/ })).toBeVisible()
  await page.getByText('Show as a table').first().click()
  await expect(page.getByRole('table').first().getByRole('row').last()).toContainText(
    '$170.00$60.00',
  )
  await expect(page.getByRole('row', { name: /^Cash/ })).toContainText('$60.00')
  await expect(page.getByRole('row', { name: /^Kids Judo/ })).toContainText('$60.00$100.00')
  await expect(page.getByRole('row', { name: /^No class/ })).toContainText('$0.00$70.00')
  await expectAccessible(page)
  await page.getByLabel('Period').selectOption(String(THIS_MONTH.year - 1))
  await expect(page.getByText('No payments in these months')).toBeVisible()
})

test('shows the revenue of memberships once somebody has a plan', async ({ page, dojo, visit }) => {
  const [monthlyFee] = PLAN_TEMPLATES
  if (!monthlyFee) throw new Error('There is no template for a plan')
  const ken = await dojo.createStudent({ name: 'Ken Adams', monthly_payment_amount: 100 })
  await dojo.createStudent({ name: 'Ben Moss', monthly_payment_amount: 70 })
  await signIn(page, dojo)
  await visit('/payment-figures')
  await expect(page.getByRole('heading', { name: 'Payment Reports' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Memberships today' })).toBeHidden()
  const { plan } = await call(
    plansApi.create,
    { body: { ...monthlyFee, name: 'Unlimited' } },
    dojo.token,
  )
  await call(
    membershipsApi.start,
    { params: { id: ken.id }, body: { plan_id: plan.id, starts_on: firstDayOf(THIS_MONTH) } },
    dojo.token,
  )
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Memberships today' })).toBeVisible()
  await expect(page.getByRole('row', { name: /^Unlimited/ })).toContainText('$120.001')
  await expect(page.getByRole('row', { name: /^Monthly fee/ })).toContainText('$70.001')
  await expectAccessible(page)
  await page.getByRole('button', { name: '1 member of Unlimited' }).click()
  const list = page.getByRole('dialog', { name: 'Unlimited' })
  await expect(list.getByRole('listitem')).toHaveText(/Ken Adams.*\$120\.00/)
  await expectAccessible(page)
})

test(
  'saves a file for the bookkeeper',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/422/)
    const ken = await dojo.createStudent({ name: 'Ken Adams' })
    await call(
      ledgerApi.pay,
      { body: { student_id: ken.id, amount: 60, method: 'cash' } },
      dojo.token,
    )
    await signIn(page, dojo)
    await visit('/payment-figures')
    await page.getByRole('button', { name: 'For your bookkeeper' }).click()
    const sheet = page.getByRole('dialog', { name: 'For your bookkeeper' })
    await sheet.getByLabel('Program').selectOption('Xero')
    await expectAccessible(page)
    const download = page.waitForEvent('download')
    await sheet.getByRole('button', { name: 'Download' }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^tanaka-dojo-xero-.*\.csv$/)
    const [head, line] = readFileSync(await file.path(), 'utf8').split('\r\n')
    expect(head).toBe('*Date,*Amount,Payee,Description,Reference,Cheque Number')
    expect(line).toContain('60.00,Ken Adams,')
    await expect(sheet.getByText('Saved to your downloads.')).toBeVisible()
    await sheet.getByLabel('First day').fill('2030-01-01')
    await sheet.getByRole('button', { name: 'Download' }).click()
    await expect(sheet.getByRole('alert')).toContainText(
      'The last day must not be before the first',
    )
  },
)
