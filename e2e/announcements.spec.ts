import type { Locator, Page } from '@playwright/test'
import { textingApi } from '@tatami/contract/texting/texting'
import { call } from './api.ts'
import { expectShownForFiveSeconds, runClockTo, runUntilVisible, stopClock } from './clock.ts'
import type { Dojo } from './dojo.ts'
import {
  expect,
  expectAccessible,
  isShortRun,
  resultBar,
  sampleInShortRun,
  signIn,
  test,
} from './harness.ts'
import { createTextRecipients } from './students.ts'
import { THIS_MONTH, THIS_MONTH_NAME } from './this-month.ts'

const SEND_BULK = '**/api/sms/send-bulk-message'

const announcementsSection = (page: Page) =>
  page.getByRole('region', { name: 'Custom Announcements' })
const sendButton = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true })
const countTextsUsed = async ({ token }: Dojo) =>
  (await call(textingApi.usage, {}, token)).message_count

async function openMessageType(page: Page, button: string) {
  await page.getByRole('button', { name: 'Compose' }).click()
  const typesDialog = page.getByRole('dialog', { name: 'Compose' })
  await typesDialog.getByRole('button', { name: button, exact: true }).click()
}

async function openDialog(page: Page, button: string, title = button) {
  await openMessageType(page, button)
  const dialog = page.getByRole('dialog', { name: title, exact: true })
  await expect(dialog).toBeVisible()
  return dialog
}

async function discardText(dialog: Locator) {
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.page().getByRole('button', { name: 'Discard' }).click()
}

test.beforeEach(async ({ dojo, page, visit }) => {
  await createTextRecipients(dojo)
  await signIn(page, dojo)
  await visit('/message-center')
})

test('sends a special message once it has a text and a class', async ({ page, dojo }) => {
  await expect(announcementsSection(page).getByRole('button')).toHaveText([
    'Special Message',
    'Weather Cancellation',
  ])
  await page.getByRole('button', { name: 'Compose' }).click()
  const typesDialog = page.getByRole('dialog', { name: 'Compose' })
  await expect(typesDialog.getByRole('list').getByRole('button')).toHaveText([
    'Special Message',
    'Weather Cancellation',
    'Monthly Fee Reminder',
    'Late Fee Reminder',
  ])
  await expectAccessible(page)
  await typesDialog.getByRole('button', { name: 'Close' }).click()
  const dialog = await openDialog(page, 'Special Message')
  await expect(dialog.getByRole('checkbox', { name: 'All Students' })).toHaveCount(0)
  await expect(dialog).toContainText('Select a class to see who gets it')
  await sendButton(page).click()
  await expect(dialog).toContainText('Please enter a message for the special announcement.')
  await expect(dialog).toContainText('Please select at least one class to send the message to.')
  await expect(dialog.getByLabel('Message')).toBeFocused()
  await dialog.getByLabel('Message').fill('Hi , see you on Saturday.')
  await dialog
    .getByLabel('Message')
    .evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(3, 3))
  await dialog.getByRole('button', { name: 'Insert {name}' }).click()
  await expect(dialog.getByRole('figure', { name: 'Preview' })).toContainText(
    'Hi Alex, see you on Saturday.',
  )
  await expectAccessible(page)
  await dialog.getByRole('checkbox', { name: 'Kids Judo' }).check()
  await expect(dialog).toContainText('2 students get this · 3 do not')
  await sendButton(page).click()
  await expect(dialog).toBeHidden()
  await expect(resultBar(page)).toContainText('Special Message sent successfully!')
  await expect(resultBar(page)).toContainText('Sent to 2 students')
  await expect(resultBar(page).getByText('Sent to 2 students')).toBeInViewport()
  expect(await countTextsUsed(dojo)).toBe(2)
  if (!isShortRun) await expect(resultBar(page).getByText('Sent to 2 students')).toBeHidden()
})

test(
  'shows recipients, skipped students with reasons, and the number of texts',
  { tag: '@long' },
  async ({ page }) => {
    const dialog = await openDialog(page, 'Late Fee Reminder')
    await expect(dialog).toContainText('1 student gets this · 4 do not')
    await expect(dialog).toContainText('1 text, 1 segment. 300 texts remain today.')
    await dialog.getByText('Names and reasons').click()
    const excludedStudents = dialog
      .getByRole('list', { name: 'Won’t get it' })
      .getByRole('listitem')
    const reasons = [
      'Pia LundNo valid phone number',
      'Vera MossOn vacation',
      'Omar HaddadOn trial',
      'Ken AdamsPaid for the month',
    ]
    await expect(excludedStudents).toHaveText(reasons)
    await expect(excludedStudents.first()).toBeInViewport({ ratio: 1 })
    await expect(
      dialog.getByRole('list', { name: 'Will get it', exact: true }).getByRole('listitem'),
    ).toHaveText(['Mia Chen'])
    await expect(dialog).toContainText('Students on vacation receive no messages.')
    await expect(dialog).toContainText('or are on trial won’t get a text')
    await dialog.getByRole('checkbox', { name: 'Kids Judo' }).check()
    await expect(dialog).toContainText('No one gets this · 5 do not')
    await expect(excludedStudents.filter({ hasText: 'Not in the selected classes' })).toHaveText(
      'Mia ChenNot in the selected classes',
    )
    await dialog.getByRole('checkbox', { name: 'Teens' }).check()
    await dialog.getByLabel('Message').fill(`Hi {name} ${'x'.repeat(160)}`)
    await expect(dialog).toContainText('1 text of 2 segments')
    await dialog.getByLabel('Message').fill(`Hi {name} ${'🥋'.repeat(80)}`)
    await expect(dialog).toContainText(
      'An emoji or special character in the message cuts segments from 160 to 70 characters',
    )
  },
)

test(
  'sends a weather cancellation to all students unless classes are chosen',
  { tag: '@long' },
  async ({ page, dojo }) => {
    const dialog = await openDialog(page, 'Weather Cancellation', 'Weather Cancellation Notice')
    await expect(dialog.getByRole('checkbox', { name: 'All Students' })).toBeChecked()
    await expect(sendButton(page)).toBeDisabled()
    await dialog.getByRole('checkbox', { name: 'Teens' }).check()
    await expect(dialog.getByRole('checkbox', { name: 'All Students' })).not.toBeChecked()
    await expect(dialog).toContainText('1 student gets this · 4 do not')
    await dialog.getByRole('checkbox', { name: 'All Students' }).check()
    await expect(dialog.getByRole('checkbox', { name: 'Teens' })).not.toBeChecked()
    await dialog.getByLabel('Message').fill('Hi {name}, no class today.')
    await expect(dialog).toContainText('3 students get this · 2 do not')
    await expect(dialog).toContainText('3 texts, 3 segments. 300 texts remain today.')
    await expectAccessible(page)
    const firstButton = announcementsSection(page).getByRole('button').first()
    const offsetBefore = await firstButton.evaluate((button) => (button as HTMLElement).offsetTop)
    await sendButton(page).dblclick()
    await expect(resultBar(page)).toContainText('Weather Cancellation sent successfully!')
    expect(
      await firstButton.evaluate((button) => (button as HTMLElement).offsetTop),
      'the buttons stay in place',
    ).toBe(offsetBefore)
    await expect(resultBar(page)).toContainText('Sent to 3 students')
    expect(await countTextsUsed(dojo)).toBe(3)
  },
)

test('sends a monthly fee reminder to those who have not paid the month', async ({ page }) => {
  const dialog = await openDialog(page, 'Monthly Fee Reminder')
  await expect(dialog.getByLabel('Message')).toHaveValue(
    `Hi {name}, your fee for ${THIS_MONTH_NAME} is due. Thank you!`,
  )
  await expect(dialog).toContainText(`For the ${THIS_MONTH_NAME} fee`)
  await expect(dialog).toContainText('1 student gets this · 4 do not')
  await expectAccessible(page)
  await expect(dialog.getByRole('checkbox', { name: 'All Students' })).toBeChecked()
  await dialog.getByLabel('Message').fill(' ')
  await expect(sendButton(page)).toBeDisabled()
  await dialog.getByLabel('Message').fill('Hi {name}, please pay.')
  const requestPromise = page.waitForRequest(SEND_BULK)
  await sendButton(page).click()
  expect((await requestPromise).postDataJSON()).toEqual({
    message_type: 'monthly_fee',
    custom_message: 'Hi {name}, please pay.',
    selected_classes: null,
    selected_month: THIS_MONTH.month,
    selected_year: THIS_MONTH.year,
    exclude_paid_students: true,
  })
  await expect(resultBar(page)).toContainText('Monthly Fee Reminder sent successfully!')
  await expect(resultBar(page)).toContainText('Sent to 1 students')
})

test(
  'sends a late fee reminder for the chosen month and year',
  { tag: '@long' },
  async ({ page }) => {
    const dialog = await openDialog(page, 'Late Fee Reminder')
    // Every year from 2023 to this year, and at least to 2026.
    const years = Array.from({ length: Math.max(2026, THIS_MONTH.year) - 2022 }, (_, index) =>
      String(2023 + index),
    )
    expect(await dialog.getByLabel('Year').locator('option').allTextContents()).toEqual(years)
    await expect(dialog.getByRole('checkbox', { name: 'All Students' })).toBeChecked()
    const chooseMonth = async (month: string, year: string) => {
      await dialog.getByLabel('Year').selectOption(year)
      await dialog.getByLabel('Month').selectOption(month)
      await expect(dialog.getByLabel('Message')).toHaveValue(
        new RegExp(`your fee for ${month} ${year} has not been paid yet`),
      )
    }
    // Nobody was enrolled in that month, so nobody owes anything for it.
    await chooseMonth('March', '2024')
    await expect(dialog).toContainText('5 do not')
    const [month = '', year = ''] = THIS_MONTH_NAME.split(' ')
    await chooseMonth(month, year)
    await expect(dialog).toContainText('1 student gets this · 4 do not')
    await expectAccessible(page)
    await dialog.getByLabel('Message').fill(' ')
    await expect(sendButton(page)).toBeDisabled()
    await dialog.getByLabel('Message').fill('Hi {name}, please pay.')
    const requestPromise = page.waitForRequest(SEND_BULK)
    await sendButton(page).click()
    const expectedBody = {
      message_type: 'late_fee',
      selected_classes: null,
      selected_month: THIS_MONTH.month,
      selected_year: THIS_MONTH.year,
      exclude_paid_students: true,
    }
    expect((await requestPromise).postDataJSON()).toMatchObject(expectedBody)
    await expect(resultBar(page)).toContainText('Late Fee Reminder sent successfully!')
    await expect(resultBar(page)).toContainText('Sent to 1 students')
  },
)

const FAILURES = [
  ['Special Message', 'Special Message', 'Failed to send SMS messages'],
  ['Monthly Fee Reminder', 'Monthly Fee Reminder', 'Failed to send monthly fee reminders'],
  ['Weather Cancellation', 'Weather Cancellation Notice', 'Failed to send weather cancellation'],
  ['Late Fee Reminder', 'Late Fee Reminder', 'Failed to send late fee reminders'],
] as const

test('shows a failure for five seconds and keeps the text', async ({ page, allowErrors }) => {
  allowErrors(/Failed to load resource/)
  for (const [button, title, text] of sampleInShortRun(FAILURES)) {
    await page.route(SEND_BULK, (route) => route.abort())
    const dialog = await openDialog(page, button, title)
    await dialog.getByLabel('Message').fill('Hi {name}')
    if (button === 'Special Message') await dialog.getByRole('checkbox', { name: 'Teens' }).check()
    await sendButton(page).click()
    await expect(dialog).toContainText(text)
    await expect(dialog.getByLabel('Message')).toHaveValue('Hi {name}')
    if (!isShortRun && button === 'Special Message')
      await expect(dialog.getByText(text)).toBeHidden()
    await page.route(SEND_BULK, (route) =>
      route.fulfill({ status: 429, json: { detail: 'Only 1 text remains today.' } }),
    )
    await sendButton(page).click()
    await expect(dialog, button).toContainText('Only 1 text remains today.')
    if (button === 'Special Message') await expectAccessible(page)
    await discardText(dialog)
  }
})

test('warns before sending an edited message when the earlier version was sent', async ({
  page,
  dojo,
  allowErrors,
}) => {
  allowErrors(/Failed to load resource/)
  const { promise: abortPromise, resolve: abortRequest } = Promise.withResolvers<void>()
  await page.route(SEND_BULK, async (route) => {
    await route.fetch()
    await abortPromise
    await route.abort()
  })
  const dialog = await openDialog(page, 'Weather Cancellation', 'Weather Cancellation Notice')
  await dialog.getByLabel('Message').fill('Hi {name}, no class today.')
  await sendButton(page).click()
  await expect(dialog.getByRole('button', { name: 'Sending...' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  abortRequest()
  await expect(dialog).toContainText(
    'We got no answer, so this may not have been sent. Press Send again: it won’t go out twice.',
  )
  await page.unroute(SEND_BULK)
  await dialog.getByLabel('Message').fill('Hi {name}, no class tomorrow.')
  await sendButton(page).click()
  await expect(dialog).toContainText('Your earlier version was sent.')
  expect(await countTextsUsed(dojo)).toBe(3)
  await sendButton(page).click()
  await expect(resultBar(page)).toContainText('Sent to 3 students')
  expect(await countTextsUsed(dojo)).toBe(6)
})

test(
  'sends a text only once if its first response was lost',
  { tag: '@long' },
  async ({ page, dojo, allowErrors }) => {
    allowErrors(/Failed to load resource/)
    await page.route(
      SEND_BULK,
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    const dialog = await openDialog(page, 'Late Fee Reminder')
    await sendButton(page).click()
    await expect(dialog).toContainText('it won’t go out twice')
    await sendButton(page).click()
    await expect(resultBar(page)).toContainText('Sent to 1 students')
    expect(await countTextsUsed(dojo)).toBe(1)
  },
)

test('says before Send when too few texts remain or the daily limit is reached', async ({
  page,
  visit,
}) => {
  await page.route('**/api/sms/preview', async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      json: { ...((await response.json()) as object), remaining_messages: 1 },
    })
  })
  const dialog = await openDialog(page, 'Weather Cancellation', 'Weather Cancellation Notice')
  await dialog.getByLabel('Message').fill('Hi {name}')
  await expect(dialog).toContainText('This is 2 texts over today’s limit, so none can be sent.')
  await expectAccessible(page)
  const usageAtLimit = {
    date: '2026-01-01',
    message_count: 300,
    daily_limit: 300,
    remaining_messages: 0,
    limit_reached: true,
  }
  await page.route('**/api/daily-message-usage', (route) => route.fulfill({ json: usageAtLimit }))
  await visit('/message-center')
  for (const [button, title] of sampleInShortRun(FAILURES)) {
    const limitDialog = await openDialog(page, button, title)
    await limitDialog.getByLabel('Message').fill('Hi {name}')
    await expect(limitDialog).toContainText('Daily limit reached. Resets at midnight UTC.')
    await expect(sendButton(page)).toBeDisabled()
    await discardText(limitDialog)
  }
})

test('says once what is wrong with a placeholder, before and after Send', async ({ page }) => {
  const dialog = await openDialog(page, 'Weather Cancellation', 'Weather Cancellation Notice')
  const field = dialog.getByLabel('Message')
  await field.fill('Hi {Name}, no class today.')
  const problem = dialog.getByText('{Name} can’t be filled in. Use {name} instead.')
  await expect(problem).toHaveCount(1)
  await sendButton(page).click()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(problem).toHaveCount(1)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Use {name}' }).click()
  await expect(problem).toHaveCount(0)
})

test('warns only between 9 pm and 8 am at the dojo', { tag: '@long' }, async ({ page, visit }) => {
  await page.clock.setFixedTime('2026-01-16T04:40:00Z')
  await visit('/message-center')
  const testModeDialog = await openDialog(
    page,
    'Weather Cancellation',
    'Weather Cancellation Notice',
  )
  await expect(testModeDialog.getByText('Test mode: no text leaves this computer')).toHaveCount(1)
  await expect(testModeDialog).not.toContainText('at your dojo')
  await expectAccessible(page)
  const service = { service: 'twilio_sms', status: 'ready', connected: true, phone_number: null }
  for (const path of ['info', 'status'])
    await page.route(`**/api/sms/${path}`, (route) => route.fulfill({ json: service }))
  await visit('/message-center')
  const dialog = await openDialog(page, 'Weather Cancellation', 'Weather Cancellation Notice')
  await expect(dialog).toContainText(/It’s 10:40\sPM at your dojo\. Texts go out right away\./)
  await expect(dialog).not.toContainText('Test mode')
  await expectAccessible(page)
  await page.clock.setFixedTime('2026-01-16T18:00:00Z')
  await visit('/message-center')
  const daytimeDialog = await openDialog(
    page,
    'Weather Cancellation',
    'Weather Cancellation Notice',
  )
  await expect(daytimeDialog).toContainText('students get this')
  await expect(daytimeDialog).not.toContainText('at your dojo')
})

test(
  'sends to all students when classes or recipients could not be loaded',
  { tag: '@long' },
  async ({ page, allowErrors }) => {
    allowErrors(/Failed to load resource/)
    await page.route('**/api/classes', (route) =>
      route.fulfill({ status: 404, json: { detail: 'Not found' } }),
    )
    await page.route('**/api/sms/preview', (route) =>
      route.fulfill({ status: 404, json: { detail: 'Not found' } }),
    )
    await page.reload()
    const dialog = await openDialog(page, 'Weather Cancellation', 'Weather Cancellation Notice')
    await expect(dialog).toContainText(
      'Your classes could not be loaded. You can still send to all students.',
    )
    await expect(dialog).toContainText('The recipients could not be loaded. You can still send.')
    await page.unroute('**/api/sms/preview')
    await dialog.getByRole('button', { name: 'Try again' }).last().click()
    await expect(dialog).toContainText('3 students get this · 2 do not')
    await dialog.getByLabel('Message').fill('Hi {name}')
    await sendButton(page).click()
    await expect(resultBar(page)).toContainText('Sent to 3 students')
  },
)

test('shows the result of each message type for its own five seconds', async ({ page, visit }) => {
  await page.clock.install()
  await visit('/message-center')
  await expect(announcementsSection(page).getByRole('button')).toHaveCount(2)
  await stopClock(page)
  const resultText = (text: string) => resultBar(page).getByText(`${text} sent successfully!`)
  const sendMessage = async (button: string, title = button) => {
    await openMessageType(page, button)
    const dialog = page.getByRole('dialog', { name: title, exact: true })
    await runUntilVisible(page, dialog)
    await dialog.getByLabel('Message').fill('Hi {name}, see the notice board.')
    const responsePromise = page.waitForResponse(SEND_BULK)
    await sendButton(page).click()
    await responsePromise
    return runUntilVisible(page, resultText(button))
  }
  const feeShownAt = await sendMessage('Monthly Fee Reminder')
  await runClockTo(page, feeShownAt + 1_000)
  const weatherShownAt = await sendMessage('Weather Cancellation', 'Weather Cancellation Notice')
  expect(weatherShownAt - feeShownAt).toBeLessThan(4_000)
  await expect(resultText('Monthly Fee Reminder')).toBeVisible()
  await expectShownForFiveSeconds(page, resultText('Monthly Fee Reminder'), feeShownAt)
  await expect(resultText('Weather Cancellation')).toBeVisible()
  await expectShownForFiveSeconds(page, resultText('Weather Cancellation'), weatherShownAt)
})
