import type { Locator, Page } from '@playwright/test'
import { profileApi } from '@tatami/contract/profile/profile'
import { senseiApi } from '@tatami/contract/sensei/sensei'
import { call, createSession } from './api.ts'
import { registrationForm } from './dojo.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'
import { readEmailsTo } from './mail-server.ts'
import { changeSenseiList, shortenSenseiList } from './sensei-list.ts'

/** Finds a sensei by email, because all tests share one database. */
async function findSenseiRow(page: Page, isDesktop: boolean, email: string) {
  await page.getByLabel('Search sensei').fill(email)
  const row = page.getByRole(isDesktop ? 'row' : 'listitem').filter({ hasText: email })
  await expect(row).toBeVisible()
  return row
}
const studentCount = (row: Locator, isDesktop: boolean) =>
  isDesktop ? row.getByRole('cell', { name: '1', exact: true }) : row.getByText('1 student')
const card = (page: Page, word: 'Total' | 'Active' | 'Inactive') =>
  page.getByRole('button', { name: new RegExp(`^${word} ?\\d+`) })

test(
  'shows the details of a sensei accessibly',
  { tag: '@long' },
  async ({ page, superAdmin, dojo, layoutPath, isDesktop }) => {
    await dojo.createStudent()
    await signIn(page, superAdmin)
    await page.goto(`${layoutPath}/super-admin`)
    const row = await findSenseiRow(page, isDesktop, dojo.email)
    const today = new Date().toLocaleDateString('en-US', {
      dateStyle: 'medium',
      timeZone: 'America/Chicago',
    })
    for (const text of [
      'Aiko Tanaka',
      'Tanaka Dojo',
      'Custom Branding',
      '(512) 555-0100',
      'Cedar Park',
      'Texas',
      'Active',
      today,
    ])
      await expect(row).toContainText(text)
    await expect(studentCount(row, isDesktop)).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('Search sensei').fill('no such name')
    await expect(page.getByText('No results')).toBeVisible()
  },
)

test('counts sensei on three cards, which filter the list', async ({
  page,
  superAdmin,
  dojo,
  layoutPath,
  isDesktop,
}) => {
  await signIn(page, superAdmin)
  const statsResponse = page.waitForResponse('**/api/super-admin/dashboard-stats')
  await page.goto(`${layoutPath}/super-admin`)
  const stats = (await (await statsResponse).json()) as Record<string, number>
  await expect(card(page, 'Total')).toContainText(String(stats.total_sensei))
  await expect(card(page, 'Active')).toContainText(String(stats.active_sensei))
  await expect(card(page, 'Inactive')).toContainText(String(stats.inactive_sensei))
  await expect(card(page, 'Total')).toHaveAttribute('aria-pressed', 'true')
  const inactiveSensei = registrationForm({ email: dojo.email.replace('aiko', 'inactive') })
  await call(senseiApi.register, { body: inactiveSensei })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByLabel('Search sensei').fill(dojo.email.replace('aiko', ''))
  const rows = page.getByRole(isDesktop ? 'row' : 'listitem').filter({ hasText: '@example.com' })
  const activeRow = rows.filter({ hasText: dojo.email })
  const inactiveRow = rows.filter({ hasText: inactiveSensei.email })
  for (const [word, expectedRows] of [
    ['Inactive', [inactiveRow]],
    ['Active', [activeRow]],
    ['Total', [activeRow, inactiveRow]],
  ] as const) {
    await card(page, word).click()
    await expect(card(page, word)).toHaveAttribute('aria-pressed', 'true')
    await expect(rows).toHaveCount(expectedRows.length)
    for (const row of expectedRows) await expect(row).toBeVisible()
  }
})

test(
  'shows a dojo without a name as Not Set, with Default Branding',
  { tag: '@long' },
  async ({ page, superAdmin, dojo, layoutPath, isDesktop }) => {
    await signIn(page, superAdmin)
    await changeSenseiList(page, (list) =>
      list.map((sensei) => (sensei.email === dojo.email ? { ...sensei, dojo_name: null } : sensei)),
    )
    await page.goto(`${layoutPath}/super-admin`)
    const row = await findSenseiRow(page, isDesktop, dojo.email)
    await expect(row).toContainText('Not Set')
    await expect(row).toContainText('Default Branding')
  },
)

test('deactivates and activates an account', async ({
  page,
  superAdmin,
  dojo,
  layoutPath,
  isDesktop,
}) => {
  const student = await dojo.createStudent()
  await signIn(page, superAdmin)
  await page.goto(`${layoutPath}/super-admin`)
  const row = await findSenseiRow(page, isDesktop, dojo.email)
  await card(page, 'Active').click()
  await row.getByRole('button', { name: 'Deactivate Aiko Tanaka' }).click()
  const confirmation = page.getByRole('alertdialog', { name: 'Deactivate Aiko Tanaka?' })
  await expect(confirmation).toContainText(
    "This logs out Aiko Tanaka and the dojo's 1 student right away.",
  )
  await expectAccessible(page)
  await confirmation.getByRole('button', { name: 'Deactivate' }).click()
  const resultDialog = page.getByRole('dialog', { name: 'Aiko Tanaka' })
  await expect(resultDialog).toContainText('Sensei account deactivated successfully!')
  await expect(row).toHaveCount(0)
  await resultDialog.getByRole('button', { name: 'Close' }).last().click()
  // The pressed button is no longer in the list.
  await expect(page.getByRole('heading', { name: 'Active sensei' })).toBeFocused()
  await expect(call(profileApi.show, {}, dojo.token)).rejects.toThrow('401')
  await expect(dojo.createSession(student)).rejects.toThrow(
    'Your dojo is not active. Please contact your instructor.',
  )
  await card(page, 'Total').click()
  await row.getByRole('button', { name: 'Activate Aiko Tanaka' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Activate', exact: true }).click()
  await expect(resultDialog).toContainText('Sensei account activated successfully!')
  await expect(resultDialog).toContainText(`We emailed ${dojo.email} that they can log in now.`)
  await resultDialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(row.getByRole('button', { name: 'Deactivate Aiko Tanaka' })).toBeFocused()
  await createSession(dojo.email, dojo.password)
})

test('reports a failed change of status, but not if only the response was lost', async ({
  page,
  superAdmin,
  dojo,
  layoutPath,
  allowErrors,
  isDesktop,
}) => {
  allowErrors(/ERR_FAILED/)
  await signIn(page, superAdmin)
  await page.goto(`${layoutPath}/super-admin`)
  const row = await findSenseiRow(page, isDesktop, dojo.email)
  await page.route('**/toggle-active', (route) => route.abort())
  await row.getByRole('button', { name: 'Deactivate' }).click()
  const confirmation = page.getByRole('alertdialog')
  await confirmation.getByRole('button', { name: 'Deactivate' }).click()
  await expect(confirmation.getByRole('alert')).toHaveText(
    'Failed to update sensei status. Please try again.',
  )
  await page.unroute('**/toggle-active')
  await page.route('**/toggle-active', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await confirmation.getByRole('button', { name: 'Deactivate' }).click()
  await expect(page.getByText('Sensei account deactivated successfully!')).toBeVisible()
})

test('resets a chosen or generated password after confirmation', async ({
  page,
  superAdmin,
  dojo,
  layoutPath,
  allowErrors,
  isDesktop,
}) => {
  allowErrors(/ERR_FAILED|404/)
  await signIn(page, superAdmin)
  await page.goto(`${layoutPath}/super-admin`)
  const row = await findSenseiRow(page, isDesktop, dojo.email)
  await row.getByRole('button', { name: 'Reset password of Aiko Tanaka' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reset password' })
  const passwordField = dialog.getByRole('textbox', { name: 'New password' })
  const resetButton = dialog.getByRole('button', { name: 'Reset password' })
  await resetButton.click()
  await expect(dialog.getByText('Please enter a new password')).toBeVisible()
  for (const [passwordText, strength] of [
    ['Ab1!', 'Weak'],
    ['abcdefgh', 'Moderate'],
    ['Abcdef1!', 'Strong'],
  ] as const) {
    await passwordField.fill(passwordText)
    await expect(dialog.getByText(`Strength: ${strength}`)).toBeVisible()
  }
  await passwordField.fill('Ab1!')
  await resetButton.click()
  await expect(dialog.getByText('Password must be at least 8 characters')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Generate password' }).click()
  await expect(passwordField).toHaveAttribute('type', 'text')
  await expect(dialog.getByText('Strength: Strong')).toBeVisible()
  const newPassword = await passwordField.inputValue()
  expect(newPassword).toMatch(/^\S{16}$/)

  const questionTypes: string[] = []
  const answerDialog = (choice: 'accept' | 'dismiss') =>
    page.once('dialog', (question) => {
      questionTypes.push(question.type())
      void question[choice]()
    })
  answerDialog('dismiss')
  await resetButton.click()
  await call(profileApi.show, {}, dojo.token)
  await page.route('**/reset-password', (route) => route.abort())
  answerDialog('accept')
  await resetButton.click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'Password reset failed: Failed to reset password',
  )
  await page.unrouteAll()
  await page.route('**/reset-password', (route) =>
    route.fulfill({ status: 404, json: { detail: 'Sensei not found' } }),
  )
  answerDialog('accept')
  await resetButton.click()
  await expect(dialog.getByRole('alert')).toHaveText('Password reset failed: Sensei not found')
  await page.unrouteAll()
  answerDialog('accept')
  await resetButton.click()
  await expect(page.getByText('The password was reset.')).toBeVisible()
  await expectAccessible(page)
  expect(questionTypes).toEqual(['confirm', 'confirm', 'confirm', 'confirm'])
  await expect(page.getByLabel('New password')).toHaveValue(newPassword)
  await expect(call(profileApi.show, {}, dojo.token)).rejects.toThrow('401')
  await createSession(dojo.email, newPassword)
  await expect
    .poll(() => readEmailsTo(dojo.email).join())
    .toContain('Your Tatami password was reset')
})

test('validates the daily limit, and logs who set it', async ({
  page,
  superAdmin,
  layoutPath,
  allowErrors,
}) => {
  allowErrors(/ERR_FAILED/)
  await signIn(page, superAdmin)
  await shortenSenseiList(page)
  await page.goto(`${layoutPath}/super-admin`)
  const limitField = page.getByLabel('Daily message limit')
  const saveButton = page.getByRole('button', { name: 'Save' })
  await expect(limitField).toHaveValue('300')
  const urls: string[] = []
  page.on('request', (request) => request.method() === 'PUT' && urls.push(request.url()))
  for (const limitText of ['0', '10001', '12.5', '-1', '']) {
    await limitField.fill(limitText)
    await saveButton.click()
    await expect(page.getByText('Daily limit must be between 1 and 10,000')).toBeVisible()
  }
  expect(urls).toEqual([])
  await page.route('**/daily-message-limit', (route) => route.abort())
  // Saves the current value, because other tests rely on it.
  await limitField.fill('300')
  await saveButton.click()
  await expect(page.getByRole('alert')).toHaveText('Failed to update daily message limit')
  await page.unroute('**/daily-message-limit')
  await saveButton.click()
  await expect(page.getByText('Each dojo may now send 300 texts a day.')).toBeVisible()
  await page.getByRole('button', { name: 'Audit log' }).click()
  const line = page
    .getByRole('dialog', { name: 'Audit log' })
    .getByRole('listitem')
    .filter({ hasText: 'Set the daily message limit to 300' })
    .first()
  await expect(line).toContainText('by admin@tatami.test')
  await expectAccessible(page)
})

test('reports a failure to load, retries it, and refreshes on request', async ({
  page,
  superAdmin,
  dojo,
  layoutPath,
  allowErrors,
  isDesktop,
}) => {
  allowErrors(/ERR_FAILED/)
  await signIn(page, superAdmin)
  await page.route('**/api/super-admin/**', (route) => route.abort())
  await page.goto(`${layoutPath}/super-admin`)
  await expect(page.getByRole('alert')).toContainText('Failed to load dashboard data')
  await page.unroute('**/api/super-admin/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toBeHidden()
  const row = await findSenseiRow(page, isDesktop, dojo.email)
  await dojo.createStudent()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(studentCount(row, isDesktop)).toBeVisible()
})

test('redirects to the landing page when the session has ended', async ({
  page,
  layoutPath,
  superAdmin,
  allowErrors,
}) => {
  allowErrors(/401|ERR_FAILED/)
  const otherSession = await createSession(superAdmin.email, superAdmin.password)
  await signIn(page, otherSession)
  await page.goto(`${layoutPath}/super-admin`)
  const refreshButton = page.getByRole('button', { name: 'Refresh' })
  await expect(refreshButton).toBeVisible()
  await expect(refreshButton).not.toHaveAttribute('data-busy')
  // Blocks the polling of notifications, which may come first on a slow computer.
  await page.route('**/api/notifications**', (route) => route.abort())
  await call(profileApi.logout, {}, otherSession.token)
  await refreshButton.click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('button', { name: 'Get Started Today' })).toBeVisible()
})

test(
  'logs out a user who may not read the data',
  { tag: '@long' },
  async ({ page, layoutPath, superAdmin, allowErrors }) => {
    allowErrors(/403/)
    const otherSession = await createSession(superAdmin.email, superAdmin.password)
    await signIn(page, otherSession)
    await page.route(/\/api\/super-admin\/sensei\?/, (route) =>
      route.fulfill({ status: 403, json: { detail: 'You are not allowed to do this' } }),
    )
    await page.goto(`${layoutPath}/super-admin`)
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('button', { name: 'Get Started Today' })).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
    await expect(call(profileApi.show, {}, otherSession.token)).rejects.toThrow('401')
  },
)

test('opens only for super admins', { tag: '@long' }, async ({ page, layoutPath, dojo }) => {
  await page.goto(`${layoutPath}/super-admin`)
  await expect(page).toHaveURL('/login')
  await signIn(page, dojo)
  await page.goto(`${layoutPath}/super-admin`)
  await expect(page).toHaveURL(layoutPath || '/dashboard')
})
