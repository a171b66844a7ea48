import type { Page } from '@playwright/test'
import { dojosApi } from '@tatami/contract/dojos/dojos'
import { profileApi } from '@tatami/contract/profile/profile'
import { call, createSession } from './api.ts'
import { uniqueEmail, createDojo } from './dojo.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Instructor settings' })
const pressSave = (page: Page) =>
  dialogOf(page).getByRole('button', { name: 'Save Changes' }).click()

async function openSettings(page: Page, isDesktop: boolean) {
  if (!isDesktop) await page.getByRole('button', { name: 'Account' }).click()
  await page
    .getByRole('button', {
      name: isDesktop ? 'Aiko Tanaka (Instructor)' : 'Instructor settings',
    })
    .click()
  await expect(dialogOf(page).getByLabel('City')).toBeVisible()
}

test('changes the settings, and asks the instructor to log in again', async ({
  page,
  dojo,
  visit,
  allowErrors,
  isDesktop,
}) => {
  allowErrors(/401/)
  await signIn(page, dojo)
  await visit('/dashboard')
  await openSettings(page, isDesktop)
  const email = uniqueEmail('new')
  const dialog = dialogOf(page)
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Aiko Tanaka')
  await expect(dialog.getByLabel('Name', { exact: true })).not.toBeEditable()
  for (const [label, oldValue, newValue] of [
    ['Email', dojo.email, email],
    ['Dojo name', 'Tanaka Dojo', 'River Dojo'],
    ['Phone number', '5125550100', '(512) 555-0199'],
    ['City', 'Cedar Park', 'Round Rock'],
  ] as const) {
    await expect(dialog.getByLabel(label)).toHaveValue(oldValue)
    await dialog.getByLabel(label).fill(newValue)
  }
  await dialog.getByLabel('State').selectOption('Ohio')
  await expectAccessible(page)
  const requestPromise = page.waitForRequest((request) => request.method() === 'PUT')
  await pressSave(page)
  expect((await requestPromise).postDataJSON()).toEqual({
    email,
    dojo_name: 'River Dojo',
    phone_number: '(512) 555-0199',
    city: 'Round Rock',
    state: 'Ohio',
  })
  const loginPrompt = page.getByRole('alertdialog', { name: 'Please log in again' })
  await expect(loginPrompt).toContainText('For security reasons you must log in again')
  await expect(call(profileApi.show, {}, dojo.token)).rejects.toThrow('401')
  // Another tab has noticed the change, but does not leave its screen.
  await page.evaluate(() => window.dispatchEvent(new StorageEvent('storage', { key: 'token' })))
  await expectAccessible(page)
  await loginPrompt.getByRole('button', { name: 'OK' }).click()
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  expect((await createSession(email, dojo.password)).user).toMatchObject({
    dojo_name: 'River Dojo',
    phone_number: '(512) 555-0199',
    city: 'Round Rock',
    state: 'Ohio',
  })
})

test(
  'validates, confirms and saves a new password',
  { tag: '@long' },
  async ({ page, dojo, visit, isDesktop }) => {
    await signIn(page, dojo)
    await visit('/dashboard')
    await openSettings(page, isDesktop)
    const dialog = dialogOf(page)
    await dialog.getByRole('textbox', { name: 'New password', exact: true }).fill('short')
    await dialog.getByLabel('Dojo name').fill(' ')
    await dialog.getByLabel('Email').fill('aiko@dojo.org')
    await pressSave(page)
    for (const text of [
      'Password must be at least 8 characters long',
      'Passwords do not match',
      'Dojo name is required',
      'Email must have .com domain',
    ])
      await expect(dialog.getByText(text)).toBeVisible()
    await dialog
      .getByRole('textbox', { name: 'New password', exact: true })
      .fill('longer than eight')
    await dialog.getByRole('textbox', { name: 'Confirm new password' }).fill('longer than eight')
    await dialog.getByLabel('Dojo name').fill('Tanaka Dojo')
    await dialog.getByLabel('Email').fill(dojo.email)
    await pressSave(page)
    await expect(page.getByRole('alertdialog', { name: 'Please log in again' })).toBeVisible()
    await createSession(dojo.email, 'longer than eight')
  },
)

test('shows the server’s message, or a general one, and keeps what was typed', async ({
  page,
  dojo,
  visit,
  allowErrors,
  isDesktop,
}) => {
  allowErrors(/ERR_FAILED|409/)
  const otherDojo = await createDojo()
  await signIn(page, dojo)
  await visit('/dashboard')
  await openSettings(page, isDesktop)
  await dialogOf(page).getByLabel('Email').fill(otherDojo.email)
  await page.route('**/api/profile', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.fallback(),
  )
  await pressSave(page)
  await expect(dialogOf(page).getByRole('alert')).toHaveText('Failed to update profile')
  await page.unrouteAll()
  await pressSave(page)
  await expect(dialogOf(page).getByRole('alert')).toHaveText(
    'An account with this email already exists',
  )
  await expect(dialogOf(page).getByLabel('Email')).toHaveValue(otherDojo.email)
  // The session is still valid.
  await call(profileApi.show, {}, dojo.token)
})

test(
  'copies and replaces the invitation',
  { tag: '@long' },
  async ({ page, context, dojo, visit, layoutPath }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const oldInvitation = await call(dojosApi.invitation, {}, dojo.token)
    await signIn(page, dojo)
    await visit('/school?open=invite')
    const dialog = page.getByRole('dialog', { name: 'Invite students' })
    const link = dialog.getByLabel('Invitation link')
    await expect(link).toHaveValue(oldInvitation.link)
    await expect(dialog.getByAltText('QR code for the invitation link')).toHaveAttribute(
      'src',
      oldInvitation.qr,
    )
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(oldInvitation.link)
    await dialog.getByRole('button', { name: 'Replace invitation' }).click()
    const confirmation = page.getByRole('alertdialog', { name: 'Replace the invitation?' })
    await expect(confirmation).toContainText('The old link and QR code stop working right away')
    await expectAccessible(page)
    await confirmation.getByRole('button', { name: 'Replace' }).click()
    await expect(confirmation).toBeHidden()
    const { link: newLink } = await call(dojosApi.invitation, {}, dojo.token)
    expect(newLink).not.toBe(oldInvitation.link)
    await expect(link).toHaveValue(newLink)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL(`${layoutPath}/school`)
    await page.reload()
    await expect(dialog).toBeHidden()
    await page.getByRole('button', { name: 'Invite link' }).click()
    await expect(dialog).toBeVisible()
    await page.goBack()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: 'Invite link' })).toBeFocused()
  },
)

test('does not offer instructor settings to students', async ({ page, dojo, visit, isDesktop }) => {
  await signIn(page, await dojo.createSession(await dojo.createStudent()))
  await visit('/dashboard')
  if (!isDesktop) await page.getByRole('button', { name: 'Account' }).click()
  await expect(page.getByText('Ken Adams (Student)')).toBeVisible()
  await expect(page.getByRole('button', { name: /Instructor settings|\(Student\)/ })).toBeHidden()
})

test('lets the school choose its word for a belt test', async ({
  page,
  dojo,
  visit,
  isDesktop,
}) => {
  await signIn(page, dojo)
  await visit('/dashboard')
  await openSettings(page, isDesktop)
  const wordField = dialogOf(page).getByLabel('Your word for a belt test')
  await expect(wordField).toHaveValue('belt test')
  await wordField.selectOption('Grading')
  await pressSave(page)
  await expect(page.getByRole('alertdialog', { name: 'Please log in again' })).toBeVisible()
  await signIn(page, await createSession(dojo.email, dojo.password))
  await visit('/gradings')
  await expect(page.getByRole('heading', { name: 'Gradings' })).toBeVisible()
  await page.getByRole('button', { name: 'Plan a grading' }).click()
  const plan = page.getByRole('dialog', { name: 'Plan a grading' })
  await expect(plan.getByLabel(/^Name/)).toHaveValue(/ grading$/)
})

test(
  'changes the time zone of the dojo, which all screens then use',
  { tag: '@long' },
  async ({ page, dojo, visit, isDesktop }) => {
    test.slow()
    await signIn(page, dojo)
    await visit('/dashboard')
    await openSettings(page, isDesktop)
    const zoneField = dialogOf(page).getByLabel('Time zone')
    await expect(zoneField).toHaveValue('America/Chicago')
    await expect(zoneField.locator('option').first()).toHaveText('Central Time (Chicago)')
    await zoneField.selectOption({ label: 'Auckland' })
    await expectAccessible(page)
    const requestPromise = page.waitForRequest((request) => request.method() === 'PUT')
    await pressSave(page)
    expect((await requestPromise).postDataJSON()).toMatchObject({
      email: dojo.email,
      time_zone: 'Pacific/Auckland',
    })
    await expect(page.getByRole('alertdialog', { name: 'Please log in again' })).toBeVisible()
    const newSession = await createSession(dojo.email, dojo.password)
    expect(newSession.user.time_zone).toBe('Pacific/Auckland')
    await signIn(page, newSession)
    // Noon on Saturday in Texas is Sunday morning in Auckland.
    await page.clock.setFixedTime('2027-07-31T17:00:00Z')
    await visit('/dashboard')
    await expect(page.getByRole('region', { name: 'Today' })).toContainText('Sunday, August 1')
  },
)
