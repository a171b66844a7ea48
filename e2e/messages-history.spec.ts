import type { Page } from '@playwright/test'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import { textingApi } from '@tatami/contract/texting/texting'
import { call } from './api.ts'
import { newPhone, sendCancellation } from './conversations.ts'
import type { Dojo } from './dojo.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const sentMessages = (page: Page) => page.getByRole('region', { name: 'Sent messages' })
const inbox = (page: Page) => page.getByRole('list', { name: 'Conversations' })
const messageRows = (page: Page) => sentMessages(page).getByRole('article')

/** Waits until the simulator has received the text. */
async function waitForSimulatedText(dojo: Dojo, student_id: string) {
  const findText = async () =>
    (await call(textingApi.simulated, { query: {} }, dojo.token)).find(
      (text) => text.student_id === student_id,
    )
  await expect.poll(findText).toBeTruthy()
  return (await findText())!
}
const replyFromPhone = (dojo: Dojo, id: string, text: string) =>
  call(conversationsApi.answerSimulated, { params: { id }, body: { text } }, dojo.token)

test(
  'shows an empty history, and an error with a retry when it cannot be loaded',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/status of 403/)
    await signIn(page, dojo)
    await visit('/message-center')
    await expect(sentMessages(page)).toContainText(
      'No messages sent yet. They’ll appear here with the status of each text.',
    )
    // The page would retry calls that get no response, so these are refused.
    await page.route(/\/api\/sms\/batches\?/, (route) =>
      route.fulfill({ status: 403, json: { detail: 'Not now' } }),
    )
    await page.reload()
    await expect(sentMessages(page)).toContainText('The sent messages could not be loaded.')
    await page.unroute(/\/api\/sms\/batches\?/)
    await sentMessages(page).getByRole('button', { name: 'Try again' }).click()
    await expect(sentMessages(page)).toContainText('No messages sent yet.')
  },
)

/** Lets Zoe reply STOP before her last text is sent. Her texts come last in the queue. */
async function stopBeforeLastText(dojo: Dojo) {
  const zoe = await dojo.createStudent({ name: 'Zoe Young', phone_number: newPhone() })
  await sendCancellation(dojo, 'First')
  const { id } = await waitForSimulatedText(dojo, zoe.id)
  await Promise.all(Array.from({ length: 11 }, () => dojo.createStudent()))
  for (const text of ['Second', 'Third', 'Hi {name}, no class today.'])
    await sendCancellation(dojo, text)
  await replyFromPhone(dojo, id, 'STOP')
  return { sendStart: () => replyFromPhone(dojo, id, 'START') }
}

test(
  'follows a queue until every text is delivered or failed',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await Promise.all(Array.from({ length: 20 }, () => dojo.createStudent()))
    await signIn(page, dojo)
    await visit('/message-center')
    await expect(sentMessages(page)).toContainText('No messages sent yet.')
    for (let number = 1; number <= 4; number += 1) await sendCancellation(dojo)
    await page.reload()
    const newestRow = messageRows(page).first()
    const queue = newestRow.getByRole('progressbar', { name: 'Sending Weather Cancellation' })
    await expect(queue).toHaveAttribute('aria-valuetext', /^\d+ of 20 texts sent$/)
    await expect(sentMessages(page).getByRole('status')).toContainText(
      'Weather Cancellation: all texts sent',
      { timeout: 20_000 },
    )
    await expect(queue).toHaveCount(0)
    for (const text of ['Hi {name}, no class today.', '20 delivered'])
      await expect(newestRow).toContainText(text, { timeout: 20_000 })
  },
)

test(
  'shows why texts failed and sends them again',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED|429/)
    const { sendStart } = await stopBeforeLastText(dojo)
    await signIn(page, dojo)
    await visit('/message-center')
    const newestRow = messageRows(page).first()
    const opener = newestRow.getByRole('button', { name: 'Weather Cancellation' })
    await expect(newestRow).toContainText('1 failed', { timeout: 20_000 })
    await opener.click()
    const sheet = page.getByRole('dialog', { name: 'Weather Cancellation' })
    const zoeRow = sheet.getByRole('listitem').filter({ hasText: /Zoe Young.*Profile/ })
    await expect(sheet.getByRole('heading', { name: 'Failed 1' })).toBeVisible()
    await expect(zoeRow).toContainText('Opted out of texts')
    await expect(
      zoeRow.getByRole('link', { name: /^Call Zoe Young, \(512\) 555-/ }),
    ).toHaveAttribute('href', /^tel:\+1512555/)
    await zoeRow.getByRole('button', { name: 'Zoe Young', exact: true }).click()
    await expect(zoeRow).toContainText('Hi Zoe, no class today.')
    await expectAccessible(page)
    const sendAgain = zoeRow.getByRole('button', { name: 'Send again to Zoe Young' })
    await page.route('**/send-again', (route) => route.abort())
    await sendAgain.click()
    await expect(zoeRow.getByRole('alert')).toContainText(
      'The texts could not be sent again. Please try again.',
    )
    await page.unroute('**/send-again')
    await page.route('**/send-again', (route) =>
      route.fulfill({
        status: 429,
        json: { detail: 'Daily limit reached. Resets at midnight UTC.' },
      }),
    )
    await sendAgain.click()
    await expect(zoeRow.getByRole('alert')).toContainText(
      'Daily limit reached. Resets at midnight UTC.',
    )
    await page.unroute('**/send-again')
    await sendStart()
    await sendAgain.click()
    await expect(sheet.getByText('1 text is being sent again.')).toBeFocused()
    await expect(sheet.getByRole('heading', { name: /^Failed/ })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()
    await expect(newestRow).toContainText('12 delivered', { timeout: 20_000 })
  },
)

test(
  '"Send again" is disabled when the limit is reached, with the reason',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    for (const name of ['Mia Chen', 'Leo Chen'])
      await dojo.createStudent({ name, phone_number: newPhone() })
    await sendCancellation(dojo)
    const [sentBatch] = await call(textingApi.batches, { query: {} }, dojo.token)
    const params = { id: sentBatch!.id }
    const batchWithTexts = await call(textingApi.batch, { params }, dojo.token)
    // The simulator delivers these texts, so the test replaces its response with failures.
    await page.route(`**/api/sms/batches/${sentBatch!.id}`, (route) =>
      route.fulfill({
        json: {
          ...batchWithTexts,
          texts: batchWithTexts.texts.map((text) => ({
            ...text,
            state: 'failed',
            may_send_again: true,
          })),
        },
      }),
    )
    let isLimitReached = true
    await page.route('**/api/daily-message-usage', (route) =>
      route.fulfill({
        json: {
          date: '2026-11-21',
          message_count: 300,
          daily_limit: 300,
          remaining_messages: isLimitReached ? 0 : 1,
          limit_reached: isLimitReached,
        },
      }),
    )
    await signIn(page, dojo)
    await visit('/message-center')
    await messageRows(page).first().getByRole('button', { name: 'Weather Cancellation' }).click()
    const sheet = page.getByRole('dialog', { name: 'Weather Cancellation' })
    const sendAllAgain = sheet.getByRole('button', { name: 'Send 2 texts again' })
    const sendOneAgain = sheet.getByRole('button', { name: 'Send again to Mia Chen' })
    for (const button of [sendAllAgain, sendOneAgain]) await expect(button).toBeDisabled()
    await expect(sheet.getByText('Daily limit reached. Resets at midnight UTC.')).toHaveCount(1)
    await expectAccessible(page)
    isLimitReached = false
    await page.reload()
    await messageRows(page).first().getByRole('button', { name: 'Weather Cancellation' }).click()
    for (const button of [sendAllAgain, sendOneAgain]) await expect(button).toBeEnabled()
    await expect(sheet.getByText('Daily limit reached.')).toHaveCount(0)
  },
)

test(
  'reports details that cannot be loaded, and lists skipped students with reasons',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    await dojo.createStudent({ name: 'Ann Lee', phone_number: '123' })
    await sendCancellation(dojo)
    await signIn(page, dojo)
    await visit('/message-center')
    await expect(messageRows(page)).toContainText('1 not sent')
    await page.route(/\/api\/sms\/batches\/[^?]+$/, (route) => route.abort())
    await messageRows(page).getByRole('button').click()
    const sheet = page.getByRole('dialog', { name: 'Weather Cancellation' })
    await expect(sheet.getByRole('alert')).toContainText(
      'The status of the texts could not be loaded.',
    )
    await page.unroute(/\/api\/sms\/batches\/[^?]+$/)
    await sheet.getByRole('button', { name: 'Try again' }).click()
    await expect(sheet.getByRole('listitem').filter({ hasText: /Ann Lee.*Profile/ })).toContainText(
      'No valid phone number',
    )
    await expect(sheet.getByRole('button', { name: /Send/ })).toHaveCount(0)
  },
)

test(
  'lists the newest first and loads more on request',
  { tag: '@long' },
  async ({ page, dojo, isDesktop, visit }) => {
    await dojo.createStudent()
    for (let number = 1; number <= 12; number += 1)
      await sendCancellation(dojo, `Message ${number}`)
    await signIn(page, dojo)
    await visit('/message-center')
    const rowCount = isDesktop ? 5 : 3
    await expect(messageRows(page)).toHaveCount(rowCount)
    await expect(messageRows(page).first()).toContainText('Message 12')
    await sentMessages(page).getByRole('button', { name: 'Show all sent messages' }).click()
    await expect(messageRows(page)).toHaveCount(10)
    await expect(messageRows(page).nth(rowCount).getByRole('button')).toBeFocused()
    await sentMessages(page).getByRole('button', { name: 'Show more' }).click()
    await expect(messageRows(page)).toHaveCount(12)
    await expect(messageRows(page).last()).toContainText('Message 1')
    await expect(sentMessages(page).getByRole('button', { name: 'Show more' })).toHaveCount(0)
  },
)

test(
  'the simulator shows each phone, lets it reply, and says that no real texts are sent',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    await signIn(page, dojo)
    await visit('/simulator')
    await expect(page.getByRole('main')).toContainText('Test mode: no text leaves this computer.')
    await expect(page.getByRole('main')).toContainText('No texts have been sent yet.')
    const mia = await dojo.createStudent({ name: 'Mia Chen', phone_number: newPhone() })
    await sendCancellation(dojo)
    await waitForSimulatedText(dojo, mia.id)
    await page.reload()
    const phone = page.getByRole('list', { name: 'Phones' }).getByRole('article')
    for (const text of ['Mia Chen', '(512) 555-', 'Hi Mia, no class today.'])
      await expect(phone).toContainText(text)
    await expect(phone).toContainText('Delivered', { timeout: 15_000 })
    await phone.getByRole('button', { name: 'Reply from the phone of Mia Chen' }).click()
    const field = phone.getByLabel('Reply from the phone of Mia Chen')
    await expect(field).toBeFocused()
    await expectAccessible(page)
    await page.route('**/answer', (route) => route.abort())
    await field.fill('STOP')
    await field.press('Enter')
    await expect(phone.getByRole('alert')).toContainText(
      'The reply could not be sent. Please try again.',
    )
    await expect(field).toHaveValue('STOP')
    await page.unroute('**/answer')
    await field.press('Enter')
    await expect(phone).toContainText(
      'You will get no more texts from us. Reply START to get them again.',
    )
    await expect(phone.getByRole('alert')).toHaveCount(0)
    await expect(field).toHaveValue('')
    await visit('/messages')
    await expect(inbox(page).getByRole('link', { name: /^Mia Chen/ })).toContainText('STOP')
  },
)

test(
  'reports a simulator that cannot be reached',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    await signIn(page, dojo)
    await page.route('**/sms/simulated?*', (route) => route.abort())
    await visit('/simulator')
    await expect(page.getByText('The simulated texts could not be loaded.')).toBeVisible()
    await page.route('**/sms/info', (route) => route.abort())
    await page.reload()
    await expect(page.getByRole('alert')).toContainText('The text service could not be loaded.')
  },
)
