import { firstDayOf, lastDayOf, type Month } from '@tatami/contract/lib/calendar-day'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import { type Charge, firstAmount } from '../ledger/charges.ts'
import { type Line, type LockedStudent, standing } from '../ledger/ledger.ts'
import { openMonths } from '../ledger/tables.ts'
import { owesMonth } from './who-pays.ts'

/**
 * Finds the amount of a month's charge that stays when the month's payment is taken back. It was charged by that payment before the month
 * ended, and the schedule did not charge the month again, though the student was to pay it: without the amount nothing would ask for it.
 * What was charged after the end goes with its payment, because the schedule had found that nothing was due.
 */
export async function keptAmounts(
  tx: Tx,
  dojoId: string,
  students: LockedStudent[],
): Promise<(charge: Charge) => Line | undefined> {
  const [open] = await tx
    .select({ month: openMonths.month, since: openMonths.since })
    .from(openMonths)
  const { time_zone } = await dojoById(tx, dojoId)
  const studentsById = new Map(students.map((student) => [student.id, student]))
  const hasEnded = (month: Month) =>
    open !== undefined && open.since <= firstDayOf(month) && firstDayOf(month) < open.month
  return ({ kind, student_id, year, month, lines }) => {
    const student = studentsById.get(student_id)
    if (kind !== 'month' || year === null || month === null || !student) return undefined
    const amount = firstAmount(standing(lines))
    if (!amount || !hasEnded({ year, month }) || !owesMonth(student, { year, month }, time_zone))
      return undefined
    const chargedOn = todayIn(time_zone, new Date(amount.created_at))
    return chargedOn <= lastDayOf({ year, month }) ? amount : undefined
  }
}
