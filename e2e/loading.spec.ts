import type { Locator, Page } from '@playwright/test'
import { attendanceApi } from '@tatami/contract/attendance/attendance'
import { call } from './api.ts'
import { expect, isShortRun, signIn, test, collectWarnings } from './harness.ts'

/** Holds matching calls until the returned function is called. */
async function holdCalls(page: Page, url: RegExp) {
  let isDown = true
  await page.route(url, (route) => (isDown ? undefined : route.fallback()))
  return () => {
    isDown = false
  }
}

/** Returns a clock that only the test moves. Call this before the page is opened. */
async function pauseClock(page: Page, api: RegExp) {
  let now = 0
  let calledAt = Infinity
  page.on('request', (request) => {
    if (api.test(request.url()) && calledAt === Infinity) calledAt = now
  })
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  const tick = async (ms: number) => {
    now += ms
    await page.clock.runFor(ms)
  }
  return {
    tick,
    /** Waits until `content` is visible. The page also waits for things that take real time. */
    tickUntilVisible: (content: Locator) =>
      expect(async () => {
        await tick(10)
        await expect(content).toBeVisible({ timeout: 50 })
      }).toPass({ intervals: [10], timeout: 30_000 }),
    /** Moves the clock to `ms` after the call was made. */
    tickToAfterCall: async (ms: number) => {
      expect(calledAt).toBeLessThanOrEqual(now)
      await tick(calledAt + ms - now)
    },
  }
}

const retryButton = (page: Page) => page.getByRole('button', { name: 'Try again' })

const SCREENS = [
  {
    screen: 'students',
    path: '/students',
    api: /api\/students$/,
    loadingText: 'Loading students...',
    afterTimeout: 'No students found',
    content: 'Ken Adams',
  },
  {
    screen: 'classes',
    path: '/class-center',
    api: /api\/classes$/,
    loadingText: 'Loading classes...',
    afterTimeout: 'No classes found. Add your first class to get started!',
    content: 'Little Dragons',
  },
  {
    screen: 'payments',
    path: '/payment-center',
    api: /api\/students$/,
    loadingText: 'Loading payments...',
    afterTimeout: 'No students in this list',
    content: 'Ken Adams',
  },
  {
    screen: 'attendance',
    path: '/attendance',
    api: /api\/attendance\?/,
    loadingText: 'Loading',
    afterTimeout: 'The attendance records could not be loaded.',
    content: 'Ken Adams',
  },
  {
    screen: 'the dashboard',
    path: '/dashboard',
    api: /api\/student-birthdays$/,
    loadingText: 'Loading dashboard...',
    afterTimeout: 'Not everything here could be loaded.',
    content: 'Birthday Calendar',
  },
]

const SAMPLED_SCREENS = isShortRun ? SCREENS.slice(0, 1) : SCREENS
for (const { screen, path, api, loadingText, afterTimeout, content } of SAMPLED_SCREENS) {
  test(`stops loading ${screen} after 8 s, and loads when the server is back`, async ({
    page,
    dojo,
    visit,
  }) => {
    const { id } = await dojo.createClass()
    const ken = await dojo.createStudent({ name: 'Ken Adams', enrolled_classes: [id] })
    const body = {
      student_id: ken.id,
      class_id: id,
      class_date: '2026-03-02T00:00:00.000Z',
      present: true,
    }
    await call(attendanceApi.mark, { body }, dojo.token)
    const warnings = collectWarnings(page)
    await signIn(page, dojo)
    const clock = await pauseClock(page, api)
    const release = await holdCalls(page, api)
    await visit(path)
    const loading = page.getByText(loadingText, { exact: true }).first()
    await clock.tickUntilVisible(loading)
    await clock.tickToAfterCall(7000)
    await expect(loading).toBeVisible()
    await expect(retryButton(page)).toHaveCount(0)
    await clock.tickToAfterCall(8000)
    await clock.tickUntilVisible(page.getByText(afterTimeout))
    await expect(loading).toBeHidden()
    await expect(retryButton(page)).toHaveCount(1)
    // The page keeps trying, and shows neither a spinner nor another error.
    for (let step = 0; step < 40; step += 1) await clock.tick(1000)
    await expect(loading).toBeHidden()
    await expect(retryButton(page)).toBeVisible()
    // On a slow computer, other calls may take longer than 8 seconds of this clock. Warnings name
    // paths without their query, so a `?` is added for the patterns that end in one.
    const pathIn = (line: string) => `/api${/GET (\S+) failed: no response$/.exec(line)?.[1]}`
    expect(
      warnings.filter((line) => api.test(pathIn(line)) || api.test(`${pathIn(line)}?`)),
    ).toHaveLength(1)
    release()
    for (let step = 0; step < 20; step += 1) await clock.tick(1000)
    await clock.tickUntilVisible(page.getByText(content).first())
    // On a slow computer, another call may have timed out, too. It is repeated after a while.
    await expect(async () => {
      await clock.tick(1000)
      await expect(retryButton(page)).toHaveCount(0, { timeout: 50 })
    }).toPass({ timeout: 30_000 })
  })
}

test(
  'loads for at most another 8 s after Try again',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await dojo.createStudent({ name: 'Ken Adams' })
    await signIn(page, dojo)
    const clock = await pauseClock(page, /api\/students$/)
    const release = await holdCalls(page, /api\/students$/)
    await visit('/students')
    const loading = page.getByText('Loading students...')
    await clock.tickUntilVisible(loading)
    await clock.tickToAfterCall(8000)
    await clock.tickUntilVisible(retryButton(page))
    await retryButton(page).click()
    await clock.tickUntilVisible(loading)
    await clock.tick(8000)
    await clock.tickUntilVisible(page.getByText('No students found'))
    release()
    await retryButton(page).click()
    await clock.tickUntilVisible(page.getByText('Ken Adams'))
  },
)
