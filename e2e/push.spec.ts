import { createECDH, randomBytes } from 'node:crypto'
import type { CDPSession, Page } from '@playwright/test'
import { announcementsApi } from '@tatami/contract/messages/announcements'
import { notificationsApi } from '@tatami/contract/notifications/notifications'
import { call } from './api.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

// Chromium's headless shell cannot show notifications.
test.use({
  serviceWorkers: 'allow',
  launchOptions: async ({ launchOptions }, runTest) =>
    runTest({ ...launchOptions, executablePath: process.env.CHROMIUM_PATH }),
})

const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })
const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ })
const turnOnButton = (page: Page) => page.getByRole('button', { name: 'Turn on here' })
const turnOffButton = (page: Page) => page.getByRole('button', { name: 'Turn off here' })
const OFF_TEXT = 'Push is off in this browser.'
const ON_TEXT = 'Push is on in this browser.'

async function logOut(page: Page) {
  const account = page.getByRole('button', { name: 'Account' })
  if (await account.isVisible()) await account.click()
  await page.getByRole('button', { name: 'Logout' }).click()
}

/** Simulates the browser's registration with a push service, which a test cannot reach. Everything
 *  else is real. */
async function simulatePushService(page: Page) {
  const ecdh = createECDH('prime256v1')
  const keys = {
    p256dh: ecdh.generateKeys().toString('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
  await page.addInitScript(
    ([endpoint, keyPair]) => {
      let subscription: unknown = null
      PushManager.prototype.getSubscription = async () => subscription as PushSubscription
      PushManager.prototype.subscribe = async (options) => {
        subscription ??= {
          options: { applicationServerKey: (options!.applicationServerKey as Uint8Array).buffer },
          toJSON: () => ({ endpoint, keys: keyPair }),
          unsubscribe: async () => {
            subscription = null
            return true
          },
        }
        return subscription as PushSubscription
      }
    },
    [`https://push.example.com/${randomBytes(8).toString('hex')}`, keys] as const,
  )
}

/** Delivers a message to the service worker, as the browser does for the push service. */
async function deliverPush(devtools: CDPSession, page: Page, data: object) {
  const registrationPromise = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId)
    })
  })
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js')
    await navigator.serviceWorker.ready
  })
  await devtools.send('ServiceWorker.enable')
  const registrationId = await registrationPromise
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: process.env.E2E_URL ?? '',
    registrationId,
    data: JSON.stringify(data),
  })
}
const readShownNotifications = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const notifications = await registration.getNotifications()
    return notifications.map(({ title, body, tag }) => ({ title, body, tag }))
  })

test(
  'turns push on and off in this browser; logging out ends it',
  { tag: '@long' },
  async ({ page, context, dojo, visit }) => {
    await context.grantPermissions(['notifications'])
    await simulatePushService(page)
    const student = await dojo.createSession(await dojo.createStudent())
    const isSubscribed = async () =>
      (await call(notificationsApi.push, {}, student.token)).subscribed
    await signIn(page, student)
    await visit('/notification-settings')
    await expect(page.getByText(OFF_TEXT)).toBeVisible()
    await expectAccessible(page)
    await turnOnButton(page).click()
    await expect(page.getByText(ON_TEXT)).toBeVisible()
    expect(await isSubscribed()).toBe(true)
    await turnOffButton(page).click()
    await expect(page.getByText(OFF_TEXT)).toBeVisible()
    expect(await isSubscribed()).toBe(false)
    await turnOnButton(page).click()
    await expect(page.getByText(ON_TEXT)).toBeVisible()
    const readOwner = () => page.evaluate(() => localStorage.getItem('push-owner'))
    expect(await readOwner()).toBe(student.user.id)
    await page.getByRole('switch', { name: 'Push notifications' }).press('Space')
    await expect(page.getByText(ON_TEXT)).toBeHidden()
    await logOut(page)
    await expect(page).toHaveURL('/')
    expect(await readOwner()).toBeNull()
  },
)

test(
  'offers push to the sensei and restores it at the next login',
  { tag: '@long' },
  async ({ page, context, dojo, visit }) => {
    await context.grantPermissions(['notifications'])
    await simulatePushService(page)
    await signIn(page, dojo)
    await visit('/dashboard')
    await bell(page).click()
    await turnOnButton(page).click()
    await expect(panel(page).getByText(ON_TEXT)).toBeVisible()
    await call(notificationsApi.unsubscribe, {}, dojo.token)
    const responsePromise = page.waitForResponse(
      (response) =>
        response.url().endsWith('/api/push-subscription') && response.request().method() === 'PUT',
    )
    await page.reload()
    expect((await responsePromise).status()).toBe(200)
  },
)

test(
  'reports an unreachable push service and leaves push off',
  { tag: '@long' },
  async ({ page, context, dojo, visit, allowErrors }) => {
    allowErrors(/push|registration/i)
    await context.grantPermissions(['notifications'])
    await signIn(page, dojo)
    await visit('/dashboard')
    await bell(page).click()
    await turnOnButton(page).click()
    await expect(panel(page).getByRole('alert')).toHaveText(
      'The browser could not reach its push service. Please try again later.',
    )
    for (const element of [panel(page).getByText(OFF_TEXT), panel(page).getByRole('alert')])
      await expect(element).toBeInViewport({ ratio: 1 })
    await expectAccessible(page)
  },
)

test(
  'explains a denied permission, and asks for permission only after a press',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await page.addInitScript(() => {
      Object.defineProperty(Notification, 'permission', { get: () => 'denied' })
      Notification.requestPermission = () =>
        Promise.reject(new Error('asked without being pressed'))
    })
    await signIn(page, await dojo.createSession(await dojo.createStudent()))
    await visit('/notification-settings')
    const text =
      'This browser blocks notifications. Allow them in its site settings, then reopen this page.'
    await expect(page.getByText(text)).toBeVisible()
    await expect(turnOnButton(page)).toHaveCount(0)
    await expectAccessible(page)
  },
)

test(
  'reports that a browser does not support push',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await page.addInitScript(() => {
      Reflect.deleteProperty(window, 'PushManager')
    })
    await signIn(page, await dojo.createSession(await dojo.createStudent()))
    await visit('/notification-settings')
    await expect(
      page.getByText(
        'This browser can’t show notifications while Tatami is closed. Try another browser.',
      ),
    ).toBeVisible()
  },
)

test(
  'shows each pushed notification once, and the unread count on the app’s icon',
  { tag: '@long' },
  async ({ page, context, dojo, visit }) => {
    await context.grantPermissions(['notifications'])
    await signIn(page, dojo)
    await visit('/dashboard')
    await expect(bell(page)).toBeVisible()
    const devtools = await context.newCDPSession(page)
    const pushMessage = {
      title: 'Closed on Monday',
      body: 'The dojo is closed for the holiday.',
      tag: 'one',
      path: '/dashboard#notifications',
    }
    await deliverPush(devtools, page, pushMessage)
    const [worker] = context.serviceWorkers()
    await worker!.evaluate(() =>
      Object.assign(navigator, {
        setAppBadge: (unread: number) => Object.assign(globalThis, { unread }),
      }),
    )
    await deliverPush(devtools, page, { ...pushMessage, unread: 3 })
    await expect
      .poll(() => readShownNotifications(page))
      .toEqual([{ title: pushMessage.title, body: pushMessage.body, tag: 'one' }])
    expect(await worker!.evaluate(() => (globalThis as { unread?: number }).unread)).toBe(3)
  },
)

test(
  'opens the panel in the open page when a notification is tapped',
  { tag: '@long' },
  async ({ page, context, dojo, visit }) => {
    await context.grantPermissions(['notifications'])
    await signIn(page, dojo)
    await visit('/dashboard')
    await expect(bell(page)).toBeVisible()
    await deliverPush(await context.newCDPSession(page), page, {
      title: 'Closed on Monday',
      path: '/dashboard#notifications',
    })
    await expect.poll(() => readShownNotifications(page)).toHaveLength(1)
    const [worker] = context.serviceWorkers()
    await worker!.evaluate(async () => {
      const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }
      const [notification] = await registration.getNotifications()
      // A script cannot focus a page; only a person can.
      const waitUntil = (work: Promise<unknown>) => void work.catch(() => {})
      globalThis.dispatchEvent(
        Object.assign(new Event('notificationclick'), { notification, waitUntil }),
      )
    })
    await expect(panel(page)).toBeVisible()
    expect(await readShownNotifications(page)).toEqual([])
  },
)

test(
  'shows the panel once at the URL that a tap opens',
  { tag: '@long' },
  async ({ page, dojo, visit, isDesktop }) => {
    const student = await dojo.createSession(await dojo.createStudent())
    await call(
      announcementsApi.send,
      { body: { title: 'Closed on Monday', message: 'For the holiday.' } },
      dojo.token,
    )
    await signIn(page, student)
    await visit('/dashboard#notifications')
    await expect(panel(page)).toContainText('Closed on Monday')
    await expect(page).toHaveURL(isDesktop ? /\/desktop$/ : /\/dashboard$/)
    await page.keyboard.press('Escape')
    await expect(panel(page)).toBeHidden()
    await page.reload()
    await expect(bell(page)).toBeVisible()
    await expect(panel(page)).toBeHidden()
  },
)

test('serves the service worker without caching, and allows no other worker', async ({
  request,
}) => {
  const response = await request.get('/sw.js')
  expect(response.ok()).toBe(true)
  const headers = response.headers()
  expect(headers).toMatchObject({
    'cache-control': 'no-cache',
    'content-type': expect.stringContaining('javascript'),
  })
  expect(headers['content-security-policy']).toContain("script-src 'self'")
})
