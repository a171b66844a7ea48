import type { Page } from '@playwright/test'
import { plansApi } from '@tatami/contract/plans/plans'
import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { call } from './api.ts'
import type { Dojo } from './dojo.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const editor = (page: Page) => page.getByRole('dialog', { name: 'New plan' })
const example = (page: Page) => page.getByRole('region', { name: 'Example' })
const card = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })

async function openPlans(page: Page, dojo: Dojo, visit: (path: string) => Promise<void>) {
  await signIn(page, dojo)
  await visit('/school')
  await page.getByRole('link', { name: 'Plans' }).click()
}

const createTemplatePlans = async (dojo: Dojo) => {
  for (const body of PLAN_TEMPLATES) await call(plansApi.create, { body }, dojo.token)
}

test('a school makes its first plan from a template, with an example of what it costs', async ({
  page,
  dojo,
  visit,
}) => {
  await openPlans(page, dojo, visit)
  await expect(page.getByText('No plans yet.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Twice a week' }).click()
  const price = editor(page).getByRole('textbox', { name: 'Price' })
  await expect(price).toHaveValue('96.00')
  await example(page).getByLabel('A student starts on').fill('2027-03-17')
  await expect(example(page)).toContainText(
    'A student who starts on March 17 pays $46.45 today and $96 on April 1.',
  )
  await expect(example(page)).toContainText('They can come twice a week.')
  await price.fill('124')
  await expect(example(page)).toContainText('pays $60 today and $124 on April 1.')
  await expectAccessible(page)
  await editor(page).getByRole('button', { name: 'Save' }).click()
  await expect(card(page, 'Twice a week')).toContainText('$124 a month')
  await expect(card(page, 'Twice a week')).toContainText('Nobody has it yet')
  await expectAccessible(page)
  expect(await call(plansApi.list, {}, dojo.token)).toMatchObject([
    { name: 'Twice a week', price: 124, entry_limit: 2, entry_limit_per: 'week' },
  ])
})

test('the form opens More options for a mistake in them', async ({ page, dojo, visit }) => {
  await openPlans(page, dojo, visit)
  await page.getByRole('button', { name: 'Something else' }).click()
  await expect(example(page)).toContainText('Enter a price')
  await editor(page).getByRole('textbox', { name: 'Name' }).fill('Adults')
  await editor(page).getByRole('textbox', { name: 'Price' }).fill('150')
  const moreOptions = editor(page).getByText('More options')
  await moreOptions.click()
  await editor(page).getByLabel('Notice in days').fill('30')
  await expect(example(page)).toContainText('with 30 days’ notice')
  await editor(page).getByLabel('Yearly fee', { exact: true }).fill('40')
  await expectAccessible(page)
  await moreOptions.click()
  await editor(page).getByRole('button', { name: 'Save' }).click()
  await expect(
    editor(page).getByText('Choose the month of the yearly fee', { exact: true }),
  ).toBeVisible()
  await editor(page).getByLabel('Yearly fee is due in').selectOption('September')
  await editor(page).getByRole('button', { name: 'Save' }).click()
  await expect(card(page, 'Adults')).toContainText('30 days’ notice · Yearly fee $40')
})

test('a plan can be changed, no longer sold, and sold again', async ({ page, dojo, visit }) => {
  await createTemplatePlans(dojo)
  await openPlans(page, dojo, visit)
  await expect(card(page, 'Ten classes')).toContainText('$150 for 10 classes')
  await expect(card(page, 'Six-week start')).toContainText('$99 every 6 weeks')
  await page.getByRole('button', { name: 'Edit Monthly fee' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Monthly fee' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Unlimited')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Edit Unlimited' }).click()
  await page.getByRole('button', { name: 'Stop selling' }).click()
  await expect(page.getByText('Unlimited is no longer sold')).toBeVisible()
  const retiredPlans = page.getByRole('list', { name: 'Plans no longer sold' })
  await expect(retiredPlans).toContainText('Unlimited')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(retiredPlans).toBeHidden()
  await page.getByRole('button', { name: 'Edit Unlimited' }).click()
  await page.getByRole('button', { name: 'Stop selling' }).click()
  await page.getByRole('button', { name: 'Sell Unlimited again' }).click()
  await expect(page.getByText('Unlimited is sold again')).toBeVisible()
  await expect(retiredPlans).toBeHidden()
})

test('the rules for all plans change the example', async ({ page, dojo, visit }) => {
  await createTemplatePlans(dojo)
  await openPlans(page, dojo, visit)
  await page.getByRole('button', { name: 'Rules' }).click()
  const rules = page.getByRole('dialog', { name: 'Rules for all plans' })
  await rules.getByLabel('Payments are due').selectOption('On the day the student started')
  await rules.getByLabel('Days to change their mind').fill('61')
  await rules.getByRole('button', { name: 'Save' }).click()
  await expect(rules.getByText('Days must be a whole number from 0 to 60')).toBeVisible()
  await expectAccessible(page)
  await rules.getByLabel('Days to change their mind').fill('14')
  await rules.getByRole('button', { name: 'Save' }).click()
  await expect(rules).toBeHidden()
  await page.getByRole('button', { name: 'New plan' }).click()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Monthly fee' }).click()
  await example(page).getByLabel('A student starts on').fill('2027-03-17')
  await expect(example(page)).toContainText('pays $120 today and $120 on April 17.')
})
