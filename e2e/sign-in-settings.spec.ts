import type { Page } from '@playwright/test'
import { senseiApi } from '@tatami/contract/sensei/sensei'
import { signInApi } from '@tatami/contract/accounts/sign-in'
import { passwordsApi } from '@tatami/contract/accounts/passwords'
import { profileApi } from '@tatami/contract/profile/profile'
import { generateSync } from 'otplib'
import { call, createSession } from './api.ts'
import { PASSWORD } from './dojo.ts'
import { expect, expectAccessible, expectAllAccessible, signIn, test } from './harness.ts'

const pressButton = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click()
const generateCode = (secret: string) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) })

async function logIn(page: Page, email: string, password = PASSWORD) {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await pressButton(page, 'Login')
}
async function logOut(page: Page) {
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
}

test(
  'lists the devices that are logged in, and logs them out',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await createSession(dojo.email, PASSWORD)
    const otherSession = await createSession(dojo.email, PASSWORD)
    const session = await createSession(dojo.email, PASSWORD)
    await signIn(page, session)
    await visit('/security')
    const devices = page.getByRole('list', { name: 'Devices' })
    await expect(devices.getByRole('listitem')).toHaveCount(4)
    await expect(devices.getByRole('listitem').first()).toContainText('This device, from 127.0.0.1')
    await expectAllAccessible(page)
    await devices
      .getByRole('button', { name: /^Log out / })
      .first()
      .click()
    await expect(devices.getByRole('listitem')).toHaveCount(3)
    await pressButton(page, 'Log out everywhere else')
    await expect(page.getByText('You are logged in on this device only.')).toBeVisible()
    await expect(devices.getByRole('listitem')).toHaveCount(1)
    for (const token of [otherSession.token, dojo.token])
      await expect(call(profileApi.show, {}, token)).rejects.toThrow('"reason":"signed-out"')
  },
)

test('turns on an authenticator app, and asks for its code at the login', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/status of (401|422)/)
  await signIn(page, dojo)
  await visit('/security')
  await pressButton(page, 'Set up')
  const dialog = page.getByRole('dialog', { name: 'Authenticator app' })
  await dialog.getByRole('textbox', { name: 'Your password' }).fill('wrong')
  await pressButton(page, 'Next')
  await expect(dialog.getByText('Current password is not correct')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD)
  await pressButton(page, 'Next')
  const secret = await dialog.getByLabel('Or enter this key').inputValue()
  await dialog.getByRole('textbox', { name: 'Code' }).fill('000')
  await pressButton(page, 'Turn on')
  await expect(dialog.getByText('This code is wrong.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: 'Code' }).fill(generateCode(secret))
  await pressButton(page, 'Turn on')
  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const code = await codes.first().innerText()
  await pressButton(page, 'I saved them')
  await expect(page.getByText('10 recovery codes left')).toBeVisible()
  await logOut(page)
  await logIn(page, dojo.email)
  await expect(
    page.getByText('Enter the code that your authenticator app shows, or a recovery code.'),
  ).toBeVisible()
  await expect(page.getByLabel('Code')).toBeFocused()
  await expectAccessible(page)
  await page.getByLabel('Code').fill('123 456')
  await pressButton(page, 'Login')
  await expect(page.getByText('This code is wrong.')).toBeVisible()
  await page.getByLabel('Code').fill(code)
  await pressButton(page, 'Login')
  await expect(page).toHaveURL('/dashboard')
})

test(
  'asks for a new password after the admin has set one',
  { tag: '@long' },
  async ({ page, dojo, superAdmin, allowErrors }) => {
    allowErrors(/status of (401|403|422)/)
    const { id } = (await createSession(dojo.email, PASSWORD)).user
    await call(
      senseiApi.resetPassword,
      { params: { id }, body: { new_password: 'set by the admin' } },
      superAdmin.token,
    )
    await page.goto('/login')
    await logIn(page, dojo.email, 'set by the admin')
    await expect(page.getByRole('heading', { name: 'Choose your own password' })).toBeVisible()
    const password = page.getByRole('textbox', { name: 'New password' })
    await expect(password).toHaveAccessibleDescription('At least 8 characters')
    await password.fill('Password1')
    await expect(password).toHaveAccessibleDescription(
      'Easy to guess: many people use this password.',
    )
    await expectAccessible(page)
    await password.fill('plums and drums')
    await pressButton(page, 'Set password')
    await expect(page.getByRole('heading', { name: 'Welcome back, Aiko Tanaka!' })).toBeVisible()
    expect(
      await call(profileApi.show, {}, (await createSession(dojo.email, 'plums and drums')).token),
    ).toMatchObject({ sign_in_step: null })
  },
)

/** Simulates the setting, because the real one would affect all tests that run at the same time. */
test(
  'asks for a second factor if one is required',
  { tag: '@long' },
  async ({ page, dojo, allowErrors }) => {
    allowErrors(/status of (401|403|422)/)
    let hasSecondFactor = false
    await page.route('**/api/profile', async (route) => {
      const response = await route.fetch()
      const user = (await response.json()) as object
      await route.fulfill({
        response,
        json: hasSecondFactor ? user : { ...user, sign_in_step: 'set-up-second-factor' },
      })
    })
    await page.goto('/login')
    await logIn(page, dojo.email)
    await expect(page.getByRole('heading', { name: 'Make your login safer' })).toBeVisible()
    await pressButton(page, 'Use an authenticator app')
    const secret = await page.getByLabel('Or enter this key').inputValue()
    await expectAccessible(page)
    await page.getByRole('textbox', { name: 'Code' }).fill(generateCode(secret))
    await pressButton(page, 'Turn on')
    await expect(
      page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem'),
    ).toHaveCount(10)
    await expectAccessible(page)
    hasSecondFactor = true
    await pressButton(page, 'I saved them')
    await expect(page.getByRole('heading', { name: 'Welcome back, Aiko Tanaka!' })).toBeVisible()
  },
)

test(
  'lets the super admin forbid common passwords',
  { tag: '@long' },
  async ({ page, superAdmin }) => {
    let rules = { refuses_common: false }
    await page.route('**/api/super-admin/password-rules', async (route) => {
      if (route.request().method() === 'PUT')
        rules = passwordsApi.setRules.body.parse(route.request().postDataJSON())
      await route.fulfill({ json: rules })
    })
    await signIn(page, superAdmin)
    await page.goto('/super-admin')
    const blockSwitch = page.getByRole('switch', { name: 'Block common passwords' })
    await expect(blockSwitch).not.toBeChecked()
    await blockSwitch.press('Space')
    await expect.poll(() => rules).toEqual({ refuses_common: true })
    await expect(blockSwitch).toBeChecked()
    await expectAccessible(page)
  },
)

test(
  'lets the super admin choose who needs a second factor',
  { tag: '@long' },
  async ({ page, superAdmin }) => {
    let rules = { super_admins: false, instructors: false }
    await page.route('**/api/super-admin/second-factor', async (route) => {
      if (route.request().method() === 'PUT')
        rules = signInApi.setRequirements.body.parse(route.request().postDataJSON())
      await route.fulfill({ json: rules })
    })
    await signIn(page, superAdmin)
    await page.goto('/super-admin')
    await page.getByRole('switch', { name: 'Instructors need a second factor' }).press('Space')
    await expect.poll(() => rules).toEqual({ super_admins: false, instructors: true })
    await expect(
      page.getByRole('switch', { name: 'Instructors need a second factor' }),
    ).toBeChecked()
    await expectAccessible(page)
  },
)
