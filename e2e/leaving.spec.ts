import type { Page } from '@playwright/test'
import { receiptsApi } from '@tatami/contract/bookkeeping/receipts'
import { owingApi } from '@tatami/contract/dues/owing'
import { ledgerApi } from '@tatami/contract/ledger/ledger'
import { studentsApi } from '@tatami/contract/students/students'
import { call } from './api.ts'
import type { Dojo } from './dojo.ts'
import { createGuardian } from './families.ts'
import { chooseFilter } from './filters.ts'
import { expect, expectAllAccessible, signIn, test } from './harness.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const leaveDialog = (page: Page) => page.getByRole('dialog', { name: 'Ken Adams is leaving' })

async function openLeaveDialog(page: Page) {
  await button(page, 'Edit').click()
  const editDialog = page.getByRole('dialog', { name: 'Edit Student' })
  await editDialog.getByRole('button', { name: 'Mark as Left' }).click()
  await expect(leaveDialog(page)).toBeVisible()
}

const justDone = (page: Page) => page.getByRole('region', { name: 'Just done' })

async function createKen(dojo: Dojo) {
  const { id: class_id } = await dojo.createClass({ class_name: 'Little Dragons' })
  return dojo.createStudent({
    name: 'Ken Adams',
    enrolled_classes: [class_id],
    monthly_payment_amount: 89,
  })
}

test('moves a student who leaves to the former students, and back', async ({
  page,
  dojo,
  visit,
}) => {
  const { id } = await createKen(dojo)
  await signIn(page, dojo)
  await visit(`/students/${id}`)
  await openLeaveDialog(page)
  const dialog = leaveDialog(page)
  for (const text of [
    'Classes: Little Dragons',
    'Monthly fees, reminders and all other texts',
    'All history: attendance, belts, payments and texts. Find it under Former',
    'What to do with the $89.00 still owed',
  ])
    await expect(dialog.getByText(text)).toBeVisible()
  await dialog.getByRole('button', { name: 'Mark as Left' }).click()
  await expect(dialog.getByText('Reason is required')).toBeVisible()
  await expectAllAccessible(page)
  await dialog.getByLabel('Reason').selectOption('Moved away')
  await dialog.getByLabel('Note').fill('To Denver')
  await dialog.getByRole('radio', { name: 'Write it off' }).check({ force: true })
  await dialog.getByRole('button', { name: 'Mark as Left' }).click()

  await expect(justDone(page)).toContainText('Ken Adams is a former student now')
  await expect(page.getByText('Former student', { exact: true })).toBeVisible()
  await expect(page.getByText(/^Left .+ · Moved away · To Denver$/)).toBeVisible()
  await expect(page.getByText('Was in Little Dragons')).toBeVisible()
  await expect(button(page, 'Mark present')).toBeHidden()
  await expectAllAccessible(page)
  expect(await call(owingApi.list, {}, dojo.token)).toEqual([])

  await visit('/students')
  await expect(page.getByText('No students found')).toBeVisible()
  await chooseFilter(page, 'Status', 'Former')
  await expect(page).toHaveURL(/filter=former/)
  await expect(page.getByRole('link', { name: 'Ken Adams', exact: true })).toBeVisible()
  await expectAllAccessible(page)
  await button(page, 'Re-enroll Ken Adams').click()
  await expect(page.getByText(/^No one has left\./)).toBeVisible()
  await justDone(page).getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(/^Left .+ · Moved away$/)).toBeVisible()
  await button(page, 'Re-enroll Ken Adams').click()
  await expect(page.getByText(/^No one has left\./)).toBeVisible()
  const [ken] = await call(studentsApi.list, {}, dojo.token)
  expect(ken).toMatchObject({ id, left_on: null, enrolled_classes: [expect.any(String)] })
})

test('keeps what was typed when the dialog is closed by mistake', async ({ page, dojo, visit }) => {
  const { id } = await createKen(dojo)
  await signIn(page, dojo)
  await visit(`/students/${id}`)
  await openLeaveDialog(page)
  await leaveDialog(page).getByLabel('Note').fill('To Denver')
  await page.keyboard.press('Escape')
  await button(page, 'Keep editing').click()
  await expect(leaveDialog(page).getByLabel('Note')).toHaveValue('To Denver')
})

test('re-enrolls from the bar after Mark as Left in the list @long', async ({
  page,
  dojo,
  visit,
}) => {
  await createKen(dojo)
  await signIn(page, dojo)
  await visit('/students')
  await button(page, 'Edit Ken Adams').click()
  await page
    .getByRole('dialog', { name: 'Edit Student' })
    .getByRole('button', { name: 'Mark as Left' })
    .click()
  await leaveDialog(page).getByLabel('Reason').selectOption('Cost')
  await leaveDialog(page).getByRole('button', { name: 'Mark as Left' }).click()
  await expect(page.getByText('No students found')).toBeVisible()
  await justDone(page).getByRole('button', { name: 'Re-enroll' }).click()
  await expect(page.getByRole('link', { name: 'Ken Adams', exact: true })).toBeVisible()
  await expect(justDone(page)).toBeHidden()
})

test('finds a former student', async ({ page, dojo, visit }) => {
  const { id } = await createKen(dojo)
  const body = { left_on: '2026-01-31', reason: 'cost' as const }
  await call(studentsApi.leave, { params: { id }, body }, dojo.token)
  await signIn(page, dojo)
  await visit('/dashboard')
  await expect(page.getByRole('heading', { name: /^Welcome back/ })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('adams')
  const result = page.getByRole('group', { name: 'Former' }).getByRole('option')
  await expect(result).toContainText('Ken Adams')
  await expect(result).toContainText('Left Jan 31, 2026 · Cost')
  await page.getByRole('combobox').fill('quit')
  await page.getByRole('option', { name: 'Students who left' }).click()
  await expect(page).toHaveURL(/\/students\?filter=former/)
  await expect(page.getByRole('link', { name: 'Ken Adams', exact: true })).toBeVisible()
})

test('tells a guardian why the page is empty, and keeps the receipts', async ({
  page,
  dojo,
  visit,
}) => {
  const ken = await createKen(dojo)
  const { id } = ken
  const mother = await createGuardian(dojo, [ken], { pays: true, sees_fees: true })
  const payment = { student_id: id, amount: 89, method: 'cash' as const }
  const { act_id } = await call(ledgerApi.pay, { body: payment }, dojo.token)
  const receipt = await call(receiptsApi.issue, { body: { act_id } }, dojo.token)
  const body = { left_on: '2026-01-31', reason: 'schedule' as const }
  await call(studentsApi.leave, { params: { id }, body }, dojo.token)
  await signIn(page, mother)
  await visit('/dashboard')
  await expect(
    page.getByText('Ken Adams left on Jan 31, 2026. To come back, please ask your instructor.'),
  ).toBeVisible()
  await expect(button(page, 'Write to the school')).toBeVisible()
  await expectAllAccessible(page)
  await page.getByRole('link', { name: 'Receipts' }).click()
  await expect(page.getByRole('link', { name: receipt.number })).toBeVisible()
})
