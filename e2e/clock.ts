import { expect, type Locator, type Page } from '@playwright/test'

const STEP_MS = 10
/** The clock cannot be stopped at a time in the past. This is how long a busy computer may need
 *  between reading the clock and stopping it. */
const MAX_STOP_DELAY_MS = 3_000

export const readPageTime = (page: Page): Promise<number> => page.evaluate(() => Date.now())

/** Stops the page's clock, so only the test moves it. Requires `page.clock.install()` before
 *  the page is opened. */
export const stopClock = async (page: Page): Promise<void> =>
  page.clock.pauseAt((await readPageTime(page)) + MAX_STOP_DELAY_MS)

/** Waits until the page has handled all earlier responses of the server. */
export const waitForPage = (page: Page): Promise<void> =>
  page.evaluate(async () => void (await (await fetch('/api/health/live')).text()))

export const runClockTo = async (page: Page, time: number): Promise<void> =>
  page.clock.runFor(Math.max(0, time - (await readPageTime(page))))

/** Lets time pass in small steps until the element is visible, and returns the page's time. */
export async function runUntilVisible(page: Page, element: Locator): Promise<number> {
  await expect(async () => {
    await page.clock.runFor(STEP_MS)
    expect(await element.isVisible()).toBe(true)
  }).toPass({ intervals: [STEP_MS], timeout: 20_000 })
  return readPageTime(page)
}

/** Checks that the element is still visible after 4.9 seconds, and no longer after 5.1 seconds. */
export async function expectShownForFiveSeconds(
  page: Page,
  element: Locator,
  startTime: number,
): Promise<void> {
  await runClockTo(page, startTime + 4_900)
  await expect(element).toBeVisible()
  await runClockTo(page, startTime + 5_100)
  await expect(element).toBeHidden()
}

/** Changes the time in the server's responses, by which the page sets its clock. */
export async function setServerTime(page: Page, timeMs: number): Promise<void> {
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      headers: { ...response.headers(), date: new Date(timeMs).toUTCString() },
    })
  })
}
