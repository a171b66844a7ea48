import type { Page } from '@playwright/test'
import { owingApi } from '@tatami/contract/dues/owing'
import { studentsApi } from '@tatami/contract/students/students'
import { call } from './api.ts'
import type { Dojo } from './dojo.ts'
import { createGuardian } from './families.ts'
import { expect, expectAllAccessible, signIn, test } from './harness.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const leaveDialog = (page: Page) => page.getByRole('dialog', { name: 'Ken Adams leaves' })

async function openLeaveDialog(page: Page) {
  await button(page, 'Edit').click()
  const editDialog = page.getByRole('dialog', { name: 'Edit Student' })
  await editDialog.getByRole('button', { name: 'Mark as Left' }).click()
  await expect(leaveDialog(page)).toBeVisible()
}

async function createKen(dojo: Dojo) {
  const { id: class_id } = await dojo.createClass({ class_name: 'Little Dragons' })
  return dojo.createStudent({
    name: 'Ken Adams',
    enrolled_classes: [class_id],
    monthly_payment_amount: 89,
  })
}

test('moves a student who left to the former students, and back', async ({ page, dojo, visit }) => {
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

  await expect(page.getByText('Former student', { exact: true })).toBeVisible()
  await expect(page.getByText(/^Left .+ · Moved away · To Denver$/)).toBeVisible()
  await expect(page.getByText('Was in Little Dragons')).toBeVisible()
  await expect(button(page, 'Mark present')).toBeHidden()
  await expectAllAccessible(page)
  expect(await call(owingApi.list, {}, dojo.token)).toEqual([])

  await visit('/students')
  await expect(page.getByText('No students found')).toBeVisible()
  await page.getByRole('radio', { name: 'Former' }).check({ force: true })
  await expect(page).toHaveURL(/filter=former/)
  await expect(page.getByRole('link', { name: 'Ken Adams' })).toBeVisible()
  await expectAllAccessible(page)
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

test('tells a guardian why the page is empty', async ({ page, dojo, visit }) => {
  const ken = await createKen(dojo)
  const mother = await createGuardian(dojo, [ken])
  const { id } = ken
  const body = { left_on: '2026-01-31', reason: 'schedule' as const }
  await call(studentsApi.leave, { params: { id }, body }, dojo.token)
  await signIn(page, mother)
  await visit('/dashboard')
  await expect(
    page.getByText('Ken Adams left on Jan 31, 2026. To come back, please ask your instructor.'),
  ).toBeVisible()
  await expectAllAccessible(page)
})
