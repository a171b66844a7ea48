import { readinessApi } from '@tatami/contract/belts/readiness'
import { call } from './api.ts'
import { chooseClass, attendanceDialog } from './attendance-dialog.ts'
import type { Dojo } from './dojo.ts'
import { prepareLadder } from './gradings.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

/** Creates a class of white belts, who can get two stripes each. */
async function createClassOfWhiteBelts(dojo: Dojo, ...names: string[]) {
  await prepareLadder(dojo)
  const { id } = await dojo.createClass()
  for (const name of names)
    await dojo.createStudent({ name, belt_level: 'white', enrolled_classes: [id] })
  return id
}

const stripesOf = async (dojo: Dojo, name: string) =>
  (await call(readinessApi.ready, { query: {} }, dojo.token)).students.find(
    (student) => student.name === name,
  )?.rank.stripes

test('gives a stripe from the roll with two taps, and undoes it with one @both', async ({
  page,
  dojo,
  visit,
}) => {
  const classId = await createClassOfWhiteBelts(dojo, 'Ken Adams', 'Leo Diaz')
  await signIn(page, dojo)
  await visit(`/attendance?class=${classId}`)
  const dialog = attendanceDialog(page)
  await dialog.getByRole('button', { name: 'Stripes' }).click()
  await dialog.getByRole('button', { name: '+ Stripe for Ken Adams' }).click()
  await expect(
    dialog.getByRole('status').filter({ hasText: 'Ken Adams: White belt, 1 stripe' }),
  ).toBeVisible()
  expect(await stripesOf(dojo, 'Ken Adams')).toBe(1)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '+ Stripe for Leo Diaz' }).click()
  await dialog.getByRole('button', { name: 'Undo for Ken Adams' }).click()
  await expect(dialog.getByRole('button', { name: '+ Stripe for Ken Adams' })).toBeVisible()
  expect([await stripesOf(dojo, 'Ken Adams'), await stripesOf(dojo, 'Leo Diaz')]).toEqual([0, 1])
  await dialog.getByRole('button', { name: 'Back to the roll' }).click()
  await expect(dialog.getByRole('group', { name: 'Ken Adams' })).toBeVisible()
  // Leo's stripe can still be undone.
  await dialog.getByRole('button', { name: 'Stripes' }).click()
  await expect(dialog.getByRole('button', { name: 'Undo for Leo Diaz' })).toBeVisible()
})

test('offers no stripe to a belt that has all of them', async ({ page, dojo, visit }) => {
  const classId = await createClassOfWhiteBelts(dojo, 'Ken Adams')
  await signIn(page, dojo)
  await visit(`/attendance?class=${classId}`)
  const dialog = attendanceDialog(page)
  for (const stripes of ['1 stripe', '2 stripes']) {
    await dialog.getByRole('button', { name: 'Stripes' }).click()
    await dialog.getByRole('button', { name: '+ Stripe for Ken Adams' }).click()
    await expect(dialog.getByRole('status')).toHaveText(`Ken Adams: White belt, ${stripes}`)
    await page.reload()
    await expect(dialog.getByRole('group', { name: 'Ken Adams' })).toBeVisible()
  }
  await dialog.getByRole('button', { name: 'Stripes' }).click()
  await expect(dialog.getByText('Has all stripes')).toBeVisible()
  await expect(dialog.getByRole('button', { name: /Stripe for/ })).toHaveCount(0)
})

test('has no Stripes button if no belt has stripes, or on another day', async ({
  page,
  dojo,
  visit,
}) => {
  await dojo.createClass({ class_name: 'Open Mat' })
  await signIn(page, dojo)
  await visit('/attendance')
  await page.getByRole('button', { name: 'Mark Attendance' }).click()
  const dialog = attendanceDialog(page)
  const stripesButton = dialog.getByRole('button', { name: 'Stripes' })
  await chooseClass(page, 'Open Mat')
  await expect(stripesButton).toHaveCount(0)
  const classId = await createClassOfWhiteBelts(dojo, 'Ken Adams')
  await visit(`/attendance?class=${classId}`)
  await expect(stripesButton).toBeVisible()
  await dialog.getByLabel('Date').fill('2026-01-05')
  await expect(stripesButton).toHaveCount(0)
})
