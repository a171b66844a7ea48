import { addDays } from '@tatami/contract/lib/calendar-day'
import { VACATION } from '@tatami/contract/memberships/holds'
import { isVacationOn } from '@tatami/contract/students/student-page'
import { and, asc, eq, gt, gte, isNull, lte, or, type SQL } from 'drizzle-orm'
import { newId } from '../db/columns.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { pick } from '../lib/rows.ts'
import { pastVacations, students } from '../students/tables.ts'
import { defaultHoldBilling } from './hold-billing.ts'
import { holds } from './tables.ts'

/** A student's vacation and the holds of all of the student's plans are the same time, stored twice:
 *  the specification's calls know the vacation of now or next, and plans are billed by holds. The
 *  functions below keep them in step. Students without plans have no holds. */

export type HoldRow = typeof holds.$inferSelect

const isForAllPlans = isNull(holds.subscription_id)
const hasNotEnded = (today: string): SQL | undefined =>
  or(isNull(holds.ends_on), gte(holds.ends_on, today))

async function findCurrentOrNextHold(
  tx: Tx,
  studentId: string,
  today: string,
): Promise<HoldRow | undefined> {
  const [row] = await tx
    .select()
    .from(holds)
    .where(and(eq(holds.student_id, studentId), isForAllPlans, hasNotEnded(today)))
    .orderBy(asc(holds.starts_on), asc(holds.id))
    .limit(1)
  return row
}

const findVacation = async (tx: Tx, studentId: string) => {
  const [student] = await tx
    .select(pick(students, 'vacation_from', 'vacation_until', 'on_vacation', 'has_subscription'))
    .from(students)
    .where(eq(students.id, studentId))
  return student
}

/** Gives a vacation that was planned before the student had a plan its hold. */
export async function addHoldOfVacation(tx: Tx, studentId: string, today: string): Promise<void> {
  const student = await findVacation(tx, studentId)
  if (!student || (student.vacation_from === null && !student.on_vacation)) return
  if (await findCurrentOrNextHold(tx, studentId, today)) return
  const firstDay = student.vacation_from ?? today
  await insertVacationHold(tx, studentId, firstDay, student.vacation_until)
}

async function insertVacationHold(
  tx: Tx,
  studentId: string,
  firstDay: string,
  lastDay: string | null,
): Promise<void> {
  await tx.insert(holds).values({
    id: newId(),
    student_id: studentId,
    starts_on: firstDay,
    ends_on: lastDay,
    kind: VACATION,
    ...(await defaultHoldBilling(tx, studentId, firstDay)),
  })
}

/** Call it after the vacation of a student was changed by a call of the specification. */
export async function followVacation(tx: Tx, studentId: string, today: string): Promise<void> {
  const student = await findVacation(tx, studentId)
  const hold = await findCurrentOrNextHold(tx, studentId, today)
  if (!student || (!student.has_subscription && !hold)) return
  const hasVacation = student.on_vacation || student.vacation_from !== null
  const firstDay = student.vacation_from ?? hold?.starts_on ?? today
  const isAnother = firstDay > today && hold !== undefined && hold.starts_on < today
  if (hold && (!hasVacation || isAnother)) await endOrDeleteHold(tx, hold, addDays(today, -1))
  if (!hasVacation) return showHoldsAsVacation(tx, [studentId], today)
  if (hold && !isAnother)
    await tx
      .update(holds)
      .set({ starts_on: firstDay, ends_on: student.vacation_until })
      .where(eq(holds.id, hold.id))
  else await insertVacationHold(tx, studentId, firstDay, student.vacation_until)
}

async function endOrDeleteHold(tx: Tx, { id, starts_on }: HoldRow, lastDay: string): Promise<void> {
  if (starts_on > lastDay) await tx.delete(holds).where(eq(holds.id, id))
  else await tx.update(holds).set({ ends_on: lastDay }).where(eq(holds.id, id))
}

/** No hold goes on after a student has left. */
export async function endHoldsOnLeaving(tx: Tx, studentId: string, lastDay: string): Promise<void> {
  await tx.delete(holds).where(and(eq(holds.student_id, studentId), gt(holds.starts_on, lastDay)))
  await tx
    .update(holds)
    .set({ ends_on: lastDay })
    .where(
      and(
        eq(holds.student_id, studentId),
        lte(holds.starts_on, lastDay),
        or(isNull(holds.ends_on), gt(holds.ends_on, lastDay)),
      ),
    )
}

/** Call it after holds have changed: the vacation of a student becomes the hold of now or next. */
export async function showHoldsAsVacation(
  tx: Tx,
  studentIds: string[],
  today: string,
): Promise<void> {
  const rows = await tx
    .select()
    .from(holds)
    .where(and(equalsAny(holds.student_id, studentIds), isForAllPlans))
    .orderBy(asc(holds.starts_on), asc(holds.id))
  const holdsByStudent = Map.groupBy(rows, ({ student_id }) => student_id)
  for (const studentId of studentIds) {
    const studentHolds = holdsByStudent.get(studentId) ?? []
    await recordPastHolds(tx, studentId, studentHolds, today)
    await setVacationTo(
      tx,
      studentId,
      studentHolds.find(({ ends_on }) => ends_on === null || ends_on >= today),
      today,
    )
  }
}

function setVacationTo(tx: Tx, studentId: string, hold: HoldRow | undefined, today: string) {
  const dates = {
    vacation_from: hold?.starts_on ?? null,
    vacation_until: hold?.ends_on ?? null,
  }
  return tx
    .update(students)
    .set({ ...dates, on_vacation: isVacationOn(today, dates) })
    .where(eq(students.id, studentId))
}

/** Past vacations of students with holds are the holds that are over. */
async function recordPastHolds(
  tx: Tx,
  studentId: string,
  studentHolds: readonly HoldRow[],
  today: string,
): Promise<void> {
  const recordedRows = await tx
    .select(pick(pastVacations, 'id', 'vacation_from', 'vacation_until'))
    .from(pastVacations)
    .where(eq(pastVacations.student_id, studentId))
  const newRows = studentHolds.flatMap(({ starts_on, ends_on }) => {
    if (ends_on === null || ends_on >= today) return []
    const isRecorded = recordedRows.some(
      (row) => row.vacation_from <= ends_on && row.vacation_until >= starts_on,
    )
    return isRecorded
      ? []
      : [{ id: newId(), student_id: studentId, vacation_from: starts_on, vacation_until: ends_on }]
  })
  if (newRows.length > 0) await tx.insert(pastVacations).values(newRows)
}
