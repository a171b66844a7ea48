import { setTimeout as sleep } from 'node:timers/promises'
import axe from 'axe-core'
import {
  expect,
  test as base,
  type BrowserContext,
  type ConsoleMessage,
  type Locator,
  type Page,
  type Response,
  type WebError,
} from '@playwright/test'
import { createSession, type Person, SUPER_ADMIN_EMAIL } from './api.ts'
import { type Dojo, createDojo } from './dojo.ts'
import {
  emptyContext,
  openSharedContext,
  type SharedContext,
  storeToken,
} from './shared-context.ts'

export { expect }

type Fixtures = {
  /** '' in the mobile layout, '/desktop' in the desktop layout. */
  layoutPath: '' | '/desktop'
  /** A dojo of this test's own, its sensei signed in to the API. */
  dojo: Dojo
  /** Opens a screen in the layout under test, by its mobile path. */
  visit: (path: string) => Promise<void>
  /** Console messages and page errors that match are meant to happen in this test. */
  allowErrors: (error: RegExp) => void
}
type WorkerFixtures = {
  superAdmin: Person
  /** Empty until the worker's first test opens one. */
  sharedContexts: SharedContext[]
}

/** These have no address under /desktop. */
const WITHOUT_LAYOUT = ['/', '/login', '/consent-form', '/super-admin']

/** `npm test` takes a sample of what the long run looks at. */
export const isSample = Boolean(process.env.E2E_SAMPLE)

/** Of things of one kind, the first and each third after it in a sample; all in the long run. */
export const sampleOf = <T>(items: readonly T[]): T[] =>
  items.filter((_, index) => !isSample || index % 3 === 0)

const EMPTY_WITHIN_MS = 10_000

const everyTest = base.extend<Fixtures, WorkerFixtures>({
  baseURL: ({}, give) => give(process.env.E2E_URL),
  layoutPath: ({}, give, { project }) => give(project.name === 'desktop' ? '/desktop' : ''),
  sharedContexts: [async ({}, give) => give([]), { scope: 'worker' }],
  superAdmin: [
    async ({}, give) =>
      give(await createSession(SUPER_ADMIN_EMAIL, process.env.E2E_SUPER_ADMIN_PASSWORD ?? '')),
    { scope: 'worker' },
  ],
  dojo: async ({}, give) => give(await createDojo()),
  visit: ({ page, layoutPath }, give) =>
    give(async (path) => void (await page.goto(pathIn(layoutPath, path)))),
  allowErrors: [
    async ({ context }, give) => {
      const allowedErrors: RegExp[] = []
      const { errors, serverErrors, stop } = watch(context)
      await give((error) => void allowedErrors.push(error))
      stop()
      expect(serverErrors, 'the server never fails').toEqual([])
      expect(
        errors.filter((error) => !allowedErrors.some((pattern) => pattern.test(error))),
        'no unexpected error on the console',
      ).toEqual([])
    },
    { auto: true },
  ],
})

/** `npm test` shares a context between the tests of a worker, the long run gives each test its own. */
const sharing = everyTest.extend({
  context: async (
    { browser, sharedContexts, baseURL, timezoneId, javaScriptEnabled, serviceWorkers },
    give,
    testInfo,
  ) => {
    const options = JSON.stringify([baseURL, timezoneId, javaScriptEnabled, serviceWorkers])
    let sharedContext = sharedContexts.pop()
    if (sharedContext?.options !== options) {
      await sharedContext?.context.close()
      sharedContext = await openSharedContext(browser, options)
    }
    await give(sharedContext.context)
    if (sharedContext.isSpent || testInfo.status !== testInfo.expectedStatus)
      return sharedContext.context.close()
    // A browser that does not answer is no use to the next test.
    const isEmpty = await Promise.race([
      emptyContext(sharedContext).then(() => true),
      sleep(EMPTY_WITHIN_MS, false),
    ])
    if (!isEmpty) return sharedContext.context.close()
    sharedContexts.push(sharedContext)
  },
})

export const test = isSample ? sharing : everyTest

const pathIn = (layoutPath: string, path: string) => {
  if (layoutPath === '' || WITHOUT_LAYOUT.includes(path.split('?', 1)[0] ?? '')) return path
  return `${layoutPath}${path.replace(/^\/dashboard/, '')}`
}

/** Collects what goes wrong in any page of the context: errors of the page, and answers of 5xx, which nothing excuses. */
function watch(context: BrowserContext) {
  const errors: string[] = []
  const serverErrors: string[] = []
  const onConsole = (message: ConsoleMessage) => {
    if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`)
  }
  const onError = (error: WebError) =>
    void errors.push(error.error().stack ?? error.error().message)
  const onResponse = (response: Response) => {
    if (response.status() >= 500)
      serverErrors.push(`${response.status()} for ${response.request().method()} ${response.url()}`)
  }
  context.on('console', onConsole).on('weberror', onError).on('response', onResponse)
  const stop = () =>
    context.off('console', onConsole).off('weberror', onError).off('response', onResponse)
  return { errors, serverErrors, stop }
}

/** From the next visit on, the browser is this person's, as after a sign-in. The page is left: it would hear of it as of another tab's. */
export async function signIn(page: Page, { token }: Pick<Person, 'token'>): Promise<void> {
  if (page.url() !== 'about:blank') await page.goto('about:blank')
  if (await storeToken(page.context(), token)) return
  await page.context().setStorageState({
    cookies: [],
    origins: [
      { origin: process.env.E2E_URL ?? '', localStorage: [{ name: 'token', value: token }] },
    ],
  })
}

/** Every button in it, the native ones' disabled state or the one that a working button says of itself. */
export async function expectButtonsEnabled(dialog: Locator, isEnabled: boolean): Promise<void> {
  const buttons = dialog.getByRole('button', { includeHidden: true })
  expect(await buttons.count()).toBeGreaterThan(1)
  for (const button of await buttons.all()) await expect(button).toBeEnabled({ enabled: isEnabled })
}

/** Keeps such calls waiting until the returned function is called. */
export async function holdCalls(page: Page, url: string, method: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    if (route.request().method() === method) await promise
    await route.fallback()
  })
  return resolve
}

const WCAG = {
  type: 'tag' as const,
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
}
/** Of WCAG's rules, those that look at colors. */
const COLORS = { type: 'rule' as const, values: ['color-contrast', 'link-in-text-block'] }

const IN_LIGHT = ['light', WCAG] as const,
  IN_DARK = ['dark', COLORS] as const

/** No violation of WCAG 2.2 AA that axe can find: in light, and by its colors in dark. A sample looks at the phone in light and at the
 *  desktop in dark, by all rules. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source)
  const isDesktop = base.info().project.name === 'desktop'
  for (const [colorScheme, runOnly] of isSample
    ? [isDesktop ? (['dark', WCAG] as const) : IN_LIGHT]
    : [IN_LIGHT, IN_DARK]) {
    await page.emulateMedia({ colorScheme })
    const violations = await page.evaluate(async (rules) => {
      const inPage = (globalThis as unknown as { axe: typeof axe }).axe
      const { violations: axeViolations } = await inPage.run({
        runOnly: rules,
        resultTypes: ['violations'],
      })
      return axeViolations.flatMap(({ id, help, nodes }) =>
        nodes.map(
          ({ target, failureSummary }) =>
            `${id}: ${help}, at ${target.join(' ')}: ${failureSummary}`,
        ),
      )
    }, runOnly)
    expect(violations, `accessible in ${colorScheme}`).toEqual([])
  }
}

/** The whole page at once: at the edges of a phone's screen the layout's bars cover parts of what scrolls beneath them. */
export async function expectAllAccessible(page: Page): Promise<void> {
  const { width, height } = page.viewportSize()!
  const whole = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.max(2400, whole + 300) })
  // At the top and with room at the end, nothing lies in part under the bars at the foot.
  await page.evaluate(() => window.scrollTo(0, 0))
  await expectAccessible(page)
  await page.setViewportSize({ width, height })
}

/** What the page writes on the console as a warning, from now on. */
export function warningsOf(page: Page): string[] {
  const lines: string[] = []
  page.on('console', (message) => {
    // The worker that a page may have is not under test (playwright.config.ts).
    if (
      message.type() === 'warning' &&
      !message.text().startsWith('Service Worker registration blocked')
    )
      lines.push(message.text())
  })
  return lines
}
