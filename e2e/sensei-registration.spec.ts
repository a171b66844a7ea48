import type { Page } from '@playwright/test'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { senseiApi } from '@tatami/contract/sensei/sensei'
import { call } from './api.ts'
import { registrationForm } from './dojo.ts'
import { expect, expectAccessible, test } from './harness.ts'
import { readEmailsTo } from './mail-server.ts'

const LABELS = {
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Email',
  contact_area_code: 'Area code',
  contact_number: 'Phone number',
  password: 'Password',
  retype_password: 'Retype password',
  city: 'City',
  dojo_name: 'Dojo name',
} as const
type Field = keyof typeof LABELS

const dialog = (page: Page) => page.getByRole('dialog', { name: 'New Instructor Setup' })
const field = (page: Page, name: Field) =>
  dialog(page).getByRole('textbox', { name: LABELS[name], exact: true })
const createButton = (page: Page) => dialog(page).getByRole('button', { name: 'Create Account' })

async function openDialog(page: Page) {
  await page.goto('/login')
  await page.getByRole('button', { name: 'New Instructor Setup' }).click()
  await expect(field(page, 'first_name')).toBeVisible()
}

async function fillForm(page: Page, form: ReturnType<typeof registrationForm>) {
  for (const name of Object.keys(LABELS) as Field[]) await field(page, name).fill(form[name])
  await dialog(page).getByLabel('State').selectOption(form.state)
}

test('registers a sensei, who can log in after the activation', async ({
  page,
  superAdmin,
  allowErrors,
}) => {
  allowErrors(/403/)
  const form = registrationForm()
  await openDialog(page)
  await fillForm(page, form)
  await createButton(page).click()
  const receivedDialog = page.getByRole('dialog', { name: 'Registration received' })
  await expect(receivedDialog).toContainText(
    'Our admin team will activate your account. You can log in once it is active.',
  )
  await expect(receivedDialog).toContainText('This usually takes one business day.')
  await expect(receivedDialog).toContainText(`We’ll email ${form.email} when it’s done.`)
  await expectAccessible(page)
  await receivedDialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('button', { name: 'New Instructor Setup' })).toBeFocused()
  const { sensei_list } = await call(senseiApi.list, { query: {} }, superAdmin.token)
  expect(sensei_list.find(({ email }) => email === form.email)).toMatchObject({
    full_name: 'Aiko Tanaka',
    dojo_name: 'Tanaka Dojo',
    contact_number: '5125550100',
    city: 'Cedar Park',
    state: 'Texas',
    is_active: false,
    total_students: 0,
  })
  await page.getByLabel('Email').fill(form.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(form.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'Your account is awaiting activation by the admin team.',
  )
  const { sensei_id } = mustExist(
    sensei_list.find(({ email }) => email === form.email),
    'The new sensei',
  )
  await call(senseiApi.toggleActive, { params: { id: sensei_id } }, superAdmin.token)
  await expect.poll(() => readEmailsTo(form.email)).toHaveLength(1)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome back, Aiko Tanaka!' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'First steps' })).toContainText('0 of 7 done')
})

test('requires every field, and focuses the first missing one', async ({ page }) => {
  await openDialog(page)
  await createButton(page).click()
  for (const text of [
    'First name is required',
    'Last name is required',
    'Email is required',
    'Area code is required',
    'Phone number is required',
    'Retype password is required',
    'City is required',
    'State is required',
    'Dojo name is required',
  ])
    await expect(dialog(page).getByText(text)).toBeVisible()
  await expect(field(page, 'first_name')).toBeFocused()
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  const rightmostEdge = await dialog(page).evaluate((root) =>
    Math.max(
      ...[...root.querySelectorAll('*')].map((element) => element.getBoundingClientRect().right),
    ),
  )
  expect(rightmostEdge).toBeLessThanOrEqual(320)
})

test('shows the message of each rule', { tag: '@long' }, async ({ page }) => {
  await openDialog(page)
  await fillForm(page, registrationForm())
  const expectMessages = async (
    changes: Partial<Record<Field, string>>,
    ...sentences: string[]
  ) => {
    for (const [name, value] of Object.entries(changes))
      await field(page, name as Field).fill(value)
    await createButton(page).click()
    for (const text of sentences) await expect(dialog(page).getByText(text)).toBeVisible()
  }
  await expectMessages(
    {
      email: 'aiko@tanaka.org',
      contact_area_code: '51',
      contact_number: '555',
      first_name: 'Aiko2',
      last_name: 'Tanaka!',
      city: 'St. Louis 2',
    },
    'Email must have .com domain',
    'Area code must be 3 digits',
    'Phone number must be 7 digits',
    'First name may contain letters and spaces only',
    'Last name may contain letters and spaces only',
    'City may contain letters and spaces only',
  )
  await expectMessages(
    { password: '', retype_password: '' },
    'Password must be at least 8 characters',
    'Retype password is required',
  )
  await expectMessages(
    { password: 'Short1', retype_password: 'Short1' },
    'Password must be at least 8 characters',
  )
  await expectMessages(
    { password: 'nocapital1', retype_password: 'nocapital1' },
    'Password must contain at least one uppercase letter',
  )
  await expectMessages(
    { password: 'NoDigitHere', retype_password: 'NoDigitHere' },
    'Password must contain at least one digit',
  )
  await expectMessages(
    { password: 'Kiai2026!', retype_password: 'Kiai2026' },
    'Passwords do not match',
  )
  await expect(page.getByText('Registration received')).toBeHidden()
})

test('limits the length of phone fields, lists fifty states and hides passwords', async ({
  page,
}) => {
  await openDialog(page)
  await field(page, 'contact_area_code').pressSequentially('(5a1-2)9')
  await expect(field(page, 'contact_area_code')).toHaveValue('512')
  for (const key of ['End', 'ArrowLeft', 'ArrowLeft', 'x', '9'])
    await field(page, 'contact_area_code').press(key)
  await expect(field(page, 'contact_area_code')).toHaveValue('591')
  await field(page, 'contact_number').pressSequentially('555-01 00.99')
  await expect(field(page, 'contact_number')).toHaveValue('5550100')
  await expect(dialog(page).getByLabel('State').locator('option:not([value=""])')).toHaveCount(50)
  for (const name of ['password', 'retype_password'] as const) {
    await expect(field(page, name)).toHaveAttribute('type', 'password')
    await expect(field(page, name)).toHaveAttribute('autocomplete', 'new-password')
  }
  await dialog(page).getByRole('button', { name: 'Show password' }).last().click()
  await expect(field(page, 'retype_password')).toHaveAttribute('type', 'text')
})

test('refuses a taken email and keeps the form', async ({ page, dojo, allowErrors }) => {
  allowErrors(/409/)
  await openDialog(page)
  await fillForm(page, registrationForm({ email: dojo.email }))
  await createButton(page).click()
  await expect(dialog(page).getByRole('alert')).toHaveText(
    'An account with this email already exists',
  )
  await expect(field(page, 'dojo_name')).toHaveValue('Tanaka Dojo')
})

test(
  'shows "Failed to create account" if there is no response, and can be retried',
  { tag: '@long' },
  async ({ page, allowErrors }) => {
    allowErrors(/ERR_FAILED/)
    const { promise: gate, resolve: abortRequest } = Promise.withResolvers<void>()
    await page.route('**/api/sensei/register', async (route) => {
      await gate
      await route.abort()
    })
    await openDialog(page)
    await fillForm(page, registrationForm())
    await createButton(page).click()
    await expect(dialog(page).getByRole('button', { name: 'Signing up...' })).toBeVisible()
    abortRequest()
    await expect(dialog(page).getByRole('alert')).toHaveText('Failed to create account')
    await page.unroute('**/api/sensei/register')
    await createButton(page).click()
    await expect(page.getByRole('dialog', { name: 'Registration received' })).toBeVisible()
  },
)

test('shows Create Account on a phone without scrolling', { tag: '@long' }, async ({ page }) => {
  // The last size is a small phone with its keyboard open.
  for (const [width, height] of [
    [390, 844],
    [320, 568],
    [320, 330],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto('/')
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await page.getByRole('button', { name: 'New Instructor Setup' }).click()
    await expect(createButton(page)).toBeInViewport({ ratio: 1 })
    await field(page, 'dojo_name').focus()
    await expect(field(page, 'dojo_name')).toBeInViewport({ ratio: 1 })
    await expect(createButton(page)).toBeInViewport({ ratio: 1 })
    const box = (await createButton(page).boundingBox())!
    expect(box.y + box.height, `at ${width}x${height}`).toBeLessThanOrEqual(height)
  }
})

test('closes one dialog at a time on Esc', { tag: '@long' }, async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.getByRole('button', { name: 'New Instructor Setup' }).click()
  await expect(field(page, 'first_name')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByRole('dialog', { name: 'Login' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'New Instructor Setup' })).toBeFocused()
})
