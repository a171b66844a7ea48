import { mustExist } from '@tatami/contract/lib/must-exist'
import { type PlanForm, plansApi } from '@tatami/contract/plans/plans'
import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { call } from './api.ts'
import { expect, expectAllAccessible, test } from './harness.ts'
import { openImport, pasteSheet, pressImport } from './import-sheet.ts'

test('asks which plan each membership is, and adds a new one', async ({ page, dojo, visit }) => {
  await openImport(page, dojo, visit)
  await pasteSheet(
    page,
    'Name\tMembership\tMonthly fee',
    'Ken Adams\tGold\t120',
    'Mia Ruiz\tGold\t120',
    'Leo Cole\tKids\t80',
  )
  const gold = page.getByLabel('“Gold” (2 students)')
  await expect(gold.locator('option:checked')).toHaveText('Just a note')
  await expectAllAccessible(page)
  await gold.selectOption('A new plan, $120.00 a month')
  await page.reload()
  await expect(gold.locator('option:checked')).toHaveText('A new plan, $120.00 a month')
  await pressImport(page, 'Import 3 students')
  expect(await call(plansApi.list, {}, dojo.token)).toMatchObject([
    { name: 'Gold', price: 120, members: 2 },
  ])
})

test('preselects the plan that has the name of a membership', async ({ page, dojo, visit }) => {
  const template = mustExist(PLAN_TEMPLATES[0], 'The template')
  const yearlyPlan: PlanForm = { ...template, name: 'Yearly', price: 999.99, cycle_unit: 'year' }
  await call(plansApi.create, { body: yearlyPlan }, dojo.token)
  await openImport(page, dojo, visit)
  await pasteSheet(page, 'Name\tMembership\tMonthly fee', 'Ken Adams\tyearly\t999.99')
  const yearly = page.getByLabel('“yearly” (1 student)')
  await expect(yearly.locator('option:checked')).toHaveText('Yearly')
  await expect(page.getByText('A fee in your sheet counts as the price of one year.')).toBeVisible()
  await yearly.selectOption('Just a note')
  await expect(yearly.locator('option:checked')).toHaveText('Just a note')
  await yearly.selectOption('Yearly')
  await pressImport(page, 'Import 1 student')
  expect(await call(plansApi.list, {}, dojo.token)).toMatchObject([{ name: 'Yearly', members: 1 }])
})
