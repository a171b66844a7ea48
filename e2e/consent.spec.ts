import { notificationsApi } from '@tatami/contract/notifications/notifications'
import { call } from './api.ts'
import { readColor, themeColor } from './colors.ts'
import { expect, expectAccessible, horizontalOverflow, signIn, test } from './harness.ts'

test('records a consent from the landing page and notifies the super admin', async ({
  page,
  superAdmin,
}) => {
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ blockedURI }) =>
      console.error(`the content policy refused ${blockedURI}`),
    )
  })
  await page.goto('/')
  await page.getByRole('link', { name: 'Consent Form' }).click()
  await expect(page).toHaveURL('/consent-form')
  for (const text of [
    'reply STOP to any message, and no more will come',
    'message and data rates may apply',
    'reply HELP',
    'How often',
  ])
    await expect(page.getByRole('main')).toContainText(new RegExp(text, 'i'))
  await expect(page.getByText(/^Date: [A-Z][a-z]{2}\s\d+,\s20\d\d$/)).toBeVisible()
  const submit = page.getByRole('button', { name: 'Submit Agreement' })
  const errorAlert = page.getByRole('alert')
  const fillField = (label: string, text: string) => page.getByLabel(label).fill(text)

  await fillField('Sensei name', '   ')
  await submit.click()
  await expect(errorAlert).toHaveText('Sensei name is required')
  await expect(page.getByLabel('Sensei name')).toBeFocused()
  await expectAccessible(page)
  await fillField('Sensei name', 'Aiko Tanaka')
  await submit.click()
  await expect(errorAlert).toHaveText('Phone number is required')
  await fillField('Phone number', '(512) 555-0100')
  await fillField('Email', 'nobody')
  await submit.click()
  await expect(errorAlert).toHaveText('Digital signature is required')
  const name = `Ann Adams ${Date.now()}`
  await fillField('Digital signature', ` ${name} `)
  await submit.click()
  await expect(errorAlert).toHaveText('Email must be a valid email address')
  await fillField('Email', '')

  let requestCount = 0
  await page.route('**/api/consent-form', async (route) => {
    requestCount += 1
    await expect(page.getByRole('button', { name: 'Submitting...' })).toBeVisible()
    await route.continue()
  })
  await submit.click()
  await expect(page.getByRole('heading', { name: 'Consent Submitted Successfully!' })).toBeFocused()
  await expect(page.getByText('The Tatami admin has been notified.')).toBeVisible()
  await expectAccessible(page)
  expect(requestCount).toBe(1)
  const notices = await call(notificationsApi.list, { query: {} }, superAdmin.token)
  expect(notices.map(({ message }) => message)).toContain(
    `${name} agreed to text messages from Aiko Tanaka.`,
  )
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect(page).toHaveURL('/')
  await page.getByRole('link', { name: 'Consent Form' }).click()
  for (const label of ['Sensei name', 'Phone number', 'Email', 'Digital signature'])
    await expect(page.getByLabel(label)).toHaveValue('')
})

test(
  'sends the date, but nothing about the logged-in user',
  { tag: '@long' },
  async ({ page, dojo }) => {
    await signIn(page, dojo)
    await page.clock.setFixedTime('2026-07-03T12:00:00Z')
    await page.goto('/consent-form')
    await expect(page.getByText('Date: Jul 3, 2026', { exact: true })).toBeVisible()
    const form = {
      sensei_name: 'Aiko Tanaka',
      phone_number: '512 555 0100',
      signature: 'Ann Adams',
      email: 'ann@home.org',
    }
    await page.getByLabel('Sensei name').fill(form.sensei_name)
    await page.getByLabel('Phone number').fill(form.phone_number)
    await page.getByLabel('Digital signature').fill(form.signature)
    await page.getByLabel('Email').fill(form.email)
    await page.clock.setFixedTime('2026-07-04T12:00:00Z')
    const requestPromise = page.waitForRequest('**/api/consent-form')
    await page.getByRole('button', { name: 'Submit Agreement' }).click()
    const request = await requestPromise
    expect(request.postDataJSON()).toEqual({ ...form, date: '2026-07-04' })
    expect(await request.allHeaders()).not.toHaveProperty('authorization')
    await expect(
      page.getByRole('heading', { name: 'Consent Submitted Successfully!' }),
    ).toBeVisible()
  },
)

test('shows an error in the form and keeps what was typed', async ({ page, allowErrors }) => {
  allowErrors(/ERR_FAILED|429/)
  await page.goto('/consent-form')
  for (const [label, text] of [
    ['Sensei name', 'Aiko Tanaka'],
    ['Phone number', '512 555 0100'],
    ['Digital signature', 'Ann Adams'],
  ] as const)
    await page.getByLabel(label).fill(text)
  await page.route('**/api/consent-form', (route) => route.abort())
  const submit = page.getByRole('button', { name: 'Submit Agreement' })
  await submit.click()
  await expect(page.getByRole('alert')).toHaveText('Failed to submit consent form')
  expect(await readColor(page.locator('form').getByRole('alert'))).toBe(
    await themeColor(page, 'red'),
  )
  await page.route('**/api/consent-form', (route) =>
    route.fulfill({ status: 429, json: { detail: 'Too many requests. Please try again later.' } }),
  )
  await submit.click()
  await expect(page.getByRole('alert')).toHaveText('Too many requests. Please try again later.')
  await expect(page.getByLabel('Digital signature')).toHaveValue('Ann Adams')
})

test(
  'links Cancel and Back to Home to the home page, and does not overflow at 320 pixels',
  { tag: '@long' },
  async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto('/consent-form')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await horizontalOverflow(page)).toBe(0)
    await expect(page.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expect(page).toHaveURL('/')
  },
)
