import type { Page } from '@playwright/test'
import { addDays } from '@tatami/contract/lib/calendar-day'
import { plansApi } from '@tatami/contract/plans/plans'
import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { profileApi } from '@tatami/contract/profile/profile'
import { signInApi } from '@tatami/contract/accounts/sign-in'
import { call, createSession } from './api.ts'
import { type Dojo, createDojo, PASSWORD } from './dojo.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'
import { createThreeStudents } from './students.ts'

const ENDED_MESSAGE = 'Your session has ended. Log in again; what you typed is kept.'
const POLL_MS = 10_000
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const pressButton = (page: Page, button: string) =>
  page.getByRole('button', { name: button, exact: true }).first().click()

async function logIn(page: Page, email: string) {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
}

/** Ends the session on the server, and waits until the page's next poll notices it. */
async function endSession(page: Page, { token }: Pick<Dojo, 'token'>) {
  await call(profileApi.logout, {}, token)
  await page.clock.fastForward(POLL_MS)
  await expect(page).toHaveURL('/login')
}

test.beforeEach(({ page }) => page.clock.install())

test('restores an open form and what was typed after the session ended', async ({
  page,
  dojo,
  visit,
  layoutPath,
  allowErrors,
}) => {
  allowErrors(/status of 401/)
  await createThreeStudents(dojo)
  await signIn(page, dojo)
  await visit('/students')
  await pressButton(page, 'Enroll New Student')
  const form = dialog(page, 'Enroll New Student')
  await form.getByLabel(/^Name/).fill('Zoë Müller')
  await form.getByLabel('Initial password').fill('Secret-2026')
  await form.getByLabel('Teens').check()
  await form.getByLabel('Belt level').selectOption('green')
  await endSession(page, dojo)
  await expect(page.getByRole('alert')).toHaveText(ENDED_MESSAGE)
  await expectAccessible(page)
  expect(
    await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }])),
  ).not.toContain('Secret-2026')
  await logIn(page, dojo.email)
  await expect(page).toHaveURL(`${layoutPath}/students`)
  await expect(form.getByLabel(/^Name/)).toHaveValue('Zoë Müller')
  await expect(form.getByLabel('Teens')).toBeChecked()
  await expect(form.getByLabel('Belt level')).toHaveValue('green')
  await expect(form.getByLabel('Initial password')).toHaveValue('')
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Enroll New Student' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('restores the dialogs of a membership after the session ended', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/status of 401/)
  const [template] = PLAN_TEMPLATES
  if (!template) throw new Error('There is no template for a plan')
  await call(plansApi.create, { body: template }, dojo.token)
  const mia = await dojo.createStudent({ name: 'Mia Diaz' })
  await signIn(page, dojo)
  await visit(`/students/${mia.id}`)
  await pressButton(page, 'Put on a plan')
  const firstDay = page.getByRole('dialog').getByLabel('First day')
  const nextWeek = addDays(new Date().toISOString().slice(0, 10), 7)
  await firstDay.fill(nextWeek)
  await endSession(page, dojo)
  await logIn(page, dojo.email)
  await expect(firstDay).toHaveValue(nextWeek)
})

test(
  'keeps a change that failed because the session had ended, and shows no alert',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/status of 401/)
    await createThreeStudents(dojo)
    const alerts: string[] = []
    page.on('dialog', (alertDialog) => {
      alerts.push(alertDialog.message())
      void alertDialog.accept()
    })
    await signIn(page, dojo)
    await visit('/students')
    await pressButton(page, 'Edit Ben Moss')
    const form = dialog(page, 'Edit Student')
    await form.getByLabel(/^Name/).fill('Ben Mossley')
    await call(profileApi.logout, {}, dojo.token)
    await form.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page.getByRole('alert')).toHaveText(ENDED_MESSAGE)
    // A reload of the login page keeps the message, too.
    await page.reload()
    await expect(page.getByRole('alert')).toHaveText(ENDED_MESSAGE)
    await logIn(page, dojo.email)
    await expect(form.getByLabel(/^Name/)).toHaveValue('Ben Mossley')
    await form.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Student Profile Updated!' })).toContainText(
      'Ben Mossley',
    )
    expect(alerts).toEqual([])
  },
)

test(
  'restores forms of classes, messages and settings',
  { tag: '@long' },
  async ({ page, dojo, visit, isDesktop, allowErrors }) => {
    test.slow()
    allowErrors(/status of 401/)
    await createThreeStudents(dojo)
    const openSettings = async () => {
      if (isDesktop) return pressButton(page, 'Aiko Tanaka (Instructor)')
      await pressButton(page, 'Account')
      await pressButton(page, 'Instructor settings')
    }
    const textBen = async () => {
      await pressButton(page, 'Text a student')
      await page.getByRole('searchbox', { name: 'Student' }).fill('ben')
      await page.getByRole('button', { name: /^Ben Moss/ }).click()
    }
    const forms: {
      path: string
      open: () => Promise<void>
      title: string
      label: string | RegExp
      typed?: string
    }[] = [
      {
        path: '/class-center',
        open: () => pressButton(page, 'Add New Class'),
        title: 'Add New Class',
        label: 'Description',
      },
      {
        path: '/class-center',
        open: () => pressButton(page, 'Edit Teens'),
        title: 'Edit Class',
        label: 'Description',
      },
      {
        path: '/message-center',
        open: () => pressButton(page, 'Weather Cancellation'),
        title: 'Weather Cancellation Notice',
        label: 'Message',
      },
      {
        path: '/message-center',
        open: () => pressButton(page, 'Notification'),
        title: 'Notification',
        label: 'Title',
      },
      { path: '/students', open: openSettings, title: 'Instructor settings', label: 'City' },
      {
        path: '/families',
        open: () => pressButton(page, 'New guardian'),
        title: 'New guardian',
        label: /name/,
      },
      {
        path: '/families',
        open: () => pressButton(page, 'Create a family'),
        title: 'Create a family',
        label: /name/,
      },
      {
        path: '/school',
        open: () => pressButton(page, 'Prices'),
        title: 'Sibling Prices',
        label: /^2nd/,
        typed: '15',
      },
      { path: '/messages', open: textBen, title: 'Text Ben Moss', label: 'Message' },
    ]
    await signIn(page, dojo)
    for (const { path, open, title, label, typed = 'Something typed' } of forms) {
      await visit(path)
      await open()
      const field = dialog(page, title).getByRole('textbox', { name: label })
      await field.fill(typed)
      await page.route('**/api/**', (route) =>
        route.fulfill({
          status: 401,
          json: { detail: 'Authentication required. Please log in again.' },
        }),
      )
      await page.clock.fastForward(POLL_MS)
      await expect(page, title).toHaveURL('/login')
      await page.unrouteAll()
      await logIn(page, dojo.email)
      await expect(field, title).toHaveValue(typed)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Discard' }).click()
    }
  },
)

test('never shows what was typed to another account', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/status of 401/)
  await createThreeStudents(dojo)
  const otherDojo = await createDojo()
  await signIn(page, dojo)
  await visit('/students')
  await pressButton(page, 'Enroll New Student')
  await dialog(page, 'Enroll New Student').getByLabel(/^Name/).fill('Zoë Müller')
  await endSession(page, dojo)
  await logIn(page, otherDojo.email)
  await expect(page.getByRole('heading', { name: 'Student Center' })).toBeAttached()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

test(
  'explains a session that was ended elsewhere, and keeps what was typed',
  { tag: '@long' },
  async ({ page, dojo, visit, layoutPath, allowErrors }) => {
    allowErrors(/status of 401/)
    const deskSession = await createSession(dojo.email, PASSWORD)
    await signIn(page, dojo)
    await visit('/class-center')
    await pressButton(page, 'Add New Class')
    await dialog(page, 'Add New Class').getByLabel('Description').fill('For the small ones')
    await call(signInApi.endOtherSessions, {}, deskSession.token)
    await page.clock.fastForward(POLL_MS)
    await expect(page.getByRole('alert')).toHaveText(
      'You were logged out here from another device. Log in again; what you typed is kept.',
    )
    await logIn(page, dojo.email)
    await expect(page).toHaveURL(`${layoutPath}/class-center`)
    await expect(dialog(page, 'Add New Class').getByLabel('Description')).toHaveValue(
      'For the small ones',
    )
  },
)
