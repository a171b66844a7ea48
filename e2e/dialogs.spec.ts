import type { Page } from '@playwright/test'
import { expect, expectAccessible, sampleInShortRun, signIn, test } from './harness.ts'
import { createThreeStudents } from './students.ts'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const discardDialog = (page: Page) =>
  page.getByRole('alertdialog', { name: 'Discard what you typed?' })
const anyDialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'))
const enrollButton = (page: Page) => page.getByRole('button', { name: 'Enroll New Student' })
const nameField = (page: Page) => dialog(page, 'Enroll New Student').getByLabel(/^Name/)
const countOpenDialogs = (page: Page) =>
  page.evaluate(() => Number(Object(history.state).dialogs ?? 0))

test(
  'Back closes only the top dialog, and Forward does not reopen it',
  { tag: '@long' },
  async ({ page, dojo, visit, layoutPath }) => {
    await createThreeStudents(dojo)
    await signIn(page, dojo)
    await visit('/dashboard')
    await page.getByRole('link', { name: 'Total Students' }).click()
    await expect(page).toHaveURL(`${layoutPath}/students?filter=all`)
    const editButton = page.getByRole('button', { name: 'Edit Ben Moss' }).first()
    await editButton.click()
    await expect(dialog(page, 'Edit Student')).toBeVisible()
    await page.getByRole('button', { name: 'Delete Student' }).click()
    await expect(anyDialog(page)).toHaveCount(2)
    await page.goBack()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(dialog(page, 'Edit Student')).toBeVisible()
    await page.goBack()
    await expect(anyDialog(page)).toHaveCount(0)
    await expect(editButton).toBeFocused()
    await expect(page).toHaveURL(`${layoutPath}/students?filter=all`)
    await page.goForward()
    await expect.poll(() => countOpenDialogs(page)).toBe(0)
    await expect(anyDialog(page)).toHaveCount(0)
    await page.goBack()
    await expect(page).toHaveURL(layoutPath || '/dashboard')
  },
)

test(
  'Back skips a dialog that was already closed',
  { tag: '@long' },
  async ({ page, dojo, visit, layoutPath }) => {
    await createThreeStudents(dojo)
    await signIn(page, dojo)
    await visit('/dashboard')
    await page.getByRole('link', { name: 'Total Students' }).click()
    const closingActions = [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('button', { name: 'Close' }).click(),
      () => page.getByRole('button', { name: 'Cancel' }).click(),
      () => page.reload(),
    ]
    for (const close of closingActions) {
      await enrollButton(page).click()
      await expect(dialog(page, 'Enroll New Student')).toBeVisible()
      expect(await countOpenDialogs(page)).toBe(1)
      await close()
      await expect(anyDialog(page)).toHaveCount(0)
      await expect(enrollButton(page)).toBeVisible()
      await expect.poll(() => countOpenDialogs(page)).toBe(0)
    }
    await page.goBack()
    await expect(page).toHaveURL(layoutPath || '/dashboard')
    await expect(page.getByRole('heading', { name: 'Welcome back, Aiko Tanaka!' })).toBeVisible()
  },
)

test(
  'Back returns to a page left through a link in a dialog',
  { tag: '@long' },
  async ({ page, dojo, visit, layoutPath }) => {
    await signIn(page, dojo)
    await visit('/students')
    await enrollButton(page).first().click()
    await dialog(page, 'Enroll New Student')
      .getByRole('link', { name: 'Open Class Center' })
      .click()
    await expect(page).toHaveURL(`${layoutPath}/class-center`)
    await page.goBack()
    await expect(page).toHaveURL(`${layoutPath}/students`)
    await expect(enrollButton(page).first()).toBeVisible()
    await expect(anyDialog(page)).toHaveCount(0)
  },
)

test('does not discard typed input without confirmation', async ({ page, dojo, visit }) => {
  await createThreeStudents(dojo)
  await signIn(page, dojo)
  await visit('/students')
  await enrollButton(page).click()
  await nameField(page).fill('Zoë Müller')
  const form = dialog(page, 'Enroll New Student')
  const closingActions = [
    () => page.keyboard.press('Escape'),
    () => form.getByRole('button', { name: 'Close' }).click(),
    () => form.getByRole('button', { name: 'Cancel' }).click(),
    () => page.goBack(),
  ]
  for (const close of closingActions) {
    await close()
    await expect(discardDialog(page)).toBeVisible()
    await expect(discardDialog(page).getByRole('button', { name: 'Keep editing' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(discardDialog(page)).toHaveCount(0)
    await expect(nameField(page)).toHaveValue('Zoë Müller')
    await expect.poll(() => countOpenDialogs(page)).toBe(1)
  }
  // Esc and Back do the same as Keep editing, every time.
  for (const key of ['Escape', 'Escape', 'Escape', 'Escape']) await page.keyboard.press(key)
  await expect(discardDialog(page)).toHaveCount(0)
  await page.goBack()
  await expect(discardDialog(page)).toBeVisible()
  await expectAccessible(page)
  await page.goBack()
  await expect(discardDialog(page)).toHaveCount(0)
  await expect(nameField(page)).toHaveValue('Zoë Müller')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await discardDialog(page).getByRole('button', { name: 'Discard' }).click()
  await expect(anyDialog(page)).toHaveCount(0)
  await expect(enrollButton(page)).toBeFocused()
  await expect.poll(() => countOpenDialogs(page)).toBe(0)
  await enrollButton(page).click()
  await expect(nameField(page)).toHaveValue('')
})

type Form = {
  path: string
  open: () => Promise<void>
  title: string
  label: string | RegExp
  text?: string
}

test(
  'confirms before discarding a changed form, and closes an unchanged one immediately',
  { tag: '@long' },
  async ({ page, dojo, visit, isDesktop }) => {
    test.slow()
    await createThreeStudents(dojo)
    await signIn(page, dojo)
    const openSettings = async () => {
      if (isDesktop) return page.getByRole('button', { name: 'Aiko Tanaka (Instructor)' }).click()
      await page.getByRole('button', { name: 'Account' }).click()
      await page.getByRole('button', { name: 'Instructor settings' }).click()
    }
    const press = (button: string) => () =>
      page.getByRole('button', { name: button, exact: true }).first().click()
    const forms = [
      { path: '/students', open: press('Edit Ben Moss'), title: 'Edit Student', label: /^Name/ },
      {
        path: '/class-center',
        open: press('Add New Class'),
        title: 'Add New Class',
        label: 'Description',
      },
      {
        path: '/class-center',
        open: press('Edit Teens'),
        title: 'Edit Class',
        label: 'Description',
      },
      {
        path: '/message-center',
        open: press('Special Message'),
        title: 'Special Message',
        label: 'Message',
      },
      {
        path: '/message-center?open=compose',
        open: press('Late Fee Reminder'),
        title: 'Late Fee Reminder',
        label: 'Message',
      },
      {
        path: '/message-center',
        open: press('Notification'),
        title: 'Notification',
        label: 'Title',
      },
      {
        path: '/message-center',
        open: press('Fee Notification'),
        title: 'Fee Notification',
        label: 'Message',
      },
      { path: '/students', open: openSettings, title: 'Instructor settings', label: 'City' },
      {
        path: '/families',
        open: press('New guardian'),
        title: 'New guardian',
        label: /name/,
      },
      {
        path: '/families',
        open: press('Create a family'),
        title: 'Create a family',
        label: /name/,
      },
      {
        path: '/school',
        open: press('Prices'),
        title: 'Sibling Prices',
        label: /^2nd student/,
        text: '15',
      },
    ]
    for (const { path, open, title, label, text = 'Something else' } of sampleInShortRun<Form>(
      forms,
    )) {
      await visit(path)
      await open()
      const form = dialog(page, title)
      const field = form.getByRole('textbox', { name: label })
      const initialValue = await field.inputValue()
      await field.fill(text)
      await page.keyboard.press('Escape')
      await expect(discardDialog(page), title).toBeVisible()
      await discardDialog(page).getByRole('button', { name: 'Keep editing' }).click()
      await expect(field).toHaveValue(text)
      await field.fill(initialValue)
      await page.keyboard.press('Escape')
      await expect(anyDialog(page), title).toHaveCount(0)
    }
  },
)

test('confirms before discarding a registration', { tag: '@long' }, async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.getByRole('button', { name: 'New Instructor Setup' }).click()
  const form = dialog(page, 'New Instructor Setup')
  await form.getByLabel('First name').fill('Aiko')
  await page.goBack()
  await discardDialog(page).getByRole('button', { name: 'Discard' }).click()
  await expect(form).toHaveCount(0)
  await expect(dialog(page, 'Login')).toBeVisible()
  await page.goBack()
  await expect(anyDialog(page)).toHaveCount(0)
  await expect(page).toHaveURL('/')
})

test(
  'the browser confirms a reload that would lose typed input',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await createThreeStudents(dojo)
    await signIn(page, dojo)
    await visit('/students')
    const dialogTypes: string[] = []
    page.on('dialog', (nativeDialog) => {
      dialogTypes.push(nativeDialog.type())
      void nativeDialog.accept()
    })
    await enrollButton(page).click()
    await expect(nameField(page)).toBeVisible()
    await page.reload()
    expect(dialogTypes).toEqual([])
    await enrollButton(page).click()
    await nameField(page).fill('Zoë')
    await page.reload()
    expect(dialogTypes).toEqual(['beforeunload'])
  },
)

test(
  'keeps the dialog open while a request waits for its response',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    await createThreeStudents(dojo)
    await signIn(page, dojo)
    await visit('/students')
    await page.getByRole('button', { name: 'Edit Ben Moss' }).first().click()
    const form = dialog(page, 'Edit Student')
    await form.getByLabel(/^Name/).fill('Ben Mossley')
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/api/students/*', async (route) => {
      await promise
      await route.abort()
    })
    page.on('dialog', (nativeDialog) => void nativeDialog.accept())
    await form.getByRole('button', { name: 'Save Changes' }).click()
    await expect(form.getByRole('button', { name: 'Saving...' })).toBeDisabled()
    await expect(form.getByRole('button', { name: 'Close' })).toBeDisabled()
    await expect(form.getByRole('button', { name: 'Cancel' })).toBeDisabled()
    for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key)
    await page.goBack()
    await expect.poll(() => countOpenDialogs(page)).toBe(1)
    await expect(anyDialog(page)).toHaveCount(1)
    resolve()
    await expect(form.getByRole('alert')).toHaveText('Failed to update student. Please try again.')
    await expect(form.getByRole('button', { name: 'Cancel' })).toBeEnabled()
  },
)
