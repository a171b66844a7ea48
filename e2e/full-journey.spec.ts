import type { Page } from '@playwright/test'
import { SUPER_ADMIN_EMAIL } from './api.ts'
import { uniqueEmail, registrationForm, PASSWORD } from './dojo.ts'
import { expect, test } from './harness.ts'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name })

async function logIn(page: Page, email: string, password: string) {
  await page.goto('/')
  await button(page, 'Login').click()
  await dialog(page, 'Login').getByLabel('Email').fill(email)
  await dialog(page, 'Login').getByRole('textbox', { name: 'Password' }).fill(password)
  await dialog(page, 'Login').getByRole('button', { name: 'Login' }).click()
}

/** On a phone, Logout is in the account menu. */
async function logOut(page: Page) {
  if (!(await button(page, 'Logout').isVisible())) await button(page, 'Account').click()
  await button(page, 'Logout').click()
  await expect(button(page, 'Get Started Today')).toBeVisible()
}

async function registerInstructor(page: Page, form: ReturnType<typeof registrationForm>) {
  await page.goto('/')
  await button(page, 'Get Started Today').click()
  await button(page, 'New Instructor Setup').click()
  const setup = dialog(page, 'New Instructor Setup')
  const fields = {
    'First name': form.first_name,
    'Last name': form.last_name,
    Email: form.email,
    'Area code': form.contact_area_code,
    'Phone number': form.contact_number,
    Password: form.password,
    'Retype password': form.retype_password,
    City: form.city,
    'Dojo name': form.dojo_name,
  }
  for (const [label, value] of Object.entries(fields))
    await setup.getByRole('textbox', { name: label, exact: true }).fill(value)
  await setup.getByLabel('State').selectOption(form.state)
  await setup.getByRole('button', { name: 'Create Account' }).click()
  await expect(dialog(page, 'Registration received')).toBeVisible()
}

async function activateSensei(page: Page, email: string) {
  await page.getByLabel('Search sensei').fill(email)
  // A long list is updated a moment after the typed text.
  await expect(button(page, 'Activate Aiko Tanaka')).toHaveCount(1)
  await button(page, 'Activate Aiko Tanaka').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Activate' }).click()
  await expect(page.getByText('Sensei account activated successfully!')).toBeVisible()
  await dialog(page, 'Aiko Tanaka').getByRole('button', { name: 'Close' }).last().click()
}

async function addClass(page: Page) {
  await button(page, 'Add New Class').click()
  const form = dialog(page, 'Add New Class')
  await form.getByLabel('Class name').fill('Little Dragons')
  await form.getByLabel('Description').fill('Ages 5 to 8')
  await form.getByRole('checkbox', { name: 'Monday' }).check()
  await form.getByLabel('Start time').selectOption('4:00 PM')
  await form.getByLabel('End time').selectOption('5:00 PM')
  await form.getByRole('button', { name: 'Create Class' }).click()
  await expect(form).toBeHidden()
}

async function enrollStudent(page: Page) {
  await button(page, 'Enroll New Student').click()
  const form = dialog(page, 'Enroll New Student')
  const fields = {
    'Date of birth': '2010-03-01',
    'Phone number': '512 555 0142',
    Email: uniqueEmail('ken'),
    'Emergency contact name': 'Ann Adams',
    'Emergency contact phone': '512 555 0143',
    'Monthly payment amount': '85.50',
  }
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Ken Adams')
  await form.getByRole('textbox', { name: 'Initial password' }).fill(PASSWORD)
  for (const [label, value] of Object.entries(fields)) await form.getByLabel(label).fill(value)
  await form.getByLabel('Little Dragons').check()
  await form.getByRole('button', { name: 'Enroll Student' }).click()
  const enrolledDialog = page.getByRole('alertdialog', { name: 'Student Enrolled' })
  await expect(enrolledDialog).toContainText('Ken Adams is enrolled in Little Dragons.')
  await enrolledDialog.getByRole('button', { name: 'Done' }).click()
}

async function markPresent(page: Page) {
  await button(page, 'Mark Attendance').click()
  const form = dialog(page, 'Mark Attendance')
  await form.getByLabel('Class').selectOption({ label: 'Little Dragons' })
  await form
    .getByRole('group', { name: 'Ken Adams' })
    .getByRole('button', { name: 'Present' })
    .click()
  await expect(form.getByText('1 of 1 marked, 1 present')).toBeVisible()
  await form.getByRole('button', { name: 'Done' }).click()
}

test('a new instructor registers, adds a class and a student, and marks attendance', async ({
  page,
  layoutPath,
  isDesktop,
  allowErrors,
}) => {
  allowErrors(/status of 403/)
  const form = registrationForm()
  await registerInstructor(page, form)
  await logIn(page, form.email, form.password)
  await expect(dialog(page, 'Login').getByRole('alert')).toHaveText(
    'Your account is awaiting activation by the admin team.',
  )
  await logIn(page, SUPER_ADMIN_EMAIL, process.env.E2E_SUPER_ADMIN_PASSWORD ?? '')
  await expect(page).toHaveURL('/super-admin')
  await activateSensei(page, form.email)
  await logOut(page)
  await logIn(page, form.email, form.password)
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByText('Welcome back, Aiko Tanaka!')).toBeVisible()
  if (isDesktop) await page.getByRole('link', { name: 'Switch to desktop' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Class Center' }).click()
  await expect(page).toHaveURL(`${layoutPath}/class-center`)
  await addClass(page)
  await page.getByRole('navigation').getByRole('link', { name: 'Student Center' }).click()
  await enrollStudent(page)
  await button(page, 'Attendance').click()
  await markPresent(page)
  const record = page
    .getByRole('row')
    .or(page.getByRole('listitem'))
    .filter({ hasText: 'Ken Adams' })
  for (const text of ['Little Dragons', 'Present', 'Instructor'])
    await expect(record).toContainText(text)
  await expect(page).toHaveURL(`${layoutPath}/students`)
  await logOut(page)
})
