import type { Page } from '@playwright/test'
import { dojosApi } from '@tatami/contract/dojos'
import { studentsApi } from '@tatami/contract/students'
import { call } from './api.ts'
import { uniqueEmail, type Dojo, PASSWORD } from './dojo.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const invitationTo = async (dojo: Dojo) => (await call(dojosApi.invitation, {}, dojo.token)).invite_code
const join = (page: Page) => page.getByRole('button', { name: 'Join', exact: true }).click()

async function fill(page: Page, email: string) {
  await page.getByLabel('Name').fill('Mia Chen')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
}

test('signs in an invited student on their dashboard as a trial student', async ({ page, dojo }) => {
  const email = uniqueEmail('mia')
  await page.goto(`/join/${await invitationTo(dojo)}`)
  await expect(page).toHaveTitle('Join your dojo · Tatami')
  await expect(page.getByText('Tanaka Dojo')).toBeVisible()
  await join(page)
  for (const words of ['Name is required', 'Email is required', 'Password must be at least 8 characters'])
    await expect(page.getByText(words)).toBeVisible()
  await expect(page.getByLabel('Name')).toBeFocused()
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await fill(page, email)
  await join(page)
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByText('Welcome back, Mia Chen!')).toBeVisible()
  expect(await call(studentsApi.list, {}, dojo.token)).toEqual([expect.objectContaining({ name: 'Mia Chen', email, is_trial: true })])
})

test('a refusal is in the words of the server, else it says Registration failed; what was typed stays', async ({
  page,
  dojo,
  allowErrors,
}) => {
  allowErrors(/ERR_FAILED|40[09]/)
  const code = await invitationTo(dojo)
  await page.goto(`/join/${code}`)
  await page.route('**/api/register', (route) => route.abort())
  await fill(page, dojo.email)
  await join(page)
  await expect(page.getByRole('alert')).toHaveText('Registration failed')
  await page.unrouteAll()
  await join(page)
  await expect(page.getByRole('alert')).toHaveText('An account with this email already exists')
  await call(dojosApi.renewInvitation, {}, dojo.token)
  await page.getByLabel('Email').fill(uniqueEmail('mia'))
  await join(page)
  await expect(page.getByRole('alert')).toHaveText('This invitation is not valid')
  await expect(page.getByLabel('Name')).toHaveValue('Mia Chen')
  await page.getByRole('link', { name: 'I can log in already' }).click()
  await expect(page).toHaveURL('/login')
})

test('says at once that an invitation is invalid, and where to get another', { tag: '@long' }, async ({ page, dojo, allowErrors }) => {
  allowErrors(/400/)
  const code = await invitationTo(dojo)
  await call(dojosApi.renewInvitation, {}, dojo.token)
  await page.goto(`/join/${code}`)
  await expect(page.getByRole('alert')).toHaveText('This invitation is not valid')
  await expect(page.getByText('Ask your instructor for a new invitation.')).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveCount(0)
  await expectAccessible(page)
})

test('redirects a signed-in user home', { tag: '@long' }, async ({ page, dojo }) => {
  await signIn(page, dojo)
  await page.goto(`/join/${await invitationTo(dojo)}`)
  await expect(page).toHaveURL('/dashboard')
})
