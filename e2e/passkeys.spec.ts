import type { Page } from '@playwright/test'
import { PASSWORD } from './dojo.ts'
import { expect, expectAccessible, test } from './harness.ts'
import { addVirtualAuthenticator } from './virtual-authenticator.ts'

// Browsers create passkeys only for host names, not for IP addresses.
test.use({
  baseURL: ({}, runTest) => runTest((process.env.E2E_URL ?? '').replace('127.0.0.1', 'localhost')),
})

const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Log in with a passkey' })

/** Makes the browser look like a device on which nobody has logged in. */
async function forgetSession(page: Page) {
  await page.goto('/consent-form')
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
}

/** Logs in with the password and adds a passkey. */
async function addPasskey(page: Page, email: string, layoutPath: string) {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.goto(`${layoutPath}/security`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('My laptop')
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('My laptop')
}

test('adds a passkey, logs in with it, renames it and removes it', async ({
  page,
  dojo,
  layoutPath,
  allowErrors,
}) => {
  allowErrors(/status of 401/)
  await addVirtualAuthenticator(page)
  await page.goto('/login')
  await expect(passkeyButton(page)).toBeVisible()
  await expectAccessible(page)
  await addPasskey(page, dojo.email, layoutPath)
  const passkeys = page.getByRole('list', { name: 'Passkeys' })
  await forgetSession(page)
  await passkeyButton(page).click()
  await expect(page.getByRole('heading', { name: 'Welcome back, Aiko Tanaka!' })).toBeVisible()
  await page.goto(`${layoutPath}/security`)
  await expect(passkeys).toContainText('last used')
  await page.getByRole('button', { name: 'Rename My laptop' }).click()
  await page.getByRole('dialog', { name: 'Rename passkey' }).getByLabel('Name').fill('Desk')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await page.getByRole('button', { name: 'Remove Desk' }).click()
  await page
    .getByRole('alertdialog', { name: 'Remove this passkey?' })
    .getByRole('button', { name: 'Remove' })
    .click()
  await expect(passkeys).toHaveCount(0)
  await forgetSession(page)
  await passkeyButton(page).click()
  await expect(page.getByRole('alert')).toHaveText(
    'We don’t know this passkey. Please log in with your password.',
  )
})

test(
  'offers a passkey that was used before in this browser',
  { tag: '@long' },
  async ({ page, dojo, layoutPath }) => {
    await addVirtualAuthenticator(page)
    await addPasskey(page, dojo.email, layoutPath)
    await page.goto('/consent-form')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    // After a logout, the browser remembers that a passkey was used here.
    await page.evaluate(() => localStorage.removeItem('token'))
    const signInResponse = page.waitForResponse('**/api/passkey-sign-in')
    await page.goto('/login')
    // A person would choose the passkey from a list. The virtual device chooses it automatically.
    expect((await signInResponse).status()).toBe(200)
    await expect(page.getByRole('heading', { name: 'Welcome back, Aiko Tanaka!' })).toBeVisible()
  },
)
