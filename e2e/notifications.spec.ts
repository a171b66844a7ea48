import type { Page } from '@playwright/test'
import { announcementsApi } from '@tatami/contract/messages/announcements'
import { notificationsApi } from '@tatami/contract/notifications/notifications'
import { call } from './api.ts'
import { waitForPage, stopClock } from './clock.ts'
import type { Dojo } from './dojo.ts'
import { expect, expectAccessible, signIn, test, collectWarnings } from './harness.ts'

const VIBRATION = [100, 50, 100]
const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })
const sendNotification = (
  dojo: Dojo,
  title: string,
  message = 'The dojo is closed for the holiday.',
) => call(announcementsApi.send, { body: { title, message } }, dojo.token)

/** Records the sounds and vibrations that the page starts. Sounds still play. */
async function recordEffects(page: Page) {
  await page.addInitScript(() => {
    const effects: unknown[] = []
    Object.assign(window, { effects })
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function recordAndStart(time) {
      effects.push('note')
      start.call(this, time)
    }
    navigator.vibrate = (pattern) => Boolean(effects.push(pattern))
  })
}
const readEffects = (page: Page) =>
  page.evaluate(() => (window as unknown as { effects: unknown[] }).effects)

test('shows an empty panel at first and returns the focus', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  await visit('/dashboard')
  await bell(page).click()
  await expect(panel(page)).toContainText('Nothing yet. News from your dojo appears here.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
  await expect(bell(page)).toBeFocused()
})

test('marks one as read immediately, then on the server, and shows 9+ above nine', async ({
  page,
  dojo,
  visit,
}) => {
  const ken = await dojo.createStudent()
  const student = await dojo.createSession(ken)
  for (let number = 1; number <= 10; number += 1) await sendNotification(dojo, `Notice ${number}`)
  await signIn(page, student)
  await visit('/dashboard')
  await expect(bell(page)).toHaveText('9+')
  await expect(bell(page)).toHaveAccessibleName('Notifications, 9+ unread')
  await bell(page).click()
  await expect(panel(page).getByRole('listitem')).toHaveCount(10)
  const newestButton = panel(page).getByRole('listitem').first().getByRole('button')
  for (const text of ['Unread:', 'Notice 10', 'The dojo is closed for the holiday.', 'Aiko Tanaka'])
    await expect(newestButton).toContainText(text)
  await expectAccessible(page)
  await page.route('**/mark-read', async (route) => {
    await expect(newestButton).not.toContainText('Unread:')
    await route.continue()
  })
  const markResponsePromise = page.waitForResponse('**/mark-read')
  await newestButton.click()
  await markResponsePromise
  await page.keyboard.press('Escape')
  await expect(bell(page)).toHaveAccessibleName('Notifications, 9 unread')
  const [newestNotification] = await call(notificationsApi.list, { query: {} }, student.token)
  expect(newestNotification).toMatchObject({ title: 'Notice 10', is_read: true })
})

test('groups similar notifications, and marks all as read', async ({ page, dojo, visit }) => {
  const ken = await dojo.createStudent()
  const student = await dojo.createSession(ken)
  await sendNotification(dojo, 'Holiday hours')
  for (let number = 1; number <= 5; number += 1)
    await sendNotification(dojo, 'Class canceled', `Day ${number}`)
  await signIn(page, student)
  await visit('/dashboard')
  await bell(page).click()
  await expect(panel(page).getByText('6 unread')).toBeVisible()
  await expect(panel(page).getByText('Day 5')).toBeVisible()
  await expect(panel(page).getByText('Day 4')).toBeHidden()
  await panel(page).getByText('4 more like this, 4 unread').click()
  await expect(panel(page).getByText('Day 1')).toBeVisible()
  await expectAccessible(page)
  await panel(page).getByRole('button', { name: 'Mark all read' }).click()
  await expect(panel(page).getByText('All read')).toBeVisible()
  await expect(panel(page).getByText('Unread:')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(bell(page)).toHaveAccessibleName('Notifications')
  const notifications = await call(notificationsApi.list, { query: {} }, student.token)
  expect(notifications.filter(({ is_read }) => !is_read)).toEqual([])
})

test(
  'reloads the count as soon as one is marked read',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const ken = await dojo.createStudent()
    await sendNotification(dojo, 'Belt test')
    await signIn(page, await dojo.createSession(ken))
    await page.clock.install()
    await visit('/dashboard')
    await bell(page).click()
    const row = panel(page).getByRole('button', { name: /Belt test/ })
    await expect(row).toContainText('Unread:')
    await stopClock(page)
    await waitForPage(page)
    const markResponsePromise = page.waitForResponse('**/mark-read')
    const countResponsePromise = page.waitForResponse('**/api/notifications/unread-count')
    await row.click()
    await markResponsePromise
    expect(await (await countResponsePromise).json()).toEqual({ unread_count: 0 })
  },
)

test(
  'reverts to unread when marking fails',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    const ken = await dojo.createStudent()
    await sendNotification(dojo, 'Belt test')
    await signIn(page, await dojo.createSession(ken))
    await visit('/dashboard')
    await page.route('**/mark-read', (route) => route.abort())
    await bell(page).click()
    const row = panel(page).getByRole('button', { name: /Belt test/ })
    const requestPromise = page.waitForRequest('**/api/notifications')
    await row.click()
    await requestPromise
    await expect(row).toContainText('Unread:')
  },
)

test('polls every ten seconds, gets 304 while nothing changes, and plays the sound once', async ({
  page,
  dojo,
  visit,
}) => {
  const ken = await dojo.createStudent()
  await signIn(page, await dojo.createSession(ken))
  await recordEffects(page)
  const statuses: number[] = []
  page.on('response', (response) => {
    if (/\/api\/notifications(\/unread-count)?$/.test(response.url()))
      statuses.push(response.status())
  })
  await page.clock.install()
  await visit('/dashboard')
  await expect(bell(page)).toBeVisible()
  await expect.poll(() => statuses).toEqual([200, 200])
  const poll = async () => {
    const countBefore = statuses.length
    await page.clock.runFor(10_100)
    await expect.poll(() => statuses.length).toBeGreaterThanOrEqual(countBefore + 2)
  }
  await poll()
  await poll()
  expect(statuses.slice(-2)).toEqual([304, 304])

  // A page makes no sound before its first click.
  await sendNotification(dojo, 'Belt test')
  await poll()
  await expect(bell(page)).toHaveText('1')
  expect(await readEffects(page)).toEqual([])
  await page.getByRole('heading', { level: 1 }).click()
  await poll()
  await expect.poll(() => readEffects(page)).toEqual(['note', 'note', VIBRATION])
  await poll()
  expect(await readEffects(page)).toHaveLength(3)
})

test('polls the list and the count after ten seconds, and not earlier', async ({
  page,
  dojo,
  visit,
}) => {
  await signIn(page, await dojo.createSession(await dojo.createStudent()))
  await page.clock.install()
  const requestCounts = { '/notifications': 0, '/notifications/unread-count': 0 }
  const createCounts = (number: number) => ({
    '/notifications': number,
    '/notifications/unread-count': number,
  })
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname.replace(/^\/api/, '')
    if (path in requestCounts) requestCounts[path as keyof typeof requestCounts] += 1
  })
  await visit('/dashboard')
  await expect(bell(page)).toBeVisible()
  await expect.poll(() => requestCounts).toEqual(createCounts(1))
  await page.waitForLoadState('networkidle')
  await stopClock(page)
  // The page polls again ten seconds after a response. The response has to wait until the clock is
  // stopped.
  const { promise: releasePromise, resolve: releaseResponses } = Promise.withResolvers<void>()
  await page.route(/\/api\/notifications(\/unread-count)?$/, async (route) => {
    await releasePromise
    await route.fallback()
  })
  const responsePromises = ['', '/unread-count'].map((path) =>
    page.waitForResponse(`**/api/notifications${path}`),
  )
  await page.clock.runFor(10_100)
  releaseResponses()
  await Promise.all(responsePromises)
  await waitForPage(page)
  await page.clock.runFor(50)
  expect(requestCounts).toEqual(createCounts(2))
  await page.clock.runFor(9_800)
  await waitForPage(page)
  expect(requestCounts, 'before 10 s').toEqual(createCounts(2))
  await page.clock.runFor(300)
  await expect.poll(() => requestCounts, 'at 10 s').toEqual(createCounts(3))
})

test('only vibrates when sound is off, and logs a failed load once', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/ERR_FAILED/)
  const ken = await dojo.createStudent()
  const student = await dojo.createSession(ken)
  await call(notificationsApi.updateSettings, { body: { sound_enabled: false } }, student.token)
  await signIn(page, student)
  await recordEffects(page)
  await page.clock.install()
  await visit('/dashboard')
  await page.getByRole('heading', { level: 1 }).click()
  // Calls that are still running would time out when the clock moves.
  await page.waitForLoadState('networkidle')
  const warnings = collectWarnings(page)
  await page.route('**/api/notifications{,/unread-count}', (route) => route.abort())
  for (let round = 0; round < 3; round += 1) {
    const failurePromises = ['notifications', 'unread-count'].map((path) =>
      page.waitForEvent('requestfailed', (request) => request.url().endsWith(path)),
    )
    await page.clock.runFor(10_100)
    await Promise.all(failurePromises)
  }
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect
    .poll(() => warnings.toSorted())
    .toEqual([
      'GET /notifications failed: no response',
      'GET /notifications/unread-count failed: no response',
    ])
  await page.unroute('**/api/notifications{,/unread-count}')
  await sendNotification(dojo, 'Belt test')
  await page.clock.runFor(10_100)
  await expect.poll(() => readEffects(page)).toEqual([VIBRATION])
})

test('does not load settings for an instructor', async ({ page, dojo, visit }) => {
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  await signIn(page, dojo)
  await visit('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(bell(page)).toBeVisible()
  expect(urls.filter((url) => url.includes('notification-settings'))).toEqual([])
})

test(
  'shows notifications beyond the newest 200 on demand',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const student = await dojo.createSession(await dojo.createStudent())
    for (let number = 1; number <= 201; number += 1)
      await sendNotification(dojo, `Notice ${number}`)
    await signIn(page, student)
    await visit('/dashboard')
    await bell(page).click()
    await expect(panel(page).getByRole('listitem')).toHaveCount(200)
    await panel(page).getByRole('button', { name: 'Show more' }).click()
    const oldest = panel(page).getByRole('listitem').last()
    await expect(oldest).toContainText('Notice 1')
    await expect(panel(page).getByRole('listitem')).toHaveCount(201)
    await expect(panel(page).getByRole('button', { name: 'Show more' })).toBeHidden()
    await oldest.getByRole('button').click()
    await expect(oldest).not.toContainText('Unread:')
  },
)
