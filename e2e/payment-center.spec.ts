import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectAllAccessible, signIn, test } from './harness.ts'
import {
  chooseFilter,
  chooseMonth,
  expectFilter,
  expectFilterChoices,
  openMonths,
  openMore,
  pressAction,
} from './filters.ts'
import { createPayers, expectListed, markPaid } from './payers.ts'
import { putOnVacation } from './students.ts'

const now = new Date()
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
/** Returns the text of the next browser alert, and closes it immediately because it blocks the
 *  page. */
const nextAlert = (page: Page) =>
  new Promise<string>((resolve) => {
    page.once('dialog', (dialog) => {
      resolve(dialog.message())
      void dialog.accept()
    })
  })
const thisMonth = `${MONTHS[now.getMonth()]} ${now.getFullYear()}`

test.beforeEach(async ({ dojo, page }) => {
  await createPayers(dojo)
  await signIn(page, dojo)
})

test('shows a month as paid immediately, updates the figures, and undoes it', async ({
  page,
  visit,
}) => {
  const markButton = (status: string, name: string) =>
    page.getByRole('button', { name: `Mark ${status} for ${name}` })
  await visit('/payment-center')
  const figures = page.getByRole('list', { name: 'Statistics' })
  await expect(figures).toContainText('2 Total Monthly Paying Students')
  await expect(figures).toContainText('2 Yet To Pay')
  for (const fee of ['$85.50', '$70.25'])
    await expect(page.getByRole('region', { name: 'Students' })).toContainText(fee)
  for (const name of ['Ken Adams', 'Mia Chen', 'Omar Haddad']) {
    await expect(markButton('Paid', name)).toBeEnabled()
    await expect(markButton('Unpaid', name)).toBeDisabled()
  }
  await markPaid(page, 'Ken Adams')
  await expect(markButton('Paid', 'Ken Adams')).toBeDisabled()
  await expect(markButton('Unpaid', 'Ken Adams')).toBeEnabled()
  await expect(markButton('Paid', 'Mia Chen')).toBeEnabled()
  for (const text of ['1 Paid This Month', '1 Yet To Pay', '$86 Monthly Revenue'])
    await expect(figures).toContainText(text)
  await page.reload()
  await expect(markButton('Paid', 'Ken Adams')).toBeDisabled()
  await markButton('Unpaid', 'Ken Adams').click()
  await expect(page.getByText(/Ken Adams marked unpaid/)).toBeVisible()
  await expect(markButton('Unpaid', 'Ken Adams')).toBeDisabled()
  await expect(markButton('Paid', 'Ken Adams')).toBeEnabled()
  for (const text of ['0 Paid This Month', '2 Yet To Pay', '$0 Monthly Revenue'])
    await expect(figures).toContainText(text)
  await expectAllAccessible(page)
})

test(
  'excludes students on vacation and instructors from the payment list',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await putOnVacation(dojo, await dojo.createStudent({ name: 'Vera Moss' }))
    await visit('/payment-center')
    await expectListed(page, ['Ken Adams', 'Mia Chen', 'Omar Haddad'])
    await expect(page.getByRole('list', { name: 'Statistics' })).toContainText(
      '2 Total Monthly Paying Students',
    )
  },
)

test(
  'keeps the focus in place when marking by keyboard, also under a filter',
  { tag: '@long' },
  async ({ page, visit }) => {
    const markButton = (status: string, name: string) =>
      page.getByRole('button', { name: `Mark ${status} for ${name}` })
    await visit('/payment-center')
    await markButton('Paid', 'Ken Adams').press('Enter')
    await expect(markButton('Unpaid', 'Ken Adams')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(markButton('Paid', 'Ken Adams')).toBeFocused()
    await expect(page.getByRole('list', { name: 'Statistics' })).toContainText('0 Paid This Month')
    await expect(page.getByText(/Ken Adams marked unpaid/)).toBeVisible()
    await visit('/payment-center?filter=yet_to_pay')
    await markButton('Paid', 'Ken Adams').press('Enter')
    await expect(markButton('Unpaid', 'Ken Adams')).toBeFocused()
  },
)

test(
  'offers a next step without students or when the list cannot be loaded',
  { tag: '@long' },
  async ({ page, visit, allowErrors }) => {
    allowErrors(/Failed to load resource/)
    await page.route('**/api/students', (route) => route.fulfill({ json: [] }))
    await visit('/payment-center')
    await expect(page.getByRole('link', { name: 'Open Student Center' })).toBeVisible()
    await page.unroute('**/api/students')
    // The page would retry calls that get no response, so these are refused.
    await page.route(/\/api\/(students|payment-statistics)/, (route) =>
      route.fulfill({ status: 403, json: { detail: 'Not now' } }),
    )
    await visit('/payment-center')
    const retryButton = page.getByRole('button', { name: 'Try again' })
    await expect(retryButton).toBeVisible()
    await expect(page.getByRole('list', { name: 'Statistics' })).toContainText('– Yet To Pay')
    await page.unroute(/\/api\/(students|payment-statistics)/)
    await retryButton.click()
    await expect(page.getByText('Ken Adams', { exact: true })).toBeVisible()
  },
)

test('filters the list by tiles, buttons and the URL', async ({ page, visit }) => {
  await visit('/payment-tracking?filter=unpaid')
  await expectFilter(page, 'Payment status', 'Unpaid Only')
  await expectFilterChoices(page, 'Payment status', [
    'All Students',
    'Paid Only',
    'Yet To Pay',
    'Unpaid Only',
  ])
  await expectListed(page, ['Ken Adams', 'Mia Chen'])
  await markPaid(page, 'Mia Chen')
  const tiles = page.getByRole('list', { name: 'Statistics' })
  await expect(tiles.getByRole('button')).toHaveText([
    /Total Monthly Paying Students/,
    /Paid This Month/,
    /Yet To Pay/,
  ])
  await expect(tiles.getByRole('listitem').last()).toHaveText('$71 Monthly Revenue')
  for (const [tile, filter, names] of [
    ['1 Paid This Month', 'paid', ['Mia Chen']],
    ['1 Yet To Pay', 'yet_to_pay', ['Ken Adams']],
    ['2 Total Monthly Paying Students', 'paying', ['Ken Adams', 'Mia Chen']],
  ] as const) {
    await tiles.getByRole('button', { name: tile }).click()
    await expect(page).toHaveURL(new RegExp(`filter=${filter}$`))
    await expect(tiles.getByRole('button', { name: tile })).toHaveAttribute('aria-pressed', 'true')
    await expectListed(page, [...names])
  }
  await tiles.getByRole('listitem').last().click()
  await expectListed(page, ['Ken Adams', 'Mia Chen'])
  for (const [label, names] of [
    ['Paid Only', ['Mia Chen']],
    ['Yet To Pay', ['Ken Adams']],
    ['Unpaid Only', ['Ken Adams']],
    ['All Students', ['Ken Adams', 'Mia Chen', 'Omar Haddad']],
  ] as const) {
    await chooseFilter(page, 'Payment status', label)
    await expectListed(page, [...names])
  }
  await expect(page.getByText('Nothing due', { exact: true })).toHaveCount(1)
  await expect(
    page.getByRole('status').filter({ hasText: '2 students and 1 on trial' }),
  ).toBeVisible()
  await visit('/payment-center?filter=paid')
  await expectFilter(page, 'Payment status', 'Paid Only')
  await expectListed(page, ['Mia Chen'])
  await visit('/payment-center?filter=somebody')
  await expectFilter(page, 'Payment status', 'All Students')
})

test(
  'nothing above the list moves when hundreds of students load or a filter finds none',
  { tag: '@both' },
  async ({ page, visit, isDesktop }) => {
    const { promise: responsePromise, resolve: respond } = Promise.withResolvers<void>()
    await page.route('**/api/students', async (route) => {
      const response = await route.fetch()
      const students = (await response.json()) as { id: string }[]
      await responsePromise
      const hundreds = Array.from({ length: 100 }, (_, copy) =>
        students.map((student) => ({ ...student, id: `${student.id}${copy || ''}` })),
      )
      await route.fulfill({ response, json: hundreds.flat() })
    })
    const elementsAboveList = [
      page.getByRole('list', { name: 'Statistics' }),
      page.getByRole('link', { name: 'Past due', exact: true }),
      page.getByPlaceholder('Find a student'),
      isDesktop
        ? page.getByRole('button', { name: 'Download CSV' })
        : page.getByRole('button', { name: 'More', exact: true }),
    ]
    const readBoxes = () => Promise.all(elementsAboveList.map((element) => element.boundingBox()))
    await visit('/payment-center')
    await expect(page.getByText('Loading payments...')).toBeAttached()
    const boxesWhileLoading = await readBoxes()
    respond()
    await expect(page.getByRole('list', { name: 'Statistics' })).toContainText(
      '200 Total Monthly Paying Students',
    )
    expect(await readBoxes()).toEqual(boxesWhileLoading)
    await chooseFilter(page, 'Payment status', 'Paid Only')
    await expect(page.getByText('No students in this list')).toBeVisible()
    expect(await readBoxes()).toEqual(boxesWhileLoading)
  },
)

test('groups the list by class, with students in no class last', async ({
  page,
  visit,
  isDesktop,
}) => {
  await visit('/payment-center')
  if (isDesktop)
    for (const column of ['Student Name', 'Monthly Fee', 'Type', 'Payment Status', 'Actions'])
      await expect(page.getByRole('columnheader', { name: column })).toBeVisible()
  await openMore(page)
  await expectAccessible(page)
  await page.getByRole('radio', { name: 'By class' }).click()
  const groups = page.locator('details')
  await expect(groups.locator('summary')).toHaveText([
    /^Kids Judo2 students/,
    /^No Class Assigned1 student/,
  ])
  for (const [group, names] of [
    ['Kids Judo', ['Ken Adams', 'Omar Haddad']],
    ['No Class Assigned', ['Mia Chen']],
  ] as const) {
    const students = groups
      .filter({ hasText: group })
      .getByRole('button', { name: /^Mark Paid for / })
    await expect(students).toHaveText(names.map((name) => `Mark Paid for ${name}`))
    await groups.getByText(group, { exact: true }).click()
    await expect(students).toHaveCount(0)
  }
  await expectAccessible(page)
  await openMore(page)
  await page.getByRole('radio', { name: 'List', exact: true }).click()
  await expect(groups).toHaveCount(0)
  await expectListed(page, ['Ken Adams', 'Mia Chen', 'Omar Haddad'])
})

test('shows the payments of the chosen month and year', async ({ page, visit }) => {
  await visit('/payment-center')
  await openMonths(page)
  const months = page.getByRole('group', { name: 'Month' })
  await expect(months.getByRole('button')).toHaveText(MONTHS)
  await expect(months.getByRole('button', { pressed: true })).toBeInViewport({ ratio: 1 })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Previous year' }).click()
  await page.getByRole('button', { name: 'March', exact: true }).click()
  await expect(page.getByText(`March ${now.getFullYear() - 1}`).first()).toBeVisible()
  // Nothing was due before the enrollment, so the sheet asks before it records money.
  await page.getByRole('button', { name: 'Mark Paid for Ken Adams' }).click()
  const sheet = page.getByRole('dialog', { name: 'Ken Adams', exact: true })
  await expect(sheet.getByLabel('Amount')).toHaveValue('85.50')
  await expect(sheet).toContainText(/Nothing is due for March \d{4}\. This pays for it anyway\./)
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Take payment' }).click()
  await expect(page.getByRole('list', { name: 'Statistics' })).toContainText('1 Paid This Month')
  await openMonths(page)
  await page.getByRole('button', { name: 'Next year' }).click()
  await page.getByRole('button', { name: 'March', exact: true }).click()
  await expect(page.getByText(`March ${now.getFullYear()}`).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Mark Unpaid for Ken Adams' })).toBeDisabled()
  await chooseMonth(page, 'March', { yearsBack: 1 })
  await expect(page.getByRole('button', { name: 'Mark Unpaid for Ken Adams' })).toBeEnabled()
  await chooseMonth(page, 'April')
  await expect(page.getByRole('button', { name: 'Mark Unpaid for Ken Adams' })).toBeDisabled()
})

test(
  'confirms before it records money that is not owed',
  { tag: '@both' },
  async ({ page, visit }) => {
    const changes: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') changes.push(new URL(request.url()).pathname)
    })
    await visit('/payment-center')
    const row = page.getByRole('row').or(page.getByRole('listitem')).filter({ hasText: 'Omar' })
    await expect(row).toContainText('Nothing due')
    await row.getByRole('button', { name: 'Mark Paid' }).click()
    const sheet = page.getByRole('dialog', { name: 'Omar Haddad' })
    await expect(sheet).toContainText(`Nothing is due for ${thisMonth}.`)
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    // With several students, those without a due month are skipped.
    for (const name of ['Omar Haddad', 'Ken Adams'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    const bar = page.getByRole('region', { name: 'Selected students' })
    await expect(bar).toContainText('2 students selected, 1 with nothing due')
    await expect(bar.getByRole('button', { name: 'Mark 1 paid' })).toBeVisible()
    await page.getByRole('checkbox', { name: 'Select Ken Adams' }).uncheck()
    await expect(bar.getByRole('button', { name: /^Mark/ })).toHaveCount(0)
    expect(changes).toEqual([])
  },
)

test('confirms a reset, naming the month, and says how many were reset', async ({
  page,
  visit,
}) => {
  await visit('/payment-center')
  await markPaid(page, 'Ken Adams')
  await expect(page.getByRole('list', { name: 'Statistics' })).toContainText('1 Paid This Month')
  await pressAction(page, 'Monthly Payment Reset')
  const dialog = page.getByRole('alertdialog', { name: `Reset ${thisMonth}?` })
  await expect(dialog).toContainText('1 payment, $85.50')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Mark Unpaid for Ken Adams' })).toBeEnabled()
  await pressAction(page, 'Monthly Payment Reset')
  const resetAlert = nextAlert(page)
  await dialog.getByRole('button', { name: 'Reset', exact: true }).click()
  expect(await resetAlert).toBe(
    'Monthly payments reset completed!\n\n1 out of 2 paying students were reset.',
  )
  await expect(page.getByRole('button', { name: 'Mark Unpaid for Ken Adams' })).toBeDisabled()
})

test('reports a failure in an alert and reverts the mark', async ({ page, visit, allowErrors }) => {
  allowErrors(/Failed to load resource/)
  await visit('/payment-center')
  await page.route('**/api/payment-records', (route) => route.abort())
  const markAlert = nextAlert(page)
  await page.getByRole('button', { name: 'Mark Paid for Ken Adams' }).click()
  expect(await markAlert).toBe('Failed to update payment status. Please try again.')
  await expect(page.getByRole('button', { name: 'Mark Unpaid for Ken Adams' })).toBeDisabled()
  await page.route('**/api/reset-monthly-payments', (route) => route.abort())
  await pressAction(page, 'Monthly Payment Reset')
  const resetAlert = nextAlert(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset', exact: true }).click()
  expect(await resetAlert).toBe('Failed to reset monthly payments: Unknown error')
  await page.route('**/api/reset-monthly-payments', (route) =>
    route.fulfill({ status: 409, json: { detail: 'Not now' } }),
  )
  const refusalAlert = nextAlert(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset', exact: true }).click()
  expect(await refusalAlert).toBe('Failed to reset monthly payments: Not now')
})

test(
  'shows everyone unpaid without records, and computes statistics when they are missing',
  { tag: '@long' },
  async ({ page, visit, allowErrors }) => {
    allowErrors(/Failed to load resource/)
    const figures = page.getByRole('list', { name: 'Statistics' })
    await visit('/payment-center')
    await markPaid(page, 'Ken Adams')
    await expect(figures).toContainText('1 Paid This Month')
    await page.route('**/api/payment-statistics?*', (route) =>
      route.fulfill({ status: 404, json: { detail: 'Not found' } }),
    )
    await visit('/payment-center')
    for (const text of ['1 Paid This Month', '1 Yet To Pay', '$86 Monthly Revenue'])
      await expect(figures).toContainText(text)
    await page.route('**/api/payment-records?*', (route) =>
      route.fulfill({ status: 404, json: { detail: 'Not found' } }),
    )
    await visit('/payment-center')
    for (const text of ['0 Paid This Month', '3 Yet To Pay'])
      await expect(figures).toContainText(text)
    await expect(page.getByText('Unpaid', { exact: true })).toHaveCount(3)
  },
)

test('previews the late-fee text and sends it to those who owe', async ({ page, visit }) => {
  await visit('/payment-center')
  await markPaid(page, 'Mia Chen')
  await expect(page.getByRole('list', { name: 'Statistics' })).toContainText('1 Paid This Month')
  await pressAction(page, 'Late Fee Reminder')
  const dialog = page.getByRole('dialog', { name: 'Late Fee Reminder' })
  await expect(dialog.getByRole('checkbox', { name: 'All Students' })).toBeChecked()
  await dialog.getByRole('checkbox', { name: 'Kids Judo' }).check()
  await expect(dialog.getByRole('checkbox', { name: 'All Students' })).not.toBeChecked()
  await expect(dialog.getByLabel('Month').getByRole('option')).toHaveText(MONTHS)
  expect(await dialog.getByLabel('Year').locator('option').allTextContents()).toEqual(
    Array.from({ length: Math.max(2026, now.getFullYear()) - 2023 }, (_, index) =>
      String(2024 + index),
    ),
  )
  await expect(dialog.getByLabel('Message')).toHaveValue(
    new RegExp(`your fee for ${thisMonth} has not been paid yet`),
  )
  await dialog.getByLabel('Message').fill('Hi {name}, please pay.')
  await expect(dialog.getByRole('figure')).toContainText('Hi Alex, please pay.')
  await expect(dialog).toContainText('1 student gets this · 2 do not')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Late Fee Reminder sent successfully!')).toBeInViewport()
  await expect(page.getByText('Sent to 1 students')).toBeVisible()
})

test(
  'keeps a failed late-fee reminder open and says why',
  { tag: '@long' },
  async ({ page, visit, allowErrors }) => {
    allowErrors(/Failed to load resource/)
    await page.route('**/api/sms/send-bulk-message', (route) => route.abort())
    await visit('/payment-center')
    await pressAction(page, 'Late Fee Reminder')
    const dialog = page.getByRole('dialog', { name: 'Late Fee Reminder' })
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(dialog).toContainText('Failed to send late fee reminders')
  },
)
