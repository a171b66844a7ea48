import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectAllAccessible, signIn, test } from './harness.ts'
import { expectListed, threePayers } from './payers.ts'

const now = new Date()
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
/** The words of the next alert, which is answered at once: it holds up the page. */
const nextAlert = (page: Page) =>
  new Promise<string>((tell) => {
    page.once('dialog', (dialog) => {
      tell(dialog.message())
      void dialog.accept()
    })
  })
const thisMonth = `${MONTHS[now.getMonth()]} ${now.getFullYear()}`

test.beforeEach(async ({ dojo, page }) => {
  await threePayers(dojo)
  await signIn(page, dojo)
})

test('a press marks a month paid at once, the figures follow, and another takes it back', async ({ page, visit }) => {
  await visit('/payment-center')
  const figures = page.getByRole('list', { name: 'Statistics' })
  await expect(figures).toContainText('2 Total Monthly Paying Students')
  await expect(figures).toContainText('2 Yet To Pay')
  await page.getByRole('button', { name: 'Mark Paid for Ken Adams' }).click()
  await expect(page.getByRole('button', { name: 'Mark Paid for Ken Adams' })).toBeDisabled()
  await expect(figures).toContainText('1 Paid This Month')
  await expect(figures).toContainText('$86 Monthly Revenue')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Mark Paid for Ken Adams' })).toBeDisabled()
  await page.getByRole('button', { name: 'Mark Unpaid for Ken Adams' }).click()
  await expect(figures).toContainText('0 Paid This Month')
  await expectAllAccessible(page)
})

test('who marks by keys goes on where the mark was made, also under a filter', async ({ page, visit }) => {
  const marks = (what: string, name: string) => page.getByRole('button', { name: `Mark ${what} for ${name}` })
  await visit('/payment-center')
  await marks('Paid', 'Ken Adams').press('Enter')
  await expect(marks('Unpaid', 'Ken Adams')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(marks('Paid', 'Ken Adams')).toBeFocused()
  await expect(page.getByRole('list', { name: 'Statistics' })).toContainText('0 Paid This Month')
  await visit('/payment-center?filter=yet_to_pay')
  await marks('Paid', 'Ken Adams').press('Enter')
  await expect(marks('Unpaid', 'Ken Adams')).toBeFocused()
})

test('a dojo without students, and one whose list does not come, have a next step', async ({ page, visit, announce }) => {
  announce(/Failed to load resource/)
  await page.route('**/api/students', (route) => route.fulfill({ json: [] }))
  await visit('/payment-center')
  await expect(page.getByRole('link', { name: 'Open Student Center' })).toBeVisible()
  await page.unroute('**/api/students')
  // Refused: what only got no answer would recover by itself.
  await page.route(/\/api\/(students|payment-statistics)/, (route) => route.fulfill({ status: 403, json: { detail: 'Not now' } }))
  await visit('/payment-center')
  const again = page.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  await expect(page.getByRole('list', { name: 'Statistics' })).toContainText('– Yet To Pay')
  await page.unroute(/\/api\/(students|payment-statistics)/)
  await again.click()
  await expect(page.getByText('Ken Adams', { exact: true })).toBeVisible()
})

test('tiles, buttons and the address filter the list', async ({ page, visit }) => {
  await visit('/payment-tracking?filter=unpaid')
  await expect(page.getByRole('radio', { name: 'Unpaid Only', exact: true })).toBeChecked()
  for (const name of ['All Students', 'Paid Only', 'Yet To Pay', 'Unpaid Only'])
    await expect(page.getByRole('radio', { name, exact: true })).toBeAttached()
  await expectListed(page, ['Ken Adams', 'Mia Chen', 'Omar Haddad'])
  await page.getByRole('button', { name: 'Mark Paid for Mia Chen' }).click()
  const tiles = page.getByRole('list', { name: 'Statistics' })
  await expect(tiles.getByRole('button')).toHaveText([/Total Monthly Paying Students/, /Paid This Month/, /Yet To Pay/])
  await expect(tiles.getByRole('listitem').last()).toHaveText('$71 Monthly Revenue')
  for (const [tile, filter, names] of [
    ['1 Paid This Month', 'paid', ['Mia Chen']],
    ['1 Yet To Pay', 'yet_to_pay', ['Ken Adams', 'Omar Haddad']],
    ['2 Total Monthly Paying Students', 'all', ['Ken Adams', 'Mia Chen', 'Omar Haddad']],
  ] as const) {
    await tiles.getByRole('button', { name: tile }).click()
    await expect(page).toHaveURL(new RegExp(`filter=${filter}$`))
    await expect(tiles.getByRole('button', { name: tile })).toHaveAttribute('aria-pressed', 'true')
    await expectListed(page, [...names])
  }
  await tiles.getByRole('listitem').last().click()
  await expectListed(page, ['Ken Adams', 'Mia Chen', 'Omar Haddad'])
  for (const [label, names] of [
    ['Paid Only', ['Mia Chen']],
    ['Yet To Pay', ['Ken Adams', 'Omar Haddad']],
    ['Unpaid Only', ['Ken Adams', 'Omar Haddad']],
    ['All Students', ['Ken Adams', 'Mia Chen', 'Omar Haddad']],
  ] as const) {
    await page.getByRole('radio', { name: label, exact: true }).check()
    await expectListed(page, [...names])
  }
  await page.getByRole('radio', { name: 'Yet To Pay', exact: true }).check()
  await expect(page.getByRole('status').filter({ hasText: '1 student and 1 on trial' })).toBeVisible()
  await visit('/payment-center?filter=somebody')
  await expect(page.getByRole('radio', { name: 'All Students', exact: true })).toBeChecked()
})

test('the list stands class by class, with those in no class at the end', async ({ page, visit, shell }) => {
  await visit('/payment-center')
  if (shell)
    for (const column of ['Student Name', 'Monthly Fee', 'Type', 'Payment Status', 'Actions'])
      await expect(page.getByRole('columnheader', { name: column })).toBeVisible()
  await page.getByText('By class').click()
  const unassigned = page.getByRole('group').filter({ hasText: 'No Class Assigned' })
  await expect(unassigned).toContainText('Mia Chen')
  await unassigned.getByText('No Class Assigned').click()
  await expect(page.getByText('Mia Chen', { exact: true })).toBeHidden()
  await expectAccessible(page)
})

test('months and years are chosen, and each has its own payments', async ({ page, visit }) => {
  await visit('/payment-center')
  for (const month of MONTHS) await expect(page.getByRole('button', { name: month, exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Previous year' }).click()
  await page.getByRole('button', { name: 'March', exact: true }).click()
  await expect(page.getByText(`March ${now.getFullYear() - 1}`).first()).toBeVisible()
  await page.getByRole('button', { name: 'Mark Paid for Ken Adams' }).click()
  await page.getByRole('button', { name: 'Next year' }).click()
  await expect(page.getByRole('button', { name: 'Mark Unpaid for Ken Adams' })).toBeDisabled()
})

test('a reset names the month, asks first and says how many it reset', async ({ page, visit }) => {
  await visit('/payment-center')
  await page.getByRole('button', { name: 'Mark Paid for Ken Adams' }).click()
  await expect(page.getByRole('list', { name: 'Statistics' })).toContainText('1 Paid This Month')
  await page.getByRole('button', { name: 'Monthly Payment Reset' }).click()
  const dialog = page.getByRole('alertdialog', { name: `Reset ${thisMonth}?` })
  await expect(dialog).toContainText('1 payment, $85.50')
  await expectAccessible(page)
  const alert = nextAlert(page)
  await dialog.getByRole('button', { name: 'Reset', exact: true }).click()
  expect(await alert).toBe('Monthly payments reset completed!\n\n1 out of 2 paying students were reset.')
  await expect(page.getByRole('button', { name: 'Mark Unpaid for Ken Adams' })).toBeDisabled()
})

test('what fails is said in an alert, and the tap goes back', async ({ page, visit, announce }) => {
  announce(/Failed to load resource/)
  await visit('/payment-center')
  await page.route('**/api/payment-records', (route) => route.abort())
  const marking = nextAlert(page)
  await page.getByRole('button', { name: 'Mark Paid for Ken Adams' }).click()
  expect(await marking).toBe('Failed to update payment status. Please try again.')
  await expect(page.getByRole('button', { name: 'Mark Unpaid for Ken Adams' })).toBeDisabled()
  await page.route('**/api/reset-monthly-payments', (route) => route.abort())
  await page.getByRole('button', { name: 'Monthly Payment Reset' }).click()
  const resetting = nextAlert(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset', exact: true }).click()
  expect(await resetting).toBe('Failed to reset monthly payments: Unknown error')
})

test('without records everyone is unpaid, and without statistics they are worked out here', async ({ page, visit, announce }) => {
  announce(/Failed to load resource/)
  await page.route('**/api/payment-records?*', (route) => route.fulfill({ status: 404, json: { detail: 'Not found' } }))
  await page.route('**/api/payment-statistics?*', (route) => route.fulfill({ status: 404, json: { detail: 'Not found' } }))
  await visit('/payment-center')
  await expect(page.getByRole('list', { name: 'Statistics' })).toContainText('2 Yet To Pay')
  await expect(page.getByText('Unpaid', { exact: true })).toHaveCount(3)
})

test('the late-fee dialog shows the text as it will read, and sends it to those who owe', async ({ page, visit }) => {
  await visit('/payment-center')
  await page.getByRole('button', { name: 'Mark Paid for Mia Chen' }).click()
  await expect(page.getByRole('list', { name: 'Statistics' })).toContainText('1 Paid This Month')
  await page.getByRole('button', { name: 'Late Fee Reminder' }).click()
  const dialog = page.getByRole('dialog', { name: 'Late Fee Reminder' })
  await expect(dialog.getByRole('checkbox', { name: 'All Students' })).toBeChecked()
  await dialog.getByRole('checkbox', { name: 'Kids Judo' }).check()
  await expect(dialog.getByRole('checkbox', { name: 'All Students' })).not.toBeChecked()
  expect(await dialog.getByLabel('Year').locator('option').allTextContents()).toEqual(
    Array.from({ length: Math.max(2026, now.getFullYear()) - 2023 }, (_, i) => String(2024 + i)),
  )
  await expect(dialog.getByLabel('Message')).toHaveValue(new RegExp(`your fee for ${thisMonth} has not been paid yet`))
  await dialog.getByLabel('Message').fill('Hi {name}, please pay.')
  await expect(dialog.getByRole('figure')).toContainText('Hi Alex, please pay.')
  await expect(dialog).toContainText('1 student gets this · 2 do not')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Late Fee Reminder sent successfully!')).toBeInViewport()
  await expect(page.getByText('Sent to 1 students')).toBeVisible()
})

test('a late-fee reminder that fails stays open and says why', async ({ page, visit, announce }) => {
  announce(/Failed to load resource/)
  await page.route('**/api/sms/send-bulk-message', (route) => route.abort())
  await visit('/payment-center')
  await page.getByRole('button', { name: 'Late Fee Reminder' }).click()
  const dialog = page.getByRole('dialog', { name: 'Late Fee Reminder' })
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog).toContainText('Failed to send late fee reminders')
})
