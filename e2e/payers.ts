import { expect, type Page } from '@playwright/test'
import type { Dojo } from './dojo.ts'

/** Creates Ken and Omar in one class, Omar on trial, and Mia without a class. */
export async function createPayers(dojo: Dojo) {
  const kids = await dojo.createClass({ class_name: 'Kids Judo' })
  await dojo.createStudent({
    name: 'Ken Adams',
    monthly_payment_amount: 85.5,
    enrolled_classes: [kids.id],
  })
  await dojo.createStudent({
    name: 'Mia Chen',
    monthly_payment_amount: 70.25,
    class_preferences: ['saturday'],
    enrolled_classes: [],
  })
  await dojo.createStudent({ name: 'Omar Haddad', is_trial: true, enrolled_classes: [kids.id] })
}

/** Marks a student's month as paid, and waits for the server's response. The row shows the mark
 *  earlier, but a reload before the response would lose it. */
export async function markPaid(page: Page, name: string) {
  await page.getByRole('button', { name: `Mark Paid for ${name}` }).click()
  await expect(page.getByRole('status').filter({ hasText: `${name} marked paid` })).toBeVisible()
}

/** Expects exactly these students in the list, in this order. */
export const expectListed = (page: Page, names: string[]) =>
  expect(page.getByRole('button', { name: /^Mark Paid for / })).toHaveText(
    names.map((name) => new RegExp(`^Mark Paid for ${name}`)),
  )
