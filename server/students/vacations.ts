import { addDays } from '@tatami/contract/lib/calendar-day'
import {
  isVacationOn,
  VACATION_IS_OVER,
  type Vacation,
} from '@tatami/contract/students/student-page'
import type { Student } from '@tatami/contract/students/students'
import { and, eq, lt, lte, not, type SQL, sql } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { giveAllFreePlaces } from '../calendar/dates/places.ts'
import { inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { requireCurrent, requireStudent } from '../guardians/guardianships.ts'
import type { DojoCaller } from '../http/serve.ts'
import { Refusal } from '../lib/refusal.ts'
import { followVacationOf } from '../memberships/memberships.ts'
import {
  findOtherHold,
  hasHoldOn,
  hasVacationHold,
  showHoldsAsVacation,
} from '../plans/vacation-holds.ts'
import { firstRow, pick, pluck } from '../lib/rows.ts'
import { enrolledOn, pastVacations, students } from './tables.ts'

const NO_VACATION = { vacation_from: null, vacation_until: null }

/** Plans, changes or cancels a vacation. Throws 422 if its last day is before today. */
export async function setVacation(tx: Tx, caller: DojoCaller, id: string, vacation: Vacation) {
  const today = await todayOf(tx, caller.dojoId)
  if (vacation.vacation_until !== null && vacation.vacation_until < today)
    throw new Refusal(422, VACATION_IS_OVER, {
      errors: [{ field: 'vacation_until', message: VACATION_IS_OVER }],
    })
  requireCurrent(await requireStudent(tx, id))
  const { vacation_from: firstDay, vacation_until: lastDay } = vacation
  if (firstDay !== null && (await hasHoldOn(tx, id, { starts_on: firstDay, ends_on: lastDay })))
    return readVacation(tx, id)
  const isBesideHold =
    (await findOtherHold(tx, id, today)) !== null &&
    (firstDay !== null || (await hasVacationHold(tx, id, today)))
  if (!isBesideHold && (firstDay === null || firstDay > today))
    await recordVacationUntil(tx, addDays(today, -1), eq(students.id, id))
  await tx
    .update(students)
    .set({ ...vacation, on_vacation: isVacationOn(today, vacation) })
    .where(eq(students.id, id))
  await followVacationOf(tx, caller, id, today)
  await giveAllFreePlaces(tx, caller.dojoId)
  await auditAction(tx, caller, 'vacation changed', {
    subject_id: id,
    details: { planned: vacation.vacation_from !== null },
  })
  return readVacation(tx, id)
}

const readVacation = async (tx: Tx, id: string) =>
  firstRow(
    await tx
      .select(pick(students, 'vacation_from', 'vacation_until', 'on_vacation'))
      .from(students)
      .where(eq(students.id, id)),
  )

/** For a student whose vacation is switched on or off without days. One that starts keeps its
 *  planned last day, but ends before the next hold of another kind begins. */
export async function toVacationColumns(
  tx: Tx,
  { id, on_vacation: wasOnVacation }: Pick<Student, 'id' | 'on_vacation'>,
  startsNow: boolean | undefined,
  today: string,
): Promise<Partial<Vacation>> {
  if (startsNow === undefined || startsNow === wasOnVacation) return {}
  if (!startsNow) return NO_VACATION
  const otherHold = await findOtherHold(tx, id, today)
  return {
    vacation_from: today,
    ...(otherHold && { vacation_until: addDays(otherHold.starts_on, -1) }),
  }
}

/** Copies vacations to the history, up to `lastDay`. If the first day of a vacation is unknown, it
 *  is the day of enrollment. */
export async function recordVacationUntil(tx: Tx, lastDay: string, condition: SQL): Promise<void> {
  const firstDay = sql`coalesce(${students.vacation_from}, ${enrolledOn})`
  const endedVacations = await tx
    .select({
      student_id: students.id,
      vacation_from: sql<string>`${firstDay}::text`,
      vacation_until: sql<string>`least(${students.vacation_until}, ${lastDay}::date)::text`,
    })
    .from(students)
    .where(
      and(
        condition,
        sql`(${students.on_vacation} or ${students.vacation_from} is not null)`,
        sql`${firstDay} <= ${lastDay}::date`,
      ),
    )
  if (endedVacations.length > 0)
    await inChunks(endedVacations, (chunk) => tx.insert(pastVacations).values(chunk))
}

const shouldBegin = (today: string) =>
  and(lte(students.vacation_from, today), not(sql`${students.on_vacation}`))
const isOver = (today: string) => lt(students.vacation_until, today)

export const findDojosWithVacationChanges = (today: string): SQL =>
  sql`select dojo_id from ${students} where ${shouldBegin(today)}
      union all select dojo_id from ${students} where ${isOver(today)}`

/** Begins and ends vacations. A vacation that began and ended while the server was down is only
 *  copied to the history. */
export async function updateVacations(tx: Tx, _dojoId: string, today: string): Promise<void> {
  await recordVacationUntil(tx, addDays(today, -1), isOver(today))
  const endedVacations = await tx
    .update(students)
    .set({ ...NO_VACATION, on_vacation: false })
    .where(isOver(today))
    .returning({ id: students.id })
  // A later hold of the student's plans becomes the next vacation.
  await showHoldsAsVacation(tx, pluck(endedVacations, 'id'), today)
  await tx.update(students).set({ on_vacation: true }).where(shouldBegin(today))
}
