import { addDays } from '@tatami/contract/lib/calendar-day'
import { VACATION } from '@tatami/contract/memberships/holds'
import { isVacationOn } from '@tatami/contract/students/student-page'
import { and, asc, eq, gt, gte, isNull, lte, or, type SQL } from 'drizzle-orm'
import { newId } from '../db/columns.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { formatShortDay } from '../lib/format-day.ts'
import { Refusal } from '../lib/refusal.ts'
import { pick } from '../lib/rows.ts'
import { pastVacations, students } from '../students/tables.ts'
import { defaultHoldBilling } from './hold-billing.ts'
import { refuseOverlap } from './overlapping-holds.ts'
import { holds } from './tables.ts'

/** A student's vacation and the holds of all of the student's plans are the same time, stored twice:
 *  the specification's calls know the vacation of now or next, and plans are billed by holds. The
 *  functions below keep them in step. Students without plans have no holds. */

export type HoldRow = typeof holds.$inferSelect

const isForAllPlans = isNull(holds.subscription_id)
const isVacation = eq(holds.kind, VACATION)
const hasNotEnded = (today: string): SQL | undefined =>
  or(isNull(holds.ends_on), gte(holds.ends_on, today))

async function findCurrentOrNextHold(
  tx: Tx,
  studentId: string,
  today: string,
  condition?: SQL,
): Promise<HoldRow | undefined> {
  const [row] = await tx
    .select()
    .from(holds)
    .where(and(eq(holds.student_id, studentId), isForAllPlans, hasNotEnded(today), condition))
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

/**
 * Call it after a call of the specification changed the vacation of a student. Other days move only
 * a hold that is a vacation. Beside a hold of another kind, such as an injury, a vacation is a hold
 * of its own. 409 if they overlap. `isBack`: the student is in class again, so that any hold that
 * is on ends.
 */
export async function followVacation(
  tx: Tx,
  studentId: string,
  today: string,
  { isBack = false } = {},
): Promise<void> {
  const student = await findVacation(tx, studentId)
  const shownHold = await findCurrentOrNextHold(tx, studentId, today)
  if (!student || (!student.has_subscription && !shownHold)) return
  if (student.on_vacation || student.vacation_from !== null) {
    const oldHold = shownHold?.kind === VACATION ? shownHold : undefined
    const firstDay = student.vacation_from ?? oldHold?.starts_on ?? today
    const days = { starts_on: firstDay, ends_on: student.vacation_until }
    await saveVacationHold(tx, studentId, oldHold, days, today)
  } else if (shownHold) await endVacationHold(tx, shownHold, today, isBack)
  await showHoldsAsVacation(tx, [studentId], today)
}

/** Ends the vacation of now or next. Without one, it ends the hold that is on, as for a student who
 *  is back. A hold of another kind that is still to come stays. */
async function endVacationHold(
  tx: Tx,
  shownHold: HoldRow,
  today: string,
  isBack: boolean,
): Promise<void> {
  const { student_id, starts_on } = shownHold
  const heldNow = starts_on <= today ? shownHold : undefined
  const vacationHold = await findCurrentOrNextHold(tx, student_id, today, isVacation)
  const hold = isBack ? (heldNow ?? vacationHold) : (vacationHold ?? heldNow)
  if (!hold) throw noVacationRefusal(shownHold)
  await endOrDeleteHold(tx, hold, addDays(today, -1))
}

export const hasVacationHold = async (tx: Tx, studentId: string, today: string): Promise<boolean> =>
  (await findCurrentOrNextHold(tx, studentId, today, isVacation)) !== undefined

const noVacationRefusal = ({ kind, starts_on }: HoldRow) =>
  new Refusal(
    409,
    `There is no vacation, but a hold (${kind}) from ${formatShortDay(starts_on)}. ` +
      'Delete it on the Membership card.',
  )

async function saveVacationHold(
  tx: Tx,
  studentId: string,
  hold: HoldRow | undefined,
  days: Pick<HoldRow, 'starts_on' | 'ends_on'>,
  today: string,
): Promise<void> {
  const isAnother = days.starts_on > today && hold !== undefined && hold.starts_on < today
  if (hold && isAnother) await endOrDeleteHold(tx, hold, addDays(today, -1))
  const movedHold = isAnother ? undefined : hold
  const allPlans = { student_id: studentId, subscription_id: null }
  await refuseOverlap(tx, { ...allPlans, ...days }, movedHold?.id ?? null)
  if (movedHold) await tx.update(holds).set(days).where(eq(holds.id, movedHold.id))
  else await insertVacationHold(tx, studentId, days.starts_on, days.ends_on)
}

/** True if the student is on hold on exactly these days, so that a vacation changes nothing. */
export const hasHoldOn = async (
  tx: Tx,
  studentId: string,
  { starts_on, ends_on }: Pick<HoldRow, 'starts_on' | 'ends_on'>,
): Promise<boolean> => {
  const isOnDays = and(
    eq(holds.starts_on, starts_on),
    ends_on === null ? isNull(holds.ends_on) : eq(holds.ends_on, ends_on),
  )
  return (await tx.$count(holds, and(eq(holds.student_id, studentId), isForAllPlans, isOnDays))) > 0
}

/** The hold of another kind, such as an injury, that the vacation of a student shows. */
export async function findOtherHold(
  tx: Tx,
  studentId: string,
  today: string,
): Promise<HoldRow | null> {
  const hold = await findCurrentOrNextHold(tx, studentId, today)
  return hold && hold.kind !== VACATION ? hold : null
}

async function endOrDeleteHold(tx: Tx, { id, starts_on }: HoldRow, lastDay: string): Promise<void> {
  if (starts_on > lastDay) await tx.delete(holds).where(eq(holds.id, id))
  else await tx.update(holds).set({ ends_on: lastDay }).where(eq(holds.id, id))
}

/** A hold ends when the student leaves. */
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
