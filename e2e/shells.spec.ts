import type { Page } from '@playwright/test'
import { expect, expectAccessible, hold, signIn, test } from './harness.ts'

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const MINUTE_MS = 60_000

test('the navigation has what each may go to, and shows where one is', async ({ page, dojo, visit, shell }) => {
  const instructors = ['Dashboard', 'Student Center', 'Class Center', 'Payment Center', 'Message Center']
  const everyones = ['Dashboard', 'Message Center']
  await signIn(page, dojo)
  await visit('/dashboard')
  await expect(navigation(page).getByRole('link')).toHaveText(instructors.map((name) => new RegExp(name)))
  await visit('/attendance')
  await expect(navigation(page).locator('[aria-current=page]')).toContainText('Student Center')
  await signIn(page, await dojo.enter(await dojo.createStudent()))
  await visit('/dashboard')
  await expect(navigation(page).getByRole('link')).toHaveText([...everyones, 'Settings'].map((name) => new RegExp(name)))
  await navigation(page).getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveURL(`${shell}/notification-settings`)
})

test('each shell leads to the other; the way back to the phone’s is at /', { tag: '@both' }, async ({ page, dojo, visit, shell }) => {
  await signIn(page, dojo)
  await visit('/students?filter=trial')
  if (!shell) {
    await page.getByRole('button', { name: 'Account' }).click()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Desktop version' }).click()
    await expect(page).toHaveURL('/desktop/students?filter=trial')
  }
  await page.getByRole('link', { name: 'Mobile version' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('Logout clears the session and goes to the landing page', { tag: '@both' }, async ({ page, dojo, visit, shell }) => {
  await signIn(page, dojo)
  await visit('/class-center')
  if (!shell) await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('button', { name: 'Get Started Today' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await visit('/class-center')
  await expect(page).toHaveURL('/login')
})

test('Logout ends what is still being read before it revokes the token', { tag: '@both' }, async ({ page, dojo, visit, shell }) => {
  await signIn(page, dojo)
  await visit('/class-center')
  const answerStudents = await hold(page, '**/api/students', 'GET')
  const answerLogout = await hold(page, '**/api/logout', 'POST')
  const asked = page.waitForRequest('**/api/students')
  await navigation(page)
    .getByRole('link', { name: /Student Center/ })
    .click()
  await asked
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/students'))
  if (!shell) await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await ended
  answerLogout()
  await expect(page).toHaveURL('/')
  answerStudents()
})

test('Back shows nothing after a logout, though the browser kept the page as it was', async ({
  playwright,
  launchOptions,
  baseURL,
  dojo,
}) => {
  // Playwright's own browsers keep no pages.
  const browser = await playwright.chromium.launch({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] })
  const page = await browser.newPage({ baseURL })
  const { name } = await dojo.createStudent()
  await signIn(page, dojo)
  await page.goto('/desktop/students')
  await expect(page.getByText(name).first()).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await page.evaluate(() => history.back())
  await expect(page).toHaveURL('/login')
  await expect(page.getByText(name)).toHaveCount(0)
  await browser.close()
})

test('while it is asked who is signed in, the whole screen says Loading', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/profile', async (route) => {
    await promise
    await route.continue()
  })
  await visit('/students')
  const loading = page.getByRole('status').filter({ hasText: /^Loading$/ })
  await expect(loading).toBeVisible()
  expect(await loading.boundingBox()).toMatchObject(page.viewportSize()!)
  await expectAccessible(page)
  resolve()
  await expect(loading).toBeHidden()
  await expect(page.getByPlaceholder('Search students...')).toBeVisible()
})

test('the browser and an installed app are told the colour of their bar', async ({ page, request }) => {
  await page.goto('/')
  await expect(page.locator('meta[name=theme-color]')).toHaveAttribute('content', '#7c3aed')
  const manifest = await page.locator('link[rel=manifest]').getAttribute('href')
  expect(await (await request.get(manifest ?? '')).json()).toMatchObject({ theme_color: '#7c3aed' })
})

test('a part of the page gets two minutes before it says that it could not be loaded', async ({ page, dojo, visit, announce }) => {
  // Its error leaves the timer that the test's clock runs.
  announce(/ClockController|could not be loaded/)
  await signIn(page, dojo)
  await page.clock.install()
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/class-center-*.js', async (route) => {
    await promise
    await route.continue()
  })
  await visit('/class-center')
  await expect(navigation(page)).toBeVisible()
  await page.clock.runFor(2 * MINUTE_MS - 5000)
  await expect(page.getByText('This part of the page could not be loaded.')).toBeHidden()
  await page.clock.runFor(5000)
  await expect(page.getByText('This part of the page could not be loaded.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  resolve()
  await page.clock.runFor(2000)
  await expect(page.getByText('Manage classes and schedules')).toBeVisible()
})

test('a screen that could not be loaded comes by itself, with its styles, when the network is back', async ({
  page,
  context,
  dojo,
  visit,
  shell,
  announce,
}) => {
  announce(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|could not be loaded/)
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
  await expect(page).toHaveURL(`${shell}/class-center`)
  const missing = await page.evaluate(
    () => [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].filter(({ sheet }) => !sheet?.cssRules.length).length,
  )
  expect(missing, 'stylesheets that did not load').toBe(0)
})
