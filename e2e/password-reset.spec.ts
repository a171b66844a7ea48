import type { Page } from '@playwright/test'
import { profileApi } from '@tatami/contract/profile/profile'
import { call, createSession } from './api.ts'
import { uniqueEmail } from './dojo.ts'
import { expect, expectAccessible, test } from './harness.ts'
import { readEmailsTo } from './mail-server.ts'

const SENT_MESSAGE =
  'If there is an account with this email, a link to reset its password is on its way.'
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Forgot Password' })
const newPasswordField = (page: Page) => page.getByRole('textbox', { name: 'New password' })

async function requestLink(page: Page, email: string) {
  await page.goto('/login')
  await page.getByText('Forgot Password').click()
  await dialog(page).getByLabel('Email').fill(email)
  await dialog(page).getByRole('button', { name: 'Send link' }).click()
  await expect(dialog(page).getByRole('status')).toHaveText(SENT_MESSAGE)
}

async function createResetLink(email: string): Promise<string> {
  await call(profileApi.forgotPassword, { body: { email } })
  await expect.poll(() => readEmailsTo(email)).toHaveLength(1)
  return /\S+\/reset-password#[\w-]{43}/.exec(readEmailsTo(email)[0]!)![0]
}

test('resets a forgotten password through an emailed link', async ({ page, dojo }) => {
  const requests: string[] = []
  page.on('request', (request) =>
    requests.push(`${request.url()} ${JSON.stringify(request.headers())}`),
  )
  await requestLink(page, dojo.email)
  await expect.poll(() => readEmailsTo(dojo.email)).toHaveLength(1)
  const [link = '', secret = ''] =
    /\S+\/reset-password#([\w-]{43})/.exec(readEmailsTo(dojo.email)[0]!) ?? []
  await page.goto(link)
  await expect(newPasswordField(page)).toBeVisible()
  await expect(page).toHaveTitle('Choose a new password · Tatami')
  await expect(page).toHaveURL('/reset-password')
  await newPasswordField(page).fill('short')
  await newPasswordField(page).press('Enter')
  await expect(page.getByText('Password must be at least 8 characters')).toBeVisible()
  await expectAccessible(page)
  await newPasswordField(page).fill('a new password')
  await newPasswordField(page).press('Enter')
  await expect(page.getByText('Your new password is set.')).toBeVisible()
  expect(
    requests.filter((request) => request.includes(secret)),
    'the secret is in no URL and no header',
  ).toEqual([])
  await page.getByRole('link', { name: 'Go to login' }).click()
  await page.getByLabel('Email').fill(dojo.email)
  await page.getByRole('textbox', { name: 'Password' }).fill('a new password')
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(call(profileApi.show, {}, dojo.token)).rejects.toThrow('401')
  await expect(createSession(dojo.email, dojo.password)).rejects.toThrow(
    'Incorrect email or password',
  )
})

test(
  'shows the same message for an unknown email, and rejects an empty one immediately',
  { tag: '@long' },
  async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Get Started Today' }).click()
    await page.getByText('Forgot Password').click()
    await dialog(page).getByRole('button', { name: 'Send link' }).click()
    await expect(dialog(page).getByText('Email is required')).toBeVisible()
    await expectAccessible(page)
    await dialog(page).getByLabel('Email').fill(uniqueEmail('nobody'))
    await dialog(page).getByRole('button', { name: 'Send link' }).click()
    await expect(dialog(page).getByRole('status')).toHaveText(SENT_MESSAGE)
    await dialog(page).getByRole('button', { name: 'Close' }).last().click()
    await expect(page.getByText('Forgot Password')).toBeFocused()
  },
)

test(
  'refuses a used link, and shows no form without a link',
  { tag: '@long' },
  async ({ page, dojo, allowErrors }) => {
    allowErrors(/400/)
    const link = await createResetLink(dojo.email)
    await call(profileApi.choosePassword, {
      body: { reset_token: link.split('#')[1]!, new_password: 'somebody was quicker' },
    })
    await page.goto(link)
    await newPasswordField(page).fill('a new password')
    await page.getByRole('button', { name: 'Set password' }).click()
    await expect(page.getByRole('alert')).toHaveText(
      'This link is no longer valid. Please ask for a new one.',
    )
    await page.reload()
    await expect(page.getByRole('alert')).toContainText('Please open the link in your email again.')
  },
)

test(
  'keeps what was typed if there is no response, and can be retried',
  { tag: '@long' },
  async ({ page, dojo, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    await page.goto('/login')
    await page.route('**/api/sign-in-options', (route) => route.abort())
    await page.getByText('Forgot Password').click()
    await expect(page.getByRole('alert')).toHaveText('The server didn’t answer. Please try again.')
    await page.unrouteAll()
    await page.route('**/api/password-reset**', (route) => route.abort())
    await page.getByText('Forgot Password').click()
    await dialog(page).getByLabel('Email').fill(dojo.email)
    await dialog(page).getByLabel('Email').press('Enter')
    await expect(dialog(page).getByRole('alert')).toHaveText(
      'The link could not be sent. Please try again.',
    )
    await page.goto(await createResetLink(dojo.email))
    await newPasswordField(page).fill('a new password')
    await newPasswordField(page).press('Enter')
    await expect(page.getByRole('alert')).toHaveText(
      'The password could not be set. Please try again.',
    )
    await page.unrouteAll()
    await newPasswordField(page).press('Enter')
    await expect(page.getByText('Your new password is set.')).toBeVisible()
  },
)
