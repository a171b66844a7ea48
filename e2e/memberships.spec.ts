import type { Page } from '@playwright/test'
import { dojosApi } from '@tatami/contract/dojos/dojos'
import { addDays, WEEKDAYS } from '@tatami/contract/lib/calendar-day'
import { holdsApi } from '@tatami/contract/memberships/holds'
import { membershipsApi } from '@tatami/contract/memberships/memberships'
import { packsApi } from '@tatami/contract/memberships/packs'
import { type PlanForm, plansApi } from '@tatami/contract/plans/plans'
import { PLAN_TEMPLATES } from '@tatami/contract/plans/templates'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { call } from './api.ts'
import { type Dojo, PASSWORD, uniqueEmail } from './dojo.ts'
import { createGuardian } from './families.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const dojoDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Chicago' })
const today = () => dojoDay.format(new Date())

async function createPlan(dojo: Dojo, name: string, changes: Partial<PlanForm> = {}) {
  const template = mustExist(
    PLAN_TEMPLATES.find((plan) => plan.name === name),
    'The template',
  )
  const { plan } = await call(plansApi.create, { body: { ...template, ...changes } }, dojo.token)
  return plan
}

const startPlan = (dojo: Dojo, studentId: string, planId: string) =>
  call(
    membershipsApi.start,
    { params: { id: studentId }, body: { plan_id: planId, starts_on: today() } },
    dojo.token,
  )

const listPlanNames = async (dojo: Dojo, studentId: string) => {
  const { subscriptions } = await call(
    membershipsApi.show,
    { params: { id: studentId } },
    dojo.token,
  )
  return subscriptions.map(({ plan_name, state }) => `${plan_name} ${state}`)
}

const card = (page: Page) => page.getByRole('region', { name: 'Membership' })
const preview = (page: Page) => page.getByRole('region', { name: 'What happens' })
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true })

test('a student’s page shows no membership while the school has no plans', async ({
  page,
  dojo,
  visit,
}) => {
  const mia = await dojo.createStudent({ name: 'Mia Diaz', monthly_payment_amount: 120 })
  await signIn(page, dojo)
  await visit(`/students/${mia.id}`)
  await expect(page.getByRole('region', { name: 'Payments' })).toContainText('$120.00 a month')
  await expect(card(page)).toBeHidden()
})

test('an instructor puts a student on a plan and sees the sums before', async ({
  page,
  dojo,
  visit,
}) => {
  await createPlan(dojo, 'Twice a week', { sign_up_fee: 50 })
  const mia = await dojo.createStudent({ name: 'Mia Diaz', monthly_payment_amount: 120 })
  await signIn(page, dojo)
  await visit(`/students/${mia.id}`)
  await expect(card(page)).toContainText('No plan. Monthly fee: $120.00')
  await card(page).getByRole('button', { name: 'Put on a plan' }).click()
  await page.getByLabel('First day').fill(addDays(today(), 1))
  await expect(preview(page)).toContainText('Twice a week starts on')
  await expect(preview(page)).toContainText('Sign-up fee')
  await expect(preview(page)).toContainText('$50.00')
  await expectAccessible(page)
  await inDialog(page, 'Start').click()
  await expect(card(page).getByRole('heading', { name: 'Twice a week' })).toBeVisible()
  await expect(card(page)).toContainText('$96 a month')
  await expect(card(page)).toContainText('Next: ')
  await expect(card(page).getByText(/^Starts /)).toBeVisible()
  expect(await listPlanNames(dojo, mia.id)).toEqual(['Twice a week coming'])
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(card(page)).toContainText('No plan. Monthly fee: $120.00')
})

test('a price of their own needs a reason', async ({ page, dojo, visit }) => {
  await createPlan(dojo, 'Monthly fee')
  const mia = await dojo.createStudent({ name: 'Mia Diaz' })
  await signIn(page, dojo)
  await visit(`/students/${mia.id}`)
  await card(page).getByRole('button', { name: 'Put on a plan' }).click()
  await page.getByText('More options').click()
  await page.getByLabel('A price of their own').fill('80')
  await inDialog(page, 'Start').click()
  await expect(page.getByText('Say why the price differs')).toBeVisible()
  await page.getByLabel('Why').fill('Helps at the desk')
  await inDialog(page, 'Start').click()
  await expect(card(page)).toContainText('$80 a month instead of $120: Helps at the desk')
})

test('an instructor changes a plan, ends it and takes that back', async ({ page, dojo, visit }) => {
  const twicePlan = await createPlan(dojo, 'Twice a week', { notice_days: 30 })
  await createPlan(dojo, 'Monthly fee', { notice_days: 30 })
  const mia = await dojo.createStudent({ name: 'Mia Diaz' })
  await startPlan(dojo, mia.id, twicePlan.id)
  await signIn(page, dojo)
  await visit(`/students/${mia.id}`)
  await card(page).getByRole('button', { name: 'Change Twice a week' }).click()
  await page.getByText('Today', { exact: true }).click()
  await expect(preview(page)).toContainText('Monthly fee starts on')
  await expectAccessible(page)
  await inDialog(page, 'Change plan').click()
  await expect(card(page).getByRole('heading', { name: 'Monthly fee' })).toBeVisible()

  await card(page).getByRole('button', { name: 'End Monthly fee' }).click()
  await expect(preview(page)).toContainText('The last day is')
  await expect(preview(page)).toContainText('The last payment is')
  await expectAccessible(page)
  await inDialog(page, 'End plan').click()
  await expect(page.getByText('Monthly fee of Mia Diaz ends')).toBeVisible()
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  // A bar that is hovered stays, however long the card takes to load.
  await undo.hover()
  await expect(card(page).getByText(/^Ends /)).toBeVisible()
  await undo.click()
  await expect(card(page).getByText(/^Ends /)).toBeHidden()

  await card(page).getByRole('button', { name: 'End Monthly fee' }).click()
  await inDialog(page, 'End plan').click()
  await card(page).getByRole('button', { name: 'Keep Monthly fee' }).click()
  await expect(card(page).getByRole('button', { name: 'End Monthly fee' })).toBeVisible()
  expect(await listPlanNames(dojo, mia.id)).toContain('Monthly fee running')
})

test('a payer ends a plan in two taps, and keeps it', async ({ page, dojo, visit }) => {
  const twicePlan = await createPlan(dojo, 'Twice a week', { notice_days: 30 })
  const mia = await dojo.createStudent({ name: 'Mia Diaz' })
  await startPlan(dojo, mia.id, twicePlan.id)
  await signIn(page, await createGuardian(dojo, [mia], { pays: true }))
  await visit('/dashboard')
  const child = page.getByRole('article', { name: 'Mia Diaz' })
  await expect(child).toContainText('Twice a week, $96 a month')
  await child.getByRole('button', { name: 'End Twice a week of Mia Diaz' }).click()
  await expect(preview(page)).toContainText('The last day is')
  await expect(preview(page)).toContainText('The last payment is')
  await expectAccessible(page)
  await inDialog(page, 'End plan').click()
  await expect(child).toContainText('Last day: ')
  await expectAccessible(page)
  expect(await listPlanNames(dojo, mia.id)).toEqual(['Twice a week ending'])
  await child.getByRole('button', { name: 'Keep Twice a week of Mia Diaz' }).click()
  await expect(child).not.toContainText('Last day: ')
  expect(await listPlanNames(dojo, mia.id)).toEqual(['Twice a week running'])
})

test('an adult student sees and ends their own plan', async ({ page, dojo, visit }) => {
  const twicePlan = await createPlan(dojo, 'Twice a week')
  const ann = await dojo.createStudent({ name: 'Ann Lee', date_of_birth: '1990-01-01' })
  await startPlan(dojo, ann.id, twicePlan.id)
  await signIn(page, await dojo.createSession(ann))
  await visit('/dashboard')
  const ownPlan = page.getByRole('region', { name: 'My Membership' })
  await expect(ownPlan).toContainText('Twice a week, $96 a month')
  await ownPlan.getByRole('button', { name: 'End Twice a week of Ann Lee' }).click()
  await inDialog(page, 'End plan').click()
  await expect(ownPlan).toContainText('Last day: ')
})

test('a new student chooses a public plan on the join page', async ({ page, dojo, visit }) => {
  await createPlan(dojo, 'Twice a week', { is_public: true })
  await createPlan(dojo, 'Monthly fee')
  const { invite_code } = await call(dojosApi.invitation, {}, dojo.token)
  await page.goto(`/join/${invite_code}`)
  await page.getByLabel('Name', { exact: true }).fill('Mia Chen')
  await page.getByLabel('Date of birth').fill('1990-05-01')
  await page.getByLabel('Phone number', { exact: true }).fill('512 555 0142')
  await page.getByLabel('Emergency contact name').fill('Li Chen')
  await page.getByLabel('Emergency contact phone').fill('512 555 0143')
  await page.getByLabel('Email').fill(uniqueEmail('mia'))
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  const plan = page.getByLabel('Plan (optional)')
  await expect(plan.getByRole('option')).toHaveText([
    'I’ll decide later',
    'Twice a week, $96 a month',
  ])
  await plan.selectOption('Twice a week, $96 a month')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(page.getByText('Welcome back, Mia Chen!')).toBeVisible()
  await signIn(page, dojo)
  await visit('/students')
  await expect(page.getByText('Plan: Twice a week')).toBeVisible()
  await page.getByRole('button', { name: 'Approve Mia Chen' }).click()
  const dialog = page.getByRole('dialog', { name: 'Approve Mia Chen?' })
  await expect(dialog.getByText('Twice a week starts on')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Approve with Twice a week' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('link', { name: 'Mia Chen' }).first().click()
  await expect(card(page).getByRole('heading', { name: 'Twice a week' })).toBeVisible()
})

test('enrolling a student can start a plan instead of a fee', async ({ page, dojo, visit }) => {
  await createPlan(dojo, 'Twice a week')
  await dojo.createClass({ class_name: 'Little Dragons' })
  await signIn(page, dojo)
  await visit('/students')
  await page.getByRole('button', { name: 'Enroll New Student' }).click()
  const form = page.getByRole('dialog', { name: 'Enroll New Student' })
  await form.getByText('Child', { exact: true }).click()
  await form.getByLabel('Name *', { exact: true }).fill('Leo Diaz')
  await form.getByLabel('Date of birth').fill('2017-03-01')
  await form.getByLabel('Guardian’s name').fill('Eva Diaz')
  await form.getByLabel('Guardian’s phone number').fill('512 555 0178')
  await form.getByText('Little Dragons').click()
  await form.getByLabel('Plan').selectOption('Twice a week, $96 a month')
  await expect(form.getByLabel('Monthly payment amount')).toBeHidden()
  await form.getByRole('button', { name: 'Enroll Student' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'Leo Diaz' }).first().click()
  await expect(card(page).getByRole('heading', { name: 'Twice a week' })).toBeVisible()
})

test('the Payment Center filters by plan, and by what ends', async ({ page, dojo, visit }) => {
  const twicePlan = await createPlan(dojo, 'Twice a week')
  const mia = await dojo.createStudent({ name: 'Mia Diaz' })
  await dojo.createStudent({ name: 'Ken Adams', email: uniqueEmail('ken') })
  const rows = page.getByRole('row').or(page.getByRole('listitem'))
  const planFilter = page.getByRole('combobox', { name: 'Plan', exact: true })
  await signIn(page, dojo)
  await visit('/payment-center')
  await expect(rows.filter({ hasText: 'Mia Diaz' }).first()).toBeVisible()
  await expect(planFilter).toBeHidden()
  const { subscription_id } = await startPlan(dojo, mia.id, twicePlan.id)
  await visit('/payment-center')
  await planFilter.selectOption('Twice a week')
  await expect(rows.filter({ hasText: 'Ken Adams' })).toHaveCount(0)
  await expect(rows.filter({ hasText: 'Mia Diaz' }).first()).toBeVisible()
  await planFilter.selectOption('Ends this month')
  await expect(page.getByText('No students in this list')).toBeVisible()
  await expectAccessible(page)
  await call(membershipsApi.end, { params: { id: subscription_id }, body: {} }, dojo.token)
  await page.reload()
  await expect(planFilter).toHaveValue('ends')
  await expect(rows.filter({ hasText: 'Mia Diaz' }).first()).toBeVisible()
  await planFilter.selectOption('Without a plan')
  await expect(rows.filter({ hasText: 'Ken Adams' }).first()).toBeVisible()
})

test('members are told about a new price', async ({ page, dojo, visit }) => {
  const twicePlan = await createPlan(dojo, 'Twice a week')
  const mia = await dojo.createStudent({ name: 'Mia Diaz' })
  await startPlan(dojo, mia.id, twicePlan.id)
  await signIn(page, dojo)
  await visit('/plans')
  await page.getByRole('button', { name: 'Edit Twice a week' }).click()
  await page.getByRole('textbox', { name: 'Price' }).fill('99')
  await expect(page.getByText('1 member keeps $96. New members pay $99.')).toBeVisible()
  await expectAccessible(page)
  await inDialog(page, 'Save').click()
  await expect(page.getByText('1 member, 1 at an earlier price')).toBeVisible()
  await page.getByRole('button', { name: 'Tell members of Twice a week' }).click()
  await expect(page.getByRole('dialog')).toContainText('will pay $99 a month from')
  await expectAccessible(page)
  await page.getByLabel('First day of the new price').fill(addDays(today(), 40))
  await inDialog(page, 'Tell 1 member').click()
  await expect(page.getByText(/^All members pay \$99 a month from/)).toBeVisible()
})

/** Opens the dialog for a hold that begins in ten days, and fills it in. */
async function fillInHold(page: Page): Promise<void> {
  await card(page).getByRole('button', { name: 'Hold' }).click()
  await page.getByLabel('First day').fill(addDays(today(), 10))
  await page.getByLabel('Last day').fill(addDays(today(), 40))
  await page.getByLabel('Why').selectOption('Injury')
}

test('a plan can be on hold, and the hold can be undone', async ({ page, dojo, visit }) => {
  const twicePlan = await createPlan(dojo, 'Twice a week')
  const mia = await dojo.createStudent({ name: 'Mia Diaz' })
  await startPlan(dojo, mia.id, twicePlan.id)
  await signIn(page, dojo)
  await visit(`/students/${mia.id}`)
  await fillInHold(page)
  await expect(preview(page).getByRole('paragraph').first()).toBeVisible()
  await expectAccessible(page)
  await inDialog(page, 'Hold').click()
  const holds = card(page).getByRole('list', { name: 'Holds' })
  await expect(holds).toContainText('Injury from')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(holds).toBeHidden()
})

test('a hold to come is deleted only after a question', async ({ page, dojo, visit }) => {
  const twicePlan = await createPlan(dojo, 'Twice a week')
  const mia = await dojo.createStudent({ name: 'Mia Diaz' })
  await startPlan(dojo, mia.id, twicePlan.id)
  await signIn(page, dojo)
  await visit(`/students/${mia.id}`)
  await fillInHold(page)
  await inDialog(page, 'Hold').click()
  const holds = card(page).getByRole('list', { name: 'Holds' })
  await holds.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete this hold?' })
  await expect(question).toBeVisible()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(holds).toBeHidden()
})

test('an instructor sells ten classes', async ({ page, dojo, visit }) => {
  await createPlan(dojo, 'Ten classes')
  const mia = await dojo.createStudent({ name: 'Mia Diaz' })
  await signIn(page, dojo)
  await visit(`/students/${mia.id}`)
  await card(page).getByRole('button', { name: 'Sell classes' }).click()
  await expect(page.getByRole('dialog')).toContainText('$150 for 10 classes, valid for 183 days')
  await expectAccessible(page)
  await inDialog(page, 'Sell').click()
  await expect(card(page)).toContainText('10 of 10 classes left')
})

test('the roll says how many visits are left', async ({ page, dojo, visit }) => {
  const pack = await createPlan(dojo, 'Ten classes')
  const { id } = await dojo.createClass({ class_days: [...WEEKDAYS] })
  const mia = await dojo.createStudent({ name: 'Mia Diaz', enrolled_classes: [id] })
  const body = { plan_id: pack.id }
  await call(packsApi.sell, { params: { id: mia.id }, body }, dojo.token)
  await signIn(page, dojo)
  await visit(`/attendance?class=${id}&date=${today()}`)
  await expect(page.getByText('10 visits left')).toBeVisible()
})

test('a vacation beside an injury is a hold of its own', async ({
  page,
  dojo,
  visit,
  allowErrors,
}) => {
  allowErrors(/409/)
  const plan = await createPlan(dojo, 'Twice a week')
  const mia = await dojo.createStudent({ name: 'Mia Diaz' })
  await startPlan(dojo, mia.id, plan.id)
  const [firstDay, lastDay] = [addDays(today(), 40), addDays(today(), 50)]
  const injury = { starts_on: firstDay, ends_on: lastDay, kind: 'injury' }
  await call(holdsApi.create, { params: { id: mia.id }, body: injury }, dojo.token)
  await signIn(page, dojo)
  await visit(`/students/${mia.id}`)
  const holdRows = card(page).getByRole('list', { name: 'Holds' }).getByRole('listitem')
  await expect(holdRows).toHaveCount(1)
  await page.getByRole('button', { name: 'Vacation', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Mia Diaz’s vacation' })
  await expect(dialog).toContainText('The vacation is a hold of its own.')
  await dialog.getByLabel('First day').fill(lastDay)
  await dialog.getByLabel('Last day').fill(addDays(lastDay, 5))
  await expect(preview(page)).toContainText('There is already a hold from')
  await dialog.getByLabel('First day').fill(addDays(lastDay, 2))
  await expectAccessible(page)
  await inDialog(page, 'Save').click()
  await expect(holdRows).toHaveCount(2)
  await expect(holdRows.first()).toContainText('Injury from')
  await expect(holdRows.last()).toContainText('Vacation from')
})

test('the fee of a student is the price of the plan', async ({ page, dojo, visit }) => {
  const plan = await createPlan(dojo, 'Twice a week')
  const mia = await dojo.createStudent({ name: 'Mia Diaz' })
  await startPlan(dojo, mia.id, plan.id)
  await signIn(page, dojo)
  await visit(`/students/${mia.id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(page.getByText('This is the price of the plan Twice a week.')).toBeVisible()
  await page.getByLabel('Monthly payment amount').fill('110')
  await expect(
    page.getByText(/becomes the student’s own price of the plan Twice a week from .* is told\./),
  ).toBeVisible()
  await expectAccessible(page)
})
