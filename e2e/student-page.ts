import { WEEKDAYS } from '@tatami/contract/lib/calendar-day'
import type { Page } from '@playwright/test'
import { studentsApi } from '@tatami/contract/students/students'
import { call } from './api.ts'
import type { Dojo } from './dojo.ts'

export const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
/** The days of a class that takes place every day, so the test can run on any day. */
export const EVERY_DAY = { class_days: [...WEEKDAYS] }

/** Creates Ken in a class that takes place every day. */
export async function createKen(dojo: Dojo) {
  const { id } = await dojo.createClass({ class_name: 'Little Dragons', ...EVERY_DAY })
  const ken = await dojo.createStudent({
    name: 'Ken Adams',
    enrolled_classes: [id],
    belt_level: 'green',
  })
  return { ken, classId: id }
}
export const setNotes = (dojo: Dojo, id: string, body: object) =>
  call(studentsApi.setNotes, { params: { id }, body }, dojo.token)
