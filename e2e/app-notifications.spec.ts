import type { Page } from '@playwright/test'
import { announcementsApi } from '@tatami/contract/messages/announcements'
import { notificationsApi } from '@tatami/contract/notifications/notifications'
import { call, type Person } from './api.ts'
import { expect, expectAccessible, resultBar, signIn, test } from './harness.ts'

const section = (page: Page) => page.getByRole('region', { name: 'App Notifications' })
const dialog = (page: Page) => page.getByRole('dialog')
const pressSend = (page: Page) =>
  dialog(page).getByRole('button', { name: 'Send', exact: true }).click()

const readNotificationTitles = async ({ token }: Person) =>
  (await call(notificationsApi.list, { query: {} }, token)).map(({ title }) => title)

test(
  'sends a notification to a class or to everyone without using texts',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const kids = await dojo.createClass({ class_name: 'Kids Judo' })
    const ken = await dojo.createSession(await dojo.createStudent({ enrolled_classes: [kids.id] }))
    const mia = await dojo.createSession(await dojo.createStudent({ name: 'Mia Chen' }))
    await signIn(page, dojo)
    await visit('/message-center')
    const opener = section(page).getByRole('button', { name: 'Notification', exact: true })
    await opener.click()
    await pressSend(page)
    for (const text of ['Title is required', 'Message is required'])
      await expect(dialog(page).getByText(text)).toBeVisible()
    await expect(dialog(page).getByLabel('Title')).toBeFocused()
    await expectAccessible(page)
    await dialog(page).getByLabel('Title').fill('Belt test')
    await dialog(page).getByLabel('Message').fill('Hi {name}, it is on Saturday.')
    await dialog(page).getByRole('checkbox', { name: 'Kids Judo' }).check()
    await pressSend(page)
    await expect(dialog(page)).toBeHidden()
    await expect(resultBar(page)).toContainText('Notification sent successfully!')
    await expect(resultBar(page)).toContainText('Sent to 1 students')
    await expect(opener).toBeFocused()
    await expect(page.getByText('0 of 300 used')).toBeVisible()
    expect(await call(announcementsApi.list, { query: {} }, ken.token)).toMatchObject([
      { title: 'Belt test', content: 'Hi Ken, it is on Saturday.' },
    ])
    expect([await readNotificationTitles(ken), await readNotificationTitles(mia)]).toEqual([
      ['Belt test'],
      [],
    ])
    await opener.click()
    await dialog(page).getByLabel('Title').fill('Closed')
    await dialog(page).getByLabel('Message').fill('On Monday.')
    await pressSend(page)
    await expect(resultBar(page)).toContainText('Sent to 2 students')
    expect([await readNotificationTitles(ken), await readNotificationTitles(mia)]).toEqual([
      ['Closed', 'Belt test'],
      ['Closed'],
    ])
  },
)

test(
  'sends a fee notification to those who have not paid',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const ken = await dojo.createSession(await dojo.createStudent())
    const tom = await dojo.createSession(
      await dojo.createStudent({ name: 'Tom Trial', is_trial: true }),
    )
    await signIn(page, dojo)
    await visit('/message-center')
    await section(page).getByRole('button', { name: 'Fee Notification' }).click()
    await expect(dialog(page)).toContainText('Sent to students who haven’t paid this month')
    await expectAccessible(page)
    await pressSend(page)
    await expect(resultBar(page)).toContainText('Fee Notification sent successfully!')
    await expect(resultBar(page)).toContainText('Sent to 1 students')
    expect(await call(announcementsApi.list, { query: {} }, ken.token)).toMatchObject([
      { title: 'Monthly Fee Reminder', category: 'fee' },
    ])
    expect([await readNotificationTitles(ken), await readNotificationTitles(tom)]).toEqual([
      ['Monthly Fee Reminder'],
      [],
    ])
  },
)

test('shows a failure in the dialog and keeps what was typed', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/ERR_FAILED|status of 409/)
  await signIn(page, dojo)
  await visit('/message-center')
  for (const [name, path, text] of [
    ['Notification', 'send', 'Failed to send notification'],
    ['Fee Notification', 'send-fee-reminder', 'Failed to send fee reminder'],
  ] as const) {
    await section(page).getByRole('button', { name, exact: true }).click()
    if (name === 'Notification') await dialog(page).getByLabel('Title').fill('Belt test')
    await dialog(page).getByLabel('Message').fill('On Saturday.')
    await page.route(`**/api/notifications/${path}`, (route) => route.abort())
    await pressSend(page)
    await expect(dialog(page).getByRole('alert')).toHaveText(text)
    await page.route(`**/api/notifications/${path}`, (route) =>
      route.fulfill({ status: 409, json: { detail: 'Not now.' } }),
    )
    await pressSend(page)
    await expect(dialog(page).getByRole('alert')).toHaveText('Not now.')
    await expect(dialog(page).getByLabel('Message')).toHaveValue('On Saturday.')
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
  }
})
