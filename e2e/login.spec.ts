import type { Page } from '@playwright/test'
import { senseiApi } from '@tatami/contract/sensei/sensei'
import { call } from './api.ts'
import { registrationForm, PASSWORD } from './dojo.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const emailField = (page: Page) => page.getByLabel('Email')
const passwordField = (page: Page) => page.getByRole('textbox', { name: 'Password' })
const loginButton = (page: Page) => page.getByRole('button', { name: 'Login' })

async function logIn(page: Page, account: { email: string; password: string }) {
  await emailField(page).fill(account.email)
  await passwordField(page).fill(account.password)
  await loginButton(page).click()
}

test('redirects a visitor to the login and then to the requested page', async ({
  page,
  dojo,
  visit,
  layoutPath,
}) => {
  await visit('/students?filter=trial')
  await expect(page).toHaveURL('/login')
  await expect(page).toHaveTitle('Login · Tatami')
  await expect(page.getByText('Enter your email in lowercase')).toBeVisible()
  await logIn(page, { ...dojo, email: dojo.email.toUpperCase() })
  await expect(page).toHaveURL(`${layoutPath}/students?filter=trial`)
  expect(await page.evaluate(() => localStorage.getItem('token'))).toMatch(/./)
})

test('redirects a super admin to their screen from every page', async ({
  page,
  superAdmin,
  visit,
}) => {
  await visit('/students')
  await logIn(page, superAdmin)
  await expect(page).toHaveURL('/super-admin')
})

test('never shows an instructor’s screen to a student', async ({
  page,
  dojo,
  visit,
  layoutPath,
}) => {
  const student = await dojo.createStudent()
  await visit('/class-center')
  await logIn(page, { email: student.email, password: PASSWORD })
  await expect(page).toHaveURL(layoutPath || '/dashboard')
})

test('redirects a logged-in user away from the login', { tag: '@long' }, async ({ page, dojo }) => {
  await signIn(page, dojo)
  await page.goto('/login')
  await expect(page).toHaveURL('/dashboard')
})

test('goes from the login dialog of the landing page to the home screen', async ({
  page,
  dojo,
}) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Get Started Today' }).click()
  const dialog = page.getByRole('dialog', { name: 'Login' })
  await dialog.getByLabel('Email').fill(dojo.email)
  await dialog.getByRole('textbox', { name: 'Password' }).fill(dojo.password)
  await dialog.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect(dialog).toBeHidden()
})

test('requires both fields, and sends nothing without them', async ({ page }) => {
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  await page.goto('/login')
  await loginButton(page).click()
  await expect(page.getByText('Email is required')).toBeVisible()
  await expect(page.getByText('Password is required')).toBeVisible()
  await expect(emailField(page)).toBeFocused()
  expect(urls.filter((url) => url.includes('/api/'))).toEqual([])
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('shows the message of the server and keeps what was typed', async ({ page, allowErrors }) => {
  allowErrors(/40[13]/)
  const inactiveSensei = registrationForm()
  await call(senseiApi.register, { body: inactiveSensei })
  await page.goto('/login')
  await logIn(page, { email: inactiveSensei.email, password: 'Wrong1pass' })
  await expect(page.getByRole('alert')).toHaveText('Incorrect email or password')
  await expect(emailField(page)).toHaveValue(inactiveSensei.email)
  await passwordField(page).fill(inactiveSensei.password)
  await passwordField(page).press('Enter')
  await expect(page.getByRole('alert')).toHaveText(
    'Your account is awaiting activation by the admin team.',
  )
})

test(
  'shows "Login failed" if there is no response, and sends one request per press',
  { tag: '@long' },
  async ({ page, dojo, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    let requestCount = 0
    const { promise: abortPromise, resolve: abortRequest } = Promise.withResolvers<void>()
    await page.route('**/api/login', async (route) => {
      requestCount += 1
      await abortPromise
      await route.abort()
    })
    await page.goto('/login')
    await logIn(page, dojo)
    await expect(page.getByRole('button', { name: 'Logging in...' })).toBeVisible()
    await passwordField(page).press('Enter')
    abortRequest()
    await expect(page.getByRole('alert')).toHaveText('Login failed')
    expect(requestCount).toBe(1)
    await page.unroute('**/api/login')
    await loginButton(page).click()
    await expect(page).toHaveURL('/dashboard')
  },
)

test(
  'labels the fields for password managers and can show the password',
  { tag: '@long' },
  async ({ page }) => {
    await page.goto('/login')
    await expect(emailField(page)).toHaveAttribute('autocomplete', 'username')
    await expect(passwordField(page)).toHaveAttribute('autocomplete', 'current-password')
    await passwordField(page).fill('Kiai2026!')
    await expect(passwordField(page)).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect(passwordField(page)).toHaveAttribute('type', 'text')
    await page.getByRole('button', { name: 'Hide password' }).click()
    await expect(passwordField(page)).toHaveAttribute('type', 'password')
  },
)
