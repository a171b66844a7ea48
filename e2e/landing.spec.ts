import type { Page } from '@playwright/test'
import {
  expect,
  expectAccessible,
  horizontalOverflow,
  sampleInShortRun,
  signIn,
  test,
} from './harness.ts'

/** The six topics in section 1 of the specification, and the text of each card. */
const CARDS = [
  [
    'Enrollment and management',
    'Enroll a student once. Belt, classes, contacts and fee are in one place, a search away.',
  ],
  ['Payment tracking', 'See who has paid this month and who hasn’t. Mark a payment with one tap.'],
  [
    'SMS announcements and reminders',
    'Fee reminders go out automatically. Everyone hears about a canceled class in time.',
  ],
  ['Class management', 'Days, times and who trains when. Attendance takes one tap per student.'],
  [
    'Analytics dashboard',
    'Demographics, payment trends and a birthday calendar, from records you already have.',
  ],
  ['Message center', 'Text one class or all students, and see what was delivered.'],
] as const
const DIALOGS_SCRIPT = '**/assets/dialogs-*.js'
const SECOND_MS = 1000
const MINUTE_MS = 60_000

/** Opens the login form, on its page or in the landing page's dialog. */
async function openLogin(page: Page, document: string) {
  await page.goto(document === 'login page' ? '/login' : '/')
  if (document === 'login page') return page.getByRole('main')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  return page.getByRole('dialog', { name: 'Login' })
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('describes Tatami, and its buttons go to the login page', async ({ page }) => {
    await page.goto('/')
    await expect(page).toHaveTitle(/Tatami/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Everything your dojo writes down, in one calm place.',
    )
    const cards = page.getByRole('region', { name: 'What it does for you' }).getByRole('listitem')
    await expect(cards).toHaveCount(6)
    for (const [index, [title, text]] of CARDS.entries()) {
      await expect(cards.nth(index).getByRole('heading', { level: 3 })).toHaveText(title)
      await expect(cards.nth(index).getByRole('paragraph')).toHaveText(text)
    }
    await expect(page.getByText('Run your dojo, not your paperwork.')).toBeVisible()
    await page.getByRole('button', { name: 'Get Started Today' }).click()
    await expect(page).toHaveURL(/\/login\?*$/)
  })
})

for (const button of ['Login', 'Get Started Today']) {
  test(`opens the login dialog with ${button}, and closes it again`, async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: button, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Login' })
    await expect(dialog.getByLabel('Email')).toBeVisible()
    await expect(dialog.getByRole('textbox', { name: 'Password' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: button, exact: true })).toBeFocused()
  })
}

for (const document of sampleInShortRun(['landing page', 'login page'])) {
  test(`reports after two minutes that a login dialog on the ${document} failed`, async ({
    page,
  }) => {
    await page.clock.install()
    let isHeld = true
    await page.route(DIALOGS_SCRIPT, (route) => (isHeld ? undefined : route.continue()))
    const login = await openLogin(page, document)
    const setupButton = login.getByRole('button', { name: 'New Instructor Setup' })
    const failureAlert = login.getByRole('alert')
    await setupButton.focus()
    // From now on, only the test moves the clock.
    await page.clock.pauseAt(Date.now() + MINUTE_MS)
    await page.keyboard.press('Enter')
    await expect(setupButton).toHaveAttribute('aria-busy', 'true')
    await page.clock.runFor(119 * SECOND_MS)
    await expect(setupButton).toHaveAttribute('aria-busy', 'true')
    await expect(failureAlert).toBeHidden()
    await page.clock.runFor(SECOND_MS)
    await expect(failureAlert).toContainText('The form could not be loaded.')
    await expect(setupButton).not.toHaveAttribute('aria-busy')
    await expect(setupButton).toBeFocused()
    await page.clock.resume()
    await expectAccessible(page)
    isHeld = false
    await failureAlert.getByRole('button', { name: 'Try again' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'New Instructor Setup' })
    await expect(dialog.getByLabel('Dojo name')).toBeVisible()
    await expect(page).toHaveURL(document === 'login page' ? '/login' : '/')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(login.getByLabel('Email')).toBeVisible()
  })
}

test(
  'reports after each attempt that a login dialog cannot be loaded',
  { tag: '@long' },
  async ({ page, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    await page.route(DIALOGS_SCRIPT, (route) => route.abort())
    const login = await openLogin(page, 'landing page')
    await login.getByRole('button', { name: 'New Instructor Setup' }).click()
    const retryButton = login.getByRole('button', { name: 'Try again' })
    await expect(login.getByRole('alert')).toContainText('The form could not be loaded.')
    const requestFailure = page.waitForEvent('requestfailed')
    await retryButton.click()
    await requestFailure
    await expect(login.getByRole('alert')).toContainText('The form could not be loaded.')
    await page.context().setOffline(true)
    await retryButton.click()
    await expect(login.getByRole('alert')).toContainText('The form could not be loaded.')
    await page.context().setOffline(false)
    await page.unroute(DIALOGS_SCRIPT)
    await retryButton.click()
    await expect(
      page.getByRole('dialog', { name: 'New Instructor Setup' }).getByLabel('Dojo name'),
    ).toBeVisible()
  },
)

test(
  'reports that the app could not be loaded after login, and loads it on Try again',
  { tag: '@long' },
  async ({ page, dojo, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    await page.goto('/login')
    await page.route('**/assets/main-*.js', (route) => route.abort())
    await page.getByLabel('Email').fill(dojo.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(dojo.password)
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('alert')).toContainText('Tatami could not be loaded.')
    await page.unroute('**/assets/main-*.js')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
  },
)

test(
  'waits two minutes for the app after login before it reports an error',
  { tag: '@long' },
  async ({ page, dojo }) => {
    await page.clock.install()
    let isHeld = true
    await page.route('**/assets/main-*.js', (route) => (isHeld ? undefined : route.continue()))
    await page.goto('/')
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await page.getByLabel('Email').fill(dojo.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(dojo.password)
    await page.getByRole('dialog').getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page.getByRole('status').filter({ hasText: /^Loading$/ })).toBeVisible()
    await page.clock.runFor(100 * SECOND_MS)
    await expect(page.getByRole('alert')).toBeHidden()
    await page.clock.runFor(20 * SECOND_MS)
    await expect(page.getByRole('alert')).toContainText('Tatami could not be loaded.')
    isHeld = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
  },
)

test(
  'goes to the home screen even though closing the dialog goes back in the history',
  { tag: '@long' },
  async ({ page, dojo }) => {
    // Simulates a slow computer: the browser goes back after the app has navigated, but before
    // React has drawn the new page.
    await page.addInitScript(() => {
      const replaceState = history.replaceState.bind(history)
      let isFirst = true
      history.replaceState = (state, title, url) => {
        replaceState(state, title, url)
        if (!isFirst || !String(url).endsWith('/dashboard')) return
        isFirst = false
        queueMicrotask(() => {
          replaceState(null, '', '/')
          dispatchEvent(new PopStateEvent('popstate', { state: null }))
        })
      }
    })
    await signIn(page, dojo)
    await page.goto('/')
    await expect(page.getByRole('heading', { name: /^Welcome back/ })).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
  },
)

test('shows an alert after Forgot Password if no mail server is set up', async ({ page }) => {
  await page.route('**/api/sign-in-options', (route) =>
    route.fulfill({ json: { password_reset: false } }),
  )
  await page.goto('/')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  const alert = page.waitForEvent('dialog')
  const press = page.getByRole('dialog').getByText('Forgot Password').click()
  expect((await alert).message()).toBe('Forgot Password - Feature coming soon!')
  await (await alert).accept()
  await press
})

test('opens the registration with New Instructor Setup', { tag: '@long' }, async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Get Started Today' }).click()
  await page.getByRole('dialog').getByText('New Instructor Setup').click()
  await expect(
    page.getByRole('dialog', { name: 'New Instructor Setup' }).getByLabel('Dojo name'),
  ).toBeVisible()
})

test('shows one dialog at a time, and the login again when the form is closed', async ({
  page,
}) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Get Started Today' }).click()
  await page.getByRole('dialog').getByText('New Instructor Setup').click()
  await expect(page.getByLabel('Dojo name')).toBeVisible()
  await expect(page.getByRole('dialog', { name: 'Login' })).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Login' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'New Instructor Setup' })).toBeFocused()
})

test('redirects logged-in sensei and super admins to their dashboards', async ({
  page,
  dojo,
  superAdmin,
}) => {
  await signIn(page, dojo)
  await page.goto('/')
  await expect(page).toHaveURL(/\/dashboard$/)
  await signIn(page, superAdmin)
  await page.goto('/')
  await expect(page).toHaveURL(/\/super-admin$/)
})

test('is accessible with the login dialog closed and open', { tag: '@long' }, async ({ page }) => {
  await page.goto('/')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByRole('dialog').getByLabel('Email')).toBeVisible()
  await expectAccessible(page)
})

test('does not overflow down to 320 pixels', { tag: '@long' }, async ({ page }) => {
  await page.goto('/')
  expect(await horizontalOverflow(page)).toBe(0)
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await horizontalOverflow(page)).toBe(0)
})
