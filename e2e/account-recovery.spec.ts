import type { Page } from '@playwright/test'
import { profileApi } from '@tatami/contract/profile/profile'
import { call, createSession } from './api.ts'
import { uniqueEmail, type Dojo, createDojo } from './dojo.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'
import { readEmailsTo } from './mail-server.ts'

const recoverButton = (page: Page) => page.getByRole('button', { name: 'Recover my account' })
const newPasswordField = (page: Page) => page.getByRole('textbox', { name: 'New password' })

/** Changes the email and the password, as a thief with the token would. Returns the recovery link
 *  from the email that the owner gets. */
async function stealAccount({ email, token }: Dojo): Promise<{ link: string; thiefEmail: string }> {
  const thiefEmail = uniqueEmail('thief')
  await call(
    profileApi.update,
    { body: { email: thiefEmail, dojo_name: 'Stolen', password: 'the thief’s own' } },
    token,
  )
  await expect.poll(() => readEmailsTo(email)).toHaveLength(1)
  return { thiefEmail, link: /\S+\/recover-account#[\w-]{43}/.exec(readEmailsTo(email)[0]!)![0] }
}

test('recovers a stolen account through the emailed link and sets a new password', async ({
  page,
  dojo,
}) => {
  const { link, thiefEmail } = await stealAccount(dojo)
  const { token } = await createSession(thiefEmail, 'the thief’s own')
  const calls: string[] = []
  page.on('request', (request) =>
    calls.push(`${request.method()} ${request.url()} ${JSON.stringify(request.headers())}`),
  )
  await page.goto(link)
  await expect(page).toHaveTitle('Recover your account · Tatami')
  await expect(page).toHaveURL('/recover-account')
  await expect(page.getByText('The current password stops working.')).toBeVisible()
  await expectAccessible(page)
  expect(calls.filter((entry) => entry.includes('/account-recovery'))).toEqual([])
  const { email } = await call(profileApi.show, {}, token)
  expect(email, 'opening the link changes nothing').toBe(thiefEmail)
  await recoverButton(page).click()
  await expect(
    page.getByText(`The account is yours again. You log in as ${dojo.email}.`),
  ).toBeVisible()
  await expectAccessible(page)
  await expect(call(profileApi.show, {}, token)).rejects.toThrow('401')
  await expect(newPasswordField(page)).toBeFocused()
  await newPasswordField(page).fill('mine again')
  await newPasswordField(page).press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Your new password' })).toHaveText(
    'Your new password is set. Log in with it, here and on your other devices.',
  )
  await page.getByRole('link', { name: 'Go to login' }).click()
  await page.getByLabel('Email').fill(dojo.email)
  await page.getByRole('textbox', { name: 'Password' }).fill('mine again')
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL(/\/(dashboard|desktop)$/)
  const secret = link.split('#')[1]!
  expect(
    calls.filter((entry) => entry.includes(secret)),
    'the secret is in no URL and no header',
  ).toEqual([])
})

test(
  'says when a recovery link was used or is invalid',
  { tag: '@long' },
  async ({ page, dojo, allowErrors }) => {
    allowErrors(/status of 400/)
    const { link } = await stealAccount(dojo)
    await call(profileApi.recover, { body: { recovery_token: link.split('#')[1]! } })
    await page.goto(link)
    await recoverButton(page).click()
    await expect(page.getByRole('alert')).toHaveText(
      'This link is no longer valid. It works once, for 7 days.',
    )
    await expectAccessible(page)
    await page.goto('about:blank')
    await page.goto('/recover-account')
    await expect(page.getByRole('alert')).toHaveText('Please open the link in your email again.')
  },
)

test(
  'asks for another email if the old one is taken',
  { tag: '@long' },
  async ({ page, dojo, allowErrors }) => {
    allowErrors(/status of 4(09|22)/)
    const { link } = await stealAccount(dojo)
    await createDojo({ email: dojo.email })
    await page.goto(link)
    await recoverButton(page).click()
    await expect(page.getByRole('alert')).toHaveText(
      'Another account now uses your old email. Choose another email to log in with.',
    )
    await expectAccessible(page)
    const email = uniqueEmail('aiko')
    await page.getByLabel('Email to log in with').fill(email)
    await recoverButton(page).click()
    await expect(page.getByRole('status').filter({ hasText: 'yours again' })).toHaveText(
      `The account is yours again. You log in as ${email}.`,
    )
  },
)

test(
  'shows a notification about the changed email, without the link',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const { link, thiefEmail } = await stealAccount(dojo)
    await signIn(page, await createSession(thiefEmail, 'the thief’s own'))
    await visit('/dashboard')
    await page.getByRole('button', { name: /Notifications/ }).click()
    await expect(page.getByText('Email and password changed')).toBeVisible()
    expect(await page.content()).not.toContain(link.split('#')[1]!)
  },
)
