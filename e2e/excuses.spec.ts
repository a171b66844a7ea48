import { WEEKDAYS } from '@tatami/contract/lib/calendar-day'
import { excusesApi } from '@tatami/contract/calendar/excuses'
import { call } from './api.ts'
import { attendanceDialog, expectNoMark, tapMark } from './attendance-dialog.ts'
import type { Dojo } from './dojo.ts'
import { expect, expectAccessible, signIn, test } from './harness.ts'

/** Creates a class that takes place every day, so the next date is today or tomorrow. */
const createDailyClass = (dojo: Dojo) =>
  dojo.createClass({
    class_days: [...WEEKDAYS],
    class_start_time: '6:00 AM',
    class_end_time: '10:00 PM',
  })
const readExcuses = (dojo: Dojo) => call(excusesApi.list, { query: {} }, dojo.token)

test('a student is excused, the roll shows it, and a mark overrides it', async ({
  page,
  dojo,
  visit,
}) => {
  const { id } = await createDailyClass(dojo)
  const ken = await dojo.createStudent({ enrolled_classes: [id] })
  await dojo.createStudent({ name: 'Mia Chen', enrolled_classes: [id] })
  await signIn(page, await dojo.createSession(ken))
  await visit('/dashboard')
  const nextClass = page.getByRole('region', { name: 'Next Class' })
  await expect(nextClass).toContainText('Little Dragons')
  await nextClass.getByRole('button', { name: 'Can’t come' }).click()
  await expect(nextClass.getByText('Excused')).toBeVisible()
  await expectAccessible(page)
  const [excuse] = await readExcuses(dojo)
  expect(excuse).toMatchObject({ student_name: 'Ken Adams', source: 'student' })
  await signIn(page, dojo)
  await visit(`/attendance?class=${id}&date=${excuse!.class_date}`)
  const dialog = attendanceDialog(page)
  await expect(dialog.getByText('Excused by the student')).toBeVisible()
  await dialog.getByRole('button', { name: 'All present' }).click()
  await expect(dialog.getByText('1 of 1 marked, 1 present, 1 excused')).toBeVisible()
  await expectNoMark(page, 'Ken Adams', 'Present')
  await expectAccessible(page)
  await tapMark(page, 'Ken Adams', 'Present')
  await expect(dialog.getByText('2 of 2 marked, 2 present')).toBeVisible()
  await expect(dialog.getByText('Excused by the student')).toBeHidden()
})

test(
  'keeps all rows of the roll in place when a student is marked absent',
  { tag: '@both' },
  async ({ page, dojo, visit }) => {
    const { id } = await createDailyClass(dojo)
    for (const name of ['Alexandra Featherstone', 'Ken Adams', 'Zoe Ito'])
      await dojo.createStudent({ name, enrolled_classes: [id] })
    await signIn(page, dojo)
    await visit(`/attendance?class=${id}&date=2026-03-02`)
    const lastRow = attendanceDialog(page).getByRole('group', { name: 'Zoe Ito' })
    const { y } = (await lastRow.boundingBox())!
    for (const name of ['Alexandra Featherstone', 'Ken Adams']) {
      await tapMark(page, name, 'Absent')
      await expect(
        attendanceDialog(page).getByRole('button', { name: `Excuse: ${name}`, exact: true }),
      ).toBeVisible()
    }
    expect((await lastRow.boundingBox())!.y).toBe(y)
  },
)

test(
  'a student who can come after all is expected again',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const { id } = await createDailyClass(dojo)
    const ken = await dojo.createStudent({ enrolled_classes: [id] })
    await signIn(page, await dojo.createSession(ken))
    await visit('/dashboard')
    const nextClass = page.getByRole('region', { name: 'Next Class' })
    await nextClass.getByRole('button', { name: 'Can’t come' }).click()
    await nextClass.getByRole('button', { name: 'Can come after all' }).click()
    await expect(nextClass.getByRole('button', { name: 'Can’t come' })).toBeVisible()
    expect(await readExcuses(dojo)).toEqual([])
  },
)

test(
  'an instructor excuses a student and undoes it; today’s classes count the excuse',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    const { id } = await createDailyClass(dojo)
    await dojo.createStudent({ enrolled_classes: [id] })
    await signIn(page, dojo)
    await visit(`/attendance?class=${id}`)
    await tapMark(page, 'Ken Adams', 'Absent')
    await attendanceDialog(page).getByRole('button', { name: 'Excuse: Ken Adams' }).click()
    await expect(attendanceDialog(page).getByText('Excused by Aiko Tanaka')).toBeVisible()
    await expect(
      attendanceDialog(page).getByText('1 of 1 marked, 0 present, 1 excused'),
    ).toBeVisible()
    await visit('/dashboard')
    await expect(page.getByRole('region', { name: 'Today' })).toContainText('1 excused')
    await visit(`/attendance?class=${id}`)
    await attendanceDialog(page).getByRole('button', { name: 'Undo: Ken Adams' }).click()
    await expect(attendanceDialog(page).getByText('Excused by Aiko Tanaka')).toBeHidden()
    expect(await readExcuses(dojo)).toEqual([])
  },
)

test(
  'tells a student without classes that an instructor assigns them',
  { tag: '@long' },
  async ({ page, dojo, visit }) => {
    await signIn(page, await dojo.createSession(await dojo.createStudent()))
    await visit('/dashboard')
    await expect(
      page.getByText('No class in the next two weeks. Your instructor assigns your classes.'),
    ).toBeVisible()
  },
)
