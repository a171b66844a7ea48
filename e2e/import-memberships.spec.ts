import { plansApi } from '@tatami/contract/plans/plans'
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
