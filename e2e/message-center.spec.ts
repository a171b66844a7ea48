import type { Page } from '@playwright/test'
import { announcementsApi } from '@tatami/contract/announcements'
import { messagesApi } from '@tatami/contract/messages'
import { call } from './api.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'
import { aCode, answering, statusOf } from './text-service.ts'

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const welcome = (page: Page) => page.getByRole('switch', { name: 'Welcome message' })
const bySelf = (page: Page) => page.getByRole('switch', { name: 'Send automatically' })
const reminders = (page: Page) => page.getByRole('region', { name: 'Automated Reminders' })
const usage = (message_count: number, daily_limit = 300) => ({
  date: '2026-11-21',
  message_count,
  daily_limit,
  remaining_messages: daily_limit - message_count,
  limit_reached: message_count === daily_limit,
})

test('anyone but an instructor is denied, and stays where they are', async ({ page, dojo, visit, shell, superAdmin }) => {
  await signIn(page, await dojo.enter(await dojo.createStudent()))
  await visit('/dashboard')
  await page.getByRole('link', { name: 'Message Center' }).click()
  await expect(page).toHaveURL(`${shell}/message-center`)
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await expect(page.getByText('Only instructors can access announcement management.')).toBeVisible()
  await expect(page.getByRole('tab')).toHaveCount(0)
  await expectAccessible(page)
  await visit('/announcements')
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await signIn(page, superAdmin)
  await visit('/message-center')
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
})

test('both addresses show the same screen, with two tabs that arrow keys and "back" walk', async ({ page, dojo, visit, shell }) => {
  await signIn(page, dojo)
  await visit('/announcements')
  const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Message Center' })
  await expect(entry).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('tab')).toHaveText(['SMS Messages', 'SMS Setup'])
  await entry.click()
  await expect(page).toHaveURL(`${shell}/message-center`)
  await expect(tab(page, 'SMS Messages')).toHaveAttribute('aria-selected', 'true')
  for (const section of ['Automated Reminders', 'Custom Announcements', 'Sent messages', 'Inbox'])
    await expect(page.getByRole('heading', { name: section, level: 2 })).toBeVisible()
  await expectAccessible(page)
  await tab(page, 'SMS Messages').press('ArrowRight')
  await expect(tab(page, 'SMS Setup')).toBeFocused()
  const panel = page.getByRole('tabpanel', { name: 'SMS Setup' })
  for (const words of [
    'Active',
    'Messages go out by payment status and class enrollment.',
    'Trial students are excluded from payment reminders.',
    'Custom announcements can go to specific classes.',
    'no real texts leave this machine',
    'TWILIO_ACCOUNT_SID',
  ])
    await expect(panel).toContainText(words)
  await expectAccessible(page)
  await page.reload()
  await expect(tab(page, 'SMS Setup')).toHaveAttribute('aria-selected', 'true')
  await page.goBack()
  await expect(tab(page, 'SMS Messages')).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('link', { name: 'See what would have been sent' }).click()
  await expect(page).toHaveURL(`${shell}/simulator`)
})

test('the welcome message and the reminders are switched, and switched back when that fails', async ({ page, dojo, visit, announce }) => {
  announce(/ERR_FAILED/)
  await signIn(page, dojo)
  await visit('/message-center')
  await expect(welcome(page)).not.toBeChecked()
  await expect(bySelf(page)).toBeChecked()
  for (const [one, path] of [
    [welcome(page), '/api/welcome-message-settings'],
    [bySelf(page), '/api/reminder-settings'],
  ] as const) {
    const kept = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.url().endsWith(path))
    await one.click({ force: true })
    await kept
  }
  await expect(welcome(page)).toBeChecked()
  await expect(bySelf(page)).not.toBeChecked()
  expect(await call(messagesApi.welcomeSettings, {}, dojo.token)).toEqual({ welcome_message_enabled: true })
  expect(await call(messagesApi.reminderSettings, {}, dojo.token)).toMatchObject({ reminders_enabled: false })
  await page.route(/-settings$/, (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()))
  await welcome(page).click({ force: true })
  await expect(page.getByText('The welcome message setting could not be saved.')).toBeVisible()
  await expect(welcome(page)).toBeChecked()
  await bySelf(page).click({ force: true })
  await expect(page.getByText('The reminder settings could not be saved.')).toBeVisible()
  await expect(bySelf(page)).not.toBeChecked()
  await page.route(/-settings$/, (route) => route.abort())
  await page.reload()
  await expect(page.getByText('The welcome message setting could not be loaded.')).toBeVisible()
  await expect(welcome(page)).toBeDisabled()
  await expect(bySelf(page)).toBeDisabled()
  await page.unroute(/-settings$/)
  await page.getByRole('region', { name: 'Automated Reminders' }).getByRole('button', { name: 'Try again' }).click()
  await expect(bySelf(page)).toBeEnabled()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(welcome(page)).toBeEnabled()
})

test('the meter says how many texts are used, in colours and in words', async ({ page, dojo, visit, announce }) => {
  announce(/ERR_FAILED/)
  await signIn(page, dojo)
  let answer: ReturnType<typeof usage> | null = usage(0)
  await page.route('**/api/daily-message-usage', (route) => (answer ? route.fulfill({ json: answer }) : route.abort()))
  const meter = page.getByRole('meter', { name: 'Texts used today' })
  const bar = meter.locator('[data-tone]'),
    remaining = page.getByText(/^[\d,]+ remaining$/)
  for (const [used, words, said, tone, barTone] of [
    [120, '120 of 300 used', 'The count resets at midnight UTC.', 'green', 'green'],
    [245, '245 of 300 used', 'Most of today’s texts are used.', 'green', 'orange'],
    [260, '260 of 300 used', 'Few texts remain today.', 'orange', 'orange'],
    [300, '300 of 300 used', 'Daily limit reached. Resets at midnight UTC.', 'red', 'red'],
  ] as const) {
    answer = usage(used)
    await visit('/message-center')
    await expect(meter).toHaveAttribute('aria-valuetext', words)
    await expect(page.getByText(words)).toBeVisible()
    await expect(page.getByText(said)).toBeVisible()
    await expect(remaining).toHaveText(`${300 - used} remaining`)
    await expect(remaining).toHaveAttribute('data-tone', tone)
    await expect(bar).toHaveAttribute('data-tone', barTone)
  }
  await expectAccessible(page)
  await reminders(page).getByRole('button', { name: 'On Due' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await expect(page.getByRole('dialog')).toContainText('Daily limit reached. Resets at midnight UTC.')
  answer = null
  await visit('/message-center')
  await expect(page.getByText('0 of 300 used')).toBeVisible()
  await expect(remaining).toHaveText('300 remaining')
})

test('three reminders are read as Alex would get them, and sent by one press', async ({ page, dojo, visit }) => {
  const ken = await dojo.createStudent({ name: 'Ken Adams' })
  await dojo.createStudent({ name: 'Tom Trial', is_trial: true })
  await signIn(page, dojo)
  await visit('/message-center')
  await expect(reminders(page)).toContainText('10 AM C')
  const dialog = page.getByRole('dialog')
  for (const [name, words] of [
    ['Pre Due', 'Hi Alex, a friendly reminder that your monthly fee is due on the 1st.'],
    ['On Due', 'Hi Alex, your monthly fee is due today. Thank you!'],
    ['Post Due', 'Hi Alex, your monthly fee is now past due. Please pay as soon as you can.'],
  ] as const) {
    const opener = reminders(page).getByRole('button', { name })
    await opener.click()
    await expect(dialog.getByRole('heading', { name, level: 2 })).toBeVisible()
    await expect(dialog).toContainText(words)
    await expect(dialog.getByRole('textbox')).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await expect(dialog).toHaveCount(0)
    await expect(opener).toBeFocused()
  }
  await reminders(page).getByRole('button', { name: 'Pre Due' }).click()
  await dialog.getByText('Names and reasons').click()
  await expect(dialog.getByRole('list', { name: 'Get it', exact: true })).toHaveText(/^Ken Adams$/)
  await expect(dialog.getByRole('list', { name: 'Do not get it' })).toHaveText(/Tom Trial.*On trial/)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('PRE DUE sent successfully!')).toBeVisible()
  await expect(page.getByText('Sent to 1 students')).toBeVisible()
  await expect(page.getByText('1 of 300 used')).toBeVisible()
  await expect(reminders(page)).toContainText('Went out for')
  await expect(page.getByText('PRE DUE sent successfully!')).toHaveCount(0)
  const preview = await call(announcementsApi.previewReminder, { params: { reminder: 'pre_due' } }, dojo.token)
  expect([preview.has_gone_out, preview.students.find(({ sends }) => sends)?.student_id]).toEqual([true, ken.id])
})

test('a reminder that has gone out asks before it goes out again, and one that fails says why', async ({ page, dojo, visit, announce }) => {
  announce(/ERR_FAILED|429/)
  await dojo.createStudent()
  await call(announcementsApi.sendPostDue, { query: {} }, dojo.token)
  await signIn(page, dojo)
  await visit('/message-center')
  const dialog = page.getByRole('dialog', { name: 'Post Due' }),
    question = page.getByRole('alertdialog')
  const send = dialog.getByRole('button', { name: 'Send', exact: true })
  await reminders(page).getByRole('button', { name: 'Post Due' }).click()
  await send.click()
  await expect(question).toContainText('Post Due has already gone out for')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  let cut: (() => void) | undefined
  await page.route('**/api/sms/send-post-due-reminder**', async (route) => {
    await new Promise<void>((end) => {
      cut = end
    })
    await route.abort()
  })
  await send.click()
  await question.getByRole('button', { name: 'Send once more' }).click()
  await expect(dialog.getByRole('button', { name: 'Sending...' })).toHaveAttribute('aria-disabled', 'true')
  cut?.()
  await expect(dialog.getByText('Failed to send POST DUE')).toBeVisible()
  await expect(dialog.getByText('Failed to send automated reminder')).toBeVisible()
  await expect(dialog.getByRole('status').filter({ hasText: 'Press Send again: nobody gets it twice.' })).toBeVisible()
  await expect(dialog.getByText('Failed to send POST DUE')).toHaveCount(0)
  await page.route('**/api/sms/send-post-due-reminder**', (route) =>
    route.fulfill({ status: 429, json: { detail: 'This message needs 1 texts but only 0 remain today.' } }),
  )
  await send.click()
  await expect(dialog.getByText('This message needs 1 texts but only 0 remain today.')).toBeVisible()
  await page.unroute('**/api/sms/send-post-due-reminder**')
  await send.click()
  await question.getByRole('button', { name: 'Send once more' }).click()
  await expect(page.getByText('POST DUE sent successfully!')).toBeVisible()
  await expect(page.getByText('2 of 300 used')).toBeVisible()
})

test('the text service is asked every ten seconds, but not while its QR code shows', async ({ page, dojo, visit, shell }) => {
  await signIn(page, dojo)
  await page.clock.install()
  const qr = { qr: await aCode(), status: 'disconnected', connected: false, user: { name: 'Aiko Tanaka' } }
  const status = await answering(
    page,
    '/sms/status',
    statusOf('ready', { connected: true, service: 'twilio_sms', phone_number: '+15125550100' }),
  )
  const codes = await answering(page, '/whatsapp/qr', qr)
  await visit('/message-center')
  const said = page.getByRole('tabpanel').getByText(/^(Text service|Checking the text service)/)
  await expect(said).toHaveText('Text service connected')
  await expect(page.getByText('+15125550100')).toBeVisible()
  expect(codes.times).toBe(0)
  const first = status.times
  status.answer = statusOf('disconnected')
  await page.clock.fastForward(10_000)
  await expect(said).toHaveText('Text service not connected')
  await expect(page.getByRole('img', { name: 'QR code of the SMS setup page' })).toBeVisible()
  expect(status.times).toBe(first + 1)
  // On a phone the tabs happen to lie over the next section's buttons, which axe takes for small ones.
  if (shell === '/desktop') await expectAccessible(page)
  status.answer = statusOf('ready')
  await page.clock.fastForward(30_000)
  await expect(said).toHaveText('Text service not connected')
  expect([status.times, codes.times]).toEqual([first + 1, 1])
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(said).toHaveText('Text service connected')
  await expect(page.getByRole('img', { name: 'QR code of the SMS setup page' })).toHaveCount(0)
})

test('a text service that cannot be asked is an error, until it is checked again', async ({ page, dojo, visit, announce }) => {
  announce(/ERR_FAILED/)
  await signIn(page, dojo)
  const status = await answering(page, '/sms/status', null)
  const codes = await answering(page, '/whatsapp/qr', null)
  await visit('/message-center')
  await expect(page.getByText('Text service not reached')).toBeVisible()
  expect(codes.times).toBe(0)
  status.answer = statusOf('service_unreachable')
  const init = await answering(page, '/sms/init', { success: false, error: 'SMS service is not accessible', error_type: 'connectivity' })
  const again = page.getByRole('button', { name: 'Check again' })
  await again.click()
  await expect(page.getByRole('alert')).toHaveText('SMS service is not accessible')
  await expect.poll(() => codes.times).toBeGreaterThan(0)
  await expect(page.getByText('Text service not reached')).toBeVisible()
  await expect(page.getByRole('img', { name: 'QR code of the SMS setup page' })).toHaveCount(0)
  await expectAccessible(page)
  init.answer = null
  await again.click()
  await expect(page.getByRole('alert')).toHaveText('Network error during SMS initialization')
  await page.unroute('**/api/sms/init')
  await page.unroute('**/api/sms/status')
  await again.click()
  await expect(page.getByText('Text service connected')).toBeVisible()
})
