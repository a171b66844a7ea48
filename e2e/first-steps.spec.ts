import { attendanceApi } from '@tatami/contract/attendance/attendance'
import { kiosksApi } from '@tatami/contract/kiosk/kiosks'
import type { Page } from '@playwright/test'
import { addNamedClasses } from '../server/classes/classes.ts'
import { call } from './api.ts'
import type { Dojo } from './dojo.ts'
import { expect, expectAccessible, expectAllAccessible, signIn, test } from './harness.ts'

const checklist = (page: Page) => page.getByRole('region', { name: 'First steps' })
const step = (page: Page, title: string) =>
  checklist(page).getByRole('listitem').filter({ hasText: title })

async function markFirstRoll(dojo: Dojo) {
  const { id: class_id } = await dojo.createClass()
  const { id: student_id } = await dojo.createStudent({ enrolled_classes: [class_id] })
  const class_date = '2026-03-02T00:00:00.000Z'
  await call(
    attendanceApi.mark,
    { body: { student_id, class_id, class_date, present: true } },
    dojo.token,
  )
}

test('leads a new school from its first class to its first roll', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  await visit('/dashboard')
  await expect(checklist(page)).toContainText('0 of 7 done')
  const readTop = async (name: string) =>
    (await page.getByRole('region', { name }).boundingBox())?.y
  expect(await readTop('First steps')).toBeLessThan((await readTop('Today')) ?? 0)
  await expectAllAccessible(page)
  await checklist(page).getByRole('link', { name: 'Add classes' }).click()
  await expect(page.getByRole('dialog', { name: 'Add New Class' })).toBeVisible()

  await dojo.createClass()
  await visit('/dashboard')
  await expect(checklist(page)).toContainText('1 of 7 done')
  await expect(step(page, 'Add your classes')).toContainText('Done')
  await expect(checklist(page).getByRole('link', { name: 'Enroll one by one' })).toBeVisible()
  await checklist(page).getByRole('link', { name: 'Import a list' }).click()
  await expect(page).toHaveURL(/\/import-students$/)
})

test('skips a step that a school does not need, and brings it back', async ({
  page,
  dojo,
  visit,
}) => {
  await signIn(page, dojo)
  await visit('/dashboard')
  await step(page, 'Put a kiosk at the door').getByRole('button', { name: 'Not needed' }).click()
  await expect(checklist(page)).toContainText('0 of 6 done')
  await page.reload()
  await expect(checklist(page)).toContainText('0 of 6 done')
  await step(page, 'Put a kiosk at the door').getByRole('button', { name: 'Bring back' }).click()
  await expect(checklist(page)).toContainText('0 of 7 done')
  // The step that comes next can be skipped too, and the one after it takes its place.
  await checklist(page).getByRole('button', { name: 'Not needed: Add your classes' }).click()
  await expect(checklist(page).getByRole('heading', { level: 3 })).toHaveText(
    'Import your students',
  )
})

test('completes the invitation when its link is copied', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  await visit('/dashboard')
  await checklist(page).getByRole('button', { name: 'Share your invite link' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Invite students' })
  await expect(dialog.getByLabel('Invitation link')).toHaveValue(/\/join\//)
  await expect(dialog.getByAltText('QR code for the invitation link')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(step(page, 'Share your invite link')).toContainText('Done')
})

test('keeps the next step in view after the first roll, and when the list is folded', async ({
  page,
  dojo,
  visit,
}) => {
  await markFirstRoll(dojo)
  await signIn(page, dojo)
  await visit('/dashboard')
  await expect(checklist(page)).toContainText('3 of 7 done')
  await expect(step(page, 'Add your classes')).toBeVisible()
  await checklist(page).getByText('All steps').click()
  await page.reload()
  await expect(checklist(page).getByRole('link', { name: 'Choose belts' })).toBeVisible()
  await expect(checklist(page).getByRole('listitem').first()).toBeHidden()
  await expectAllAccessible(page)
})

test('leads to classes that an import added without times', async ({ page, dojo, visit }) => {
  await dojo.inDatabase((tx) =>
    addNamedClasses(tx, [{ id: crypto.randomUUID(), class_name: 'Little Tigers' }]),
  )
  await signIn(page, dojo)
  await visit('/dashboard')
  const today = page.getByRole('region', { name: 'Today' })
  await expect(today.getByRole('link', { name: 'Set the times of your classes' })).toBeVisible()
  await checklist(page).getByRole('link', { name: 'Set times' }).click()
  await expect(page.getByText('Time not specified')).toBeVisible()
})

test('says when everything is done, and disappears by the next visit', async ({
  page,
  dojo,
  visit,
}) => {
  await markFirstRoll(dojo)
  await call(kiosksApi.create, { body: { name: 'Front door' } }, dojo.token)
  await signIn(page, dojo)
  await visit('/dashboard')
  for (const title of ['Choose your belts', 'Set up texting', 'Share your invite link'])
    await checklist(page)
      .getByRole('button', { name: `Not needed: ${title}` })
      .click()
  await expect(checklist(page)).toContainText('You’re all set.')
  await visit('/dashboard')
  await expect(page.getByRole('region', { name: 'Quick Actions' })).toBeVisible()
  await expect(checklist(page)).toBeHidden()
})

test('keeps its place while the dashboard loads', async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  await visit('/dashboard')
  await expect(checklist(page)).toBeVisible()
  const loadedHeight = (await checklist(page).boundingBox())?.height ?? 0
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/dashboard/stats', async (route) => {
    await gate
    await route.continue()
  })
  await visit('/dashboard')
  const skeletons = page.getByRole('status').filter({ hasText: 'Loading dashboard...' })
  // The dashboard, its first column, and what is on top there.
  const loadingHeight = await skeletons.first().evaluate((dashboard) => {
    const column = dashboard.firstElementChild?.firstElementChild
    return column?.firstElementChild?.getBoundingClientRect().height ?? 0
  })
  release()
  await expect(checklist(page)).toBeVisible()
  expect(Math.abs(loadingHeight - loadedHeight)).toBeLessThan(40)
})

test('shows a step as done right after it was done on another screen', async ({
  page,
  dojo,
  visit,
}) => {
  await signIn(page, dojo)
  await visit('/dashboard')
  await checklist(page).getByRole('link', { name: 'Add classes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add New Class' })
  await dialog.getByLabel('Class name').fill('Kids Judo')
  await dialog.getByLabel('Description').fill('Ages 7 to 12')
  for (const checkbox of await dialog.getByRole('checkbox').all()) await checkbox.check()
  await dialog.getByLabel('Start time').selectOption('4:00 PM')
  await dialog.getByLabel('End time').selectOption('5:00 PM')
  await dialog.getByRole('button', { name: 'Create Class' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(checklist(page)).toContainText('1 of 7 done')
  await checklist(page).getByRole('link', { name: 'Take your first roll' }).click()
  await expect(page.getByRole('dialog', { name: 'Mark Attendance' })).toBeVisible()
})
