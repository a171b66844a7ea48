import { isVacationOn, VACATION_IS_OVER, type Vacation } from '@tatami/contract/student-page'
import { and, eq, lt, lte, not, type SQL, sql } from 'drizzle-orm'
import { auditAct } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { Member } from '../http/serve.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { students } from './tables.ts'

const NO_VACATION = { vacation_from: null, vacation_until: null }

/** Plans a student's vacation, or ends it at once where both days are null. 422 for one that is over already. */
export async function setVacation(tx: Tx, caller: Member, id: string, dates: Vacation) {
  const today = await todayOf(tx, caller.dojoId)
  if (dates.vacation_until !== null && dates.vacation_until < today)
    throw new Refusal(422, VACATION_IS_OVER, { errors: [{ field: 'vacation_until', message: VACATION_IS_OVER }] })
  const [changed] = await tx
    .update(students)
    .set({ ...dates, on_vacation: isVacationOn(today, dates) })
    .where(eq(students.id, id))
    .returning({ vacation_from: students.vacation_from, vacation_until: students.vacation_until, on_vacation: students.on_vacation })
  if (!changed) throw notFound('Student')
  await auditAct(tx, caller, 'vacation changed', { subject_id: id, details: { planned: dates.vacation_from !== null } })
  return changed
}

const begins = (today: string) => and(lte(students.vacation_from, today), not(sql`${students.on_vacation}`))
const isOver = (today: string) => lt(students.vacation_until, today)

/** A query for the overseer: the dojos where a vacation begins or is over on that day. */
export const dojosWithVacationTurns = (today: string): SQL =>
  sql`select dojo_id from ${students} where ${begins(today)} union all select dojo_id from ${students} where ${isOver(today)}`

/** Lets the dojo's planned vacations begin and end. One that was over before its student was asked about ends without having begun. */
export async function turnVacations(tx: Tx, _dojoId: string, today: string): Promise<void> {
  await tx
    .update(students)
    .set({ ...NO_VACATION, on_vacation: false })
    .where(isOver(today))
  await tx.update(students).set({ on_vacation: true }).where(begins(today))
}
