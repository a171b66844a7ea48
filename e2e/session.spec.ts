import { expect, expectAccessible, signIn, test } from './harness.ts'

const readToken = () => localStorage.getItem('token')

for (const status of [401, 403]) {
  test(`clears the token and opens the login if the profile call is refused with ${status}`, async ({
    page,
    dojo,
    visit,
    allowErrors,
  }) => {
    allowErrors(new RegExp(`status of ${status}`))
    await signIn(page, dojo)
    await page.route('**/api/profile', (route) =>
      route.fulfill({ status, json: { detail: 'You are not allowed to do this.' } }),
    )
    await visit('/students')
    await expect(page).toHaveURL('/login')
    await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
    expect(await page.evaluate(readToken)).toBeNull()
  })
}

test('clears an invalid token on / and shows the landing page', async ({
  page,
  visit,
  allowErrors,
}) => {
  allowErrors(/status of 401/)
  await signIn(page, { token: 'dead' })
  await visit('/')
  await expect(page.getByRole('button', { name: 'Get Started Today' })).toBeVisible()
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(readToken)).toBeNull()
})

test('keeps the token if there is no response, and continues when the network is back', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/ERR_FAILED/)
  await signIn(page, dojo)
  let calls = 0
  await page.route('**/api/profile', (route) => {
    calls += 1
    return route.abort()
  })
  await visit('/class-center')
  await expect(page.getByRole('heading', { name: 'Can’t reach Tatami' })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('The server didn’t answer.')
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await expectAccessible(page)
  await expect.poll(() => calls, 'the page retries automatically').toBeGreaterThan(1)
  await expect(page.getByRole('heading', { name: 'Can’t reach Tatami' })).toBeVisible()
  expect(await page.evaluate(readToken)).toBe(dojo.token)
  await page.unrouteAll()
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(page.getByText('Manage classes and schedules')).toBeVisible()
})

test('shows the message of a server error, keeps the token and retries', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/status of 429/)
  await signIn(page, dojo)
  await page.clock.install()
  await page.route('**/api/profile', (route) =>
    route.fulfill({ status: 429, json: { detail: 'Too many requests' } }),
  )
  await visit('/class-center')
  await expect(page.getByRole('heading', { name: 'Tatami has a problem' })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('The server answered: Too many requests')
  await expect(page.getByText('didn’t answer')).toBeHidden()
  expect(await page.evaluate(readToken)).toBe(dojo.token)
  await page.unrouteAll()
  await page.clock.runFor(2_000)
  await expect(page.getByText('Manage classes and schedules')).toBeVisible()
})

test(
  'retries immediately after Try again',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    await signIn(page, dojo)
    await page.clock.install()
    await page.route('**/api/profile', (route) => route.abort())
    await visit('/class-center')
    await expect(page.getByRole('alert')).toBeVisible()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Manage classes and schedules')).toBeVisible()
  },
)

test(
  'reports an error in the page instead of showing an empty page',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/Intl.DateTimeFormat is not a constructor/)
    await signIn(page, dojo)
    await page.addInitScript(() => {
      if (sessionStorage.getItem('broken')) return
      sessionStorage.setItem('broken', 'once')
      Object.assign(Intl, { DateTimeFormat: undefined })
    })
    await visit('/class-center')
    await expect(page.getByRole('heading', { name: 'This page stopped working' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect(page.getByText('Manage classes and schedules')).toBeVisible()
  },
)
