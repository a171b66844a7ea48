import type { Page } from '@playwright/test'
import { notificationsApi } from '@tatami/contract/notifications/notifications'
import { call, createSession } from './api.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const settingSwitch = (page: Page, name: string) => page.getByRole('switch', { name })

test('saves sound, vibration and push as soon as they are switched', async ({
  page,
  dojo,
  visit,
  layoutPath,
}) => {
  const student = await dojo.createSession(await dojo.createStudent())
  await signIn(page, student)
  await visit('/dashboard')
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveURL(`${layoutPath}/notification-settings`)
  for (const name of ['Sound', 'Vibration', 'Push notifications'])
    await expect(settingSwitch(page, name)).toBeChecked()
  await expectAccessible(page)
  for (const name of ['Sound', 'Push notifications']) {
    const responsePromise = page.waitForResponse(
      (response) => response.request().method() === 'PUT',
    )
    await settingSwitch(page, name).press('Space')
    await responsePromise
    await expect(settingSwitch(page, name)).not.toBeChecked()
  }
  expect(await call(notificationsApi.settings, {}, student.token)).toEqual({
    sound_enabled: false,
    vibration_enabled: true,
    push_enabled: false,
  })
  const responsePromise = page.waitForResponse((response) => response.request().method() === 'PUT')
  await settingSwitch(page, 'Vibration').click({ position: { x: 8, y: 8 } })
  await responsePromise
  await expect(settingSwitch(page, 'Vibration')).not.toBeChecked()
  expect(await call(notificationsApi.settings, {}, student.token)).toMatchObject({
    vibration_enabled: false,
  })
})

test('reverts a switch that fails and says why', async ({ page, dojo, visit, allowErrors }) => {
  allowErrors(/ERR_FAILED|429/)
  await signIn(page, await dojo.createSession(await dojo.createStudent()))
  await visit('/notification-settings')
  await expect(settingSwitch(page, 'Sound')).toBeChecked()
  await page.route('**/api/notification-settings', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  )
  await settingSwitch(page, 'Sound').press('Space')
  await expect(page.getByRole('alert')).toHaveText('Failed to update settings')
  await expect(settingSwitch(page, 'Sound')).toBeChecked()
  await page.route('**/api/notification-settings', (route) =>
    route.fulfill({ status: 429, json: { detail: 'Too many requests' } }),
  )
  await settingSwitch(page, 'Sound').press('Space')
  await expect(page.getByRole('alert')).toHaveText('Failed to save settings: Too many requests')
  await expect(settingSwitch(page, 'Sound')).toBeChecked()
})

test(
  'lets students change their password with the old one',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/422/)
    const student = await dojo.createSession(await dojo.createStudent())
    await signIn(page, student)
    await visit('/notification-settings')
    const currentPassword = page.getByLabel('Current password')
    const newPassword = page.getByLabel('New password')
    const changeButton = page.getByRole('button', { name: 'Change Password' })
    await currentPassword.fill('not this one')
    await newPassword.fill('short')
    await changeButton.click()
    await expect(page.getByText('Password must be at least 8 characters')).toBeVisible()
    await expect(newPassword).toBeFocused()
    await newPassword.fill('Hajime2026')
    await changeButton.click()
    await expect(page.getByText('Current password is not correct')).toBeVisible()
    await currentPassword.fill(student.password)
    await changeButton.click()
    await expect(
      page.getByText('Your password was changed. Your other devices were logged out.'),
    ).toBeVisible()
    await expect(currentPassword).toHaveValue('')
    await createSession(student.email, 'Hajime2026')
  },
)

test('does not offer notification settings to instructors', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  await visit('/notification-settings')
  await expect(page).toHaveURL(/\/dashboard$|\/desktop$/)
  await expect(page.getByRole('link', { name: 'Settings', exact: true })).toHaveCount(0)
})
