import {
  cancellationText,
  cancellationNotice,
  formatClassDate,
  formatDayAndTime,
} from '@tatami/contract/calendar/class-date-texts'
import type {
  AddedDate,
  CancelledDate,
  DatedClass,
  DateTarget,
  MovedDate,
  SubstituteForm,
} from '@tatami/contract/calendar/class-dates'
import type { ClassDate } from '@tatami/contract/calendar/timetable'
import { and, eq, or, sql } from 'drizzle-orm'
import { auditAction } from '../../audit/audit.ts'
import { recheckTrials } from '../../classes/recheck-trials.ts'
import type { Tx } from '../../db/database.ts'
import { todayOf } from '../../dojos/dojos.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { invalid, Refusal } from '../../lib/refusal.ts'
import { pick } from '../../lib/rows.ts'
import { classDates } from '../timetable/tables.ts'
import { findClassDate } from '../timetable/timetable.ts'
import { readClassDate } from './dates.ts'
import { findInstructorName } from '../../accounts/instructors.ts'
import { publishAccountChange } from '../../accounts/sessions.ts'
import { isOnStaff } from '../../accounts/staff-caller.ts'
import { countMarks, restoreMarks, removeMarks } from './kept-marks.ts'
import { findAffectedStudents, notifyOfDate } from './notices.ts'
import { giveFreePlaces, lockClass } from './places.ts'
import { bookings } from '../../trials/tables.ts'
import { placeRequests } from './tables.ts'

/** An exception is a date that differs from the weekly timetable: a row in `class_dates`. */

const exceptionColumns = {
  ...pick(classDates, 'class_id', 'day', 'held_on', 'start_time', 'end_time', 'is_added'),
  ...pick(classDates, 'is_cancelled', 'reason', 'substitute', 'substitute_id'),
  kept_marks: classDates.kept_marks,
}
type ExceptionRow = Omit<typeof classDates.$inferSelect, 'dojo_id' | 'created_at' | 'created_by'>
type LockedDate = {
  date: ClassDate
  exception: ExceptionRow
  weeklyTimes: { start_time: string | null; end_time: string | null }
}

const NOT_ON_STAFF = 'This person is not on the staff'
const ALREADY_MEETS = 'This class already meets on that day'
const HAS_MARKS_ERROR =
  'Students are already marked on that day. Remove the marks first, or cancel the class.'

const matchesException = ({ class_id, day }: DateTarget) =>
  and(eq(classDates.class_id, class_id), eq(classDates.day, day))

/** Throws 404 for an unknown class, and 422 if it does not meet on that day. */
async function lockDate(tx: Tx, { class_id, day }: DateTarget): Promise<LockedDate> {
  const { class_start_time, class_end_time } = await lockClass(tx, class_id)
  const date = await findClassDate(tx, class_id, day)
  if (!date) throw invalid('day', 'This class does not meet on that day')
  // If the weekly days of the class have changed, an older exception may have the same day.
  const exceptions = await tx
    .select(exceptionColumns)
    .from(classDates)
    .where(
      and(
        eq(classDates.class_id, class_id),
        or(eq(classDates.held_on, day), eq(classDates.day, day)),
      ),
    )
  const savedException = exceptions.find(({ held_on }) => held_on === day) ?? exceptions[0]
  return {
    date,
    exception: savedException ?? createUnchangedException({ class_id, day }),
    weeklyTimes: { start_time: class_start_time, end_time: class_end_time },
  }
}

const createUnchangedException = ({ class_id, day }: DateTarget): ExceptionRow => ({
  class_id,
  day,
  held_on: day,
  start_time: null,
  end_time: null,
  is_added: false,
  is_cancelled: false,
  reason: null,
  substitute: null,
  substitute_id: null,
  kept_marks: [],
})

const isUnchanged = ({
  day,
  held_on,
  start_time,
  is_added,
  is_cancelled,
  substitute,
}: ExceptionRow) =>
  held_on === day && start_time === null && !is_added && !is_cancelled && substitute === null

/** Deletes the exception if the date follows the weekly timetable again. */
async function saveException(tx: Tx, caller: DojoCaller, exception: ExceptionRow): Promise<void> {
  await recheckTrials(tx, exception.class_id)
  if (isUnchanged(exception)) await tx.delete(classDates).where(matchesException(exception))
  else
    await tx
      .insert(classDates)
      .values({ ...exception, created_by: caller.id })
      .onConflictDoUpdate({
        target: [classDates.dojo_id, classDates.class_id, classDates.day],
        set: exception,
      })
}

function requireScheduled({ status, reason }: ClassDate): void {
  if (status === 'cancelled') throw new Refusal(409, 'This class is canceled on that day')
  if (status === 'moved') throw new Refusal(409, 'This class was moved to another day')
  if (status === 'holiday') throw new Refusal(409, `There is no class on that day: ${reason}`)
}

/** Moves the marks of the date to the exception, so that they no longer count. `gives_notice` is
 *  false if the instructor is going to text the students. */
export async function cancelDate(
  tx: Tx,
  caller: DojoCaller,
  { class_id, day, reason, gives_notice = true }: CancelledDate,
) {
  const { date, exception } = await lockDate(tx, { class_id, day })
  if (date.status !== 'cancelled') requireScheduled(date)
  const kept_marks = [...exception.kept_marks, ...(await removeMarks(tx, { class_id, day }))]
  await saveException(tx, caller, { ...exception, is_cancelled: true, reason, kept_marks })
  const student_ids = await findAffectedStudents(tx, date)
  if (gives_notice && date.status !== 'cancelled')
    await notifyOfDate(tx, caller.dojoId, date, student_ids, {
      title: 'Class canceled',
      message: (today) => cancellationNotice(date, reason, today),
    })
  await auditAction(tx, caller, 'class date cancelled', {
    details: { class_name: date.class_name, day },
  })
  const text = cancellationText(date, reason, await todayOf(tx, caller.dojoId))
  return { date: await readClassDate(tx, caller, class_id, day), text, student_ids }
}

export async function restoreDate(tx: Tx, caller: DojoCaller, target: DateTarget): Promise<void> {
  const { date, exception } = await lockDate(tx, target)
  if (date.status !== 'cancelled') return
  await saveException(tx, caller, {
    ...exception,
    is_cancelled: false,
    reason: null,
    kept_marks: [],
  })
  await restoreMarks(tx, target, exception.kept_marks)
  await notifyOfDate(tx, caller.dojoId, date, await findAffectedStudents(tx, date), {
    title: 'Class back on',
    message: (today) => `${formatClassDate(date, today)} is back on.`,
  })
  await giveFreePlaces(tx, caller.dojoId, target)
  await auditAction(tx, caller, 'class date restored', {
    details: { class_name: date.class_name, day: target.day },
  })
}

/** The date may be on a holiday. Throws 409 if the class already meets on that day. */
export async function addDate(
  tx: Tx,
  caller: DojoCaller,
  { class_id, day, start_time, end_time }: AddedDate,
): Promise<DatedClass> {
  const { class_name } = await lockClass(tx, class_id)
  const existingDate = await findClassDate(tx, class_id, day)
  if (existingDate && existingDate.status !== 'holiday') throw new Refusal(409, ALREADY_MEETS)
  await saveException(tx, caller, {
    ...createUnchangedException({ class_id, day }),
    is_added: true,
    start_time,
    end_time,
  })
  const addedDate = await readClassDate(tx, caller, class_id, day)
  await notifyOfDate(tx, caller.dojoId, addedDate, await findAffectedStudents(tx, addedDate), {
    title: 'Class added',
    message: (today) => `New class: ${formatClassDate(addedDate, today)}.`,
  })
  await auditAction(tx, caller, 'class date added', { details: { class_name, day } })
  return addedDate
}

export async function removeDate(
  tx: Tx,
  caller: DojoCaller,
  { class_id, day }: DateTarget,
): Promise<void> {
  const { class_name } = await lockClass(tx, class_id)
  if ((await countMarks(tx, { class_id, day })) > 0) throw new Refusal(409, HAS_MARKS_ERROR)
  const removedRows = await tx
    .delete(classDates)
    .where(and(matchesException({ class_id, day }), eq(classDates.is_added, true)))
    .returning({ day: classDates.day })
  if (removedRows.length === 0) return
  await recheckTrials(tx, class_id)
  await tx
    .delete(placeRequests)
    .where(and(eq(placeRequests.class_id, class_id), eq(placeRequests.day, day)))
  await auditAction(tx, caller, 'class date removed', { details: { class_name, day } })
}

/** Throws 409 if the class already meets on that day, or if a student is marked. */
export async function moveDate(
  tx: Tx,
  caller: DojoCaller,
  { class_id, day, to_day, start_time, end_time }: MovedDate,
): Promise<DatedClass> {
  const { date, exception, weeklyTimes } = await lockDate(tx, { class_id, day })
  requireScheduled(date)
  const hasWeeklyTimes =
    !exception.is_added &&
    start_time === weeklyTimes.start_time &&
    end_time === weeklyTimes.end_time
  const newTimes = start_time && end_time ? { start_time, end_time } : {}
  const times = hasWeeklyTimes ? { start_time: null, end_time: null } : newTimes
  const movedException = { ...exception, held_on: to_day, ...times }
  if (
    movedException.held_on === exception.held_on &&
    movedException.start_time === exception.start_time &&
    movedException.end_time === exception.end_time
  )
    throw invalid('to_day', 'Choose another day or another time')
  // An added date has no weekly day, so `day` becomes the new day.
  const newException = exception.is_added ? { ...movedException, day: to_day } : movedException
  await moveException(tx, caller, { from: exception, to: newException })
  await giveFreePlaces(tx, caller.dojoId, { class_id, day: to_day })
  const newDate = await readClassDate(tx, caller, class_id, to_day)
  await notifyOfDate(tx, caller.dojoId, newDate, await findAffectedStudents(tx, newDate), {
    title: 'Class moved',
    message: (today) =>
      `${formatClassDate(date, today)} was moved. It is now ${formatDayAndTime(newDate, today)}.`,
  })
  await auditAction(tx, caller, 'class date moved', {
    details: { class_name: date.class_name, day, to_day },
  })
  return newDate
}

export async function moveDateBack(
  tx: Tx,
  caller: DojoCaller,
  { class_id, day }: DateTarget,
): Promise<void> {
  const { date, exception } = await lockDate(tx, { class_id, day })
  if (date.origin !== 'moved') return
  requireScheduled(date)
  await moveException(tx, caller, {
    from: exception,
    to: { ...exception, held_on: exception.day, start_time: null, end_time: null },
  })
  const restoredDate = await findClassDate(tx, class_id, exception.day)
  if (restoredDate) {
    const studentIds = await findAffectedStudents(tx, restoredDate)
    await notifyOfDate(tx, caller.dojoId, restoredDate, studentIds, {
      title: 'Class moved back',
      message: (today) =>
        `${formatClassDate(date, today)} was moved back. ` +
        `It is now ${formatDayAndTime(restoredDate, today)}.`,
    })
  }
  await auditAction(tx, caller, 'class date moved back', {
    details: { class_name: date.class_name, day: exception.day },
  })
}

async function moveException(
  tx: Tx,
  caller: DojoCaller,
  { from, to }: { from: ExceptionRow; to: ExceptionRow },
): Promise<void> {
  const { class_id } = from
  if (to.held_on !== from.held_on) {
    if ((await countMarks(tx, { class_id, day: from.held_on })) > 0)
      throw new Refusal(409, HAS_MARKS_ERROR)
    const existingDate = await findClassDate(tx, class_id, to.held_on)
    // A moved class can always be moved back to its weekly day.
    if (existingDate && existingDate.status !== 'holiday' && to.held_on !== from.day)
      throw new Refusal(409, ALREADY_MEETS)
    await movePlaces(tx, class_id, from.held_on, to.held_on)
    await moveTrials(tx, class_id, from.held_on, to.held_on)
  }
  if (to.day !== from.day)
    await tx.delete(classDates).where(matchesException({ class_id, day: from.day }))
  await saveException(tx, caller, to)
}

const movePlaces = (tx: Tx, class_id: string, fromDay: string, toDay: string) =>
  tx.execute(sql`
    with moved as (
      delete from ${placeRequests} p where p.class_id = ${class_id} and p.day = ${fromDay}
      returning p.*
    )
    insert into ${placeRequests}
      (day, class_id, student_id, created_at, given_at, awaits_text, created_by)
    select ${toDay}, class_id, student_id, created_at, given_at, awaits_text, created_by
    from moved on conflict do nothing`)

/** Does not move a trial if the visitor is already booked on the other day. */
const moveTrials = (tx: Tx, class_id: string, fromDay: string, toDay: string) =>
  tx.execute(sql`
    update ${bookings} b set class_date = ${toDay}
    where b.class_id = ${class_id} and b.class_date = ${fromDay}
      and b.state in ('paying', 'held', 'booked', 'waiting')
      and not exists (select from ${bookings} o where o.class_id = b.class_id
        and o.class_date = ${toDay} and o.lead_id = b.lead_id
        and lower(o.visitor_name) = lower(b.visitor_name)
        and o.state in ('paying', 'held', 'booked', 'came'))`)

export async function setSubstitute(
  tx: Tx,
  caller: DojoCaller,
  { class_id, day, ...form }: SubstituteForm,
): Promise<DatedClass> {
  const { date, exception } = await lockDate(tx, { class_id, day })
  if (date.status !== 'cancelled') requireScheduled(date)
  const { substitute, substitute_id } = await findSubstitute(tx, form)
  await saveException(tx, caller, { ...exception, substitute, substitute_id })
  for (const id of [exception.substitute_id, substitute_id])
    if (id) await publishAccountChange(tx, id)
  await auditAction(tx, caller, 'substitute set', {
    details: { class_name: date.class_name, day, is_set: substitute !== null },
  })
  return readClassDate(tx, caller, class_id, day)
}

/** Throws 422 for a person who is not on the staff. */
async function findSubstitute(
  tx: Tx,
  { substitute, substitute_id }: Pick<SubstituteForm, 'substitute' | 'substitute_id'>,
) {
  if (substitute_id === undefined) return { substitute: substitute ?? null, substitute_id: null }
  if (!(await isOnStaff(tx, substitute_id))) throw invalid('substitute_id', NOT_ON_STAFF)
  return { substitute: await findInstructorName(tx, substitute_id), substitute_id }
}
