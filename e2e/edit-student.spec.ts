import type { Page } from '@playwright/test'
import { attendanceApi } from '@tatami/contract/attendance/attendance'
import { dojosApi } from '@tatami/contract/dojos/dojos'
import { ledgerApi } from '@tatami/contract/ledger/ledger'
import { paymentsApi } from '@tatami/contract/dues/payments'
import { profileApi } from '@tatami/contract/profile/profile'
import { studentsApi } from '@tatami/contract/students/students'
import { call } from './api.ts'
import { uniqueEmail, PASSWORD } from './dojo.ts'
import {
  expect,
  expectAccessible,
  expectButtonsEnabled,
  delayCalls,
  signIn,
  test,
} from './harness.ts'
import { studentRow, expectInRow, expectVisibleStudents, createThreeStudents } from './students.ts'

const form = (page: Page) => page.getByRole('dialog', { name: 'Edit Student' })

async function openEditForm(page: Page, name: string) {
  await page
    .getByRole('button', { name: `Edit ${name}` })
    .first()
    .click()
  await expect(form(page)).toBeVisible()
}

test('asks when a higher fee starts, and suggests the next month', async ({
  page,
  dojo,
  visit,
}) => {
  const { id } = await dojo.createStudent({ name: 'Ken Adams', monthly_payment_amount: 95 })
  const owedAmount = async () => {
    const dues = await call(paymentsApi.dues, { query: {} }, dojo.token)
    return dues.find(({ student_id }) => student_id === id)?.owed
  }
  const enterFee = async (fee: string) => {
    await openEditForm(page, 'Ken Adams')
    await form(page).getByLabel('Monthly payment amount').fill(fee)
  }
  const save = async () => {
    await form(page).getByRole('button', { name: 'Save Changes' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click()
  }
  const startChoice = form(page).getByRole('radiogroup', { name: 'New fee starts' })
  await signIn(page, dojo)
  await visit('/students')
  await enterFee('90')
  await expect(startChoice).toBeHidden()
  await form(page).getByLabel('Monthly payment amount').fill('105')
  await expect(startChoice.getByRole('radio').first()).toBeChecked()
  // The choice is visible, right below the fee.
  await expect(startChoice).toBeInViewport({ ratio: 1 })
  const feeBox = await form(page).getByLabel('Monthly payment amount').boundingBox()
  const choiceBox = await startChoice.boundingBox()
  const gap = choiceBox!.y - (feeBox!.y + feeBox!.height)
  expect(gap).toBeGreaterThan(0)
  expect(gap).toBeLessThan(64)
  await expectAccessible(page)
  await save()
  expect(await owedAmount()).toBe(95)
  await enterFee('110')
  await startChoice.getByRole('radio').last().check()
  await save()
  expect(await owedAmount()).toBe(110)
  await call(ledgerApi.pay, { body: { student_id: id, amount: 50 } }, dojo.token)
  await enterFee('120')
  await expect(startChoice.getByRole('radio').last()).toBeDisabled()
  await expect(startChoice.getByRole('radio').first()).toBeChecked()
  await expect(form(page)).toContainText(/\$50 of \$110 of \w+ \d{4} is paid/)
  await expectAccessible(page)
  await save()
  expect(await owedAmount()).toBe(60)
  await call(ledgerApi.pay, { body: { student_id: id, amount: 60 } }, dojo.token)
  await enterFee('130')
  await expect(startChoice.getByRole('radio').last()).toBeDisabled()
  await expect(form(page)).toContainText(/ is already paid and keeps its price\./)
})

test('changes every field of a student', async ({ page, dojo, visit }) => {
  const { dragons, teens } = await createThreeStudents(dojo)
  await signIn(page, dojo)
  await visit('/students')
  await openEditForm(page, 'Ben Moss')
  await expectAccessible(page)
  await form(page).getByLabel(/^Name/).fill('Ben Mossley')
  await form(page).getByLabel('Date of birth').fill('2010-12-31')
  await form(page).getByLabel('Gender').selectOption('other')
  await form(page).getByLabel('Phone number').fill('(737) 555-0100')
  const email = uniqueEmail('ben')
  await form(page).getByLabel('Email').fill(email)
  await form(page).getByLabel('Emergency contact name').fill('Bea Moss')
  await form(page).getByLabel('Emergency contact phone').fill('+1 737 555 0101')
  await form(page).getByLabel('Teens').uncheck()
  await form(page).getByLabel('Saturday').uncheck()
  await form(page).getByRole('button', { name: 'Save Changes' }).click()
  await expect(
    form(page).getByText('Student must be enrolled in at least one class.'),
  ).toBeVisible()
  await form(page).getByLabel('Little Dragons').check()
  await form(page).getByLabel('Belt level').selectOption('black')
  await form(page).getByLabel('Trial student').uncheck()
  await form(page).getByLabel('On Vacation').check()
  await form(page).getByLabel('Monthly payment amount').fill('99.9')
  await form(page).getByLabel('Payment method').fill('Cash')
  await form(page).getByLabel('Application returned').check()
  await form(page).getByRole('button', { name: 'Save Changes' }).click()

  const confirmation = page.getByRole('alertdialog', { name: 'Student Profile Updated!' })
  await expect(confirmation).toContainText('The profile of Ben Mossley was successfully updated.')
  await expectAccessible(page)
  await confirmation.getByRole('button', { name: 'OK' }).click()
  await expectInRow(page, 'Ben Mossley', [
    'Black belt',
    'Regular',
    'On Vacation',
    '(737) 555-0100',
    email,
  ])
  // The class is in the heading above the student, and on a desktop in the row, too.
  await expect(page.getByText(/^Little Dragons/).last()).toBeVisible()
  const ben = (await call(studentsApi.list, {}, dojo.token)).find(
    (student) => student.email === email,
  )
  expect(ben).toMatchObject({
    name: 'Ben Mossley',
    date_of_birth: '2010-12-31',
    gender: 'other',
    belt_level: 'black',
    is_trial: false,
    on_vacation: true,
    emergency_contact_name: 'Bea Moss',
    emergency_contact_phone: '+1 737 555 0101',
    monthly_payment_amount: 99.9,
    payment_method: 'Cash',
    app_returned: true,
    enrolled_classes: [dragons.id],
    class_preferences: [dragons.id],
  })
  expect(ben!.enrolled_classes).not.toContain(teens.id)
})

test('reports a failed change in a browser dialog, and the reason beside its field', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/status of 4\d\d|ERR_FAILED/)
  const { ann } = await createThreeStudents(dojo)
  await signIn(page, dojo)
  await visit('/students')
  await openEditForm(page, 'Ben Moss')
  const save = form(page).getByRole('button', { name: 'Save Changes' })
  const alerts: string[] = []
  page.on('dialog', (dialog) => {
    alerts.push(`${dialog.type()}: ${dialog.message()}`)
    void dialog.accept()
  })
  await form(page).getByLabel('Email').fill(ann.email)
  await save.click()
  await expect(form(page).getByRole('alert')).toHaveText(
    'An account with this email already exists',
  )
  const tooHeavy = { detail: 'Too heavy', errors: [{ field: 'belt_level', message: 'Too heavy' }] }
  await page.route('**/api/students/*', (route) => route.fulfill({ status: 422, json: tooHeavy }))
  await save.click()
  await expect(form(page).getByLabel('Belt level')).toHaveAccessibleDescription('Too heavy')
  await page.route('**/api/students/*', (route) => route.abort())
  await save.click()
  await expect(form(page).getByRole('alert')).toHaveText(
    'Failed to update student. Please try again.',
  )
  expect(alerts).toEqual(
    Array.from({ length: 3 }, () => 'alert: Failed to update student. Please try again.'),
  )
  await form(page).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('button', { name: 'Edit Ben Moss' })).toBeFocused()
})

test('says what will be deleted with a student', async ({ page, dojo, visit, allowErrors }) => {
  allowErrors(/ERR_FAILED/)
  const { ann, dragons, teens } = await createThreeStudents(dojo)
  for (const day of ['2026-01-05', '2026-01-07']) {
    const mark = {
      student_id: ann.id,
      class_id: dragons.id,
      class_date: `${day}T00:00:00.000Z`,
      present: true,
    }
    await call(attendanceApi.mark, { body: mark }, dojo.token)
  }
  await call(
    paymentsApi.mark,
    { body: { student_id: ann.id, payment_month: 0, payment_year: 2026, payment_status: 'paid' } },
    dojo.token,
  )
  await signIn(page, dojo)
  await visit('/students')
  await openEditForm(page, 'Ann Lee')
  await form(page).getByRole('button', { name: 'Delete Student' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete Ann Lee?' })
  await expect(question).toContainText('Ann Lee, 2 attendance records, 1 payment')
  const warning =
    'The profile, attendance records, payment history and all associated data are removed permanently. This cannot be undone.'
  await expect(question).toContainText(warning)
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(form(page)).toBeVisible()

  await form(page).getByRole('button', { name: 'Delete Student' }).click()
  await page.route('**/api/students/*', (route) => route.abort())
  const release = await delayCalls(page, '**/api/students/*', 'DELETE')
  const alertPromise = page.waitForEvent('dialog')
  await question.getByRole('button', { name: 'Delete Student' }).click()
  await expect(question.getByRole('button', { name: 'Deleting...' })).toBeDisabled()
  const formBelow = page.getByRole('dialog', { name: 'Edit Student', includeHidden: true })
  for (const dialog of [question, formBelow]) await expectButtonsEnabled(dialog, false)
  for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key)
  await page.goBack()
  await expect(question).toBeVisible()
  release()
  expect((await alertPromise).message()).toBe('Failed to delete student. Please try again.')
  await (await alertPromise).accept()
  await expect(question.getByRole('alert')).toHaveText(
    'Failed to delete student. Please try again.',
  )
  for (const dialog of [question, formBelow]) await expectButtonsEnabled(dialog, true)
  await page.unrouteAll()
  await question.getByRole('button', { name: 'Delete Student' }).click()
  await expectVisibleStudents(page, ['Ben Moss', 'Cleo Nash'])
  await expect(page.getByRole('heading', { name: 'Students', exact: true })).toBeFocused()
  await expect(page.getByText('2 students', { exact: true })).toBeVisible()
  expect(await call(attendanceApi.list, { query: { class_id: teens.id } }, dojo.token)).toEqual([])
})

test(
  'shows a student who joined by invitation',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await dojo.createClass()
    const { invite_code } = await call(dojosApi.invitation, {}, dojo.token)
    await call(profileApi.join, {
      body: { name: 'Ivy Invited', email: uniqueEmail('ivy'), password: PASSWORD, invite_code },
    })
    await signIn(page, dojo)
    await visit('/students')
    await expectInRow(page, 'Ivy Invited', [
      'White belt',
      'Trial',
      'Active',
      'No phone number',
      'No classes',
    ])
    await expect(studentRow(page, 'Ivy Invited')).not.toContainText(/null|undefined|NaN/)
    await openEditForm(page, 'Ivy Invited')
    await form(page).getByRole('button', { name: 'Save Changes' }).click()
    for (const label of [
      'Date of birth',
      'Phone number',
      'Emergency contact name',
      'Emergency contact phone',
    ]) {
      await expect(form(page).getByText(`${label} is required`, { exact: true })).toBeVisible()
    }
    // A trial costs nothing.
    await expect(form(page).getByText('Monthly payment amount is required')).toHaveCount(0)
    await expect(form(page).getByLabel('Date of birth')).toBeFocused()
    await expectAccessible(page)
  },
)
