import type { Locator, Page } from '@playwright/test'
import { PASSWORD } from './dojo.ts'
import { expect, signIn, test } from './harness.ts'
import { createThreeStudents } from './students.ts'

const MAX_TAB_PRESSES = 60

/** Presses Tab until `target` has the focus. */
async function tabTo(
  page: Page,
  target: Locator,
  key: 'Tab' | 'Shift+Tab' = 'Tab',
  maxPresses = MAX_TAB_PRESSES,
) {
  await expect(target).toBeVisible()
  for (let step = 0; step < maxPresses; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  await expect(target, 'the Tab key reaches it').toBeFocused()
}

async function pressEnterOn(page: Page, target: Locator) {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('goes from the landing page to a student and back by keyboard', async ({
  page,
  dojo,
  layoutPath,
}) => {
  await createThreeStudents(dojo)
  await page.goto('/')
  await pressEnterOn(page, button(page, 'Login'))
  const loginDialog = page.getByRole('dialog', { name: 'Login' })
  await tabTo(page, loginDialog.getByLabel('Email'))
  await page.keyboard.type(dojo.email)
  await tabTo(page, loginDialog.getByRole('textbox', { name: 'Password' }))
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')
  await page.goto(layoutPath || '/dashboard')
  await expect(page.getByRole('heading', { name: 'Welcome back, Aiko Tanaka!' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await pressEnterOn(page, page.getByRole('link', { name: 'Total Students' }))
  await expect(page).toHaveURL(`${layoutPath}/students?filter=all`)
  await expect(button(page, 'Edit Cleo Nash')).toBeVisible()
  await page.keyboard.press('/')
  const searchField = page.getByRole('searchbox', { name: 'Search students' })
  await expect(searchField).toBeFocused()
  await page.keyboard.type('moss')
  await expect(page.getByRole('status').filter({ hasText: '1 of 3 students' })).toBeVisible()
  await expect(button(page, 'Edit Ann Lee')).toHaveCount(0)
  await tabTo(page, button(page, 'Edit Ben Moss'))
  await tabTo(page, searchField, 'Shift+Tab')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await tabTo(page, button(page, 'Edit Ann Lee').first())
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key)
  const editButton = page.getByRole('button', { name: /^Edit / }).nth(1)
  await expect(editButton).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Edit Student' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(editButton).toBeFocused()
})

test(
  'marks a class and reads the calendar by keyboard',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await createThreeStudents(dojo)
    await signIn(page, dojo)
    await visit('/attendance')
    await pressEnterOn(page, button(page, 'Mark Attendance'))
    const dialog = page.getByRole('dialog', { name: 'Mark Attendance' })
    await tabTo(page, dialog.getByLabel('Class', { exact: true }))
    await page.keyboard.type('Little')
    const presentButton = dialog
      .getByRole('group', { name: 'Ann Lee' })
      .getByRole('button', { name: 'Present' })
    await tabTo(page, presentButton)
    await page.keyboard.press('Space')
    await expect(presentButton).toHaveAttribute('aria-pressed', 'true')
    await expect(presentButton).toBeFocused()
    await expect(dialog.getByRole('status')).toContainText('1 of 1 marked, 1 present')
    await tabTo(page, dialog.getByRole('button', { name: 'Done' }))
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(button(page, 'Mark Attendance')).toBeFocused()
    await page.clock.setFixedTime(new Date('2028-02-27T18:00:00Z'))
    await visit('/dashboard')
    const today = page.getByRole('button', { name: 'Sunday, February 27, today' })
    await tabTo(page, today)
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
    await expect(page.getByRole('grid', { name: 'March 2028' })).toBeVisible()
    await expect(
      page.locator('[aria-live=polite]').filter({ hasText: /^March 2028$/ }),
    ).toBeVisible()
    const firstOfMarch = page.getByRole('button', { name: /^Wednesday, March 1, \d birthdays$/ })
    await expect(firstOfMarch).toBeFocused()
    await page.keyboard.press('Enter')
    const liveRegion = page.locator('[aria-live=polite]').filter({ hasText: 'March 1' })
    for (const text of ['Ann Lee turns 18', 'Ben Moss turns 18'])
      await expect(liveRegion).toContainText(text)
    await expect(firstOfMarch).toBeFocused()
  },
)

test('marks a roll with P and A, and moves with the arrow keys', async ({
  page,
  dojo,
  visit,
  isDesktop,
}) => {
  const { id } = await dojo.createClass()
  for (const name of ['Ann Lee', 'Ben Moss', 'Cleo Nash'])
    await dojo.createStudent({ name, enrolled_classes: [id] })
  await signIn(page, dojo)
  await visit(`/attendance?class=${id}`)
  const dialog = page.getByRole('dialog', { name: 'Mark Attendance' })
  const markButton = (student: string, name: string) =>
    dialog.getByRole('group', { name: student }).getByRole('button', { name })
  await expect(markButton('Ann Lee', 'Present')).toBeVisible()
  if (isDesktop) await expect(dialog.getByLabel('Date')).toBeFocused()
  await page.keyboard.press('p')
  await expect(markButton('Ann Lee', 'Present')).toHaveAttribute('aria-pressed', 'true')
  await expect(markButton('Ben Moss', 'Present')).toBeFocused()
  // P has already moved on, so pressing Down right after it skips nobody.
  await page.keyboard.press('ArrowDown')
  await expect(markButton('Ben Moss', 'Present')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(markButton('Cleo Nash', 'Present')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('a')
  await expect(markButton('Ben Moss', 'Absent')).toHaveAttribute('aria-pressed', 'true')
  await expect(markButton('Cleo Nash', 'Absent')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(markButton('Ben Moss', 'Absent')).toBeFocused()
  await page.keyboard.press('P')
  await expect(markButton('Ben Moss', 'Present')).toHaveAttribute('aria-pressed', 'true')
  await expect(dialog.getByRole('status')).toContainText('2 of 3 marked, 2 present')
})

test(
  'writes and sends a text by keyboard, and returns the focus on Esc',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await createThreeStudents(dojo)
    await signIn(page, dojo)
    await visit('/message-center')
    const tab = (name: string) => page.getByRole('tab', { name })
    await tabTo(page, tab('SMS Messages'))
    await page.keyboard.press('ArrowRight')
    await expect(tab('SMS Setup')).toBeFocused()
    await expect(page.getByRole('tabpanel', { name: 'SMS Setup' })).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    await expect(tab('SMS Messages')).toBeFocused()
    const opener = page
      .getByRole('region', { name: 'Custom Announcements' })
      .getByRole('button', { name: 'Weather Cancellation' })
    await pressEnterOn(page, opener)
    const dialog = page.getByRole('dialog')
    const messageField = dialog.getByRole('textbox', { name: 'Message' })
    await tabTo(page, messageField)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(opener).toBeFocused()
    await page.keyboard.press('Enter')
    await tabTo(page, messageField)
    await page.keyboard.type('No class today.')
    const sendButton = dialog.getByRole('button', { name: 'Send', exact: true })
    await expect(sendButton).toBeEnabled()
    await tabTo(page, sendButton)
    // After the last element of the page, the focus goes to the browser and starts over.
    await tabTo(page, dialog.getByRole('button', { name: 'Close' }), 'Tab', 3)
    await tabTo(page, sendButton)
    await page.keyboard.press('Enter')
    await expect(
      page.getByRole('status').filter({ hasText: 'Weather Cancellation sent successfully!' }),
    ).toBeVisible()
    await expect(opener).toBeFocused()
  },
)
