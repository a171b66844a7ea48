import { expect, type Locator, type Page } from '@playwright/test'

const STEP_MS = 10
/** A busy machine may need this long from reading the clock to stopping it, and it cannot be stopped in the past. */
const BUSY_MACHINE_MS = 3_000

export const timeIn = (page: Page): Promise<number> => page.evaluate(() => Date.now())

/** From here on time passes only where the test lets it. The page was opened after `page.clock.install()`. */
export const stopClock = async (page: Page): Promise<void> =>
  page.clock.pauseAt((await timeIn(page)) + BUSY_MACHINE_MS)

/** Waits until the page has dealt with every answer that it was given before. */
export const settle = (page: Page): Promise<void> =>
  page.evaluate(async () => void (await (await fetch('/api/health/live')).text()))

export const runTo = async (page: Page, moment: number): Promise<void> =>
  page.clock.runFor(Math.max(0, moment - (await timeIn(page))))

/** Lets time pass in small steps until `part` shows; answers when that was. */
export async function runUntilVisible(page: Page, part: Locator): Promise<number> {
  await expect(async () => {
    await page.clock.runFor(STEP_MS)
    expect(await part.isVisible()).toBe(true)
  }).toPass({ intervals: [STEP_MS], timeout: 20_000 })
  return timeIn(page)
}

/** `part` shows 4.9 s after it came, and no longer 5.1 s after. */
export async function expectShownForFiveSeconds(
  page: Page,
  part: Locator,
  startTime: number,
): Promise<void> {
  await runTo(page, startTime + 4_900)
  await expect(part).toBeVisible()
  await runTo(page, startTime + 5_100)
  await expect(part).toBeHidden()
}

/** From here on the server's answers are dated `moment`, by which the page sets its clock. In milliseconds. */
export async function answerAt(page: Page, moment: number): Promise<void> {
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      headers: { ...response.headers(), date: new Date(moment).toUTCString() },
    })
  })
}
