import type { Page } from '@playwright/test'
import { stopClock } from './clock.ts'
import { expect, signIn, test } from './harness.ts'

const SCREENS = [
  {
    path: '/dashboard',
    reads:
      'dashboard/stats student-birthdays classes attendance class-dates gradings payment-statistics slipping-away certificate-alerts',
    heading: 'Birthday Details',
    requestsNothingElse: true,
  },
  { path: '/students', reads: 'students classes', heading: 'Students by Class' },
  { path: '/attendance', reads: 'classes class-dates attendance', heading: 'Attendance records' },
  { path: '/class-center', reads: 'classes', heading: 'Class Management' },
  {
    path: '/message-center',
    reads: 'sms/status daily-message-usage sms/batches',
    heading: 'Sent messages',
  },
  { path: '/messages', reads: 'sms/conversations', heading: 'Inbox' },
]

/** Watches the calls of a page, and counts the responses that the HTML document requested and the
 *  app has not used yet. */
function watchCalls(page: Page) {
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/'))
      calls.push(new URL(request.url()).pathname.slice('/api/'.length))
  })
  const countUnused = () =>
    page.evaluate(
      () =>
        (globalThis as { prefetched?: { responses: Map<string, unknown> } }).prefetched?.responses
          .size,
    )
  return { calls, countUnused }
}

for (const { path, reads, heading, requestsNothingElse } of SCREENS) {
  const expectedCalls = ['profile', ...reads.split(' ')]
  test(`requests the data of ${path} before the scripts are loaded, and only once`, async ({
    page,
    dojo,
    visit,
  }) => {
    await signIn(page, dojo)
    const { calls, countUnused } = watchCalls(page)
    await page.route('**/assets/common-*.js', async (route) => {
      await expect.poll(() => calls).toEqual(expectedCalls)
      await route.continue()
    })
    await visit(path)
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    await expect.poll(countUnused).toBe(0)
    const isLayoutCall = (call: string) => /^(notification|sms\/inbox)/.test(call)
    expect(
      calls.filter((call) =>
        requestsNothingElse ? !isLayoutCall(call) : expectedCalls.includes(call),
      ),
    ).toEqual(expectedCalls)
  })
}

test('shows the document’s spinner for a second while the profile loads, then React’s', async ({
  page,
  dojo,
  visit,
}) => {
  await signIn(page, dojo)
  await page.clock.install()
  const { promise: profileGate, resolve: releaseProfile } = Promise.withResolvers<void>()
  await page.route('**/api/profile', async (route) => {
    await profileGate
    await route.continue()
  })
  await page.route('**/assets/main-*.js', async (route) => {
    await stopClock(page)
    await route.continue()
  })
  await visit('/dashboard')
  await page.waitForLoadState('load')
  const documentSpinner = page.locator('#starting')
  await page.clock.runFor(900)
  await expect(documentSpinner).toBeAttached()
  await page.clock.runFor(200)
  await expect(documentSpinner).not.toBeAttached()
  await expect(page.getByRole('status')).toHaveText('Loading')
  releaseProfile()
  await page.clock.resume()
  await expect(page.getByRole('heading', { name: 'Birthday Details' })).toBeVisible()
})

test('does not request data in advance that the screen does not need', async ({
  page,
  dojo,
  visit,
}) => {
  await signIn(page, dojo)
  const { countUnused } = watchCalls(page)
  await visit('/message-center?tab=setup')
  await expect(page.getByRole('tab', { name: 'SMS Setup', selected: true })).toBeVisible()
  expect(await countUnused()).toBe(0)
})
