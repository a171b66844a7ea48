import { expect, type Locator, type Page } from '@playwright/test'

const STEP_MS = 10
/** The clock cannot be stopped in the past. A busy computer may take this long from reading the
 *  clock to stopping it. */
const BUSY_MACHINE_MS = 3_000

export const timeIn = (page: Page): Promise<number> => page.evaluate(() => Date.now())

/** Stops the page's clock, so only the test moves it. Requires `page.clock.install()` before
 *  the page is opened. */
export const stopClock = async (page: Page): Promise<void> =>
  page.clock.pauseAt((await timeIn(page)) + BUSY_MACHINE_MS)

/** Waits until the page has handled all earlier responses of the server. */
export const waitForPage = (page: Page): Promise<void> =>
  page.evaluate(async () => void (await (await fetch('/api/health/live')).text()))

export const runTo = async (page: Page, time: number): Promise<void> =>
  page.clock.runFor(Math.max(0, time - (await timeIn(page))))

/** Lets time pass in small steps until the element is visible, and returns the page's time. */
export async function runUntilVisible(page: Page, element: Locator): Promise<number> {
  await expect(async () => {
    await page.clock.runFor(STEP_MS)
    expect(await element.isVisible()).toBe(true)
  }).toPass({ intervals: [STEP_MS], timeout: 20_000 })
  return timeIn(page)
}

/** The element is still visible after 4.9 seconds, and no longer after 5.1 seconds. */
export async function expectShownForFiveSeconds(
  page: Page,
  element: Locator,
  startTime: number,
): Promise<void> {
  await runTo(page, startTime + 4_900)
  await expect(element).toBeVisible()
  await runTo(page, startTime + 5_100)
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
