import type { Page } from '@playwright/test'
import { dojosApi } from '@tatami/contract/dojos/dojos'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { plansApi } from '@tatami/contract/plans/plans'
import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { studentConsentsApi } from '@tatami/contract/texting/student-consents'
import { studentsApi } from '@tatami/contract/students/students'
import { call } from './api.ts'
import { uniqueEmail, type Dojo, PASSWORD } from './dojo.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const monthlyFee = mustExist(PLAN_TEMPLATES[0], 'The first template')

const findInviteCode = async (dojo: Dojo) =>
  (await call(dojosApi.invitation, {}, dojo.token)).invite_code
const pressJoin = (page: Page) => page.getByRole('button', { name: 'Join', exact: true }).click()

/** Fills in what an adult needs to join a dojo without classes. */
async function fillForm(page: Page, email: string) {
  await page.getByLabel('Name', { exact: true }).fill('Mia Chen')
  await page.getByLabel('Date of birth').fill('1990-05-01')
  await page.getByLabel('Phone number', { exact: true }).fill('512 555 0142')
  await page.getByLabel('Emergency contact name').fill('Li Chen')
  await page.getByLabel('Emergency contact phone').fill('512 555 0143')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
}

const createPublicPlan = (dojo: Dojo, changes: object) =>
  call(plansApi.create, { body: { ...monthlyFee, is_public: true, ...changes } }, dojo.token)

const birthDateForAge = (age: number) => `${new Date().getFullYear() - age}-01-01`

test('logs in an invited student, who starts as a trial student', async ({ page, dojo }) => {
  const email = uniqueEmail('mia')
  await page.goto(`/join/${await findInviteCode(dojo)}`)
  await expect(page).toHaveTitle('Join Tanaka Dojo · Tatami')
  await expect(page.getByRole('heading', { name: 'Join Tanaka Dojo' })).toBeVisible()
  await expect(page.getByText('Cedar Park, Texas')).toBeVisible()
  // The page shows the school. Tatami is named only in the footer.
  await expect(page.getByText('Tatami')).toHaveCount(1)
  await pressJoin(page)
  for (const text of [
    'Name is required',
    'Date of birth is required',
    'Email is required',
    'Password must be at least 8 characters',
  ])
    await expect(page.getByText(text)).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await fillForm(page, email)
  await pressJoin(page)
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByText('Welcome back, Mia Chen!')).toBeVisible()
  expect(await call(studentsApi.list, {}, dojo.token)).toEqual([
    expect.objectContaining({ name: 'Mia Chen', email, is_trial: true }),
  ])
})

test('shows the terms of each plan, and which plans are for another age', async ({
  page,
  dojo,
}) => {
  await createPublicPlan(dojo, {
    name: 'Adults',
    minimum_months: 6,
    notice_days: 30,
    sign_up_fee: 50,
    age_from: 13,
    terms: 'Bring a towel.',
  })
  await createPublicPlan(dojo, { name: 'Kids', age_until: 12 })
  await page.goto(`/join/${await findInviteCode(dojo)}`)
  await expect(page.getByRole('listitem').filter({ hasText: 'Adults' })).toContainText(
    'At least 6 months · 30 days’ notice · Sign-up fee $50',
  )
  await page.getByText('Terms of Adults').click()
  await expect(page.getByText('Bring a towel.')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Date of birth').fill(birthDateForAge(30))
  const planSelect = page.getByLabel('Plan (optional)')
  await expect(planSelect.getByRole('option', { name: 'Kids' })).toBeDisabled()
  await expect(planSelect.getByRole('option', { name: 'Kids' })).toContainText('Up to age 12')
  await expect(page.getByRole('listitem').filter({ hasText: 'Kids' })).toHaveCount(0)
})

test('clears a plan if a new date of birth is outside its ages', async ({ page, dojo }) => {
  const { plan } = await createPublicPlan(dojo, { name: 'Kids', age_until: 12 })
  await page.goto(`/join/${await findInviteCode(dojo)}`)
  await page.getByLabel('Date of birth').fill(birthDateForAge(10))
  const planSelect = page.getByLabel('Plan (optional)')
  await planSelect.selectOption(plan.id)
  await page.getByLabel('Date of birth').fill(birthDateForAge(30))
  await expect(planSelect).toHaveValue('')
  await expect(
    page.getByText('Kids is for another age (Up to age 12). Please choose again.'),
  ).toBeVisible()
  await expectAccessible(page)
})

test('shows what a chosen plan costs before the approval starts it', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/status of 409/)
  const { plan } = await createPublicPlan(dojo, { name: 'Unlimited' })
  await page.goto(`/join/${await findInviteCode(dojo)}`)
  await fillForm(page, uniqueEmail('mia'))
  await page.getByLabel('Plan (optional)').selectOption(plan.id)
  await pressJoin(page)
  await expect(page).toHaveURL('/dashboard')
  await signIn(page, dojo)
  await visit('/students')
  await page.getByRole('button', { name: 'Approve Mia Chen' }).click()
  const dialog = page.getByRole('dialog', { name: 'Approve Mia Chen?' })
  await expect(dialog.getByText(/^The student pays \$/)).toBeVisible()
  await call(plansApi.retire, { params: plan }, dojo.token)
  await dialog.getByRole('button', { name: 'Approve with Unlimited' }).click()
  await expect(dialog.getByText('This plan is no longer sold').first()).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Approve with Unlimited' })).toBeDisabled()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Without the plan' }).click()
  await expect(page.getByText('to approve')).toHaveCount(0)
})

test(
  'lets a child join with a parent and a class, so that the sensei only has to approve',
  { tag: '@long' },
  async ({ page, dojo, visit, isDesktop }) => {
    const { id } = await dojo.createClass()
    await page.goto(`/join/${await findInviteCode(dojo)}`)
    await page.getByLabel('Name', { exact: true }).fill('Leo Diaz')
    await page.getByLabel('Date of birth').fill(birthDateForAge(15))
    await expect(
      page.getByText('Leo is under 18. We’ll call this person in an emergency.'),
    ).toBeVisible()
    await page.getByLabel('Email', { exact: true }).fill(uniqueEmail('leo'))
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await pressJoin(page)
    await expect(page.getByText('Name is required')).toBeVisible()
    await expect(page.getByText('Choose at least one class')).toBeVisible()
    await expectAccessible(page)
    await expect(page.getByText('Relation is required')).toBeVisible()
    await page.getByLabel('Parent’s or guardian’s name').fill('Rosa Diaz')
    await page.getByLabel('Relation').selectOption('Mother')
    await page.getByLabel('Parent’s or guardian’s phone number').fill('512 555 0177')
    await page.getByLabel('Little Dragons').check()
    await pressJoin(page)
    await expect(
      page.getByText(
        'Your instructor needs to approve you first. Then you’ll see your classes here.',
      ),
    ).toBeVisible()
    await signIn(page, dojo)
    await visit('/dashboard')
    await page.getByRole('link', { name: '1 new student to approve' }).click()
    const approvalRegion = page.getByRole('region', { name: '1 new student to approve' })
    for (const text of ['Leo Diaz', '15 years old', 'Rosa Diaz, (512) 555-0177', 'Little Dragons'])
      await expect(approvalRegion).toContainText(text)
    await expectAccessible(page)
    await approvalRegion.getByRole('button', { name: 'Approve Leo Diaz' }).click()
    await expect(approvalRegion).toBeHidden()
    const [leo] = await call(studentsApi.list, {}, dojo.token)
    expect(leo).toMatchObject({
      awaits_approval: false,
      is_trial: true,
      enrolled_classes: [id],
      emergency_contact_name: 'Rosa Diaz',
    })
    expect(isDesktop).toBe(new URL(page.url()).pathname.startsWith('/desktop'))
  },
)

const formSection = (page: Page, title: string) =>
  page.getByRole('group', { name: title, exact: true })

test('lets a mother join with two children under 13 and agree to texts', async ({
  page,
  dojo,
  visit,
}) => {
  const { id } = await dojo.createClass()
  await page.goto(`/join/${await findInviteCode(dojo)}`)
  await page.getByLabel('Name', { exact: true }).fill('Leo Diaz')
  await page.getByLabel('Date of birth').fill(birthDateForAge(9))
  await expect(
    page.getByText(
      'Leo is under 13 and doesn’t need a login: you join as their parent or guardian.',
    ),
  ).toBeVisible()
  await expect(formSection(page, 'Parent or guardian')).toHaveCount(0)
  await page.getByRole('button', { name: 'Add another child' }).click()
  const leoSection = formSection(page, 'Child 1')
  const miaSection = formSection(page, 'Child 2')
  await expect(miaSection.getByLabel('Child’s name')).toBeFocused()
  await page.getByRole('button', { name: 'Add another child' }).click()
  await page.getByRole('button', { name: 'Remove Child 3' }).click()
  await expect(formSection(page, 'Child 3')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Add another child' })).toBeFocused()

  await pressJoin(page)
  for (const text of ['Name is required', 'Date of birth is required', 'Choose at least one class'])
    await expect(miaSection).toContainText(text)
  await expect(leoSection).not.toContainText('Name is required')
  await expect(formSection(page, 'You, their parent or guardian')).toContainText(
    'Phone number is required',
  )
  await expect(leoSection.getByLabel('Little Dragons')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)

  await leoSection.getByLabel('Little Dragons').check()
  await miaSection.getByLabel('Child’s name').fill('Mia Diaz')
  await miaSection.getByLabel('Date of birth').fill(birthDateForAge(40))
  await miaSection.getByLabel('Little Dragons').check()
  await page.getByLabel('Your name').fill('Rosa Diaz')
  await page.getByLabel('Relation').selectOption('Mother')
  await page.getByLabel('Your phone number').fill('512 555 0177')
  await page.getByLabel('Email').fill(uniqueEmail('rosa'))
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  const consentCheckbox = page.getByRole('checkbox', { name: 'I agree to text messages' })
  await expect(consentCheckbox).not.toBeChecked()
  await expect(
    page.getByText(
      /^The school may text the phone numbers .* STOP, .* I need not agree in order to join\.$/,
    ),
  ).toBeVisible()
  await consentCheckbox.check()
  await pressJoin(page)
  await expect(miaSection).toContainText('Students 18 and older need their own account')
  await miaSection.getByLabel('Date of birth').fill(birthDateForAge(7))
  await pressJoin(page)
  await expect(page).toHaveURL('/dashboard')
  const children = page.getByRole('region', { name: 'Your children' })
  for (const name of ['Leo', 'Mia'])
    await expect(children).toContainText(
      `Your instructor needs to approve ${name} first. Then you’ll see classes here.`,
    )

  await signIn(page, dojo)
  await visit('/students')
  const approvalRegion = page.getByRole('region', { name: '2 new students to approve' })
  await expect(approvalRegion.getByRole('listitem').first()).toContainText(
    'Leo Diaz9 years old · Mother Rosa Diaz, (512) 555-0177',
  )
  // The classes that the mother chose are selected, and a child needs no phone.
  await approvalRegion.getByRole('button', { name: 'Details of Leo Diaz' }).click()
  const editDialog = page.getByRole('dialog', { name: 'Edit Student' })
  await expect(editDialog.getByLabel('Little Dragons')).toBeChecked()
  await editDialog.getByLabel('Monthly payment amount').fill('80')
  await editDialog.getByRole('button', { name: 'Save Changes' }).click()
  await page
    .getByRole('alertdialog', { name: 'Student Profile Updated!' })
    .getByRole('button', { name: 'OK' })
    .click()
  await approvalRegion.getByRole('button', { name: 'Approve Leo Diaz' }).click()
  await page
    .getByRole('region', { name: '1 new student to approve' })
    .getByRole('button', { name: 'Approve Mia Diaz' })
    .click()
  await expect(page.getByText('to approve')).toHaveCount(0)
  const students = await call(studentsApi.list, {}, dojo.token)
  expect(students).toMatchObject(
    ['Leo Diaz', 'Mia Diaz'].map((name) => ({
      name,
      email: null,
      enrolled_classes: [id],
      guardians: [{ name: 'Rosa Diaz', pays: true }],
    })),
  )
  const consents = await call(
    studentConsentsApi.list,
    { params: { id: students[0]!.id } },
    dojo.token,
  )
  expect(consents).toMatchObject([
    {
      holder_name: 'Rosa Diaz',
      consents: [{ given_by: 'Rosa Diaz', wording_version: 'join-2026-11-22' }],
    },
  ])
})

test(
  'gives the login to the student or a parent if the student is 13 to 17',
  { tag: '@long' },
  async ({ page, dojo }) => {
    await page.goto(`/join/${await findInviteCode(dojo)}`)
    await page.getByLabel('Name', { exact: true }).fill('Leo Diaz')
    await page.getByLabel('Date of birth').fill(birthDateForAge(15))
    const loginSelect = page.getByLabel('Who logs in?')
    await expect(loginSelect.locator('option:checked')).toHaveText('Leo, with their own email')
    await expect(page.getByRole('button', { name: 'Add another child' })).toHaveCount(0)
    await expect(
      page.getByRole('checkbox', { name: 'I agree to text messages' }),
      'does not ask for consent without a phone',
    ).toHaveCount(0)
    await loginSelect.selectOption('A parent or guardian, for all their children')
    await expect(page.getByRole('button', { name: 'Add another child' })).toBeVisible()
    await page.getByLabel('Your name').fill('Rosa Diaz')
    await page.getByLabel('Relation').selectOption('Mother')
    await page.getByLabel('Your phone number').fill('512 555 0177')
    await page.getByLabel('Email').fill(uniqueEmail('rosa'))
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await expectAccessible(page)
    await pressJoin(page)
    await expect(page.getByRole('region', { name: 'Your children' })).toContainText('Leo Diaz')
    expect(await call(studentsApi.list, {}, dojo.token)).toMatchObject([
      { name: 'Leo Diaz', email: null },
    ])
  },
)

test(
  'shows the server’s message or Registration failed, and keeps what was typed',
  { tag: '@long' },
  async ({ page, dojo, allowErrors }) => {
    allowErrors(/ERR_FAILED|40[09]/)
    const code = await findInviteCode(dojo)
    await page.goto(`/join/${code}`)
    await page.route('**/api/register', (route) => route.abort())
    await fillForm(page, dojo.email)
    await pressJoin(page)
    await expect(page.getByRole('alert')).toHaveText('Registration failed')
    await page.unrouteAll()
    await pressJoin(page)
    await expect(page.getByRole('alert')).toHaveText('An account with this email already exists')
    await call(dojosApi.renewInvitation, {}, dojo.token)
    await page.getByLabel('Email').fill(uniqueEmail('mia'))
    await pressJoin(page)
    await expect(page.getByRole('alert')).toHaveText('This invitation is not valid')
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Mia Chen')
    await page.getByRole('link', { name: 'I already have a login' }).click()
    await expect(page).toHaveURL('/login')
  },
)

test('keeps what was typed, except the password, without a network, on reload and on Back', async ({
  page,
  context,
  dojo,
  allowErrors,
}) => {
  allowErrors(/ERR_INTERNET_DISCONNECTED/)
  const path = `/join/${await findInviteCode(dojo)}`
  const nameField = page.getByLabel('Name', { exact: true })
  await page.goto(path)
  await fillForm(page, uniqueEmail('mia'))
  await context.setOffline(true)
  await pressJoin(page)
  await expect(page.getByRole('alert')).toHaveText(
    'Registration failed. You are offline. What you entered is kept.',
  )
  await context.setOffline(false)
  await page.reload()
  await expect(nameField).toHaveValue('Mia Chen')
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveValue('')
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(PASSWORD)

  await nameField.fill('Mia Lin')
  await page.getByRole('link', { name: 'What we keep, for how long, and who gets it' }).click()
  await expect(page).toHaveURL('/privacy')
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(PASSWORD)
  await page.goBack()
  await expect(nameField).toHaveValue('Mia Lin')
  await expect(page.getByLabel('Emergency contact phone')).toHaveValue('512 555 0143')

  await page.getByRole('link', { name: 'I already have a login' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Your session has ended.')).toBeHidden()
  await page.goto(path)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await pressJoin(page)
  await expect(page.getByText('Welcome back, Mia Lin!')).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

test(
  'reports an invalid invitation immediately, and says where to get a new one',
  { tag: '@long' },
  async ({ page, dojo, allowErrors }) => {
    allowErrors(/400/)
    const code = await findInviteCode(dojo)
    await call(dojosApi.renewInvitation, {}, dojo.token)
    await page.goto(`/join/${code}`)
    await expect(page.getByRole('alert')).toHaveText('This invitation is not valid')
    await expect(page.getByText('Ask your instructor for a new invitation.')).toBeVisible()
    await expect(page.getByLabel('Name', { exact: true })).toHaveCount(0)
    await expectAccessible(page)
  },
)

test('redirects a logged-in user to their home', { tag: '@long' }, async ({ page, dojo }) => {
  await signIn(page, dojo)
  await page.goto(`/join/${await findInviteCode(dojo)}`)
  await expect(page).toHaveURL('/dashboard')
})
