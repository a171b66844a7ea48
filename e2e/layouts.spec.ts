import type { Page } from '@playwright/test'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const offer = (page: Page) => page.getByRole('complementary', { name: 'Layout' })

async function logOutAndIn(page: Page, { email, password }: { email: string; password: string }) {
  const account = page.getByRole('button', { name: 'Account' })
  const logout = page.getByRole('button', { name: 'Logout' })
  // Only the phone's layout has its Logout in a menu.
  await expect(account.or(logout)).toBeVisible()
  if (await account.isVisible()) await account.click()
  await logout.click()
  await page.getByRole('button', { name: 'Get Started Today' }).click()
  const dialog = page.getByRole('dialog', { name: 'Login' })
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
  await dialog.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome back, Aiko Tanaka!' })).toBeVisible()
}

test('a login leads back to the layout last used on this device, or to the page that was asked for', async ({ page, dojo }) => {
  await signIn(page, dojo)
  await page.goto('/desktop/students')
  await logOutAndIn(page, dojo)
  await expect(page).toHaveURL('/desktop')
  await page.getByRole('link', { name: 'Mobile version' }).click()
  await expect(page).toHaveURL('/dashboard')
  await logOutAndIn(page, dojo)
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/desktop')
  await page.evaluate(() => localStorage.removeItem('token'))
  await page.goto('/students?filter=trial')
  await page.getByLabel('Email').fill(dojo.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(dojo.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL('/students?filter=trial')
})

test('/desktop/dashboard leads to /desktop', async ({ page, dojo }) => {
  await signIn(page, dojo)
  await page.goto('/desktop/dashboard')
  await expect(page).toHaveURL('/desktop')
  await expect(page.getByRole('heading', { name: 'Welcome back, Aiko Tanaka!' })).toBeVisible()
})

test('a wide screen is offered the desktop layout once, a phone never', { tag: '@both' }, async ({ page, dojo, shell }) => {
  await signIn(page, dojo)
  await page.goto('/students?filter=trial')
  await expect(page.getByPlaceholder('Search students...')).toBeVisible()
  if (shell === '') return expect(offer(page)).toBeHidden()
  await expect(page.getByRole('link', { name: /desktop/i })).toHaveCount(1)
  await expectAccessible(page)
  await offer(page).getByRole('button', { name: 'Keep this layout' }).click()
  await expect(offer(page)).toBeHidden()
  await page.reload()
  await expect(page.getByPlaceholder('Search students...')).toBeVisible()
  await expect(offer(page)).toBeHidden()
  await page.evaluate(() => localStorage.removeItem('layout'))
  await page.reload()
  await offer(page).getByRole('link', { name: 'Use the desktop layout' }).click()
  await expect(page).toHaveURL('/desktop/students?filter=trial')
})
