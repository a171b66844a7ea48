import { monthKey, monthOfDate, nextMonth } from '@tatami/contract/lib/calendar-day'
import { refusalWithout, type Right } from '@tatami/contract/rights'
import {
  type Leaving,
  type LeavingImpact,
  LAST_DAY_IN_FUTURE,
} from '@tatami/contract/students/leaving'
import type { Student } from '@tatami/contract/students/students'
import { and, asc, eq, gte, inArray, isNull } from 'drizzle-orm'
import { endSessionsOfAccount } from '../accounts/sessions.ts'
import { auditAction } from '../audit/audit.ts'
import { giveAllFreePlaces } from '../calendar/dates/places.ts'
import { placeRequests } from '../calendar/dates/tables.ts'
import { excuses } from '../calendar/excuses/tables.ts'
import { classes } from '../classes/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { settleOnLeaving } from '../dues/leaving.ts'
import { siblingPricesWithout } from '../dues/prices/prices.ts'
import {
  findGuardiansWithoutOtherCurrentStudents,
  changeLoginToStudent,
  isGuardian,
  changeLoginToGuardian,
} from '../families/departures.ts'
import { findPlannedGradings, removeFromPlannedGradings } from '../gradings/candidates.ts'
import { lockStudent } from '../guardians/guardianships.ts'
import { loginInvitations } from '../guardians/tables.ts'
import type { DojoCaller } from '../http/serve.ts'
import { hasPin } from '../kiosk/pins.ts'
import { invalid, Refusal } from '../lib/refusal.ts'
import { pick, pluck } from '../lib/rows.ts'
import {
  describePlansOnLeaving,
  endPlansOnLeaving,
  keepPlansOnReturn,
} from '../memberships/memberships.ts'
import { endHoldsOnLeaving } from '../plans/vacation-holds.ts'
import { readAutopayOnLeaving } from '../online-payment/autopay/leaving.ts'
import { renewPhotoAddresses } from '../pictures/pictures.ts'
import { skipWaitingTexts } from '../texting/departure.ts'
import { addEnrollments } from './enrollments.ts'
import { keepSiblingPrices } from './sibling-prices.ts'
import { readStudentById } from './student-list.ts'
import { enrollments, students } from './tables.ts'
import { recordVacationUntil } from './vacations.ts'

type Caller = Pick<DojoCaller, 'id' | 'dojoId'> & Partial<Pick<DojoCaller, 'staff'>>

/** Makes a current student a former student. For a former student, changes only the last day, the
 *  reason and the note. */
export async function leaveSchool(
  tx: Tx,
  caller: Caller,
  id: string,
  leaving: Leaving,
): Promise<Student> {
  const today = await todayOf(tx, caller.dojoId)
  if (leaving.writes_off_debts && !hasRight(caller, 'money.give_back'))
    throw new Refusal(403, refusalWithout('money.give_back'))
  if (leaving.left_on > today) throw invalid('left_on', LAST_DAY_IN_FUTURE)
  // Calls that change candidates also lock belt tests before students.
  await removeFromPlannedGradings(tx, caller, id)
  const student = await lockStudent(tx, id)
  if (student.left_on === null) await makeFormerStudent(tx, caller, student, leaving, today)
  else await updateDeparture(tx, caller, student, leaving)
  await auditAction(tx, caller, 'student left', { subject_id: id })
  return readStudentById(tx, caller.dojoId, id)
}

const hasRight = ({ staff }: Caller, right: Right): boolean => !staff || staff.rights.has(right)

/** Callers who may not see the note do not change it. */
function updateDeparture(
  tx: Tx,
  caller: Caller,
  student: typeof students.$inferSelect,
  leaving: Leaving,
) {
  const columns = toDepartureColumns(student, leaving)
  const left_note = hasRight(caller, 'notes') ? columns.left_note : student.left_note
  return tx
    .update(students)
    .set({ ...columns, left_note })
    .where(eq(students.id, student.id))
}

const isInSameMonth = (day: string, otherDay: string) =>
  monthKey(monthOfDate(day)) === monthKey(monthOfDate(otherDay))

/** If the last day is the same as in the previous departure, this undoes the return in between. */
function toDepartureColumns(
  student: Pick<typeof students.$inferSelect, 'previously_left_on' | 'left_note'>,
  { left_on, reason: left_reason, note }: Leaving,
) {
  const undoesReturn = student.previously_left_on === left_on
  const left_note = note === undefined && undoesReturn ? student.left_note : (note ?? null)
  return { left_on, left_reason, left_note, ...(undoesReturn && NO_RETURN) }
}

const NO_RETURN = { returned_on: null, previously_left_on: null }
const NO_VACATION = { on_vacation: false, vacation_from: null, vacation_until: null }

async function makeFormerStudent(
  tx: Tx,
  caller: Caller,
  student: typeof students.$inferSelect,
  leaving: Leaving,
  today: string,
): Promise<void> {
  const { id } = student
  const { left_on, writes_off_debts } = leaving
  if (student.has_subscription) await endPlansOnLeaving(tx, caller, id, left_on)
  await settleOnLeaving(tx, caller, id, {
    chargesMonth: isInSameMonth(left_on, today),
    writesOff: writes_off_debts === true,
  })
  await removeFromCalendar(tx, id, left_on, today)
  const left_classes = await removeFromClasses(tx, id)
  await keepSiblingPrices(tx, caller.dojoId, [id], () =>
    tx
      .update(students)
      .set({ ...toDepartureColumns(student, leaving), ...NO_VACATION, left_classes })
      .where(eq(students.id, id)),
  )
  await giveAllFreePlaces(tx, caller.dojoId)
  await closeLogin(tx, id)
  await skipWaitingTexts(tx, id)
}

/** Ends vacations and holds on the last day, and deletes excuses and places from today on. */
async function removeFromCalendar(tx: Tx, id: string, lastDay: string, today: string) {
  await recordVacationUntil(tx, lastDay, eq(students.id, id))
  await endHoldsOnLeaving(tx, id, lastDay)
  await tx.delete(excuses).where(and(eq(excuses.student_id, id), gte(excuses.class_date, today)))
  await tx
    .delete(placeRequests)
    .where(and(eq(placeRequests.student_id, id), gte(placeRequests.day, today)))
}

/** Returns the ids of the classes that the student was in. */
async function removeFromClasses(tx: Tx, id: string): Promise<string[]> {
  const rows = await tx
    .delete(enrollments)
    .where(eq(enrollments.student_id, id))
    .returning({ class_id: enrollments.class_id })
  return pluck(rows, 'class_id')
}

/** Students who are also guardians can still log in and see their children. */
async function closeLogin(tx: Tx, id: string): Promise<void> {
  await tx
    .delete(loginInvitations)
    .where(and(eq(loginInvitations.student_id, id), isNull(loginInvitations.accepted_at)))
  await changeLoginToGuardian(tx, id)
  await renewPhotoAddresses(tx, [id])
  await endSessionsOfAccount(tx, id)
}

const NO_DEPARTURE = { left_on: null, left_reason: null, left_classes: [] }

/** Puts a former student back into their old classes, and restores their login. */
export async function returnToSchool(tx: Tx, caller: Caller, id: string): Promise<Student> {
  const { dojoId } = caller
  const { left_on, left_classes, has_subscription } = await lockStudent(tx, id)
  if (left_on === null) return readStudentById(tx, dojoId, id)
  const today = await todayOf(tx, dojoId)
  const returnDates = { returned_on: today, previously_left_on: left_on, pays_since: today }
  await tx
    .update(students)
    .set({ ...NO_DEPARTURE, ...returnDates })
    .where(eq(students.id, id))
  const remainingClasses = await findClasses(tx, left_classes)
  await addEnrollments(
    tx,
    remainingClasses.map((dojoClass) => ({ student_id: id, class_id: dojoClass.id })),
  )
  if (has_subscription) await keepPlansOnReturn(tx, caller, id)
  if (await changeLoginToStudent(tx, id)) await endSessionsOfAccount(tx, id)
  await auditAction(tx, caller, 'student returned', { subject_id: id })
  return readStudentById(tx, dojoId, id)
}

export const findClasses = (tx: Tx, ids: string[]): Promise<{ id: string; name: string }[]> =>
  tx
    .select({ id: classes.id, name: classes.class_name })
    .from(classes)
    .where(equalsAny(classes.id, ids))
    .orderBy(asc(classes.created_at), asc(classes.id))

export async function readLeavingImpact(
  tx: Tx,
  dojoId: string,
  id: string,
  chosenDay: string | undefined,
): Promise<LeavingImpact> {
  const { enrolled_classes, email } = await readStudentById(tx, dojoId, id)
  const today = await todayOf(tx, dojoId)
  const left_on = chosenDay ?? today
  if (left_on > today) throw invalid('left_on', LAST_DAY_IN_FUTURE)
  const { plans, debts } = await describePlansOnLeaving(tx, dojoId, id, left_on)
  const upcomingRequests = and(eq(placeRequests.student_id, id), gte(placeRequests.day, today))
  return {
    classes: await findClasses(tx, enrolled_classes),
    gradings: (await findPlannedGradings(tx, id)).map((grading) => pick(grading, 'id', 'name')),
    places: await tx.$count(placeRequests, upcomingRequests),
    has_pin: await hasPin(tx, id),
    log_in: await readLoginImpact(tx, id, email),
    guardians: await findGuardiansWithoutOtherCurrentStudents(tx, id),
    sibling_prices: await findSiblingPrices(tx, dojoId, id, today),
    ...{ plans, ...debts },
    autopay: await readAutopayOnLeaving(tx, id),
  }
}

async function readLoginImpact(
  tx: Tx,
  id: string,
  email: string | null,
): Promise<LeavingImpact['log_in']> {
  if (email === null) return 'none'
  return (await isGuardian(tx, id)) ? 'stays' : 'ends'
}

/** Compares prices of next month, because siblings keep their prices until this month ends. */
async function findSiblingPrices(
  tx: Tx,
  dojoId: string,
  id: string,
  today: string,
): Promise<LeavingImpact['sibling_prices']> {
  const month = nextMonth(monthOfDate(today))
  const { before, after } = await siblingPricesWithout(tx, dojoId, month, id)
  const siblingIds = pluck([...before, ...after], 'student_id').filter(
    (siblingId) => siblingId !== id,
  )
  const siblings = await tx
    .select({ ...pick(students, 'id', 'name'), fee: students.monthly_payment_amount })
    .from(students)
    .where(inArray(students.id, siblingIds))
    .orderBy(asc(students.name), asc(students.id))
  const findReducedPrice = (prices: typeof before, siblingId: string) =>
    prices.find(({ student_id }) => student_id === siblingId)?.amount
  const siblingPrices = siblings.map((sibling) => {
    const fullPrice = sibling.fee ?? 0
    return {
      ...pick(sibling, 'id', 'name'),
      before: findReducedPrice(before, sibling.id) ?? fullPrice,
      after: findReducedPrice(after, sibling.id) ?? fullPrice,
    }
  })
  return siblingPrices.filter((price) => price.before !== price.after)
}
