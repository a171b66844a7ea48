import { firstDayOf, lastDayOf } from '@tatami/contract/lib/calendar-day'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import { type Charge, firstAmount } from '../ledger/charges.ts'
import { effectiveLines, type Line, type LockedStudent, openMonthOf } from '../ledger/ledger.ts'
import { isChargedForMonth } from './who-pays.ts'

/**
 * If a payment charges a month before its end, the schedule does not charge it again, so undoing
 * the payment keeps the charge. One made after the month is not kept, because nothing was due.
 * What plans charged for a month that is over is kept in any case.
 */
export async function findKeptAmounts(
  tx: Tx,
  dojoId: string,
  students: LockedStudent[],
): Promise<(charge: Charge) => Line[]> {
  const openMonth = await openMonthOf(tx)
  const { time_zone } = await dojoById(tx, dojoId)
  const studentById = new Map(students.map((student) => [student.id, student]))
  return ({ kind, student_id, year, month, lines }) => {
    const student = studentById.get(student_id)
    if (kind !== 'month' || year === null || month === null || !student) return []
    const firstDay = firstDayOf({ year, month })
    const isPastScheduledMonth = openMonth.since <= firstDay && firstDay < openMonth.month
    if (!isPastScheduledMonth) return []
    const amounts = effectiveLines(lines)
    const planAmounts = amounts.filter(({ follows_plan }) => follows_plan)
    const amount = firstAmount(amounts)
    if (!amount || !isChargedForMonth(student, { year, month })) return planAmounts
    const chargedOn = todayIn(time_zone, new Date(amount.created_at))
    return chargedOn <= lastDayOf({ year, month }) ? [amount, ...planAmounts] : planAmounts
  }
}
