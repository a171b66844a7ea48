import type { Page } from '@playwright/test'
import { attendanceApi } from '@tatami/contract/attendance'
import { dojosApi } from '@tatami/contract/dojos'
import { paymentsApi } from '@tatami/contract/payments'
import { profileApi } from '@tatami/contract/profile'
import { studentsApi } from '@tatami/contract/students'
import { call } from './api.ts'
import { anEmail, type Dojo, PASSWORD } from './dojo.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

/** Everyone shown, from the first to the last; who is in two classes stands there twice. */
const shown = (page: Page) => page.getByRole('button', { name: /^Edit / })
  .evaluateAll((icons) => icons.map((icon) => icon.getAttribute('aria-label')?.slice('Edit '.length)))
const expectShown = (page: Page, names: string[]) => expect.poll(() => shown(page)).toEqual(names)
/** The card of a student or, on a desktop, the row. */
const entry = (page: Page, name: string) => page.locator('li, tr').filter({ has: page.getByRole('button', { name: `Edit ${name}` }) }).first()
const form = (page: Page) => page.getByRole('dialog', { name: 'Edit Student' })

async function edit(page: Page, name: string) {
  await page.getByRole('button', { name: `Edit ${name}` }).first().click()
  await expect(form(page)).toBeVisible()
}

/** Two classes; Ann in both, Ben on trial in the second, Cleo on vacation and in none. */
async function threeStudents(dojo: Dojo) {
  const dragons = await dojo.createClass({ class_name: 'Little Dragons' })
  const teens = await dojo.createClass({ class_name: 'Teens', class_start_time: '6:00 PM', class_end_time: '7:00 PM' })
  const ann = await dojo.createStudent({ name: 'Ann Lee', email: anEmail('dragon'), belt_level: 'green', enrolled_classes: [dragons.id, teens.id] })
  const ben = await dojo.createStudent({ name: 'Ben Moss', is_trial: true, enrolled_classes: [teens.id] })
  const { id, ...cleo } = await dojo.createStudent({ name: 'Cleo Nash' })
  await call(studentsApi.update, {
    params: { id },
    body: { ...cleo, on_vacation: true, phone_number: '512 555 0142', date_of_birth: '2015-03-01', gender: 'female', emergency_contact_name: 'Ann', emergency_contact_phone: '5', monthly_payment_amount: 0, class_preferences: ['saturday'] },
  }, dojo.token)
  return { dragons, teens, ann, ben }
}

test('students stand under their classes, with what a sensei looks for', async ({ page, dojo, visit }) => {
  const { ann } = await threeStudents(dojo)
  await signIn(page, dojo)
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/students', async (route) => {
    await promise
    await route.fallback()
  })
  await visit('/students')
  await expect(page.getByText('Loading students...')).toBeVisible()
  resolve()
  await expectShown(page, ['Ann Lee', 'Ann Lee', 'Ben Moss', 'Cleo Nash'])
  await expect(page.getByText('3 students', { exact: true })).toBeVisible()
  const summary = page.getByRole('region', { name: 'Students by Class' })
  await expect(summary.getByRole('button')).toHaveText([/Little Dragons1 student4:00 PM - 5:00 PM/, /Teens2 students6:00 PM - 7:00 PM/])
  for (const words of ['Ann Lee', ann.email, 'Green belt', '512 555 0142', 'Regular', 'Active', 'Little Dragons, Teens']) await expect(entry(page, 'Ann Lee')).toContainText(words)
  await expect(entry(page, 'Ben Moss')).toContainText('Trial')
  for (const words of ['On Vacation', 'No classes']) await expect(entry(page, 'Cleo Nash')).toContainText(words)
  for (const group of ['Little Dragons 4:00 PM - 5:00 PM · 1 student', 'Teens 6:00 PM - 7:00 PM · 2 students', 'Unassigned 1 student']) {
    await expect(page.getByRole('heading', { name: group, level: 3 }).or(page.getByRole('rowheader', { name: group }))).toBeVisible()
  }
  await expectAccessible(page)
})

test('the search looks at name and e-mail, the filter stands in the address', async ({ page, dojo, visit }) => {
  await threeStudents(dojo)
  await signIn(page, dojo)
  await visit('/students?filter=trial')
  await expectShown(page, ['Ben Moss'])
  await expect(page.getByRole('status').getByText('1 of 3 students')).toBeVisible()
  for (const [label, filter, names] of [
    ['Students on Vacation', 'vacation', ['Cleo Nash']], ['Regular', 'regular', ['Ann Lee', 'Ann Lee', 'Cleo Nash']], ['All', 'all', ['Ann Lee', 'Ann Lee', 'Ben Moss', 'Cleo Nash']],
  ] as const) {
    await page.getByRole('radio', { name: label }).check()
    await expectShown(page, [...names])
    await expect(page).toHaveURL(new RegExp(`/students\\?filter=${filter}$`))
  }
  await page.reload()
  await expect(page.getByRole('radio', { name: 'All' })).toBeChecked()
  const search = page.getByPlaceholder('Search students...')
  for (const [typed, names] of [['MOSS', ['Ben Moss']], ['dragon-', ['Ann Lee', 'Ann Lee']]] as const) {
    await search.fill(typed)
    await expectShown(page, [...names])
  }
  await search.fill('nobody')
  await expect(page.getByText('No students found')).toBeVisible()
  await page.getByRole('button', { name: 'Show all students' }).click()
  await expectShown(page, ['Ann Lee', 'Ann Lee', 'Ben Moss', 'Cleo Nash'])
  await visit('/students?filter=brown')
  await expect(page.getByRole('radio', { name: 'All' })).toBeChecked()
})

test('the attendance view takes the place of the students, and gives it back', async ({ page, dojo, visit, shell }) => {
  await signIn(page, dojo)
  await visit('/students?filter=trial')
  await page.getByRole('button', { name: 'Attendance' }).click()
  await expect(page.getByRole('button', { name: 'Mark Attendance' })).toBeVisible()
  await expect(page).toHaveURL(`${shell}/students?filter=trial`)
  await page.getByRole('button', { name: 'Back to Student Center' }).click()
  await expect(page.getByRole('radio', { name: 'Trial' })).toBeChecked()
  await page.getByRole('button', { name: 'Attendance' }).click()
  await expect(page.getByRole('button', { name: 'Mark Attendance' })).toBeVisible()
  await page.goBack()
  await expect(page.getByPlaceholder('Search students...')).toBeVisible()
})

test('an empty dojo says what to do first', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  await visit('/students')
  await expect(page.getByText('No classes created yet. Create classes in Class Center to organize students.')).toBeVisible()
  await expect(page.getByText('No students found')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Enroll your first student' }).click()
  await expect(page.getByRole('dialog', { name: 'Enroll New Student' })).toBeVisible()
})

test('lists that cannot be loaded stay quietly empty', async ({ page, dojo, visit, announce }) => {
  announce(/status of 403/)
  await threeStudents(dojo)
  await signIn(page, dojo)
  await page.route(/api\/(students|classes)$/, (route) => route.fulfill({ status: 403, json: { detail: 'Not now' } }))
  await visit('/students')
  await expect(page.getByText('No students found')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectShown(page, ['Ann Lee', 'Ann Lee', 'Ben Moss', 'Cleo Nash'])
})

test('every field of a student is changed', async ({ page, dojo, visit }) => {
  const { dragons, teens } = await threeStudents(dojo)
  await signIn(page, dojo)
  await visit('/students')
  await edit(page, 'Ben Moss')
  await expectAccessible(page)
  await form(page).getByLabel(/^Name/).fill('Ben Mossley')
  await form(page).getByLabel('Date of birth').fill('2010-12-31')
  await form(page).getByLabel('Gender').selectOption('other')
  await form(page).getByLabel('Phone number').fill('(737) 555-0100')
  const email = anEmail('ben')
  await form(page).getByLabel('Email').fill(email)
  await form(page).getByLabel('Emergency contact name').fill('Bea Moss')
  await form(page).getByLabel('Emergency contact phone').fill('+1 737 555 0101')
  await form(page).getByLabel('Teens').uncheck()
  await form(page).getByLabel('Saturday').uncheck()
  await form(page).getByRole('button', { name: 'Save Changes' }).click()
  await expect(form(page).getByText('Student must be enrolled in at least one class.')).toBeVisible()
  await form(page).getByLabel('Little Dragons').check()
  await form(page).getByLabel('Belt level').selectOption('black')
  await form(page).getByLabel('Trial student').uncheck()
  await form(page).getByLabel('On Vacation').check()
  await form(page).getByLabel('Monthly payment amount').fill('99.9')
  await form(page).getByLabel('Payment method').fill('Cash')
  await form(page).getByLabel('Application returned').check()
  await form(page).getByRole('button', { name: 'Save Changes' }).click()

  const done = page.getByRole('alertdialog', { name: 'Student Profile Updated!' })
  await expect(done).toContainText('The profile of Ben Mossley was successfully updated.')
  await expectAccessible(page)
  await done.getByRole('button', { name: 'OK' }).click()
  for (const words of ['Black belt', 'Regular', 'On Vacation', 'Little Dragons', '(737) 555-0100', email]) await expect(entry(page, 'Ben Mossley')).toContainText(words)
  const ben = (await call(studentsApi.list, {}, dojo.token)).find((one) => one.email === email)
  expect(ben).toMatchObject({
    name: 'Ben Mossley', date_of_birth: '2010-12-31', gender: 'other', emergency_contact_name: 'Bea Moss', emergency_contact_phone: '+1 737 555 0101', belt_level: 'black',
    is_trial: false, on_vacation: true, monthly_payment_amount: 99.9, payment_method: 'Cash', app_returned: true, enrolled_classes: [dragons.id], class_preferences: [dragons.id],
  })
  expect(ben!.enrolled_classes).not.toContain(teens.id)
})

test('a change that fails is said by the browser, and why beside its field', async ({ page, dojo, visit, announce }) => {
  announce(/status of 4\d\d|ERR_FAILED/)
  const { ann } = await threeStudents(dojo)
  await signIn(page, dojo)
  await visit('/students')
  await edit(page, 'Ben Moss')
  const save = form(page).getByRole('button', { name: 'Save Changes' })
  const alerts: string[] = []
  page.on('dialog', (said) => {
    alerts.push(`${said.type()}: ${said.message()}`)
    void said.accept()
  })
  await form(page).getByLabel('Email').fill(ann.email)
  await save.click()
  await expect(form(page).getByRole('alert')).toHaveText('An account with this email already exists')
  await page.route('**/api/students/*', (route) => (route.request().method() === 'PUT'
    ? route.fulfill({ status: 422, json: { detail: 'Too heavy', errors: [{ field: 'belt_level', message: 'Too heavy' }] } }) : route.fallback()))
  await save.click()
  await expect(form(page).getByLabel('Belt level')).toHaveAccessibleDescription('Too heavy')
  await page.route('**/api/students/*', (route) => route.abort())
  await save.click()
  await expect(form(page).getByRole('alert')).toHaveText('Failed to update student. Please try again.')
  expect(alerts).toEqual(Array.from({ length: 3 }, () => 'alert: Failed to update student. Please try again.'))
  await form(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Edit Ben Moss' })).toBeFocused()
})

test('deleting names what is lost, counted', async ({ page, dojo, visit, announce }) => {
  announce(/ERR_FAILED/)
  const { ann, dragons, teens } = await threeStudents(dojo)
  for (const day of ['2026-01-05', '2026-01-07']) {
    await call(attendanceApi.mark, { body: { student_id: ann.id, class_id: dragons.id, class_date: `${day}T00:00:00.000Z`, present: true } }, dojo.token)
  }
  await call(paymentsApi.mark, { body: { student_id: ann.id, payment_month: 0, payment_year: 2026, payment_status: 'paid' } }, dojo.token)
  await signIn(page, dojo)
  await visit('/students')
  await edit(page, 'Ann Lee')
  await form(page).getByRole('button', { name: 'Delete Student' }).click()
  const asked = page.getByRole('alertdialog', { name: 'Delete Ann Lee?' })
  await expect(asked).toContainText('Ann Lee, 2 attendance records, 1 payment')
  await expect(asked).toContainText('The profile, attendance records, payment history and all associated data are removed permanently. This cannot be undone.')
  await expectAccessible(page)
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await expect(form(page)).toBeVisible()

  await form(page).getByRole('button', { name: 'Delete Student' }).click()
  await page.route('**/api/students/*', (route) => route.abort())
  const alert = page.waitForEvent('dialog')
  const refused = asked.getByRole('button', { name: 'Delete Student' }).click()
  expect((await alert).message()).toBe('Failed to delete student. Please try again.')
  await (await alert).accept()
  await refused
  await expect(asked.getByRole('alert')).toHaveText('Failed to delete student. Please try again.')
  await page.unrouteAll()
  await asked.getByRole('button', { name: 'Delete Student' }).click()
  await expectShown(page, ['Ben Moss', 'Cleo Nash'])
  await expect(page.getByRole('heading', { name: 'Students', exact: true })).toBeFocused()
  await expect(page.getByText('2 students', { exact: true })).toBeVisible()
  expect(await call(attendanceApi.list, { query: { class_id: teens.id } }, dojo.token)).toEqual([])
})

test('who joined by invitation has little, and looks right', async ({ page, dojo, visit }) => {
  await dojo.createClass()
  const { invite_code } = await call(dojosApi.invitation, {}, dojo.token)
  await call(profileApi.join, { body: { name: 'Ivy Invited', email: anEmail('ivy'), password: PASSWORD, invite_code } })
  await signIn(page, dojo)
  await visit('/students')
  for (const words of ['Ivy Invited', 'White belt', 'Trial', 'Active', 'No phone number', 'No classes']) await expect(entry(page, 'Ivy Invited')).toContainText(words)
  await expect(entry(page, 'Ivy Invited')).not.toContainText(/null|undefined|NaN/)
  await edit(page, 'Ivy Invited')
  await form(page).getByRole('button', { name: 'Save Changes' }).click()
  for (const label of ['Date of birth', 'Phone number', 'Emergency contact name', 'Emergency contact phone', 'Monthly payment amount']) {
    await expect(form(page).getByText(`${label} is required`, { exact: true })).toBeVisible()
  }
  await expect(form(page).getByLabel('Date of birth')).toBeFocused()
  await expectAccessible(page)
})
