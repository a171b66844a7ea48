import type { Locator, Page } from '@playwright/test'
import { readColor, themeColor } from './colors.ts'
import {
  expect,
  expectAccessible,
  expectButtonsEnabled,
  delayCalls,
  signIn,
  test,
  collectWarnings,
} from './harness.ts'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const card = (page: Page, className: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: className }) })
const classNames = (page: Page) => page.getByRole('article').getByRole('heading')

/** Makes the calls fail with the message `detail`, or with a broken connection if there is none. */
const failCalls = (page: Page, url: string, method: string, detail?: string) =>
  page.route(url, (route) => {
    if (route.request().method() !== method) return route.fallback()
    return detail ? route.fulfill({ status: 409, json: { detail } }) : route.abort()
  })

test('guides a new dojo through adding its first class', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  const release = await delayCalls(page, '**/api/classes', 'GET')
  await visit('/class-center')
  await expect(page.getByRole('heading', { name: 'Class Center', level: 1 })).toBeAttached()
  await expect(page.getByText('Manage classes and schedules')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Class Management' })).toBeVisible()
  await expect(page.getByText('Loading classes...')).toBeVisible()
  release()
  await expect(
    page.getByText('No classes found. Add your first class to get started!'),
  ).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Add New Class' }).click()
  const form = dialog(page, 'Add New Class')
  await expect(form.getByText('Only alphabetical characters allowed')).toBeVisible()
  await expect(form.getByText('Select at least one day for the class')).toBeVisible()
  await form.getByRole('button', { name: 'Create Class' }).click()
  const requiredMessages = [
    'Class name is required',
    'Description is required',
    'Start time is required',
    'End time is required',
  ]
  for (const text of requiredMessages) await expect(form.getByText(text)).toBeVisible()
  await expect(form.getByText('Select at least one day for the class')).toHaveRole('alert')
  await expect(form.getByLabel('Class name')).toBeFocused()
  await expectAccessible(page)

  await form.getByLabel('Class name').pressSequentially('Kids 2 Judo!')
  await expect(form.getByLabel('Class name')).toHaveValue('Kids  Judo')
  await expect(form.getByRole('status').getByText('Removed: 2 !')).toBeVisible()
  await expect(form.getByText(requiredMessages[0]!)).toBeHidden()
  await form.getByLabel('Description').fill('Ages 5 to 8')
  for (const day of ['Wednesday', 'Monday', 'Sunday', 'Sunday'])
    await form.getByRole('checkbox', { name: day }).click()
  await expect(form.getByText('Select at least one day for the class')).toBeHidden()
  // Each required field is also reported when it is the only empty one.
  await form.getByRole('button', { name: 'Create Class' }).click()
  for (const text of requiredMessages.slice(0, 2)) await expect(form.getByText(text)).toBeHidden()
  for (const text of requiredMessages.slice(2)) await expect(form.getByText(text)).toBeVisible()
  const readTimes = (label: string) =>
    form.getByLabel(label).locator('option:not([value=""])').allTextContents()
  const starts = await readTimes('Start time')
  const ends = await readTimes('End time')
  expect([starts.length, starts[0], starts.at(-1)]).toEqual([16, '6:00 AM', '9:00 PM'])
  expect([ends.length, ends[0], ends.at(-1)]).toEqual([16, '7:00 AM', '10:00 PM'])
  await form.getByLabel('Start time').selectOption('6:00 AM')
  await form.getByLabel('End time').selectOption('10:00 PM')
  const releaseCreation = await delayCalls(page, '**/api/classes', 'POST')
  await form.getByRole('button', { name: 'Create Class' }).click()
  await expect(form.getByRole('button', { name: 'Creating...' })).toBeDisabled()
  for (const name of ['Cancel', 'Close'])
    await expect(form.getByRole('button', { name })).toBeDisabled()
  releaseCreation()
  await expect(form).toBeHidden()
  const newCard = card(page, 'Kids Judo')
  const today = new Date().toLocaleDateString('en-US', {
    dateStyle: 'medium',
    timeZone: 'America/Chicago',
  })
  for (const text of [
    'Ages 5 to 8',
    '6:00 AM - 10:00 PM',
    'Monday, Wednesday',
    `Created ${today}`,
    'Active',
  ]) {
    await expect(newCard).toContainText(text)
  }
  expect(await readColor(newCard.getByText('Active', { exact: true }))).toBe(
    await themeColor(page, 'green'),
  )
  await page.getByRole('button', { name: 'Add New Class' }).click()
  await expect(form.getByLabel('Class name')).toHaveValue('')
})

test('accepts times in steps of five minutes', async ({ page, dojo, visit }) => {
  await dojo.createClass({ class_start_time: '5:30 PM', class_end_time: '7:00 PM' })
  await signIn(page, dojo)
  await visit('/class-center')
  await expect(card(page, 'Little Dragons')).toContainText('5:30 PM - 7:00 PM')
  await page.getByRole('button', { name: 'Edit Little Dragons' }).click()
  const form = dialog(page, 'Edit Class')
  await expect(form.getByLabel('Start time')).toHaveValue('17:30')
  await expect(form.getByLabel('End time')).toHaveValue('7:00 PM')
  await form.getByRole('button', { name: 'Other time… (end)' }).click()
  await expect(form.getByLabel('End time')).toHaveValue('19:00')
  await expect(form.getByLabel('End time')).toBeFocused()
  await form.getByLabel('End time').fill('18:13')
  await form.getByRole('button', { name: 'Update Class' }).click()
  await expect(form.getByText('Use five-minute steps, such as 5:30 PM')).toBeVisible()
  await expectAccessible(page)
  await form.getByLabel('End time').fill('18:15')
  await form.getByRole('button', { name: 'Choose from the list (start)' }).click()
  await form.getByLabel('Start time').selectOption('6:00 AM')
  await form.getByRole('button', { name: 'Update Class' }).click()
  await expect(card(page, 'Little Dragons')).toContainText('6:00 AM - 6:15 PM')
})

test('searches name, description and days', { tag: '@long' }, async ({ page, dojo, visit }) => {
  await dojo.createClass({
    class_name: 'Little Dragons',
    description: 'Ages 5 to 8',
    class_days: ['monday'],
  })
  await dojo.createClass({
    class_name: 'Open Mat',
    description: 'Everybody',
    class_days: ['saturday', 'sunday'],
  })
  await signIn(page, dojo)
  await visit('/class-center')
  await expect(page.getByText('2 classes')).toBeVisible()
  const search = page.getByPlaceholder('Search by name, description or location')
  const searches = [
    ['DRAGON', 'Little Dragons'],
    ['every', 'Open Mat'],
    ['sunday', 'Open Mat'],
    ['ages', 'Little Dragons'],
  ] as const
  for (const [searchText, className] of searches) {
    await search.fill(searchText)
    await expect(classNames(page)).toHaveText([className])
  }
  await expect(page.getByText('1 of 2 classes')).toBeVisible()
  await search.fill('karate')
  await expect(page.getByText('No classes found matching your search.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(page.getByRole('heading', { name: 'Class Management' })).toBeFocused()
  await expect(classNames(page)).toHaveText(['Little Dragons', 'Open Mat'])
  await expectAccessible(page)
})

test('changes a class, and shows a failure until the dialog closes', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/409|ERR_FAILED/)
  await dojo.createClass()
  await signIn(page, dojo)
  await visit('/class-center')
  const editButton = page.getByRole('button', { name: 'Edit Little Dragons' })
  const form = dialog(page, 'Edit Class')
  await editButton.click()
  await expect(form.getByLabel('Description')).toHaveValue('Ages 5 to 8')
  await expect(form.getByRole('checkbox', { checked: true })).toHaveCount(2)
  await form.getByLabel('Class name').fill('Big Dragons')
  await failCalls(page, '**/api/classes/*', 'PUT')
  await form.getByRole('button', { name: 'Update Class' }).click()
  await expect(form.getByRole('alert')).toHaveText('Failed to update class')
  await failCalls(page, '**/api/classes/*', 'PUT', 'This class is full of dragons.')
  await form.getByRole('button', { name: 'Update Class' }).click()
  await expect(form.getByRole('alert')).toHaveText('This class is full of dragons.')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(editButton).toBeFocused()
  await editButton.click()
  await expect(form.getByRole('alert')).toBeHidden()
  await expect(form.getByLabel('Class name')).toHaveValue('Little Dragons')
  await page.unrouteAll()
  const release = await delayCalls(page, '**/api/classes/*', 'PUT')
  await form.getByLabel('Class name').fill('Big Dragons')
  await form.getByRole('button', { name: 'Update Class' }).click()
  await expect(form.getByRole('button', { name: 'Updating...' })).toBeDisabled()
  for (const name of ['Cancel', 'Close', 'Delete Class'])
    await expect(form.getByRole('button', { name })).toBeDisabled()
  release()
  await expect(form).toBeHidden()
  await expect(classNames(page)).toHaveText(['Big Dragons'])
  const addDialog = await failToCreate(page)
  await failCalls(page, '**/api/classes', 'POST', 'There are enough dragons.')
  await addDialog.getByRole('button', { name: 'Create Class' }).click()
  await expect(addDialog.getByRole('alert')).toHaveText('There are enough dragons.')
  await addDialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expectReset(page)
})

/** Fills in and submits the form for a new class, which fails. Returns the dialog. */
async function failToCreate(page: Page): Promise<Locator> {
  await failCalls(page, '**/api/classes', 'POST')
  await page.getByRole('button', { name: 'Add New Class' }).click()
  const addDialog = dialog(page, 'Add New Class')
  await addDialog.getByLabel('Class name').fill('Open Mat')
  await addDialog.getByLabel('Description').fill('Everybody')
  await addDialog.getByRole('checkbox', { name: 'Friday' }).check()
  await addDialog.getByLabel('Start time').selectOption('9:00 PM')
  await addDialog.getByLabel('End time').selectOption('7:00 AM')
  await addDialog.getByRole('button', { name: 'Create Class' }).click()
  await expect(addDialog.getByRole('alert')).toHaveText('Failed to create class')
  return addDialog
}

/** Checks that the form for a new class opens empty. */
async function expectReset(page: Page) {
  const addDialog = dialog(page, 'Add New Class')
  await expect(addDialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Add New Class' }).click()
  await expect(addDialog.getByRole('alert')).toHaveCount(0)
  for (const label of ['Class name', 'Description', 'Start time', 'End time'])
    await expect(addDialog.getByLabel(label)).toHaveValue('')
  await expect(addDialog.getByRole('checkbox', { checked: true })).toHaveCount(0)
}

test(
  'Cancel clears the error and resets the form for a new class, without asking',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    await dojo.createClass()
    await signIn(page, dojo)
    await visit('/class-center')
    const addDialog = await failToCreate(page)
    await addDialog.getByRole('button', { name: 'Cancel' }).click()
    await expectReset(page)
  },
)

test('says how many students are enrolled before deleting a class in the dialog', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/409|ERR_FAILED/)
  const { id } = await dojo.createClass()
  await dojo.createStudent({ enrolled_classes: [id] })
  await signIn(page, dojo)
  await visit('/class-center')
  await page.getByRole('button', { name: 'Edit Little Dragons' }).click()
  await page.getByRole('button', { name: 'Delete Class' }).click()
  const confirmation = page.getByRole('alertdialog', { name: 'Delete Little Dragons?' })
  await expect(confirmation).toContainText(
    'Are you sure you want to delete this class? This action cannot be undone.',
  )
  await expect(confirmation).toContainText('1 student is enrolled and will be removed from it.')
  await expectAccessible(page)
  await failCalls(page, '**/api/classes/*', 'DELETE')
  await confirmation.getByRole('button', { name: 'Delete' }).click()
  await expect(confirmation.getByRole('alert')).toHaveText('Failed to delete class')
  // Closing the question also removes its error message.
  await confirmation.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Delete Class' }).click()
  await expect(confirmation.getByRole('alert')).toHaveCount(0)
  const release = await delayCalls(page, '**/api/classes/*', 'DELETE')
  await confirmation.getByRole('button', { name: 'Delete' }).click()
  await expect(confirmation.getByRole('button', { name: 'Deleting...' })).toBeDisabled()
  const editDialog = page.getByRole('dialog', { name: 'Edit Class', includeHidden: true })
  for (const openDialog of [confirmation, editDialog]) await expectButtonsEnabled(openDialog, false)
  for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key)
  await page.goBack()
  await expect(confirmation).toBeVisible()
  release()
  await expect(confirmation.getByRole('alert')).toHaveText('Failed to delete class')
  for (const openDialog of [confirmation, editDialog]) await expectButtonsEnabled(openDialog, true)
  await page.unrouteAll()
  await failCalls(page, '**/api/classes/*', 'DELETE', 'The dragons stay.')
  await confirmation.getByRole('button', { name: 'Delete' }).click()
  await expect(confirmation.getByRole('alert')).toHaveText('The dragons stay.')
  await page.unrouteAll()
  await confirmation.getByRole('button', { name: 'Delete' }).click()
  await expect(
    page.getByText('No classes found. Add your first class to get started!'),
  ).toBeVisible()
  await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Class Management' })).toBeFocused()
})

test('confirms and reports a deletion from the card in browser dialogs', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/ERR_FAILED/)
  await dojo.createClass()
  await signIn(page, dojo)
  await visit('/class-center')
  const messages: string[] = []
  let isConfirmed = false
  page.on('dialog', (confirmDialog) => {
    messages.push(`${confirmDialog.type()}: ${confirmDialog.message()}`)
    void (isConfirmed ? confirmDialog.accept() : confirmDialog.dismiss())
  })
  const removeButton = page.getByRole('button', { name: 'Delete Little Dragons' })
  await removeButton.click()
  expect(messages).toEqual(['confirm: Are you sure you want to delete this class?'])
  isConfirmed = true
  await failCalls(page, '**/api/classes/*', 'DELETE')
  await removeButton.click()
  await expect.poll(() => messages.at(-1)).toBe('alert: Failed to delete class. Please try again.')
  await page.unrouteAll()
  await removeButton.click()
  await expect(classNames(page)).toHaveCount(0)
})

test(
  'shows one, two or three cards in a row, depending on the screen width',
  { tag: '@long' },
  async ({ page, dojo, visit, isDesktop }) => {
    for (const class_name of ['Little Dragons', 'Open Mat', 'Teens'])
      await dojo.createClass({ class_name })
    await signIn(page, dojo)
    const sizes = isDesktop
      ? ([
          [1440, 3],
          [900, 2],
        ] as const)
      : ([
          [390, 1],
          [768, 2],
        ] as const)
    for (const [width, columns] of sizes) {
      await page.setViewportSize({ width, height: 900 })
      await visit('/class-center')
      await expect(classNames(page)).toHaveCount(3)
      const tops = await classNames(page).evaluateAll((headings) =>
        headings.map((heading) => Math.round(heading.getBoundingClientRect().top)),
      )
      expect(
        tops.filter((top) => top === tops[0]),
        `at ${width} pixels`,
      ).toHaveLength(columns)
    }
  },
)

test('shows an empty list and logs a warning when classes cannot be loaded', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/404/)
  const warnings = collectWarnings(page)
  await dojo.createClass()
  await signIn(page, dojo)
  await page.route('**/api/classes', (route) =>
    route.fulfill({ status: 404, json: { detail: 'Not found' } }),
  )
  await visit('/class-center')
  await expect(
    page.getByText('No classes found. Add your first class to get started!'),
  ).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(warnings).toEqual(['GET /classes failed: status 404'])
})
