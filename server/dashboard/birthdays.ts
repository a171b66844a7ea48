import { birthdaysIn } from '@tatami/contract/dashboard'
import type { Tx } from '../db/database.ts'
import { notifyInstructors } from '../notifications/notify.ts'
import { birthdays } from './dashboard.ts'

/** Tells the dojo's instructors whose birthday it is today, each by a notice of its own, which goes with the student. */
export async function tellBirthdays(tx: Tx, dojoId: string, today: string): Promise<void> {
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number)
  for (const { student_id, student_name } of birthdaysIn(year, month - 1, await birthdays(tx)).get(day) ?? [])
    await notifyInstructors(tx, dojoId, { title: 'A birthday today', message: student_name, student_id })
}
