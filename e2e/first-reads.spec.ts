import type { Page } from '@playwright/test'
import { stopClock } from './clock.ts'
import { expect, signIn, test } from './harness.ts'

const SCREENS = [
  {
    path: '/dashboard',
    reads:
      'dashboard/stats student-birthdays classes attendance class-dates payment-statistics slipping-away',
    shown: 'Birthday Details',
    asksForNothingElse: true,
  },
  { path: '/students', reads: 'students classes', shown: 'Students by Class' },
  { path: '/attendance', reads: 'classes class-dates attendance', shown: 'Attendance records' },
  { path: '/class-center', reads: 'classes', shown: 'Class Management' },
  {
    path: '/message-center',
    reads: 'sms/status daily-message-usage sms/conversations sms/batches',
    shown: 'Sent messages',
  },
]

/** The calls that a page makes, and the number of calls made by the HTML document that the app has
 *  not used yet. */
function watchReads(page: Page) {
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/'))
      calls.push(new URL(request.url()).pathname.slice('/api/'.length))
  })
  const countLeft = () =>
    page.evaluate(
      () =>
        (globalThis as { prefetched?: { responses: Map<string, unknown> } }).prefetched?.responses
          .size,
    )
  return { calls, countLeft }
}

for (const { path, reads, shown, asksForNothingElse } of SCREENS) {
  const expectedCalls = ['profile', ...reads.split(' ')]
  test(`requests the data of ${path} before the scripts are loaded, and only once`, async ({
    page,
    dojo,
    visit,
  }) => {
    await signIn(page, dojo)
    const { calls, countLeft } = watchReads(page)
    await page.route('**/assets/common-*.js', async (route) => {
      await expect.poll(() => calls).toEqual(expectedCalls)
      await route.continue()
    })
    await visit(path)
    await expect(page.getByRole('heading', { name: shown })).toBeVisible()
    await expect.poll(countLeft).toBe(0)
    const isOfTheLayout = (call: string) => /^(notification|sms\/inbox)/.test(call)
    expect(
      calls.filter((call) =>
        asksForNothingElse ? !isOfTheLayout(call) : expectedCalls.includes(call),
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
  let answer = () => {}
  const gate = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/profile', async (route) => {
    await gate
    await route.continue()
  })
  await page.route('**/assets/main-*.js', async (route) => {
    await stopClock(page)
    await route.continue()
  })
  await visit('/dashboard')
  await page.waitForLoadState('load')
  const ofDocument = page.locator('#starting')
  await page.clock.runFor(900)
  await expect(ofDocument).toBeAttached()
  await page.clock.runFor(200)
  await expect(ofDocument).not.toBeAttached()
  await expect(page.getByRole('status')).toHaveText('Loading')
  answer()
  await page.clock.resume()
  await expect(page.getByRole('heading', { name: 'Birthday Details' })).toBeVisible()
})

test('does not request data in advance that the screen does not need', async ({
  page,
  dojo,
  visit,
}) => {
  await signIn(page, dojo)
  const { countLeft } = watchReads(page)
  await visit('/message-center?tab=setup')
  await expect(page.getByRole('tab', { name: 'SMS Setup', selected: true })).toBeVisible()
  expect(await countLeft()).toBe(0)
})
