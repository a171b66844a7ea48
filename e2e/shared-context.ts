import type { Browser, BrowserContext, Page } from '@playwright/test'

/** A context that the tests of a worker use one after the other. A new one costs two seconds of a core: its caches are cold. */
export type SharedContext = {
  context: BrowserContext
  /** Stays open on the origin under test, so that its local storage can be written before a test's page is there. */
  storagePage: Page
  /** The options it was opened with. */
  options: string
  /** A test has changed what cannot be taken back. */
  isSpent: boolean
}

/** None of these can be undone. */
const LASTING = {
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
  const sharedContext: SharedContext = { context, storagePage, options, isSpent: false }
  const spend = async (name: string) => {
    sharedContext.isSpent = true
    // A service worker takes every page of the origin for one of the app's.
    if (name === 'grantPermissions') await storagePage.close()
  }
  for (const name of LASTING.clock) runBefore(context.clock, name, spend)
  for (const name of LASTING.context) runBefore(context, name, spend)
  return sharedContext
}

/** Has `act` run before each call of a method. */
function runBefore(target: object, name: string, act: (name: string) => Promise<void>) {
  const method = Reflect.get(target, name) as (...args: unknown[]) => unknown
  Reflect.set(target, name, async (...args: unknown[]) => {
    await act(name)
    return method.apply(target, args)
  })
}

/** Leaves nothing of a test behind but what the browser has cached. Tatami sets no cookies. */
export async function emptyContext({ context, storagePage }: SharedContext): Promise<void> {
  await Promise.all(context.pages().flatMap((page) => (page === storagePage ? [] : page.close())))
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await storagePage.evaluate(() => localStorage.clear())
}

/** Empties the local storage but for the token. False in a context that is not shared. */
export async function storeToken(context: BrowserContext, token: string): Promise<boolean> {
  const storagePage = storagePages.get(context)
  if (!storagePage || storagePage.isClosed()) return false
  await storagePage.evaluate((value) => {
    localStorage.clear()
    localStorage.setItem('token', value)
  }, token)
  return true
}
