import type { Page } from '@playwright/test'
import { runClockTo, runUntilVisible, waitForPage, stopClock } from './clock.ts'
import { expect, expectAccessible, sampleInShortRun, signIn, test } from './harness.ts'
import { mockCall, createServiceStatus } from './text-service.ts'

const service = (page: Page) => page.getByRole('region', { name: 'SMS service' })
const checkAgainButton = (page: Page) => page.getByRole('button', { name: 'Check again' })

test('is linked from the Message Center, and shows that the simulator is ready', async ({
  page,
  dojo,
  visit,
  layoutPath,
}) => {
  await signIn(page, dojo)
  await visit('/message-center')
  await page.getByRole('tab', { name: 'SMS Setup' }).click()
  await page.getByRole('link', { name: 'Check the service' }).click()
  await expect(page).toHaveURL(`${layoutPath}/sms-setup`)
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Message Center' }),
  ).toHaveAttribute('aria-current', 'page')
  await expect(service(page)).toContainText('SMS service is ready')
  await expect(service(page)).toContainText('Simulator')
  // The message is shown only once.
  await expect(page.getByText('Test mode: no text leaves this computer')).toHaveCount(1)
  await expect(service(page)).toContainText('Test mode: no text leaves this computer.')
  await expect(page.getByText('Texts go out as soon as you send them.')).toHaveCount(0)
  await expectAccessible(page)
  const responsePromise = page.waitForResponse('**/api/sms/init')
  await checkAgainButton(page).click()
  expect((await responsePromise).ok()).toBe(true)
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByRole('tab', { name: 'SMS Setup' })).toHaveAttribute(
    'aria-selected',
    'true',
  )
})

test('redirects a student home', { tag: '@long' }, async ({ page, dojo, visit }) => {
  await signIn(page, await dojo.createSession(await dojo.createStudent()))
  await visit('/sms-setup')
  await expect(page).toHaveURL(/\/dashboard$|\/desktop$/)
})

test(
  'initializes only a service that is checking or disconnected',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await signIn(page, dojo)
    await page.clock.install()
    const statusMock = await mockCall(page, '/sms/status', null)
    const initMock = await mockCall(page, '/sms/init', { success: true })
    for (const [status, text] of [
      [createServiceStatus('ready'), 'SMS service is ready'],
      [createServiceStatus('paused', { connected: true }), 'SMS service is ready'],
      [
        createServiceStatus('service_unavailable', { error: 'SMS service is not accessible' }),
        'SMS service error',
      ],
      [
        createServiceStatus('service_unreachable', {
          error: 'Network error during SMS initialization',
        }),
        'SMS service error',
      ],
      [createServiceStatus('service_error'), 'SMS service error'],
      [createServiceStatus('paused'), 'SMS service status: paused'],
    ] as const) {
      statusMock.response = status
      await visit('/sms-setup')
      await expect(service(page)).toContainText(text)
      if (status.error) await expect(page.getByRole('alert')).toHaveText(status.error)
      await page.clock.fastForward(10_000)
      expect(initMock.callCount).toBe(0)
    }
  },
)

for (const [status, text] of sampleInShortRun([
  ['checking', 'Checking the SMS service...'],
  ['disconnected', 'SMS service is disconnected'],
] as const)) {
  test(`initializes a service that is ${status} once, after two seconds`, async ({
    page,
    dojo,
    visit,
  }) => {
    await signIn(page, dojo)
    await page.clock.install()
    const statusMock = await mockCall(page, '/sms/status', createServiceStatus(status))
    const initMock = await mockCall(page, '/sms/init', {
      success: false,
      error: 'SMS service is not accessible',
      error_type: 'connectivity',
    })
    await visit('/sms-setup')
    await expect(service(page)).toContainText(text)
    // The page may show a status before the response comes.
    await expect(async () => {
      await page.clock.fastForward(1_000)
      expect(initMock.callCount).toBe(1)
    }).toPass()
    await expect(page.getByRole('alert')).toHaveText('SMS service is not accessible')
    await page.clock.fastForward(30_000)
    await expect.poll(() => statusMock.callCount).toBe(2)
    expect(initMock.callCount).toBe(1)
    await expectAccessible(page)
    statusMock.response = createServiceStatus('ready', { connected: true })
    initMock.response = { success: true, message: 'The text service is ready.' }
    await checkAgainButton(page).click()
    await expect(service(page)).toContainText('SMS service is ready')
    await expect(page.getByRole('alert')).toHaveCount(0)
    expect(initMock.callCount).toBe(2)
  })
}

test('initializes after two seconds, and not earlier', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  await page.clock.install()
  const { promise: clockStopped, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/sms/status', async (route) => {
    await clockStopped
    await route.fulfill({ json: createServiceStatus('disconnected') })
  })
  const initMock = await mockCall(page, '/sms/init', { success: true })
  await visit('/sms-setup')
  await expect(service(page)).toBeVisible()
  await stopClock(page)
  release()
  const startTime = await runUntilVisible(page, page.getByText('SMS service is disconnected'))
  await runClockTo(page, startTime + 1_900)
  await waitForPage(page)
  expect(initMock.callCount, 'before 2 s').toBe(0)
  await runClockTo(page, startTime + 2_100)
  await expect.poll(() => initMock.callCount, 'at 2 s').toBe(1)
})

test(
  'shows the message of each failure',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED|409/)
    await signIn(page, dojo)
    const statusMock = await mockCall(page, '/sms/status', null)
    const initMock = await mockCall(page, '/sms/init', null)
    await visit('/sms-setup')
    await expect(service(page)).toContainText('SMS service error')
    await expect(page.getByRole('alert')).toHaveText('SMS service is not accessible')
    statusMock.response = createServiceStatus('service_unreachable')
    for (const [response, status, text] of [
      [null, 0, 'Network error during SMS initialization'],
      [{}, 409, 'Failed to initialize SMS service'],
      [{ success: false, error_type: 'connectivity' }, 200, 'SMS service is not accessible'],
      [{ success: false, error_type: 'network' }, 200, 'Network error during SMS initialization'],
      [{ success: false, error_type: 'initialization' }, 200, 'Failed to initialize SMS service'],
      [
        { success: false, error_type: 'authentication' },
        200,
        'The text service does not accept our credentials',
      ],
    ] as const) {
      Object.assign(initMock, { response, status })
      await checkAgainButton(page).click()
      await expect(page.getByRole('alert')).toHaveText(text)
    }
  },
)

test('redirects to /login without a valid session', async ({ page, dojo, visit, allowErrors }) => {
  allowErrors(/401/)
  await signIn(page, dojo)
  const statusMock = await mockCall(page, '/sms/status', {
    detail: 'Authentication required. Please log in again.',
  })
  statusMock.status = 401
  await visit('/sms-setup')
  await expect(page).toHaveURL('/login')
})
