import { expect, expectAccessible, signIn, test } from './harness.ts'

const CARDS = [
  'Enrollment and management',
  'Payment tracking',
  'SMS announcements and reminders',
  'Class management',
  'Analytics dashboard',
  'Message center',
]

test.describe('before any script runs', () => {
  test.use({ javaScriptEnabled: false })

  test('the page says what Tatami does, and its buttons lead to the login page', async ({ page }) => {
    await page.goto('/')
    await expect(page).toHaveTitle(/Tatami/)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('heading', { level: 3 })).toHaveText(CARDS)
    await expect(page.getByText('Run your dojo, not your paperwork.')).toBeVisible()
    await page.getByRole('button', { name: 'Get Started Today' }).click()
    await expect(page).toHaveURL(/\/login\?*$/)
  })
})

for (const button of ['Login', 'Get Started Today']) {
  test(`${button} opens the login dialog, which closes again`, async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: button, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Login' })
    await expect(dialog.getByLabel('Email')).toBeVisible()
    await expect(dialog.getByRole('textbox', { name: 'Password' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: button, exact: true })).toBeFocused()
  })
}

test('Forgot Password only alerts where no mail server is set', async ({ page }) => {
  await page.route('**/api/sign-in-options', (route) => route.fulfill({ json: { password_reset: false } }))
  await page.goto('/')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  const alert = page.waitForEvent('dialog')
  const pressed = page.getByRole('dialog').getByText('Forgot Password').click()
  expect((await alert).message()).toBe('Forgot Password - Feature coming soon!')
  await (await alert).accept()
  await pressed
})

test('New Instructor Setup opens the registration', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Get Started Today' }).click()
  await page.getByRole('dialog').getByText('New Instructor Setup').click()
  await expect(page.getByRole('dialog', { name: 'New Instructor Setup' }).getByLabel('Dojo name')).toBeVisible()
})

test('a sensei who is signed in goes on to the dashboard, a super admin to theirs', async ({ page, dojo, superAdmin }) => {
  await signIn(page, dojo)
  await page.goto('/')
  await expect(page).toHaveURL(/\/dashboard$/)
  await signIn(page, superAdmin)
  await page.goto('/')
  await expect(page).toHaveURL(/\/super-admin$/)
})

test('anyone can read and use it, with the login dialog closed and open', async ({ page }) => {
  await page.goto('/')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByRole('dialog').getByLabel('Email')).toBeVisible()
  await expectAccessible(page)
})

test('nothing hangs over the edge, down to 320 pixels', async ({ page }) => {
  await page.goto('/')
  const overhang = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(await overhang()).toBe(0)
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await overhang()).toBe(0)
})
