import type { Page } from '@playwright/test'
import { createDailyClass } from './daily-class.ts'
import { dayAhead } from './days.ts'
import { PASSWORD } from './dojo.ts'
import { expect, signIn, test } from './harness.ts'

const POLL_MS = 10_000

type Form = {
  name: string
  path?: string
  open: (page: Page) => Promise<void>
  title: string
  fillIn: (page: Page) => Promise<void>
  expectFilledIn: (page: Page) => Promise<void>
  saveButton: string
  saveUrl: string
  failureText: RegExp
}
const dialog = (page: Page, title: string) => page.getByRole('dialog', { name: title })
const pressButton = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).first().click()
const fieldActions = (title: string, label: string, text: string) => ({
  fillIn: (page: Page) =>
    dialog(page, title)
      .getByRole('textbox', { name: label })
      .or(dialog(page, title).getByLabel(label, { exact: true }))
      .first()
      .fill(text),
  expectFilledIn: (page: Page) =>
    expect(
      dialog(page, title)
        .getByRole('textbox', { name: label })
        .or(dialog(page, title).getByLabel(label, { exact: true }))
        .first(),
    ).toHaveValue(text),
})
const openClassDate = (page: Page) => pressButton(page, 'Change Little Dragons, Today')
const openSection = (section: string) => async (page: Page) => {
  await openClassDate(page)
  await pressButton(page, section)
}

const FORMS: Form[] = [
  {
    name: 'Cancel',
    open: openClassDate,
    title: 'Little Dragons',
    fillIn: async (page) => {
      const sheet = dialog(page, 'Little Dragons')
      if ((await sheet.getByRole('textbox', { name: 'Reason' }).count()) === 0)
        await sheet.getByText('Other…', { exact: true }).click()
      await sheet.getByRole('textbox', { name: 'Reason' }).fill('Ice on the road')
      await sheet.getByLabel('Text').fill('Stay at home tonight.')
    },
    expectFilledIn: async (page) => {
      await expect(
        dialog(page, 'Little Dragons').getByRole('textbox', { name: 'Reason' }),
      ).toHaveValue('Ice on the road')
      await expect(dialog(page, 'Little Dragons').getByLabel('Text')).toHaveValue(
        'Stay at home tonight.',
      )
    },
    saveButton: 'Cancel and send',
    saveUrl: '**/api/class-dates/cancelled',
    failureText: /could not be canceled/,
  },
  {
    name: 'Move',
    open: openSection('Move'),
    title: 'Move Little Dragons',
    ...fieldActions('Move Little Dragons', 'Start time', '17:45'),
    saveButton: 'Move',
    saveUrl: '**/api/class-dates/moved',
    failureText: /could not be moved/,
  },
  {
    name: 'Substitute',
    open: openSection('Substitute'),
    title: 'Substitute',
    ...fieldActions('Substitute', 'Who teaches Little Dragons today', 'Ben Ito'),
    saveButton: 'Save',
    saveUrl: '**/api/class-dates/substitute',
    failureText: /could not be saved/,
  },
  {
    name: 'Add a date',
    open: (page) => pressButton(page, 'Add a date'),
    title: 'Add a date',
    ...fieldActions('Add a date', 'Start time', '10:15'),
    saveButton: 'Add',
    saveUrl: '**/api/class-dates',
    failureText: /could not be added/,
  },
  {
    name: 'Add a holiday',
    path: '/holidays',
    open: (page) => pressButton(page, 'Add a holiday'),
    title: 'Add a holiday',
    fillIn: async (page) => {
      const sheet = dialog(page, 'Add a holiday')
      await sheet.getByLabel('Name').fill('Winter break')
      await sheet.getByLabel('First day').fill(dayAhead(8))
      await sheet.getByLabel('Last day').fill(dayAhead(10))
      await sheet.getByLabel('Text').fill('The hall is closed, enjoy the snow.')
    },
    expectFilledIn: async (page) => {
      await expect(dialog(page, 'Add a holiday').getByLabel('Name')).toHaveValue('Winter break')
      await expect(dialog(page, 'Add a holiday').getByLabel('Last day')).toHaveValue(dayAhead(10))
      await expect(dialog(page, 'Add a holiday').getByLabel('Text')).toHaveValue(
        'The hall is closed, enjoy the snow.',
      )
    },
    saveButton: 'Add and send',
    saveUrl: '**/api/holidays',
    failureText: /could not be added/,
  },
]

for (const {
  name,
  path = '/schedule',
  open,
  title,
  fillIn,
  expectFilledIn,
  saveButton,
  saveUrl,
  failureText,
} of FORMS)
  test(
    `${name} form keeps its input after Esc, Back, a failed save and an expired session`,
    { tag: '@long' },
    async ({ page, dojo, visit, allowErrors, layoutPath }) => {
      allowErrors(/status of (401|400)/)
      await page.clock.install()
      const { id } = await createDailyClass(dojo)
      await dojo.createStudent({ enrolled_classes: [id] })
      await signIn(page, dojo)
      await visit(path)
      await open(page)
      await expect(dialog(page, title)).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog'), 'nothing was typed').toHaveCount(0)

      await open(page)
      await fillIn(page)
      const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' })
      for (const close of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
        await close()
        await question.getByRole('button', { name: 'Keep editing' }).click()
        await expectFilledIn(page)
      }
      const methods = ['PUT', 'POST']
      await page.route(saveUrl, (route) =>
        methods.includes(route.request().method())
          ? route.fulfill({ status: 400, json: { detail: '' } })
          : route.fallback(),
      )
      await dialog(page, title).getByRole('button', { name: saveButton, exact: true }).click()
      await expect(
        dialog(page, title).getByRole('alert').filter({ hasText: failureText }),
      ).toBeVisible()
      await expectFilledIn(page)
      await page.unrouteAll()

      await page.route('**/api/**', (route) =>
        route.fulfill({
          status: 401,
          json: { detail: 'Authentication required. Please log in again.' },
        }),
      )
      await page.clock.fastForward(POLL_MS)
      await expect(page).toHaveURL('/login')
      await page.unrouteAll()
      await page.getByLabel('Email').fill(dojo.email)
      await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Login' }).click()
      await expect(page).toHaveURL(`${layoutPath}${path}`)
      await expectFilledIn(page)
      await page.keyboard.press('Escape')
      await question.getByRole('button', { name: 'Discard' }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    },
  )
