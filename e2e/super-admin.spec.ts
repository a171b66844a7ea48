import type { Locator, Page } from '@playwright/test'
import { profileApi } from '@tatami/contract/profile'
import { call, enter } from './api.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

/** The tests share one database: each finds its own sensei by the e-mail. */
async function find(page: Page, shell: string, email: string) {
  await page.getByLabel('Search sensei').fill(email)
  const entry = page.getByRole(shell === '' ? 'listitem' : 'row').filter({ hasText: email })
  await expect(entry).toBeVisible()
  return entry
}
const oneStudent = (entry: Locator, shell: string) => (shell === '' ? entry.getByText('1 student') : entry.getByRole('cell', { name: '1', exact: true }))
const card = (page: Page, word: 'Total' | 'Active' | 'Inactive') => page.getByRole('button', { name: new RegExp(`^${word} ?\\d+`) })

test('everything about a sensei is there, for anyone to read', async ({ page, superAdmin, dojo, shell }) => {
  await dojo.createStudent()
  await signIn(page, superAdmin)
  await page.goto(`${shell}/super-admin`)
  const entry = await find(page, shell, dojo.email)
  const today = new Date().toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'America/Chicago' })
  for (const words of ['Aiko Tanaka', 'Tanaka Dojo', 'Custom Branding', '(512) 555-0100', 'Cedar Park', 'Texas', 'Active', today]) await expect(entry).toContainText(words)
  await expect(oneStudent(entry, shell)).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Search sensei').fill('nobody is called so')
  await expect(page.getByText('Nobody here matches your search.')).toBeVisible()
})

test('the three cards count and filter', async ({ page, superAdmin, dojo, shell }) => {
  await signIn(page, superAdmin)
  const counted = page.waitForResponse('**/api/super-admin/dashboard-stats')
  await page.goto(`${shell}/super-admin`)
  const stats = await (await counted).json() as Record<string, number>
  await expect(card(page, 'Total')).toContainText(String(stats.total_sensei))
  await expect(card(page, 'Active')).toContainText(String(stats.active_sensei))
  await expect(card(page, 'Inactive')).toContainText(String(stats.inactive_sensei))
  await expect(card(page, 'Total')).toHaveAttribute('aria-pressed', 'true')
  const entry = await find(page, shell, dojo.email)
  await card(page, 'Inactive').click()
  await expect(card(page, 'Inactive')).toHaveAttribute('aria-pressed', 'true')
  await expect(entry).toBeHidden()
  await card(page, 'Active').click()
  await expect(entry).toBeVisible()
})

test('an account is switched off and on again', async ({ page, superAdmin, dojo, shell }) => {
  const student = await dojo.createStudent()
  await signIn(page, superAdmin)
  await page.goto(`${shell}/super-admin`)
  const entry = await find(page, shell, dojo.email)
  await card(page, 'Active').click()
  await entry.getByRole('button', { name: 'Deactivate Aiko Tanaka' }).click()
  const asked = page.getByRole('alertdialog', { name: 'Deactivate Aiko Tanaka?' })
  await expect(asked).toContainText("This logs out Aiko Tanaka and the dojo's 1 student at once.")
  await expectAccessible(page)
  await asked.getByRole('button', { name: 'Deactivate' }).click()
  const done = page.getByRole('dialog', { name: 'Aiko Tanaka' })
  await expect(done).toContainText('Sensei account deactivated successfully!')
  await expect(entry).toHaveCount(0)
  await done.getByRole('button', { name: 'Close' }).last().click()
  // What was pressed has left the list.
  await expect(page.getByRole('heading', { name: 'Active sensei' })).toBeFocused()
  await expect(call(profileApi.show, {}, dojo.token)).rejects.toThrow('401')
  await expect(dojo.enter(student)).rejects.toThrow('Your dojo is not active. Please contact your instructor.')

  await card(page, 'Total').click()
  await entry.getByRole('button', { name: 'Activate Aiko Tanaka' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Activate', exact: true }).click()
  await expect(done).toContainText('Sensei account activated successfully!')
  await done.getByRole('button', { name: 'Close' }).last().click()
  await expect(entry.getByRole('button', { name: 'Deactivate Aiko Tanaka' })).toBeFocused()
  await enter(dojo.email, dojo.password)
})

test('a switch that fails says so, and one whose answer was lost is found out', async ({ page, superAdmin, dojo, shell, announce }) => {
  announce(/ERR_FAILED/)
  await signIn(page, superAdmin)
  await page.goto(`${shell}/super-admin`)
  const entry = await find(page, shell, dojo.email)
  await page.route('**/toggle-active', (route) => route.abort())
  await entry.getByRole('button', { name: 'Deactivate' }).click()
  const asked = page.getByRole('alertdialog')
  await asked.getByRole('button', { name: 'Deactivate' }).click()
  await expect(asked.getByRole('alert')).toHaveText('Failed to update sensei status. Please try again.')
  await page.unroute('**/toggle-active')
  await page.route('**/toggle-active', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await asked.getByRole('button', { name: 'Deactivate' }).click()
  await expect(page.getByText('Sensei account deactivated successfully!')).toBeVisible()
})

test('what cannot be loaded says so and can be tried again; Refresh asks anew', async ({ page, superAdmin, dojo, shell, announce }) => {
  announce(/ERR_FAILED/)
  await signIn(page, superAdmin)
  await page.route('**/api/super-admin/**', (route) => route.abort())
  await page.goto(`${shell}/super-admin`)
  await expect(page.getByRole('alert')).toContainText('Failed to load dashboard data')
  await page.unroute('**/api/super-admin/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toBeHidden()
  const entry = await find(page, shell, dojo.email)
  await dojo.createStudent()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(oneStudent(entry, shell)).toBeVisible()
})

test('a session that has ended leads to the landing page', async ({ page, shell, superAdmin, announce }) => {
  announce(/401/)
  const other = await enter(superAdmin.email, superAdmin.password)
  await signIn(page, other)
  await page.goto(`${shell}/super-admin`)
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeVisible()
  await call(profileApi.logout, {}, other.token)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('button', { name: 'Get Started Today' })).toBeVisible()
})

test('who is refused the data is logged out', async ({ page, shell, superAdmin, announce }) => {
  announce(/403/)
  await signIn(page, superAdmin)
  await page.route('**/api/super-admin/sensei', (route) => route.fulfill({ status: 403, json: { detail: 'You are not allowed to do this' } }))
  await page.goto(`${shell}/super-admin`)
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('button', { name: 'Get Started Today' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('it is for super admins only', async ({ page, shell, dojo }) => {
  await page.goto(`${shell}/super-admin`)
  await expect(page).toHaveURL('/login')
  await signIn(page, dojo)
  await page.goto(`${shell}/super-admin`)
  await expect(page).toHaveURL(/\/dashboard$/)
})
