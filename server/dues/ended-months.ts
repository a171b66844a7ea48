import { firstDayOf, type Month } from '@tatami/contract/lib/calendar-day'
import type { Tx } from '../db/database.ts'
import { dojoById } from '../dojos/dojos.ts'
import { owesMonth } from './who-pays.ts'
import type { StudentMonth } from '../ledger/charges.ts'
import type { LockedStudent } from '../ledger/ledger.ts'
import { openMonths } from '../ledger/tables.ts'

/**
 * Says of a student's month whether the schedule has asked for it, or would have, were it not paid then: it has ended since the dojo's ledger
 * began, and the student pays. What was charged for such a month stays when its payment is taken back, because nothing else would ask for it.
 */
export async function endedMonths(
  tx: Tx,
  dojoId: string,
  students: LockedStudent[],
): Promise<(of: StudentMonth) => boolean> {
  const [open] = await tx
    .select({ month: openMonths.month, since: openMonths.since })
    .from(openMonths)
  const { time_zone } = await dojoById(tx, dojoId)
  const byId = new Map(students.map((student) => [student.id, student]))
  const hasEnded = (month: Month) =>
    open !== undefined && open.since <= firstDayOf(month) && firstDayOf(month) < open.month
  return (of) => hasEnded(of) && owesMonth(byId.get(of.student_id)!, of, time_zone)
}
