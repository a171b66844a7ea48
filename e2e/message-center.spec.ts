import type { Page } from '@playwright/test'
import { announcementsApi } from '@tatami/contract/messages/announcements'
import { textingApi } from '@tatami/contract/texting/texting'
import { call } from './api.ts'
import { runUntilVisible, waitForPage, stopClock } from './clock.ts'
import { readBackground, readColor, themeColor } from './colors.ts'
import { expect, expectAccessible, delayCalls, sampleInShortRun, signIn, test } from './harness.ts'
import { createQrCode, mockCall, createServiceStatus } from './text-service.ts'

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const welcomeSwitch = (page: Page) => page.getByRole('switch', { name: 'Welcome message' })
const remindersSwitch = (page: Page) => page.getByRole('switch', { name: 'Send automatically' })
const reminders = (page: Page) => page.getByRole('region', { name: 'Automated Reminders' })
const createUsage = (message_count: number, daily_limit = 300) => ({
  date: '2026-11-21',
  message_count,
  daily_limit,
  remaining_messages: daily_limit - message_count,
  limit_reached: message_count === daily_limit,
})

test('is only for instructors; students see their announcements in full', async ({
  page,
  dojo,
  visit,
  layoutPath,
  superAdmin,
}) => {
  const student = await dojo.createStudent()
  const otherStudent = await dojo.createStudent()
  const announce = (title: string, message: string, student_ids: string[]) =>
    call(
      announcementsApi.send,
      { body: { title, message, category: 'general', student_ids } },
      dojo.token,
    )
  await announce('Belt test', `${'Bring your belt. '.repeat(10)}See you there.`, [student.id])
  await announce('For another', 'Not for you.', [otherStudent.id])
  await signIn(page, await dojo.createSession(student))
  await visit('/dashboard')
  await page.getByRole('link', { name: 'Message Center' }).click()
  await expect(page).toHaveURL(`${layoutPath}/message-center`)
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await expect(page.getByText('Only instructors can access announcement management.')).toBeVisible()
  await expect(page.getByRole('tab')).toHaveCount(0)
  const announcements = page.getByRole('region', { name: 'Announcements' }).getByRole('listitem')
  await expect(announcements).toHaveCount(1)
  for (const text of [
    'Belt test',
    'General',
    'Bring your belt. Bring your belt.',
    'See you there.',
  ])
    await expect(announcements).toContainText(text)
  await expectAccessible(page)
  await visit('/announcements')
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await signIn(page, superAdmin)
  await visit('/message-center')
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Announcements' })).toHaveCount(0)
})

test('both paths show the same screen, whose two tabs work with arrow keys and Back', async ({
  page,
  dojo,
  visit,
  layoutPath,
}) => {
  await signIn(page, dojo)
  await visit('/announcements')
  const navigationLink = page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Message Center' })
  await expect(navigationLink).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('tab')).toHaveText(['SMS Messages', 'SMS Setup'])
  await navigationLink.click()
  await expect(page).toHaveURL(`${layoutPath}/message-center`)
  await expect(tab(page, 'SMS Messages')).toHaveAttribute('aria-selected', 'true')
  for (const section of ['Automated Reminders', 'Custom Announcements', 'Sent messages'])
    await expect(page.getByRole('heading', { name: section, level: 2 })).toBeVisible()
  await expectAccessible(page)
  await tab(page, 'SMS Messages').press('ArrowRight')
  await expect(tab(page, 'SMS Setup')).toBeFocused()
  const panel = page.getByRole('tabpanel', { name: 'SMS Setup' })
  for (const text of [
    'Active',
    'Who gets a message depends on who has paid, and on classes.',
    'Students on trial don’t get payment reminders.',
    'Custom announcements can go to specific classes.',
    'Test mode: no text leaves this computer.',
    'Your own Twilio account',
    'Set up texting',
  ])
    await expect(panel).toContainText(text)
  await expectAccessible(page)
  await page.reload()
  await expect(tab(page, 'SMS Setup')).toHaveAttribute('aria-selected', 'true')
  await page.goBack()
  await expect(tab(page, 'SMS Messages')).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('link', { name: 'See what would have been sent' }).click()
  await expect(page).toHaveURL(`${layoutPath}/simulator`)
})

test('shows the status of the service, and never calls test mode connected', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/Failed to load/)
  await signIn(page, dojo)
  let infoCalls = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/sms/info')) infoCalls += 1
  })
  await visit('/message-center')
  const panel = page.getByRole('tabpanel')
  await expect(
    panel.getByText('Test mode: no text leaves this computer', { exact: true }),
  ).toBeVisible()
  await expect(panel.getByText('Text service connected')).toHaveCount(0)
  await panel.getByRole('button', { name: 'Special Message' }).click()
  await expect(
    page.getByRole('dialog').getByText('Test mode: no text leaves this computer').first(),
  ).toBeVisible()
  expect(infoCalls, 'the status already names the service').toBe(0)
  const service = page.getByRole('region', { name: 'SMS service' })
  const infoMock = await mockCall(page, '/sms/info', null)
  await visit('/message-center?tab=setup')
  await expect(service).toContainText('Could not be loaded')
  await expect(service).not.toContainText('Active')
  await expect(service.getByRole('alert')).toContainText('We can’t check right now')
  infoMock.response = { service: 'twilio_sms', phone_number: '+15125550100', status: 'ready' }
  await service.getByRole('button', { name: 'Try again' }).click()
  await expect(service.getByText('Active', { exact: true })).toBeVisible()
})

test('reports after one timeout that the status of the service could not be loaded', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/Failed to load/)
  await signIn(page, dojo)
  await page.clock.install()
  for (const path of ['info', 'status']) await delayCalls(page, `**/api/sms/${path}`, 'GET')
  await visit('/message-center?tab=setup')
  const service = page.getByRole('region', { name: 'SMS service' })
  await expect(service).toContainText('Checking...')
  await expect(service).not.toContainText('Active')
  await page.clock.runFor(8_100)
  await expect(service).toContainText('Could not be loaded')
  await expect(service).not.toContainText('Checking...')
  await expect(service.getByRole('button', { name: 'Try again' })).toBeVisible()
  await visit('/sms-setup')
  await expect(service).toContainText('Checking the SMS service...')
  await page.clock.runFor(8_100)
  await expect(service).toContainText('SMS service error')
})

test('shows test mode if either the status or the service info says so', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/Failed to load/)
  await signIn(page, dojo)
  await mockCall(page, '/sms/status', null)
  await visit('/sms-setup')
  const service = page.getByRole('region', { name: 'SMS service' })
  await expect(service).toContainText('SMS service error')
  await expect(service).toContainText(
    'The status could not be loaded. Test mode: no text leaves this computer.',
  )
  await expect(service).not.toContainText('Your texts will wait')
  await visit('/message-center')
  const panel = page.getByRole('tabpanel')
  await expect(panel).toContainText('Can’t reach the text service')
  await expect(panel).toContainText('Test mode: no text leaves this computer.')
})

test('confirms a message in test mode with a note that nothing was sent', async ({
  page,
  dojo,
  visit,
}) => {
  await dojo.createStudent({ name: 'Leo Chen', phone_number: '+15125550177' })
  await signIn(page, dojo)
  await visit('/message-center')
  await page.getByRole('button', { name: 'Weather Cancellation' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Message' }).fill('No class today.')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  const banner = page.getByRole('status').filter({ hasText: 'sent successfully!' })
  await expect(banner).toContainText('Sent to 1 students')
  await expect(banner).toContainText('Test mode: no text leaves this computer.')
  await expect(page.getByText('1 delivered (test)')).toBeVisible({ timeout: 15_000 })
})

test('switches the welcome message and the reminders, and reverts on failure', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/ERR_FAILED/)
  await signIn(page, dojo)
  await visit('/message-center')
  // A switch is disabled until its setting has been loaded.
  await expect(welcomeSwitch(page)).toBeEnabled()
  await expect(welcomeSwitch(page)).not.toBeChecked()
  await expect(remindersSwitch(page)).toBeChecked()
  for (const [control, path] of [
    [welcomeSwitch(page), '/api/welcome-message-settings'],
    [remindersSwitch(page), '/api/reminder-settings'],
  ] as const) {
    const responsePromise = page.waitForResponse(
      (response) => response.request().method() === 'PUT' && response.url().endsWith(path),
    )
    await control.press('Space')
    await responsePromise
  }
  await expect(welcomeSwitch(page)).toBeChecked()
  await expect(remindersSwitch(page)).not.toBeChecked()
  expect(await call(textingApi.welcomeSettings, {}, dojo.token)).toEqual({
    welcome_message_enabled: true,
  })
  expect(await call(textingApi.reminderSettings, {}, dojo.token)).toMatchObject({
    reminders_enabled: false,
  })
  await page.route(/-settings$/, (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  )
  await welcomeSwitch(page).press('Space')
  await expect(page.getByText('The welcome message setting could not be saved.')).toBeVisible()
  await expect(welcomeSwitch(page)).toBeChecked()
  await remindersSwitch(page).press('Space')
  await expect(page.getByText('The reminder settings could not be saved.')).toBeVisible()
  await expect(remindersSwitch(page)).not.toBeChecked()
  await page.route(/-settings$/, (route) => route.abort())
  await page.reload()
  await expect(page.getByText('The welcome message setting could not be loaded.')).toBeVisible()
  await expect(welcomeSwitch(page)).toBeDisabled()
  await expect(welcomeSwitch(page)).not.toBeChecked()
  await expect(remindersSwitch(page)).toBeDisabled()
  await page.unroute(/-settings$/)
  await page
    .getByRole('region', { name: 'Automated Reminders' })
    .getByRole('button', { name: 'Try again' })
    .click()
  await expect(remindersSwitch(page)).toBeEnabled()
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await expect(welcomeSwitch(page)).toBeEnabled()
})

test('shows how many texts are used, in color and words', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/ERR_FAILED/)
  await signIn(page, dojo)
  let mockUsage: ReturnType<typeof createUsage> | null = createUsage(0)
  await page.route('**/api/daily-message-usage', (route) =>
    mockUsage ? route.fulfill({ json: mockUsage }) : route.abort(),
  )
  const meter = page.getByRole('meter', { name: 'Texts used today' })
  const bar = meter.locator('[data-tone]')
  const remainingText = page.getByText(/^[\d,]+ remaining$/)
  for (const [usedCount, text, hint, tone, barTone] of sampleInShortRun([
    [0, '0 of 300 used', 'The count resets at midnight UTC.', 'green', 'green'],
    [240, '240 of 300 used', 'The count resets at midnight UTC.', 'green', 'green'],
    [241, '241 of 300 used', 'Most of today’s texts are used.', 'green', 'orange'],
    [250, '250 of 300 used', 'Most of today’s texts are used.', 'green', 'orange'],
    [251, '251 of 300 used', 'Few texts remain today.', 'orange', 'orange'],
    [299, '299 of 300 used', 'Few texts remain today.', 'orange', 'orange'],
    [300, '300 of 300 used', 'Daily limit reached. Resets at midnight UTC.', 'red', 'red'],
  ] as const)) {
    mockUsage = createUsage(usedCount)
    await visit('/message-center')
    await expect(meter).toHaveAttribute('aria-valuetext', text)
    await expect(page.getByText(text)).toBeVisible()
    await expect(page.getByText(hint)).toBeVisible()
    await expect(remainingText).toHaveText(`${300 - usedCount} remaining`)
    expect(await readColor(remainingText), `text at ${usedCount}`).toBe(
      await themeColor(page, tone),
    )
    expect(await readBackground(bar), `bar at ${usedCount}`).toBe(await themeColor(page, barTone))
  }
  await expectAccessible(page)
  await reminders(page).getByRole('button', { name: 'On Due' }).click()
  await expect(
    page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }),
  ).toBeDisabled()
  await expect(page.getByRole('dialog')).toContainText(
    'Daily limit reached. Resets at midnight UTC.',
  )
  mockUsage = null
  await visit('/message-center')
  await expect(page.getByText('0 of 300 used')).toBeVisible()
  await expect(remainingText).toHaveText('300 remaining')
})

test('polls the text service every ten seconds, except while its QR code is shown', async ({
  page,
  dojo,
  visit,
  isDesktop,
}) => {
  test.slow()
  await signIn(page, dojo)
  await page.clock.install()
  const qr = {
    qr: await createQrCode(),
    status: 'disconnected',
    connected: false,
    user: { name: 'Aiko Tanaka' },
  }
  const statusMock = await mockCall(
    page,
    '/sms/status',
    createServiceStatus('ready', {
      connected: true,
      service: 'twilio_sms',
      phone_number: '+15125550100',
    }),
  )
  const qrMock = await mockCall(page, '/whatsapp/qr', qr)
  await visit('/message-center')
  const serviceStatus = page
    .getByRole('tabpanel')
    .getByText(/^(Text service|Checking the text service)/)
  await expect(serviceStatus).toHaveText('Text service connected')
  await expect(page.getByText('(512) 555-0100')).toBeVisible()
  expect(qrMock.callCount).toBe(0)
  await page.waitForLoadState('networkidle')
  await stopClock(page)
  // The page polls again ten seconds after the last response.
  const countBefore = statusMock.callCount
  const responsePromise = page.waitForResponse('**/api/sms/status')
  await expect(async () => {
    await page.clock.runFor(100)
    expect(statusMock.callCount).toBe(countBefore + 1)
  }).toPass({ intervals: [20] })
  await responsePromise
  await waitForPage(page)
  await page.clock.runFor(50)
  const countAfterPoll = statusMock.callCount
  statusMock.response = createServiceStatus('disconnected')
  await page.clock.runFor(9_800)
  await waitForPage(page)
  expect(statusMock.callCount, 'before 10 s').toBe(countAfterPoll)
  await page.clock.runFor(300)
  await expect.poll(() => statusMock.callCount, 'at 10 s').toBe(countAfterPoll + 1)
  await runUntilVisible(page, page.getByRole('img', { name: 'QR code for the SMS setup page' }))
  await expect(serviceStatus).toHaveText('Text service not connected')
  expect(statusMock.callCount).toBe(countAfterPoll + 1)
  // On a phone, the tabs cover part of the next section's buttons, which axe then reports as too
  // small.
  if (isDesktop) {
    // axe needs timers, which a stopped clock would not run.
    await page.clock.resume()
    await expectAccessible(page)
    await stopClock(page)
  }
  statusMock.response = createServiceStatus('ready')
  await page.clock.runFor(30_000)
  await expect(serviceStatus).toHaveText('Text service not connected')
  expect([statusMock.callCount, qrMock.callCount]).toEqual([countAfterPoll + 1, 1])
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await runUntilVisible(page, serviceStatus.and(page.getByText('Text service connected')))
  await expect(page.getByRole('img', { name: 'QR code for the SMS setup page' })).toHaveCount(0)
})

test('shows an unreachable text service as an error until it is checked again', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/ERR_FAILED/)
  await signIn(page, dojo)
  const statusMock = await mockCall(page, '/sms/status', null)
  const qrMock = await mockCall(page, '/whatsapp/qr', null)
  await visit('/message-center')
  await expect(page.getByText('Can’t reach the text service')).toBeVisible()
  expect(qrMock.callCount).toBe(0)
  statusMock.response = createServiceStatus('service_unreachable')
  const initMock = await mockCall(page, '/sms/init', {
    success: false,
    error: 'SMS service is not accessible',
    error_type: 'connectivity',
  })
  const checkAgain = page.getByRole('button', { name: 'Check again' })
  await checkAgain.click()
  await expect(page.getByRole('alert')).toHaveText('SMS service is not accessible')
  await expect.poll(() => qrMock.callCount).toBeGreaterThan(0)
  await expect(page.getByText('Can’t reach the text service')).toBeVisible()
  await expect(page.getByRole('img', { name: 'QR code for the SMS setup page' })).toHaveCount(0)
  await expectAccessible(page)
  initMock.response = { success: true }
  statusMock.response = createServiceStatus('disconnected')
  qrMock.response = {
    qr: await createQrCode(),
    status: 'disconnected',
    connected: false,
    user: { name: 'Aiko Tanaka' },
  }
  await checkAgain.click()
  await expect(page.getByText('Text service not connected')).toBeVisible()
  await expect(page.getByRole('img', { name: 'QR code for the SMS setup page' })).toBeVisible()
  qrMock.response = null
  await checkAgain.click()
  await expect(page.getByText('Can’t reach the text service')).toBeVisible()
  await expect(page.getByRole('img', { name: 'QR code for the SMS setup page' })).toHaveCount(0)
  initMock.response = null
  await checkAgain.click()
  await expect(page.getByRole('alert')).toHaveText('Network error during SMS initialization')
  await page.unroute('**/api/sms/init')
  await page.unroute('**/api/sms/status')
  await checkAgain.click()
  await expect(
    page.getByText('Test mode: no text leaves this computer', { exact: true }),
  ).toBeVisible()
})
