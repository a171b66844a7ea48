import type { Locator, Page } from '@playwright/test'
import { studentsApi } from '@tatami/contract/students/students'
import { call, createSession } from './api.ts'
import { type Dojo, uniqueEmail, PASSWORD } from './dojo.ts'
import { expect, expectAccessible, delayCalls, signIn, test, collectWarnings } from './harness.ts'

const form = (page: Page) => page.getByRole('dialog', { name: 'Enroll New Student' })
const enrollButton = (page: Page) => form(page).getByRole('button', { name: 'Enroll Student' })
const errorAlert = (page: Page) => form(page).getByRole('alert')
/** The field with this label, which ends in an asterisk if the field is required. */
const field = (page: Page, label: string) => form(page).getByLabel(new RegExp(`^${label}( \\*)?$`))

async function openForm(page: Page) {
  await page.getByRole('button', { name: 'Enroll New Student' }).click()
  await expect(enrollButton(page)).toBeVisible()
}

async function openEnrollment(page: Page, dojo: Dojo, visit: (path: string) => Promise<void>) {
  await signIn(page, dojo)
  await visit('/students')
  await openForm(page)
}

const VALID_FIELDS = {
  Name: 'Zoë Müller',
  'Date of birth': '2012-02-29',
  'Phone number': '+1 (512) 555-0160',
  'Initial password': PASSWORD,
  'Emergency contact name': 'Ann Müller',
  'Emergency contact phone': '512 555 0161',
  'Monthly payment amount': '120.50',
}

async function fillFields(page: Page, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) await field(page, label).fill(value)
}

/** Responds to the call that creates a student. Null breaks the connection. */
type MockResponse = { status: number; json?: unknown; body?: string } | null
const mockCreation = (page: Page, response: MockResponse) =>
  page.route('**/api/students', (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    return response ? route.fulfill(response) : route.abort()
  })

test('enrolls a student with every field, then in each class', async ({ page, dojo, visit }) => {
  const dragons = await dojo.createClass({ class_name: 'Little Dragons' })
  await dojo.createClass({ class_name: 'Teens' })
  const adults = await dojo.createClass({ class_name: 'Adults' })
  await openEnrollment(page, dojo, visit)
  await expectAccessible(page)
  const email = uniqueEmail('zoe')
  await fillFields(page, { ...VALID_FIELDS, Email: email.toUpperCase() })
  await form(page).getByLabel('Gender').selectOption('other')
  await form(page).getByLabel('Belt level').selectOption('green')
  await form(page).getByLabel('Trial student').check()
  await form(page).getByLabel('Little Dragons').check()
  await form(page).getByLabel('Adults').check()
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    // A password check may still be running.
    if (request.method() === 'POST' && pathname !== '/api/password-check') requests.push(pathname)
  })
  await enrollButton(page).click()

  const confirmation = page.getByRole('alertdialog', { name: 'Student Enrolled' })
  await expect(confirmation).toContainText('Zoë Müller is enrolled in Little Dragons and Adults.')
  await expectAccessible(page)
  const [student] = await call(studentsApi.list, {}, dojo.token)
  expect(student).toMatchObject({
    name: 'Zoë Müller',
    email,
    date_of_birth: '2012-02-29',
    gender: 'other',
    belt_level: 'green',
    is_trial: true,
    phone_number: '+1 (512) 555-0160',
    emergency_contact_name: 'Ann Müller',
    emergency_contact_phone: '512 555 0161',
    monthly_payment_amount: 120.5,
    class_preferences: [dragons.id, adults.id],
    enrolled_classes: [dragons.id, adults.id],
  })
  const enrollmentPaths = [dragons, adults].map(
    ({ id }) => `/api/students/${student!.id}/enroll/${id}`,
  )
  expect(requests).toEqual(['/api/students', ...enrollmentPaths])
  expect((await createSession(email, PASSWORD)).user.name).toBe('Zoë Müller')

  await confirmation.getByRole('button', { name: 'Enroll Another' }).click()
  // The form keeps what the next student probably shares. Everything personal is empty.
  await expect(field(page, 'Name')).toBeFocused()
  const { 'Monthly payment amount': fee, ...personal } = VALID_FIELDS
  for (const label of [...Object.keys(personal), 'Email'])
    await expect(field(page, label)).toHaveValue('')
  await expect(form(page).getByLabel('Gender')).toHaveValue('male')
  await expect(field(page, 'Monthly payment amount')).toHaveValue(fee)
  await expect(form(page).getByLabel('Belt level')).toHaveValue('green')
  for (const label of ['Trial student', 'Little Dragons', 'Adults'])
    await expect(form(page).getByLabel(label)).toBeChecked()
  await expect(form(page).getByLabel('Teens')).not.toBeChecked()
  await form(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Enroll New Student' })).toBeFocused()
  await expect(page.getByText('1 student', { exact: true }).first()).toBeVisible()
})

test('enrolls a child with a new guardian with few taps and little typing', async ({
  page,
  dojo,
  visit,
}) => {
  const { id } = await dojo.createClass({ class_name: 'Little Dragons' })
  await dojo.createStudent({ enrolled_classes: [id], monthly_payment_amount: 95 })
  await signIn(page, dojo)
  await visit('/students')
  const effort = { taps: 0, letters: 0 }
  const tap = async (target: Locator) => {
    effort.taps += 1
    await target.click()
  }
  const type = async (label: string, text: string) => {
    const isFocused = await field(page, label).evaluate((input) => input.matches(':focus'))
    if (!isFocused) await tap(field(page, label))
    await field(page, label).fill(text)
    // A date of birth is typed as eight digits.
    effort.letters += text.replaceAll('-', '').length
  }
  await tap(page.getByRole('button', { name: 'Enroll New Student' }))
  await tap(form(page).getByText('Child', { exact: true }))
  await expect(field(page, 'Initial password')).toBeHidden()
  await expect(field(page, 'Name')).toBeFocused()
  await type('Name', 'Leo Diaz')
  await type('Date of birth', '2017-03-01')
  await type('Guardian’s name', 'Eva Diaz')
  await type('Guardian’s phone number', '512 555 0178')
  await tap(form(page).getByText('Little Dragons'))
  await tap(form(page).getByRole('button', { name: '$95' }))
  await tap(form(page).getByRole('checkbox', { name: 'They agreed to text messages' }))
  await expect(form(page).getByLabel('Who agreed')).toHaveValue('Eva Diaz')
  await expectAccessible(page)
  await tap(enrollButton(page))
  await tap(page.getByRole('button', { name: 'Done' }))

  const students = await call(studentsApi.list, {}, dojo.token)
  expect(students.find(({ name }) => name === 'Leo Diaz')).toMatchObject({
    phone_number: null,
    emergency_contact_name: 'Eva Diaz',
    emergency_contact_phone: '512 555 0178',
    monthly_payment_amount: 95,
    enrolled_classes: [id],
    guardians: [{ name: 'Eva Diaz', relation: 'mother', pays: true }],
  })
  expect(effort).toEqual({ taps: 10, letters: 36 })
})

test('asks a child for the guardian and the phone, but not for a fee during a trial', async ({
  page,
  dojo,
  visit,
}) => {
  await dojo.createClass()
  await openEnrollment(page, dojo, visit)
  await form(page).getByRole('radio', { name: 'Child' }).check()
  await form(page).getByLabel('Trial student').check()
  await enrollButton(page).click()
  for (const text of [
    'Name is required',
    'Date of birth is required',
    'Guardian’s phone number is required',
    'Student must be enrolled in at least one class.',
  ])
    await expect(form(page).getByText(text, { exact: true }).first()).toBeVisible()
  await expect(form(page).getByText('Monthly payment amount is required')).toBeHidden()
  await form(page).getByRole('checkbox', { name: 'Same as guardian' }).uncheck()
  await enrollButton(page).click()
  await expect(form(page).getByText('Emergency contact phone is required')).toBeVisible()
  await expect(form(page).getByText('Guardian’s phone number is required')).toBeHidden()
})

test('closes without asking if only child or adult was chosen', async ({ page, dojo, visit }) => {
  await openEnrollment(page, dojo, visit)
  await form(page).getByRole('radio', { name: 'Child' }).check()
  await page.keyboard.press('Escape')
  await expect(form(page)).toHaveCount(0)
})

test(
  'restores the focus even if the list loads while the form is open',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await dojo.createClass()
    await signIn(page, dojo)
    const release = await delayCalls(page, '**/api/students', 'GET')
    await visit('/students')
    await page.getByRole('button', { name: 'Enroll New Student' }).click()
    release()
    await expect(page.getByText('0 students', { exact: true }).first()).toBeAttached()
    await form(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(page.locator(':focus')).toHaveText('Enroll New Student')
  },
)

test(
  'shows what is missing or invalid beside its field and sends nothing',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await dojo.createClass()
    await openEnrollment(page, dojo, visit)
    let isSent = false
    page.on('request', (request) => {
      isSent ||= request.method() === 'POST'
    })
    await enrollButton(page).click()
    for (const label of [
      'Name',
      'Date of birth',
      'Phone number',
      'Email',
      'Emergency contact name',
      'Emergency contact phone',
      'Monthly payment amount',
    ])
      await expect(form(page).getByText(`${label} is required`, { exact: true })).toBeVisible()
    await expect(form(page).getByText('Password must be at least 8 characters')).toBeVisible()
    await expect(
      form(page).getByText('Student must be enrolled in at least one class.'),
    ).toBeVisible()
    await expect(field(page, 'Name')).toBeFocused()
    await expectAccessible(page)

    await fillFields(page, {
      Name: 'R2 D2',
      'Date of birth': '2199-01-01',
      'Phone number': 'call me',
      Email: 'nowhere',
      'Initial password': 'short',
      'Emergency contact name': 'C-3PO',
      'Emergency contact phone': '5a',
      'Monthly payment amount': '$1x2.3.45',
    })
    const amount = form(page).getByLabel('Monthly payment amount')
    await expect(amount).toHaveValue('12.345')
    for (const key of ['End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'x', '9'])
      await amount.press(key)
    await expect(amount).toHaveValue('12.9345')
    await enrollButton(page).click()
    for (const text of [
      'Name may contain letters and spaces only',
      'Date of birth must not be after today',
      'Phone number may contain digits, +, -, spaces and parentheses only',
      'Email must be a valid email address',
      'Password must be at least 8 characters',
      'Emergency contact name may contain letters and spaces only',
      'Emergency contact phone may contain digits, +, -, spaces and parentheses only',
      'Monthly payment amount must have at most two decimal places',
    ])
      await expect(form(page).getByText(text, { exact: true })).toBeVisible()
    expect(isSent).toBe(false)
  },
)

test('says why a student could not be created, preferring the most detailed message', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/status of 4\d\d|ERR_FAILED/)
  await dojo.createClass()
  await openEnrollment(page, dojo, visit)
  await fillFields(page, { ...VALID_FIELDS, Email: uniqueEmail('zoe') })
  await form(page).getByLabel('Little Dragons').check()
  const cases = [
    [
      {
        status: 409,
        json: { detail: 'The detail.', message: 'The message.', error: 'The error.' },
      },
      'The detail.',
    ],
    [{ status: 400, json: { message: 'The message.', error: 'The error.' } }, 'The message.'],
    [{ status: 400, json: { error: 'The error.' } }, 'The error.'],
    [{ status: 418, body: 'I am a teapot' }, 'Server error: 418'],
    [null, 'Network error: Unable to connect to server'],
    [{ status: 200, json: {} }, 'An unexpected error occurred'],
  ] as const
  for (const [response, text] of cases) {
    await mockCreation(page, response)
    await enrollButton(page).click()
    await expect(errorAlert(page)).toHaveText(text)
    await page.unrouteAll()
  }
})

test('asks to log in again without a token and keeps what was typed', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/status of 401/)
  await dojo.createClass()
  await openEnrollment(page, dojo, visit)
  await fillFields(page, { ...VALID_FIELDS, Email: uniqueEmail('zoe') })
  await form(page).getByLabel('Little Dragons').check()
  await page.evaluate(() => localStorage.removeItem('token'))
  await enrollButton(page).click()
  await expect(errorAlert(page)).toHaveText('Authentication required. Please log in again.')
  await expect(field(page, 'Name')).toHaveValue('Zoë Müller')
})

test(
  'reports a taken email and a refused field and keeps what was typed',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/status of 4\d\d/)
    const { email } = await dojo.createStudent()
    await dojo.createClass()
    await openEnrollment(page, dojo, visit)
    await fillFields(page, { ...VALID_FIELDS, Email: email })
    await form(page).getByLabel('Little Dragons').check()
    await enrollButton(page).click()
    await expect(errorAlert(page)).toHaveText(
      "An account with this email already exists. If this is a parent's address, add the student to the parent's family.",
    )
    const message = 'Email is not good enough'
    await mockCreation(page, {
      status: 422,
      json: { detail: message, errors: [{ field: 'email', message }] },
    })
    await enrollButton(page).click()
    await expect(form(page).getByLabel('Email')).toBeFocused()
    await expect(form(page).getByText('Email is not good enough')).toHaveCount(2)
    expect(await call(studentsApi.list, {}, dojo.token)).toHaveLength(1)
  },
)

test(
  'enrolls a student once when the form is sent again after a lost response',
  { tag: '@long' },
  async ({ page, dojo, visit, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    await dojo.createClass()
    await openEnrollment(page, dojo, visit)
    await fillFields(page, { ...VALID_FIELDS, Email: uniqueEmail('zoe') })
    await form(page).getByLabel('Little Dragons').check()
    const keys: (string | null)[] = []
    await page.route('**/api/students', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      keys.push(await route.request().headerValue('idempotency-key'))
      if (keys.length > 1) return route.fallback()
      await route.fetch()
      await route.abort()
    })
    await enrollButton(page).click()
    await expect(errorAlert(page)).toHaveText('Network error: Unable to connect to server')
    await enrollButton(page).click()
    await expect(page.getByRole('alertdialog', { name: 'Student Enrolled' })).toBeVisible()
    expect([keys[0], keys[1]]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]])
    expect(await call(studentsApi.list, {}, dojo.token)).toHaveLength(1)
  },
)

test('logs a warning if a class could not be joined', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/ERR_FAILED/)
  const dragons = await dojo.createClass()
  await dojo.createClass({ class_name: 'Teens' })
  await openEnrollment(page, dojo, visit)
  await fillFields(page, { ...VALID_FIELDS, Email: uniqueEmail('zoe') })
  for (const name of ['Little Dragons', 'Teens']) await form(page).getByLabel(name).check()
  await page.route(`**/enroll/${dragons.id}`, (route) => route.abort())
  const warnings = collectWarnings(page)
  await enrollButton(page).click()
  await expect(page.getByRole('alertdialog', { name: 'Student Enrolled' })).toContainText(
    'Zoë Müller is enrolled in Teens.',
  )
  expect(warnings).toEqual(['POST /students/:id/enroll/:classId failed: no response'])
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('offers three preferences and no class when classes cannot be loaded', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/status of 403/)
  await dojo.createClass()
  await signIn(page, dojo)
  let isRefused = true
  await page.route('**/api/classes', (route) =>
    isRefused ? route.fulfill({ status: 403, json: { detail: 'Not now' } }) : route.fallback(),
  )
  await visit('/students')
  await openForm(page)
  await expect(errorAlert(page)).toContainText('Failed to load available classes')
  await expect(
    form(page).getByRole('group', { name: 'Classes' }).getByRole('checkbox'),
  ).toHaveCount(3)
  for (const name of ['Cedar Park', 'Travisso', 'Saturday'])
    await expect(form(page).getByLabel(name)).toBeVisible()
  await fillFields(page, { ...VALID_FIELDS, Email: uniqueEmail('zoe') })
  await form(page).getByLabel('Travisso').check()
  await enrollButton(page).click()
  await expect(page.getByRole('alertdialog', { name: 'Student Enrolled' })).toContainText(
    'Zoë Müller is enrolled, but not in a class yet.',
  )
  expect(await call(studentsApi.list, {}, dojo.token)).toMatchObject([
    { class_preferences: ['travisso'], enrolled_classes: [] },
  ])
  await page.getByRole('button', { name: 'Enroll Another' }).click()
  const retryButton = errorAlert(page).getByRole('button', { name: 'Try again' })
  // The reopened form loads the classes again, which fails again.
  await retryButton.click({ trial: true })
  isRefused = false
  await retryButton.click()
  await expect(
    form(page).getByRole('group', { name: 'Classes' }).getByRole('checkbox'),
  ).toHaveCount(1)
  await expect(errorAlert(page)).toBeHidden()
})

test('links to the Class Center when the dojo has no classes', async ({
  page,
  dojo,
  visit,
  layoutPath,
}) => {
  await openEnrollment(page, dojo, visit)
  await expect(
    form(page).getByText('No classes available. Please create classes in Class Center first.'),
  ).toBeVisible()
  await expectAccessible(page)
  await enrollButton(page).click()
  await expect(
    form(page).getByText('Student must be enrolled in at least one class.'),
  ).toBeVisible()
  await form(page).getByRole('link', { name: 'Open Class Center' }).click()
  await expect(page).toHaveURL(`${layoutPath}/class-center`)
})
