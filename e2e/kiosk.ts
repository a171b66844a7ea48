import { WEEKDAYS } from '@tatami/contract/lib/calendar-day'
import { attendanceApi } from '@tatami/contract/attendance/attendance'
import { kiosksApi } from '@tatami/contract/kiosk/kiosks'
import type { Page } from '@playwright/test'
import { call } from './api.ts'
import { type Dojo, uniqueEmail } from './dojo.ts'

export const TABLET = { width: 820, height: 1180 }

/** A class that lasts until midnight, because students cannot check in after a class ends. */
export const ALL_DAY = {
  class_days: [...WEEKDAYS],
  class_start_time: '6:00 AM',
  class_end_time: '12:00 AM',
}

/** Creates a class that takes place every day, with these students. */
export async function createKioskClass(dojo: Dojo, names: readonly string[]) {
  const { id } = await dojo.createClass({ class_name: 'Kids Karate', ...ALL_DAY })
  const students = []
  for (const name of names)
    students.push(
      await dojo.createStudent({
        name,
        email: uniqueEmail('kid'),
        belt_level: 'yellow',
        enrolled_classes: [id],
      }),
    )
  return { classId: id, students }
}

/** Makes the browser a kiosk of the dojo, on a tablet. */
export async function openKiosk(page: Page, dojo: Dojo) {
  await page.setViewportSize(TABLET)
  await setUpKiosk(page, dojo)
}

export async function setUpKiosk(page: Page, dojo: Dojo) {
  const { token } = await call(kiosksApi.create, { body: { name: 'Front door' } }, dojo.token)
  await page.goto('/consent-form')
  await page.evaluate((value) => localStorage.setItem('kiosk-token', value), token)
  await page.goto('/kiosk')
}

export const typeName = (page: Page, text: string) =>
  page.getByLabel('Type the first letters of your name').fill(text)
export const tapDigits = async (page: Page, digits: string) => {
  for (const digit of digits) await page.getByRole('button', { name: digit, exact: true }).click()
}
export const enterPin = async (page: Page, digits: string) => {
  await tapDigits(page, digits)
  await page.getByRole('button', { name: 'OK' }).click()
}
/** Types a code as a barcode scanner does, which the tablet treats as a keyboard. */
export const scanCode = async (page: Page, code: string) => {
  await page.keyboard.type(code, { delay: 1 })
  await page.keyboard.press('Enter')
}
export const readPresentNames = async (dojo: Dojo, class_id: string) =>
  (await call(attendanceApi.list, { query: { class_id } }, dojo.token))
    .filter(({ present }) => present)
    .map((row) => row.student_name)
