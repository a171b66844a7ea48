import { firstDayOf } from '@tatami/contract/lib/calendar-day'
import type { Page } from '@playwright/test'
import { attendanceApi } from '@tatami/contract/attendance/attendance'
import { paymentsApi } from '@tatami/contract/dues/payments'
import { studentsApi } from '@tatami/contract/students/students'
import { call } from './api.ts'
import { routeMarks, readSavedMarks } from './attendance-dialog.ts'
import type { Dojo } from './dojo.ts'
import {
  expect,
  expectAccessible,
  expectAllAccessible,
  delayCalls,
  signIn,
  test,
} from './harness.ts'
import { button, createKen, EVERY_DAY, setNotes, panel } from './student-page.ts'
import { THIS_MONTH, THIS_MONTH_NAME } from './this-month.ts'

const snackbar = (page: Page) =>
  page.getByRole('status').filter({ hasText: /marked|undone|saved/i })
const pressUndo = (page: Page) => button(page, 'Undo').click()
const paymentStatuses = async (dojo: Dojo) =>
  (await call(paymentsApi.list, { query: {} }, dojo.token)).map(
    ({ payment_status }) => payment_status,
  )
test('shows everything about a student in one place', async ({ page, dojo, visit }) => {
  const { ken, classId } = await createKen(dojo)
  await setNotes(dojo, ken.id, {
    allergies: 'Peanuts',
    medical_note: 'Asthma: inhaler in the blue bag',
    private_notes: 'Shy at first',
  })
  const firstOfMonth = firstDayOf(THIS_MONTH)
  await call(
    attendanceApi.mark,
    { body: { student_id: ken.id, class_id: classId, class_date: firstOfMonth, present: false } },
    dojo.token,
  )
  await signIn(page, dojo)
  await visit(`/students/${ken.id}`)
  await expect(page.getByRole('heading', { name: 'Ken Adams', level: 1 })).toBeVisible()
  for (const text of ['Green belt', 'Regular', 'Little Dragons'])
    await expect(page.getByText(text, { exact: true }).first()).toBeVisible()
  await expect(page.getByText('Peanuts').first()).toBeInViewport()
  await expect(page.getByRole('link', { name: /Call Ann Adams/ })).toHaveAttribute(
    'href',
    'tel:5125550143',
  )
  await expect(page.getByRole('link', { name: 'Call Ken Adams, (512) 555-0142' })).toHaveAttribute(
    'href',
    'tel:5125550142',
  )
  await expect(panel(page, 'Notes')).toContainText('Shy at first')
  await panel(page, 'Attendance').getByText('Show as a table').click()
  // 0 present, 1 absent.
  await expect(panel(page, 'Attendance').getByRole('row').last()).toHaveText(`${THIS_MONTH_NAME}01`)
  await panel(page, 'Attendance').getByText('Last classes').click()
  await expect(
    panel(page, 'Attendance').getByRole('listitem').filter({ hasText: 'Little Dragons' }),
  ).toContainText('Absent')
  // Months before the enrollment are not listed.
  await expect(panel(page, 'Payments').getByRole('listitem')).toHaveCount(1)
  await expect(panel(page, 'Payments').getByRole('listitem').first()).toContainText('Unpaid')
  await expect(panel(page, 'Texts and replies')).toContainText('No texts yet.')
  await expect(panel(page, 'Belts')).toContainText('Green belt no changes since')
  await expect(panel(page, 'Consent and documents')).toContainText('Application returned')
  await expectAllAccessible(page)
})

test('marks a student present in today’s only class, and paid, each with Undo', async ({
  page,
  dojo,
  visit,
}) => {
  const { ken } = await createKen(dojo)
  await signIn(page, dojo)
  await visit(`/students/${ken.id}`)
  await button(page, 'Mark present').click()
  await expect(button(page, 'Present today, remove the mark')).toBeVisible()
  await expect(snackbar(page)).toHaveText('Marked present in Little Dragons')
  await expect.poll(() => readSavedMarks(dojo)).toEqual(['Ken Adams true'])
  await pressUndo(page)
  await expect.poll(() => readSavedMarks(dojo)).toEqual([])
  await expect(button(page, 'Mark present')).toBeVisible()
  await button(page, 'Mark Paid').click()
  await expect(button(page, /^Paid \w+, mark unpaid$/)).toBeVisible()
  await expect(panel(page, 'Payments').getByRole('listitem').first()).toContainText('Paid $85.50')
  await expect.poll(() => paymentStatuses(dojo)).toEqual(['paid'])
  await expectAccessible(page)
  await pressUndo(page)
  await expect.poll(() => paymentStatuses(dojo)).toEqual(['unpaid'])
  await expect(button(page, 'Mark Paid')).toBeVisible()
})

test(
  'asks for the class if there is not exactly one today',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await dojo.createClass({ class_name: 'Open Mat', ...EVERY_DAY })
    const enrolledClasses = [
      await dojo.createClass({ class_name: 'Dragons', ...EVERY_DAY }),
      await dojo.createClass({ class_name: 'Judo', ...EVERY_DAY }),
    ]
    const mia = await dojo.createStudent({
      name: 'Mia Chen',
      enrolled_classes: enrolledClasses.map(({ id }) => id),
    })
    await signIn(page, dojo)
    await visit(`/students/${mia.id}`)
    await button(page, 'Mark present').click()
    const question = page.getByRole('dialog', { name: 'Present in which class?' })
    await expect(question.getByRole('listitem')).toHaveText([/^Dragons/, /^Judo/, /^Open Mat/])
    await expectAccessible(page)
    await question.getByRole('button', { name: /^Judo/ }).click()
    await expect(question).toHaveCount(0)
    await expect.poll(() => readSavedMarks(dojo)).toEqual(['Mia Chen true'])
    await button(page, 'Present today').click()
    await question.getByRole('button', { name: /^Judo.*Present/ }).click()
    await expect.poll(() => readSavedMarks(dojo)).toEqual([])
  },
)

test(
  'shows nothing about classes before they have loaded',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const { ken } = await createKen(dojo)
    await signIn(page, dojo)
    const release = await delayCalls(page, '**/api/classes', 'GET')
    await visit(`/students/${ken.id}`)
    await expect(panel(page, 'Notes')).toBeVisible()
    await expect(page.getByText('No classes')).toHaveCount(0)
    await expect(button(page, 'Mark present')).toBeDisabled()
    release()
    await expect(page.getByText('Little Dragons', { exact: true }).first()).toBeVisible()
    await expect(button(page, 'Mark present')).toBeEnabled()
  },
)

test(
  'texts all students who share the phone, and links to the conversation',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const { ken } = await createKen(dojo)
    await dojo.createStudent({ name: 'Mia Adams', phone_number: ken.phone_number! })
    await signIn(page, dojo)
    await visit(`/students/${ken.id}`)
    await button(page, 'Text').click()
    const dialog = page.getByRole('dialog', { name: 'Text Ken Adams' })
    await dialog.getByLabel('Message').fill('Hi {name}, you forgot your belt.')
    await dialog.getByLabel('Also text Mia').check()
    await expect(dialog).toContainText('Goes out as 1 text')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(dialog).toHaveCount(0)
    await expect(panel(page, 'Texts and replies')).toContainText(
      'Hi Ken and Mia, you forgot your belt.',
    )
    await expect(
      page.getByRole('status').filter({ hasText: 'The text is on its way' }),
    ).toBeVisible()
    await button(page, 'Open the conversation').click()
    await expect(page.getByRole('region', { name: /^Conversation with Ken Adams/ })).toContainText(
      'Hi Ken and Mia, you forgot your belt.',
    )
  },
)

test(
  'keeps a mark that cannot be sent, says so, and sends it later',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    const { ken } = await createKen(dojo)
    await signIn(page, dojo)
    await visit(`/students/${ken.id}`)
    await routeMarks(page, (route) => route.abort())
    await button(page, 'Mark present').click()
    const waitingNotice = page.getByText('1 mark (Ken Adams) waiting for network.')
    await expect(waitingNotice).toBeVisible()
    await page.unrouteAll()
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect.poll(() => readSavedMarks(dojo)).toEqual(['Ken Adams true'])
    await expect(waitingNotice).toHaveCount(0)
  },
)

test(
  'removes a payment that the server refuses',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/status of 409/)
    const { ken } = await createKen(dojo)
    await signIn(page, dojo)
    await visit(`/students/${ken.id}`)
    const gate = Promise.withResolvers<void>()
    await page.route('**/api/payment-records', async (route) => {
      await gate.promise
      await route.fulfill({ status: 409, json: { detail: 'Not now' } })
    })
    const alertPromise = page.waitForEvent('dialog')
    await button(page, 'Mark Paid').click()
    await expect(button(page, 'Marking...')).toHaveAttribute('aria-disabled', 'true')
    gate.resolve()
    expect((await alertPromise).message()).toBe(
      'Failed to update payment status. Please try again.',
    )
    await (await alertPromise).accept()
    await expect(button(page, 'Mark Paid')).toBeVisible()
    await expect(panel(page, 'Payments').getByRole('listitem').first()).toContainText('Unpaid')
  },
)

test(
  'changes and clears the notes on the page',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    const { ken } = await createKen(dojo)
    await setNotes(dojo, ken.id, { allergies: 'Bees' })
    await signIn(page, dojo)
    await visit(`/students/${ken.id}`)
    await button(page, 'Edit notes').click()
    const dialog = page.getByRole('dialog', { name: 'Notes on Ken Adams' })
    await dialog.getByLabel('Allergies').fill('')
    await dialog.getByLabel('Medical note').fill('Wears lenses')
    await dialog.getByLabel('Private notes').fill('Call before seven')
    await expectAccessible(page)
    await page.route('**/api/students/*/notes', (route) => route.abort())
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByRole('alert')).toHaveText(
      'The notes could not be saved. Please try again.',
    )
    await page.unrouteAll()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(panel(page, 'Notes')).toContainText('Call before seven')
    await expect(page.getByText('Wears lenses').first()).toBeVisible()
    await expect(page.getByText('Bees')).toHaveCount(0)
    expect(await call(studentsApi.show, { params: { id: ken.id } }, dojo.token)).toMatchObject({
      allergies: null,
      medical_note: 'Wears lenses',
      private_notes: 'Call before seven',
    })
  },
)

test(
  'plans a vacation and undoes it, and ends one that has started',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await page.clock.setFixedTime(new Date('2026-12-01T18:00:00Z'))
    const { ken } = await createKen(dojo)
    await signIn(page, dojo)
    await visit(`/students/${ken.id}`)
    await button(page, 'Vacation').click()
    const dialog = page.getByRole('dialog', { name: 'Ken Adams’s vacation' })
    await expect(dialog.getByLabel('First day')).toHaveValue('2026-12-01')
    await dialog.getByLabel('First day').fill('2199-01-05')
    await dialog.getByLabel('Last day').fill('2199-01-02')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('The vacation must not end before it starts.')).toBeVisible()
    await dialog.getByLabel('Last day').fill('2199-01-09')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Vacation from Jan 5, 2199 until Jan 9, 2199')).toBeVisible()
    await pressUndo(page)
    await expect(page.getByText(/Vacation from/)).toHaveCount(0)
    await button(page, 'Vacation').click()
    await dialog.getByLabel('First day').fill('2026-01-01')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('On vacation', { exact: true })).toBeVisible()
    expect(await call(studentsApi.list, {}, dojo.token)).toMatchObject([{ on_vacation: true }])
    await button(page, 'Vacation').click()
    await dialog.getByRole('button', { name: 'End it now' }).click()
    await expect(page.getByText('On vacation', { exact: true })).toHaveCount(0)
    expect(await call(studentsApi.list, {}, dojo.token)).toMatchObject([{ on_vacation: false }])
  },
)

test(
  'edits the student, and goes to the list after the student is deleted',
  { tag: '@long' },
  async ({ page, dojo, visit, layoutPath, allowErrors }) => {
    allowErrors(/status of 404/)
    const { ken } = await createKen(dojo)
    await signIn(page, dojo)
    await visit(`/students/${ken.id}`)
    await button(page, 'Edit').click()
    const dialog = page.getByRole('dialog', { name: 'Edit Student' })
    await dialog.getByLabel('Belt level').selectOption('blue')
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await page
      .getByRole('alertdialog', { name: 'Student Profile Updated!' })
      .getByRole('button', { name: 'OK' })
      .click()
    await expect(panel(page, 'Belts').getByRole('listitem')).toHaveText([
      /^Blue belt since .*, by Aiko Tanaka$/,
      /^Green belt when they enrolled/,
    ])
    await button(page, 'Edit').click()
    await dialog.getByRole('button', { name: 'Delete Student' }).click()
    await page
      .getByRole('alertdialog', { name: 'Delete Ken Adams?' })
      .getByRole('button', { name: 'Delete Student' })
      .click()
    await expect(page).toHaveURL(`${layoutPath}/students`)
    await expect(page.getByText('No students found')).toBeVisible()
  },
)

test(
  'shows that a month settled with $0 is not due, and opens the payment sheet on Mark Paid',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const { ken } = await createKen(dojo)
    const month = { payment_month: THIS_MONTH.month, payment_year: THIS_MONTH.year }
    const mark = { student_id: ken.id, payment_status: 'paid' as const, ...month }
    await call(paymentsApi.mark, { body: { ...mark, monthly_payment_amount: 0 } }, dojo.token)
    await signIn(page, dojo)
    await visit(`/students/${ken.id}`)
    await expect(panel(page, 'Payments').getByRole('listitem').first()).toContainText('Nothing due')
    await button(page, 'Mark Paid').click()
    const sheet = page.getByRole('dialog', { name: 'Ken Adams', exact: true })
    await expect(sheet.getByLabel('Amount')).toHaveValue('')
    await page.keyboard.press('Escape')
    // The Payment Center also shows that nothing is due, and can undo the $0.
    await visit('/payment-center')
    const row = page.getByRole('row').or(page.getByRole('listitem')).filter({ hasText: 'Ken' })
    await expect(row).toContainText('Nothing due')
    const figures = page.getByRole('list', { name: 'Statistics' })
    await expect(figures).toContainText('0 Paid This Month')
    await row.getByRole('button', { name: 'Mark Unpaid' }).click()
    await expect(figures).toContainText('1 Yet To Pay')
    await expect(row).toContainText('Unpaid')
  },
)

test(
  'shows a student who joined by invitation, with most data missing',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const ivy = await dojo.createStudent({ name: 'Ivy Lone', phone_number: '123', is_trial: true })
    await signIn(page, dojo)
    await visit(`/students/${ivy.id}`)
    await expect(page.getByText('No classes', { exact: true })).toBeVisible()
    await expect(panel(page, 'Attendance')).toContainText('No attendance yet.')
    await expect(
      panel(page, 'Payments').getByRole('listitem').filter({ hasText: 'Nothing due' }),
    ).toHaveCount(1)
    await expect(panel(page, 'Consent and documents')).toContainText('No valid phone number')
    await button(page, 'Mark present').click()
    await expect(page.getByRole('dialog', { name: 'Present in which class?' })).toContainText(
      'No classes available.',
    )
  },
)

test(
  'shows loading, errors, and a student who does not exist',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED|status of 404/)
    const { ken } = await createKen(dojo)
    await signIn(page, dojo)
    const release = await delayCalls(page, '**/api/students/*', 'GET')
    await visit(`/students/${ken.id}`)
    await expect(page.getByText('Loading the student...')).toBeVisible()
    release()
    await expect(page.getByRole('heading', { name: 'Ken Adams' })).toBeVisible()
    await page.unrouteAll()
    // The page immediately shows what the list has already loaded.
    await visit('/students')
    await page.route('**/api/students/*', (route) => route.abort())
    await page.getByRole('link', { name: 'Ken Adams' }).first().click()
    await expect(page.getByRole('heading', { name: 'Ken Adams', level: 1 })).toBeVisible()
    await expect(page.getByRole('link', { name: /Call Ann Adams/ })).toBeVisible()
    await expect(page.getByText('The student could not be loaded.')).toBeVisible()
    await page.unrouteAll()
    await button(page, 'Try again').click()
    await expect(panel(page, 'Belts')).toBeVisible()
    await visit('/students/00000000-0000-7000-8000-000000000000')
    await expect(page.getByText('Student not found')).toBeVisible()
    await expectAccessible(page)
  },
)

test('ends a student’s login after confirmation', async ({ page, dojo, visit }) => {
  const { ken } = await createKen(dojo)
  await signIn(page, dojo)
  await visit(`/students/${ken.id}`)
  await button(page, 'End login').click()
  const question = page.getByRole('alertdialog', { name: 'End Ken Adams’s login?' })
  await expect(question).toContainText('Ken stays a student without an email.')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'End login' }).click()
  await expect(page.getByText('No email and no login')).toBeVisible()
  await expect(button(page, 'End login')).toHaveCount(0)
  const [student] = await call(studentsApi.list, {}, dojo.token)
  expect(student).toMatchObject({ name: 'Ken Adams', email: null })
})
