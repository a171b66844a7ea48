import type { Browser, BrowserContext, Page } from '@playwright/test'

/** A browser context that the tests of a worker use one after the other. A new context would have
 *  empty caches, which costs each test two seconds of processor time. */
export type SharedContext = {
  context: BrowserContext
  /** Stays open, so a test can write the app's local storage before it opens a page. */
  storagePage: Page
  /** The Playwright options with which it was opened. */
  options: string
  /** True after a test has changed something that cannot be undone. */
  isSpoiled: boolean
}

/** Methods whose effects cannot be undone. */
const IRREVERSIBLE_METHODS = {
  clock: ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'],
  context: ['addInitScript', 'exposeBinding', 'exposeFunction', 'grantPermissions'],
} as const

const storagePages = new WeakMap<BrowserContext, Page>()

export async function openSharedContext(browser: Browser, options: string): Promise<SharedContext> {
  const context = await browser.newContext()
  const storagePage = await context.newPage()
  await storagePage.route('/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">' }),
  )
  await storagePage.goto('/')
  storagePages.set(context, storagePage)
  const sharedContext: SharedContext = { context, storagePage, options, isSpoiled: false }
  const markSpoiled = async (name: string) => {
    sharedContext.isSpoiled = true
    // A service worker would treat this page as a page of the app.
    if (name === 'grantPermissions') await storagePage.close()
  }
  for (const name of IRREVERSIBLE_METHODS.clock) runBefore(context.clock, name, markSpoiled)
  for (const name of IRREVERSIBLE_METHODS.context) runBefore(context, name, markSpoiled)
  return sharedContext
}

/** Makes a method run `action` first. */
function runBefore(target: object, name: string, action: (name: string) => Promise<void>) {
  const method = Reflect.get(target, name) as (...args: unknown[]) => unknown
  Reflect.set(target, name, async (...args: unknown[]) => {
    await action(name)
    return method.apply(target, args)
  })
}

/** Removes everything that a test left, except the browser's caches. Tatami sets no cookies. */
export async function emptyContext({ context, storagePage }: SharedContext): Promise<void> {
  await Promise.all(context.pages().flatMap((page) => (page === storagePage ? [] : page.close())))
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await storagePage.evaluate(() => localStorage.clear())
}

/** Replaces the local storage with this token. Returns false if the context is not shared. */
export async function storeToken(context: BrowserContext, token: string): Promise<boolean> {
  const storagePage = storagePages.get(context)
  if (!storagePage || storagePage.isClosed()) return false
  await storagePage.evaluate((value) => {
    localStorage.clear()
    localStorage.setItem('token', value)
  }, token)
  return true
}
