import { birthdaysIn } from '@tatami/contract/dashboard'
import type { Tx } from '../kernel/database.ts'
import { notifyInstructors } from '../notifications/notify.ts'
import { birthdays } from './dashboard.ts'

/** Tells the dojo's instructors whose birthday it is today; on a day without any they hear nothing. */
export async function tellBirthdays(tx: Tx, dojoId: string, today: string): Promise<void> {
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number)
  const names = (birthdaysIn(year, month - 1, await birthdays(tx)).get(day) ?? []).map(({ student_name }) => student_name)
  if (names.length === 0) return
  await notifyInstructors(tx, dojoId, {
    title: names.length === 1 ? 'A birthday today' : `${names.length} birthdays today`,
    message: names.join(', '),
  })
}
