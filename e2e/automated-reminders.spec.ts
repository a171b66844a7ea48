import { addDays, utcDay } from '@tatami/contract/lib/calendar-day'
import type { Page } from '@playwright/test'
import { textingApi } from '@tatami/contract/texting/texting'
import { announceFirstReminder } from '../server/messages/first-reminder.ts'
import { call } from './api.ts'
import { expectShownForFiveSeconds, runClockTo, runUntilVisible, stopClock } from './clock.ts'
import { readColor, themeColor } from './colors.ts'
import { expect, expectAccessible, isShortRun, signIn, test } from './harness.ts'

const reminders = (page: Page) => page.getByRole('region', { name: 'Automated Reminders' })

test('previews three reminders and sends one of them', async ({ page, dojo, visit }) => {
  const ken = await dojo.createStudent({ name: 'Ken Adams' })
  await dojo.createStudent({ name: 'Tom Trial', is_trial: true })
  await signIn(page, dojo)
  await page.clock.install()
  await visit('/message-center')
  // Ends in CST or CDT, depending on the season.
  await expect(reminders(page)).toContainText('10 AM C')
  const dialog = page.getByRole('dialog')
  for (const [name, text] of [
    ['Pre Due', 'Hi Alex, a friendly reminder that your monthly fee is due on the 1st.'],
    ['On Due', 'Hi Alex, your monthly fee is due today. Thank you!'],
    ['Post Due', 'Hi Alex, your monthly fee is now past due. Please pay as soon as you can.'],
  ] as const) {
    const opener = reminders(page).getByRole('button', { name })
    await opener.click()
    await expect(dialog.getByRole('heading', { name, level: 2 })).toBeVisible()
    await expect(dialog).toContainText(text)
    await expect(dialog.getByRole('textbox')).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await expect(dialog).toHaveCount(0)
    await expect(opener).toBeFocused()
  }
  await reminders(page).getByRole('button', { name: 'Pre Due' }).click()
  await dialog.getByText('Names and reasons').click()
  await expect(dialog.getByRole('list', { name: 'Will get it', exact: true })).toHaveText(
    /^Ken Adams$/,
  )
  await expect(dialog.getByRole('list', { name: 'Won’t get it' })).toHaveText(/Tom Trial.*On trial/)
  await expectAccessible(page)
  await stopClock(page)
  const responsePromise = page.waitForResponse('**/api/sms/send-pre-due-reminder**')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await responsePromise
  await runUntilVisible(page, page.getByText('PRE DUE sent successfully!'))
  await expect(page.getByText('Sent to 1 students')).toBeVisible()
  await page.clock.runFor(5_000)
  await page.clock.resume()
  await expect(page.getByText('1 of 300 used')).toBeVisible()
  await expect(reminders(page)).toContainText('Sent for')
  await expect(page.getByText('PRE DUE sent successfully!')).toHaveCount(0)
  const preview = await call(
    textingApi.previewReminder,
    { params: { reminder: 'pre_due' } },
    dojo.token,
  )
  expect([preview.has_gone_out, preview.students.find(({ sends }) => sends)?.student_id]).toEqual([
    true,
    ken.id,
  ])
})

test('confirms before sending a reminder again and says why one failed', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/ERR_FAILED|429/)
  await dojo.createStudent()
  await call(textingApi.sendPostDue, { query: {} }, dojo.token)
  await signIn(page, dojo)
  await visit('/message-center')
  const dialog = page.getByRole('dialog', { name: 'Post Due' })
  const question = page.getByRole('alertdialog')
  const sendButton = dialog.getByRole('button', { name: 'Send', exact: true })
  await reminders(page).getByRole('button', { name: 'Post Due' }).click()
  await sendButton.click()
  await expect(question).toContainText('Post Due was already sent for')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  let abortRequest: (() => void) | undefined
  await page.route('**/api/sms/send-post-due-reminder**', async (route) => {
    await new Promise<void>((resolve) => {
      abortRequest = resolve
    })
    await route.abort()
  })
  await sendButton.click()
  await question.getByRole('button', { name: 'Send again' }).click()
  await expect(dialog.getByRole('button', { name: 'Sending...' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  abortRequest?.()
  await expect(dialog.getByText('Failed to send POST DUE')).toBeVisible()
  await expect(dialog.getByText('Failed to send automated reminder')).toBeVisible()
  await expect(
    dialog.getByRole('status').filter({ hasText: 'Press Send again: it won’t go out twice.' }),
  ).toBeVisible()
  if (!isShortRun) await expect(dialog.getByText('Failed to send POST DUE')).toHaveCount(0)
  await page.route('**/api/sms/send-post-due-reminder**', (route) =>
    route.fulfill({
      status: 429,
      json: { detail: 'This message needs 1 texts but only 0 remain today.' },
    }),
  )
  await sendButton.click()
  await expect(
    dialog.getByText('This message needs 1 texts but only 0 remain today.'),
  ).toBeVisible()
  await page.unroute('**/api/sms/send-post-due-reminder**')
  await sendButton.click()
  await question.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText('POST DUE sent successfully!')).toBeVisible()
  await expect(page.getByText('2 of 300 used')).toBeVisible()
})

test(
  'shows the result of each reminder for five seconds, green or red',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    test.slow()
    allowErrors(/400/)
    await dojo.createStudent()
    await signIn(page, dojo)
    await page.clock.install()
    await visit('/message-center')
    await expect(reminders(page).getByRole('button', { name: 'On Due' })).toBeVisible()
    await stopClock(page)
    const dialog = page.getByRole('dialog')
    const sendReminder = async (name: string) => {
      await reminders(page).getByRole('button', { name }).click()
      await runUntilVisible(page, dialog.getByText('1 text, 1 segment.'))
      const responsePromise = page.waitForResponse(/\/api\/sms\/send-\w+-due-reminder/)
      await dialog.getByRole('button', { name: 'Send', exact: true }).click()
      await responsePromise
    }
    const path = '**/api/sms/send-on-due-reminder**'
    await page.route(path, (route) =>
      route.fulfill({ status: 400, json: { detail: 'Not today.' } }),
    )
    await sendReminder('On Due')
    const failure = dialog.getByText('Failed to send ON DUE')
    const failedAt = await runUntilVisible(page, failure)
    await expect(dialog.getByText('Not today.')).toBeVisible()
    expect(await readColor(failure)).toBe(await themeColor(page, 'red'))
    await expectShownForFiveSeconds(page, failure, failedAt)
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    const preDueResult = page.getByText('PRE DUE sent successfully!')
    const postDueResult = page.getByText('POST DUE sent successfully!')
    await sendReminder('Pre Due')
    const preDueAt = await runUntilVisible(page, preDueResult)
    // In test mode, no text leaves this computer.
    expect(await readColor(preDueResult)).toBe(await themeColor(page, 'orange'))
    await runClockTo(page, preDueAt + 1_000)
    await sendReminder('Post Due')
    const postDueAt = await runUntilVisible(page, postDueResult)
    expect(postDueAt - preDueAt).toBeLessThan(4_000)
    await expectShownForFiveSeconds(page, preDueResult, preDueAt)
    await expect(postDueResult).toBeVisible()
    await expectShownForFiveSeconds(page, postDueResult, postDueAt)
  },
)

test(
  'confirms before resending a reminder that was sent in the meantime',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/409|ERR_FAILED/)
    await dojo.createStudent()
    await signIn(page, dojo)
    await visit('/message-center')
    await page.getByRole('button', { name: 'On Due' }).click()
    const dialog = page.getByRole('dialog', { name: 'On Due' })
    await expect(dialog).toContainText(/For the .* fee/)
    await call(textingApi.sendOnDue, { query: {} }, dojo.token)
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(
      dialog.getByText('This reminder has already been sent, so it wasn’t sent again.'),
    ).toBeVisible()
    await expect(dialog).toContainText('It was already sent for this month.')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    // The response is lost. Pressing Send again must not send the reminder again.
    await page.route('**/api/sms/send-pre-due-reminder**', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Pre Due' }).click()
    const preDueDialog = page.getByRole('dialog', { name: 'Pre Due' })
    await preDueDialog.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(preDueDialog.getByText('Press Send again: it won’t go out twice.')).toBeVisible()
    await expect(preDueDialog).toContainText('It was already sent for this month.')
    await page.unroute('**/api/sms/send-pre-due-reminder**')
    await preDueDialog.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('PRE DUE sent successfully!')).toBeVisible()
    await expect(page.getByText('2 of 300 used')).toBeVisible()
  },
)

/** Returns the day on which the reminder of next month is announced, and the day it is sent: the
 *  last day of next month. */
function findNextReminder() {
  const now = new Date()
  const sendsOn = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 0))
  const announcedOn = addDays(utcDay(sendsOn), -3)
  const sendDay = new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    weekday: 'long',
    month: 'long',
    day: 'numeric',
  }).format(sendsOn)
  return { announcedOn, sendDay }
}

test('a notification opens the next reminder, with families, text, list and switch', async ({
  page,
  dojo,
  visit,
}) => {
  const phone_number = '+15125550188'
  for (const name of ['Leo Chen', 'Mia Chen']) await dojo.createStudent({ name, phone_number })
  await dojo.createStudent({ name: 'Ken Adams', phone_number: '+15125550189' })
  const { announcedOn, sendDay } = findNextReminder()
  await dojo.inDatabase((tx, dojoId) => announceFirstReminder(tx, dojoId, announcedOn))
  await signIn(page, dojo)
  await visit('/dashboard')
  await page.getByRole('button', { name: /Notifications/ }).click()
  await expect(page.getByText('See who gets it')).toBeVisible()
  await page.getByText(`Automatic fee reminders start on ${sendDay}`).click()
  await expect(page.getByRole('heading', { name: 'Automatic Reminders' })).toBeVisible()
  await expect(page.getByText('2 families get a text')).toBeVisible()
  await expect(page.getByText('Hi Alex,')).toBeVisible()
  await expectAccessible(page)
  await page.getByText('Names and reasons').click()
  await expect(page.getByRole('list', { name: 'Will get it', exact: true })).toContainText(
    'Ken Adams',
  )
  await page.getByRole('switch', { name: 'Send automatically' }).click()
  await expect(page.getByRole('main')).toContainText('Automatic reminders are off')
})
