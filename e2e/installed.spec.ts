import { WEEKDAYS } from '@tatami/contract/lib/calendar-day'
import type { Page } from '@playwright/test'
import { announcementsApi } from '@tatami/contract/messages/announcements'
import { kiosksApi } from '@tatami/contract/kiosk/kiosks'
import { call } from './api.ts'
import { expect, expectAllAccessible, signIn, test } from './harness.ts'

type Manifest = {
  id: string
  start_url: string
  display: string
  launch_handler: { client_mode: string }
  shortcuts: { name: string; url: string; icons: { src: string; sizes: string }[] }[]
  icons: Picture[]
  screenshots: (Picture & { form_factor: string; label: string })[]
}
type Picture = { src: string; sizes: string; type: string; purpose?: string }
const readManifest = async (page: Page) =>
  (await (await page.request.get('/manifest.webmanifest')).json()) as Manifest
const installCard = (page: Page) => page.getByRole('complementary', { name: 'Install Tatami' })

/** Simulates the event with which Chromium offers to install an app: headless Chromium never sends
 *  it. Returns whether the page keeps the offer for later. */
const offerInstallation = (page: Page, outcome: 'accepted' | 'dismissed' = 'accepted') =>
  page.evaluate((answer) => {
    const prompt = () => {
      document.body.dataset.asked = String(Number(document.body.dataset.asked ?? 0) + 1)
      return Promise.resolve({ outcome: answer })
    }
    return !window.dispatchEvent(
      Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }),
    )
  }, outcome)
const countPrompts = (page: Page) => page.evaluate(() => document.body.dataset.asked ?? '0')

test('opens the next class’s roll and the students with the shortcuts of the installed app', async ({
  page,
  dojo,
  layoutPath,
}) => {
  const manifest = await readManifest(page)
  expect(manifest).toMatchObject({
    id: '/',
    start_url: '/',
    display: 'standalone',
    launch_handler: { client_mode: 'focus-existing' },
    shortcuts: [{ name: 'Mark attendance' }, { name: 'Students' }],
  })
  for (const { src, sizes } of manifest.shortcuts.flatMap(({ icons }) => icons)) {
    const icon = await page.request.get(src)
    expect([icon.status(), icon.headers()['content-type'], sizes]).toEqual([
      200,
      'image/png',
      '192x192',
    ])
  }
  const { id } = await dojo.createClass({ class_days: [...WEEKDAYS], class_name: 'Every Day' })
  await dojo.createStudent({ name: 'Ken Adams', enrolled_classes: [id] })
  await signIn(page, dojo)
  await page.goto(`${layoutPath}/class-center`)
  await expect(page.getByText('Every Day')).toBeVisible()
  // A shortcut opens in the layout that was used last, which is the one under test.
  const [markShortcut, studentsShortcut] = manifest.shortcuts
  await page.goto(studentsShortcut!.url)
  await expect(page).toHaveURL(`${layoutPath}/students`)
  await expect(page.getByText('Ken Adams')).toBeVisible()
  await page.goto(markShortcut!.url)
  const roll = page.getByRole('dialog', { name: 'Mark Attendance' })
  await expect(roll.getByLabel('Class')).toHaveValue(id)
  await expect(roll.getByText('Ken Adams')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(`${layoutPath}/attendance`)
})

/** Chromium requires icons of 192 and 512 pixels, a maskable icon, and screenshots whose longer
 *  side is at most 2.3 times the shorter side. */
test('has everything in the manifest that the browser’s install dialog needs', async ({ page }) => {
  await page.goto('/login')
  const { icons, screenshots } = await readManifest(page)
  const listSizes = (purpose: string) =>
    icons.filter((icon) => icon.purpose === purpose).map(({ sizes }) => sizes)
  expect(listSizes('any')).toEqual(expect.arrayContaining(['192x192', '512x512']))
  expect(listSizes('maskable')).toEqual(['512x512'])
  expect([...new Set(screenshots.map(({ form_factor }) => form_factor))].toSorted()).toEqual([
    'narrow',
    'wide',
  ])
  for (const { src, sizes, type } of [...icons, ...screenshots].filter(
    (image) => image.sizes !== 'any',
  )) {
    expect((await page.request.get(src)).headers()['content-type']).toBe(type)
    const pictureSize = await page.evaluate(async (address) => {
      const picture = Object.assign(new Image(), { src: address })
      await picture.decode()
      return `${picture.naturalWidth}x${picture.naturalHeight}`
    }, src)
    expect([src, pictureSize]).toEqual([src, sizes])
    const [width, height] = sizes.split('x').map(Number) as [number, number]
    expect(Math.max(width, height) / Math.min(width, height)).toBeLessThanOrEqual(2.3)
  }
})

test(
  'navigates in the open window with a shortcut, but not with the icon',
  { tag: '@long' },
  async ({ page, dojo, visit, layoutPath }) => {
    await page.addInitScript(() => {
      const setConsumer = (consume: unknown) => Object.assign(window, { consume })
      Object.defineProperty(window, 'launchQueue', { value: { setConsumer } })
    })
    const launch = (path: string) =>
      page.evaluate((targetURL) => {
        ;(window as unknown as { consume: (launch: object) => void }).consume({
          targetURL: new URL(targetURL, location.origin).href,
        })
      }, path)
    await signIn(page, dojo)
    await visit('/class-center')
    await page.waitForFunction(() => 'consume' in window)
    // The first launch is the one that opened the page, so it changes nothing.
    await launch(`${layoutPath}/class-center`)
    await launch('/')
    await expect(page).toHaveURL(`${layoutPath}/class-center`)
    await launch('/open/students')
    await expect(page).toHaveURL(`${layoutPath}/students`)
  },
)

test('asks an instructor to install Tatami on the second day, after marking a roll', async ({
  page,
  context,
  dojo,
  visit,
}) => {
  await dojo
    .createClass({ class_days: [...WEEKDAYS], class_name: 'Every Day' })
    .then(({ id }) => dojo.createStudent({ enrolled_classes: [id] }))
  await signIn(page, dojo)
  await visit('/dashboard')
  await expect(page.getByRole('region', { name: 'Today' })).toContainText('Every Day')
  expect(await offerInstallation(page)).toBe(true)
  await expect(installCard(page)).toHaveCount(0)
  await visit('/attendance?class=next')
  const roll = page.getByRole('dialog', { name: 'Mark Attendance' })
  await roll.getByRole('button', { name: 'All present' }).click()
  await expect(roll.getByRole('status')).toContainText('1 of 1 marked')
  await roll.getByRole('button', { name: 'Done' }).click()
  await visit('/dashboard')
  await expect(page.getByRole('region', { name: 'Today' })).toContainText('Every Day')
  await page.waitForFunction(() => localStorage.getItem('install')?.includes('visitedOn'))
  await offerInstallation(page)
  await expect(installCard(page), 'does not ask on the first day').toHaveCount(0)
  await page.close()
  const secondDayPage = await context.newPage()
  await secondDayPage.clock.setFixedTime(Date.now() + 26 * 3_600_000)
  await secondDayPage.goto(test.info().project.name === 'desktop' ? '/desktop' : '/dashboard')
  await expect(secondDayPage.getByRole('region', { name: 'Today' })).toContainText('Every Day')
  await offerInstallation(secondDayPage, 'dismissed')
  await expect(installCard(secondDayPage)).toBeVisible()
})

test('does not ask again to install Tatami after "Not now"', async ({ page, dojo, visit }) => {
  const history = { visits: 1, visitedOn: '2026-01-01', hasFinishedJob: true }
  await page.addInitScript((value) => {
    if (!localStorage.getItem('install')) localStorage.setItem('install', value)
  }, JSON.stringify(history))
  await signIn(page, dojo)
  const showDashboard = async () => {
    await visit('/dashboard')
    await expect(page.getByRole('heading', { name: 'Birthday Details' })).toBeVisible()
    await page.waitForFunction(() => !localStorage.getItem('install')?.includes('2026-01-01'))
    await offerInstallation(page, 'dismissed')
  }
  await showDashboard()
  await expect(installCard(page)).toBeVisible()
  await expectAllAccessible(page)
  await installCard(page).getByRole('button', { name: 'Not now' }).click()
  await expect(installCard(page)).toBeHidden()
  await showDashboard()
  await expect(installCard(page)).toHaveCount(0)
  expect(await countPrompts(page)).toBe('0')
})

test('lets a student install Tatami with one press and still find the check-in code @both', async ({
  page,
  dojo,
  visit,
}) => {
  await call(kiosksApi.create, { body: { name: 'Front door' } }, dojo.token)
  await signIn(page, await dojo.createSession(await dojo.createStudent()))
  await visit('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(async () => {
    await offerInstallation(page)
    await expect(installCard(page)).toBeVisible({ timeout: 500 })
  }).toPass()
  await page.getByRole('button', { name: 'Check-in code' }).click({ trial: true })
  await installCard(page).getByRole('button', { name: 'Install' }).click()
  await expect(installCard(page)).toBeHidden()
  expect(await countPrompts(page)).toBe('1')
})

test(
  'explains on an iPhone how to add Tatami to the Home Screen',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await page.addInitScript(() => Object.assign(navigator, { standalone: false }))
    await signIn(page, await dojo.createSession(await dojo.createStudent()))
    await visit('/dashboard')
    await expect(installCard(page)).toContainText('Tap Share , then Add to Home Screen.')
    await expect(installCard(page).getByRole('button')).toHaveText(['Not now'])
  },
)

test('shows the number of unread items on the app’s icon until logout', async ({
  page,
  dojo,
  visit,
  isDesktop,
}) => {
  const badges: number[] = []
  await page.exposeFunction('recordBadge', (unread: number) => void badges.push(unread))
  await page.addInitScript(() => {
    const { recordBadge } = window as unknown as { recordBadge: (unread: number) => Promise<void> }
    Object.assign(navigator, { setAppBadge: recordBadge })
  })
  const student = await dojo.createSession(await dojo.createStudent())
  for (const title of ['Belt test', 'Closed'])
    await call(announcementsApi.send, { body: { title, message: 'On Monday.' } }, dojo.token)
  await signIn(page, student)
  await visit('/dashboard')
  await expect.poll(() => badges.at(-1)).toBe(2)
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Closed/ })
    .click()
  await expect.poll(() => badges.at(-1)).toBe(1)
  await page.keyboard.press('Escape')
  if (!isDesktop) await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  expect(badges.at(-1)).toBe(0)
})
