import type { Page } from '@playwright/test'
import { expect, expectAccessible, delayCalls, signIn, test } from './harness.ts'

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const MINUTE_MS = 60_000

test('lists the permitted screens in the navigation and marks the current one', async ({
  page,
  dojo,
  visit,
  layoutPath,
}) => {
  const instructorScreens = [
    'Dashboard',
    'Student Center',
    'Class Center',
    'Payment Center',
    'Message Center',
  ]
  const commonScreens = ['Dashboard', 'Message Center']
  await signIn(page, dojo)
  await visit('/dashboard')
  await expect(navigation(page).getByRole('link')).toHaveText(
    instructorScreens.map((name) => new RegExp(name)),
  )
  await visit('/attendance')
  await expect(navigation(page).locator('[aria-current=page]')).toContainText('Student Center')
  await signIn(page, await dojo.createSession(await dojo.createStudent()))
  await visit('/dashboard')
  await expect(navigation(page).getByRole('link')).toHaveText(
    [...commonScreens, 'Settings'].map((name) => new RegExp(name)),
  )
  await navigation(page).getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveURL(`${layoutPath}/notification-settings`)
})

test('links each layout to the other, and opens the dashboard with Mobile version', async ({
  page,
  dojo,
  visit,
  isDesktop,
}) => {
  await signIn(page, dojo)
  await visit('/students?filter=trial')
  if (!isDesktop) {
    await page.getByRole('button', { name: 'Account' }).click()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Desktop version' }).click()
    await expect(page).toHaveURL('/desktop/students?filter=trial')
  }
  await page.getByRole('link', { name: 'Mobile version' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('clears the session and goes to the landing page on Logout', async ({
  page,
  dojo,
  visit,
  isDesktop,
}) => {
  await signIn(page, dojo)
  await visit('/class-center')
  if (!isDesktop) await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('button', { name: 'Get Started Today' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await visit('/class-center')
  await expect(page).toHaveURL('/login')
})

test('cancels running requests on Logout before it revokes the token', async ({
  page,
  dojo,
  visit,
  isDesktop,
}) => {
  await signIn(page, dojo)
  await visit('/class-center')
  const releaseStudents = await delayCalls(page, '**/api/students', 'GET')
  const releaseLogout = await delayCalls(page, '**/api/logout', 'POST')
  const requestPromise = page.waitForRequest('**/api/students')
  await navigation(page)
    .getByRole('link', { name: /Student Center/ })
    .click()
  await requestPromise
  const requestFailure = page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('/api/students'),
  )
  if (!isDesktop) await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await requestFailure
  releaseLogout()
  await expect(page).toHaveURL('/')
  releaseStudents()
})

test('shows no data on Back after a logout, even from the back/forward cache', async ({
  playwright,
  launchOptions,
  baseURL,
  dojo,
}) => {
  // Playwright's browsers do not keep pages in the back/forward cache.
  const browser = await playwright.chromium.launch({
    ...launchOptions,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  const page = await browser.newPage({ baseURL })
  const { name } = await dojo.createStudent()
  await signIn(page, dojo)
  await page.goto('/desktop/students')
  await expect(page.getByText(name).first()).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('button', { name: 'Get Started Today' })).toBeVisible()
  await page.evaluate(() => void setTimeout(() => history.back()))
  await expect(page).toHaveURL('/login')
  await expect(page.getByText(name)).toHaveCount(0)
  await browser.close()
})

test('shows Loading on the whole screen while the session is loaded', async ({
  page,
  dojo,
  visit,
}) => {
  await signIn(page, dojo)
  const { promise: releasePromise, resolve: releaseProfile } = Promise.withResolvers<void>()
  await page.route('**/api/profile', async (route) => {
    await releasePromise
    await route.continue()
  })
  await visit('/students')
  const loading = page.getByRole('status').filter({ hasText: /^Loading$/ })
  await expect(loading).toBeVisible()
  expect(await loading.boundingBox()).toMatchObject(page.viewportSize()!)
  await expectAccessible(page)
  releaseProfile()
  await expect(loading).toBeHidden()
  await expect(page.getByPlaceholder('Search students...')).toBeVisible()
})

test('sets the theme color for the browser and the installed app', async ({ page, request }) => {
  await page.goto('/')
  await expect(page.locator('meta[name=theme-color]')).toHaveAttribute('content', '#7c3aed')
  const manifest = await page.locator('link[rel=manifest]').getAttribute('href')
  expect(await (await request.get(manifest ?? '')).json()).toMatchObject({ theme_color: '#7c3aed' })
})

test(
  'waits two minutes for the script of a screen before reporting an error',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    // The error is thrown in a timer, which the test's clock runs.
    allowErrors(/ClockController|could not be loaded/)
    await signIn(page, dojo)
    await page.clock.install()
    const { promise: releasePromise, resolve: releaseScript } = Promise.withResolvers<void>()
    await page.route('**/assets/class-center-*.js', async (route) => {
      await releasePromise
      await route.continue()
    })
    await visit('/class-center')
    await expect(navigation(page)).toBeVisible()
    await page.clock.runFor(2 * MINUTE_MS - 5000)
    await expect(page.getByText('This part of the page could not be loaded.')).toBeHidden()
    await page.clock.runFor(5000)
    await expect(page.getByText('This part of the page could not be loaded.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    releaseScript()
    await page.clock.runFor(2000)
    await expect(page.getByText('Manage classes and schedules')).toBeVisible()
  },
)

test(
  'loads a failed screen and its styles when the network is back',
  { tag: '@long' },
  async ({ page, context, dojo, visit, layoutPath, allowErrors }) => {
    allowErrors(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|could not be loaded/)
    await signIn(page, dojo)
    await visit('/students')
    await expect(page.getByPlaceholder('Search students...')).toBeVisible()
    await page.route('**/assets/{class-center,class-management}*', (route) => route.abort())
    await navigation(page)
      .getByRole('link', { name: /Class Center/ })
      .click()
    await expect(page.getByText('This part of the page could not be loaded.')).toBeVisible()
    await page.unrouteAll()
    await context.setOffline(true)
    await context.setOffline(false)
    await expect(page.getByText('Manage classes and schedules')).toBeVisible()
    await expect(page).toHaveURL(`${layoutPath}/class-center`)
    const missingCount = await page.evaluate(
      () =>
        [
          ...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]:not([disabled])'),
        ].filter(({ sheet }) => !sheet?.cssRules.length).length,
    )
    expect(missingCount, 'stylesheets that did not load').toBe(0)
  },
)

const layoutOffer = (page: Page) => page.getByRole('complementary', { name: 'Layout' })

async function logOutAndIn(page: Page, { email, password }: { email: string; password: string }) {
  const account = page.getByRole('button', { name: 'Account' })
  const logout = page.getByRole('button', { name: 'Logout' })
  // Only the mobile layout has Logout in a menu.
  await expect(account.or(logout)).toBeVisible()
  if (await account.isVisible()) await account.click()
  await logout.click()
  await page.getByRole('button', { name: 'Get Started Today' }).click()
  const dialog = page.getByRole('dialog', { name: 'Login' })
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
  await dialog.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome back, Aiko Tanaka!' })).toBeVisible()
}

test(
  'opens the requested page after a login, in the layout last used on this device',
  { tag: '@long' },
  async ({ page, dojo }) => {
    await signIn(page, dojo)
    await page.goto('/desktop/students')
    await logOutAndIn(page, dojo)
    await expect(page).toHaveURL('/desktop')
    await page.getByRole('link', { name: 'Mobile version' }).click()
    await expect(page).toHaveURL('/dashboard')
    await logOutAndIn(page, dojo)
    await expect(page).toHaveURL('/dashboard')
    await page.goto('/desktop')
    // Leaves the app first, because an open page would go to the login automatically.
    await page.goto('/api/health/live')
    await page.evaluate(() => localStorage.removeItem('token'))
    await page.goto('/students?filter=trial')
    await page.getByLabel('Email').fill(dojo.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(dojo.password)
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page).toHaveURL('/students?filter=trial')
  },
)

test('redirects from /desktop/dashboard to /desktop', async ({ page, dojo }) => {
  await signIn(page, dojo)
  await page.goto('/desktop/dashboard')
  await expect(page).toHaveURL('/desktop')
  await expect(page.getByRole('heading', { name: 'Welcome back, Aiko Tanaka!' })).toBeVisible()
})

test(
  'offers the desktop layout once on a wide screen, never on a phone',
  { tag: '@long' },
  async ({ page, dojo, isDesktop }) => {
    await signIn(page, dojo)
    await page.goto('/students?filter=trial')
    await expect(page.getByPlaceholder('Search students...')).toBeVisible()
    if (!isDesktop) return expect(layoutOffer(page)).toBeHidden()
    await expect(page.getByRole('link', { name: /desktop/i })).toHaveCount(1)
    await expectAccessible(page)
    await layoutOffer(page).getByRole('button', { name: 'Keep this layout' }).click()
    await expect(layoutOffer(page)).toBeHidden()
    await page.reload()
    await expect(page.getByPlaceholder('Search students...')).toBeVisible()
    await expect(layoutOffer(page)).toBeHidden()
    await page.evaluate(() => localStorage.removeItem('layout'))
    await page.reload()
    await layoutOffer(page).getByRole('link', { name: 'Switch to desktop' }).click()
    await expect(page).toHaveURL('/desktop/students?filter=trial')
  },
)
