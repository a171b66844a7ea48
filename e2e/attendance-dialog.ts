import type { Page, Route } from '@playwright/test'
import { attendanceApi } from '@tatami/contract/attendance/attendance'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { call } from './api.ts'
import type { Dojo } from './dojo.ts'
import { expect } from './harness.ts'

export const attendanceDialog = (page: Page) =>
  page.getByRole('dialog', { name: 'Mark Attendance' })
export const openAttendanceDialog = (page: Page) =>
  page.getByRole('button', { name: 'Mark Attendance' }).click()
export const chooseClass = (page: Page, className: string) =>
  attendanceDialog(page).getByLabel('Class').selectOption({ label: className })
export const studentGroup = (page: Page, student: string) =>
  attendanceDialog(page).getByRole('group', { name: student })
type MarkName = 'Present' | 'Absent'
const markButton = (page: Page, student: string, mark: MarkName) =>
  studentGroup(page, student).getByRole('button', { name: mark })
export const tapMark = (page: Page, student: string, mark: MarkName) =>
  markButton(page, student, mark).click()
export const expectMark = (page: Page, student: string, mark: MarkName) =>
  expect(markButton(page, student, mark)).toHaveAttribute('aria-pressed', 'true')
export const expectNoMark = (page: Page, student: string, mark: MarkName) =>
  expect(markButton(page, student, mark)).toHaveAttribute('aria-pressed', 'false')
/** The attendance records with this text: rows of a table on a desktop, cards on a phone. */
export const attendanceRecords = (page: Page, text: string) =>
  page.getByRole('row').or(page.getByRole('listitem')).filter({ hasText: text })
export const readSavedMarks = async (dojo: Dojo) =>
  (await call(attendanceApi.list, { query: {} }, dojo.token))
    .map(({ student_name, present }) => `${student_name} ${present}`)
    .toSorted()

/** Creates a class with these students. `mark` marks one of them, by default the first. */
export async function createClassWith(dojo: Dojo, ...names: string[]) {
  const { id } = await dojo.createClass()
  const students = await Promise.all(
    names.map((name) =>
      dojo.createStudent({ name, class_preferences: [id], enrolled_classes: [id] }),
    ),
  )
  const mark = (day: string, { present = true, student = students[0] } = {}) => {
    const student_id = mustExist(student, 'The first student').id
    const class_date = `${day}T00:00:00.000Z`
    return call(
      attendanceApi.mark,
      { body: { student_id, class_id: id, class_date, present } },
      dojo.token,
    )
  }
  return { id, students, mark }
}

/** Handles the calls that mark one or several students. */
export const routeMarks = (page: Page, handle: (route: Route) => Promise<void>) =>
  page.route(/\/api\/attendance(\/roll)?$/, (route) =>
    route.request().method() === 'GET' ? route.fallback() : handle(route),
  )
