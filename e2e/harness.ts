/** The fixtures and checks that all browser tests share. */
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
import { mustExist } from '@tatami/contract/lib/must-exist'
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
  /** The beginning of each path: '' in the mobile layout, '/desktop' in the desktop layout. */
  layoutPath: '' | '/desktop'
  /** True in the desktop layout. */
  isDesktop: boolean
  /** A new dojo for this test, with a session of its sensei. */
  dojo: Dojo
  /** Opens a screen in the layout under test. The path is that of the mobile layout. */
  visit: (path: string) => Promise<void>
  /** Accepts console messages and page errors that match. Any other error fails the test. */
  allowErrors: (error: RegExp) => void
}
type WorkerFixtures = {
  superAdmin: Person
  /** At most one context, which the tests of a worker use one after the other. */
  sharedContexts: SharedContext[]
}

/** Screens that have the same path in both layouts. */
const PATHS_WITHOUT_LAYOUT = ['/', '/login', '/consent-form', '/super-admin']

/** True in `npm test`, which runs a sample of the browser tests. `npm run test:long` runs all. */
export const isShortRun = Boolean(process.env.E2E_SAMPLE)

/** Returns every third item in `npm test`, and all items in the long run. */
export const sampleInShortRun = <Item>(items: readonly Item[]): Item[] =>
  items.filter((_, index) => !isShortRun || index % 3 === 0)

const MAX_CLEANUP_MS = 10_000

const baseTest = base.extend<Fixtures, WorkerFixtures>({
  baseURL: ({}, runTest) => runTest(process.env.E2E_URL),
  layoutPath: ({ isDesktop }, runTest) => runTest(isDesktop ? '/desktop' : ''),
  isDesktop: ({}, runTest, { project }) => runTest(project.name === 'desktop'),
  sharedContexts: [async ({}, runTest) => runTest([]), { scope: 'worker' }],
  superAdmin: [
    async ({}, runTest) =>
      runTest(await createSession(SUPER_ADMIN_EMAIL, process.env.E2E_SUPER_ADMIN_PASSWORD ?? '')),
    { scope: 'worker' },
  ],
  dojo: async ({}, runTest) => runTest(await createDojo()),
  visit: ({ page, layoutPath }, runTest) =>
    runTest(async (path) => void (await page.goto(pathInLayout(layoutPath, path)))),
  allowErrors: [
    async ({ context }, runTest) => {
      const allowedErrors: RegExp[] = []
      const { errors, serverErrors, stop } = watchErrors(context)
      await runTest((error) => void allowedErrors.push(error))
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

/** Tests that share a browser context, which is faster. In the long run, each test has its own. */
const testWithSharedContext = baseTest.extend({
  context: async (
    { browser, sharedContexts, baseURL, timezoneId, javaScriptEnabled, serviceWorkers },
    runTest,
    testInfo,
  ) => {
    const options = JSON.stringify([baseURL, timezoneId, javaScriptEnabled, serviceWorkers])
    let sharedContext = sharedContexts.pop()
    if (sharedContext?.options !== options) {
      await sharedContext?.context.close()
      sharedContext = await openSharedContext(browser, options)
    }
    await runTest(sharedContext.context)
    if (sharedContext.isSpoiled || testInfo.status !== testInfo.expectedStatus)
      return sharedContext.context.close()
    // A browser that does not respond must not be used for the next test.
    const isEmpty = await Promise.race([
      emptyContext(sharedContext).then(() => true),
      sleep(MAX_CLEANUP_MS, false),
    ])
    if (!isEmpty) return sharedContext.context.close()
    sharedContexts.push(sharedContext)
  },
})

export const test = isShortRun ? testWithSharedContext : baseTest

const pathInLayout = (layoutPath: string, path: string) => {
  if (layoutPath === '' || PATHS_WITHOUT_LAYOUT.includes(path.split('?', 1)[0] ?? '')) return path
  return `${layoutPath}${path.replace(/^\/dashboard/, '')}`
}

/** Collects errors in all pages of the context, and server errors, which no test may allow. */
function watchErrors(context: BrowserContext) {
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

/** Logs the person in for the next page that the test opens. Leaves the current page first, because
 *  it would react to the login as if it had happened in another tab. */
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

/** Checks that all buttons of a dialog are enabled, or that all are disabled. */
export async function expectButtonsEnabled(dialog: Locator, isEnabled: boolean): Promise<void> {
  const buttons = dialog.getByRole('button', { includeHidden: true })
  expect(await buttons.count()).toBeGreaterThan(1)
  for (const button of await buttons.all()) await expect(button).toBeEnabled({ enabled: isEnabled })
}

/** Delays matching calls until the returned function is called. */
export async function delayCalls(page: Page, url: string, method: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    if (route.request().method() === method) await promise
    await route.fallback()
  })
  return resolve
}

/** The bar at the bottom of the page that says what was sent. */
export const resultBar = (page: Page): Locator => page.locator('div:has(> [data-place="result"])')

/** Returns by how many pixels the page is wider than its window. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

const WCAG = {
  type: 'tag' as const,
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
}
/** The rules that depend on the color scheme. */
const COLORS = { type: 'rule' as const, values: ['color-contrast', 'link-in-text-block'] }

const ALL_RULES_IN_LIGHT = ['light', WCAG] as const
const ALL_RULES_IN_DARK = ['dark', WCAG] as const
const COLORS_IN_DARK = ['dark', COLORS] as const

/** Checks with axe that the page does not violate WCAG 2.2 AA. The long run checks all rules in
 *  light mode and the colors in dark mode. The short run checks all rules: on a phone in light
 *  mode, on a desktop in dark mode. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source)
  const isDesktop = base.info().project.name === 'desktop'
  const shortRunRules = isDesktop ? ALL_RULES_IN_DARK : ALL_RULES_IN_LIGHT
  const checks = isShortRun ? [shortRunRules] : [ALL_RULES_IN_LIGHT, COLORS_IN_DARK]
  for (const [colorScheme, runOnly] of checks) {
    await page.emulateMedia({ colorScheme })
    const violations = await page.evaluate(async (rules) => {
      const pageAxe = (globalThis as unknown as { axe: typeof axe }).axe
      const { violations: axeViolations } = await pageAxe.run({
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

/** Checks the whole page in a viewport so high that it does not scroll. Otherwise the bars at the
 *  edges of a phone's screen would cover part of the page. */
export async function expectAllAccessible(page: Page): Promise<void> {
  const { width, height } = mustExist(page.viewportSize(), 'The viewport')
  const pageHeight = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.max(2400, pageHeight + 300) })
  await page.evaluate(() => window.scrollTo(0, 0))
  await expectAccessible(page)
  await page.setViewportSize({ width, height })
}

/** Returns a list to which the warnings on the page's console are added from now on. */
export function collectWarnings(page: Page): string[] {
  const lines: string[] = []
  page.on('console', (message) => {
    // playwright.config.ts blocks service workers, which causes a warning.
    if (
      message.type() === 'warning' &&
      !message.text().startsWith('Service Worker registration blocked')
    )
      lines.push(message.text())
  })
  return lines
}

/** Returns a list to which the paths of all changing calls are added from now on. */
export function collectChanges(page: Page): string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() !== 'GET' && pathname.startsWith('/api/'))
      paths.push(`${request.method()} ${pathname}`)
  })
  return paths
}
