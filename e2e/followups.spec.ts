import type { Page } from '@playwright/test'
import { attendanceApi } from '@tatami/contract/attendance/attendance'
import { followupsApi } from '@tatami/contract/followups/followups'
import { DEFAULT_STEPS } from '@tatami/contract/followups/steps'
import { call } from './api.ts'
import { dayAhead } from './days.ts'
import type { Dojo } from './dojo.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

const turnOn = (dojo: Dojo) =>
  call(followupsApi.changePlan, { body: { is_on: true, steps: [...DEFAULT_STEPS] } }, dojo.token)

/** A student who is in class today for the first time. */
async function createNewStudent(dojo: Dojo) {
  const { id: class_id } = await dojo.createClass()
  const student = await dojo.createStudent({ name: 'Mia Chen', enrolled_classes: [class_id] })
  await call(
    attendanceApi.mark,
    { body: { student_id: student.id, class_id, class_date: dayAhead(0), present: true } },
    dojo.token,
  )
  return { ...student, class_id }
}

const today = (page: Page) => page.getByRole('region', { name: 'Today' })

test('the plan is set up and turned on', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  await visit('/school')
  await page.getByRole('link', { name: /^First 90 days/ }).click()
  await expect(page.getByText('The plan is off.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Set up and turn on' }).click()
  const dialog = page.getByRole('dialog', { name: 'First 90 days' })
  await dialog.getByLabel('What to do').first().fill('Introduce them to a partner')
  await dialog.getByRole('button', { name: 'Remove step 6' }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  const steps = page.getByRole('list', { name: 'Steps' })
  await expect(steps.getByRole('listitem')).toHaveCount(5)
  await expect(steps).toContainText('Introduce them to a partner')
  await expect(page.getByText('No student is in the first 90 days yet')).toBeVisible()
  await expectAccessible(page)
})

test('a step is done on Today with one tap, and undone', async ({ page, dojo, visit }) => {
  await turnOn(dojo)
  await createNewStudent(dojo)
  await signIn(page, dojo)
  await visit('/dashboard')
  const steps = today(page).getByRole('list', { name: 'To do for new students' })
  await expect(steps).toContainText('Day 1 of 90')
  await expectAccessible(page)
  await steps.getByRole('button', { name: 'Done Mia Chen: Look after them' }).click()
  await expect(steps).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(steps.getByRole('listitem')).toHaveCount(1)
  await steps.getByRole('button', { name: 'Skip Mia Chen: Look after them' }).click()
  await expect(steps).toHaveCount(0)
})

test('the roll and the page of a student say that they are new', async ({ page, dojo, visit }) => {
  await turnOn(dojo)
  const { id, class_id } = await createNewStudent(dojo)
  await signIn(page, dojo)
  await visit(`/attendance?class=${class_id}&date=${dayAhead(0)}`)
  await expect(page.getByRole('main').getByText('1st week')).toBeVisible()
  await expectAccessible(page)
  await visit(`/students/${id}`)
  await expect(page.getByRole('main').getByText('Day 1 of 90').first()).toBeVisible()
  const panel = page.getByRole('region', { name: 'First 90 days' })
  await panel.getByRole('button', { name: 'Done Look after them' }).click()
  await expect(panel.getByRole('button', { name: 'Undo Look after them' })).toBeVisible()
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Skip the other steps' }).click()
  await expect(panel.getByText(/^Skipped,.* Stopped$/)).toHaveCount(5)
  await expect(page.getByText('Day 1 of 90')).toHaveCount(0)
})
