import {
  cancellationText,
  cancelledWords,
  dateWords,
} from '@tatami/contract/calendar/class-date-words'
import type {
  AddedDate,
  CancelledDate,
  DatedClass,
  DateTarget,
  MovedDate,
  SubstituteForm,
} from '@tatami/contract/calendar/class-dates'
import type { ClassDate } from '@tatami/contract/calendar/timetable'
import { and, eq, getTableColumns, or, sql } from 'drizzle-orm'
import { auditAction } from '../../audit/audit.ts'
import type { Tx } from '../../db/database.ts'
import { todayOf } from '../../dojos/dojos.ts'
import type { Member } from '../../http/serve.ts'
import { invalid, Refusal } from '../../lib/refusal.ts'
import { classDates } from '../timetable/tables.ts'
import { classDateOn } from '../timetable/timetable.ts'
import { datedClassOn } from './dates.ts'
import { countMarks, putBackMarks, takeOutMarks } from './kept-marks.ts'
import { findConcerned, notifyOfDate } from './notices.ts'
import { giveFreePlaces, lockClass } from './places.ts'
import { placeRequests } from './tables.ts'

const { dojo_id: _, created_at: __, created_by: ___, ...columns } = getTableColumns(classDates)
type Change = Omit<typeof classDates.$inferSelect, 'dojo_id' | 'created_at' | 'created_by'>
type LockedDate = {
  date: ClassDate
  row: Change
  weekly: { start_time: string | null; end_time: string | null }
}

const NO_CLASS = 'This class does not meet on that day'
const IS_TAKEN = 'This class already meets on that day'
const HAS_MARKS =
  'Students are already marked on that day. Remove the marks first, or cancel the class.'

const isException = ({ class_id, day }: DateTarget) =>
  and(eq(classDates.class_id, class_id), eq(classDates.day, day))

/** The date with its exception, and the class locked. 404 for an unknown class, 422 if it does
 *  not meet on that day. */
async function lockDate(tx: Tx, { class_id, day }: DateTarget): Promise<LockedDate> {
  const { class_start_time, class_end_time } = await lockClass(tx, class_id)
  const date = await classDateOn(tx, class_id, day)
  if (!date) throw invalid('day', NO_CLASS)
  // After the weekly days have changed, an old exception may have the same day.
  const rows = await tx
    .select(columns)
    .from(classDates)
    .where(
      and(
        eq(classDates.class_id, class_id),
        or(eq(classDates.held_on, day), eq(classDates.day, day)),
      ),
    )
  const row = rows.find((candidate) => candidate.held_on === day) ?? rows[0]
  return {
    date,
    row: row ?? plainRow({ class_id, day }),
    weekly: { start_time: class_start_time, end_time: class_end_time },
  }
}

const plainRow = ({ class_id, day }: DateTarget): Change => ({
  ...{ class_id, day, held_on: day },
  ...{
    start_time: null,
    end_time: null,
    is_added: false,
    is_cancelled: false,
    reason: null,
    substitute: null,
  },
  kept_marks: [],
})

const isPlain = ({ day, held_on, start_time, is_added, is_cancelled, substitute }: Change) =>
  held_on === day && start_time === null && !is_added && !is_cancelled && substitute === null

async function saveException(
  tx: Tx,
  caller: Member,
  { class_id, day, ...set }: Change,
): Promise<void> {
  if (isPlain({ class_id, day, ...set }))
    await tx.delete(classDates).where(isException({ class_id, day }))
  else
    await tx
      .insert(classDates)
      .values({ class_id, day, ...set, created_by: caller.id })
      .onConflictDoUpdate({
        target: [classDates.dojo_id, classDates.class_id, classDates.day],
        set,
      })
}

function requireTakesPlace({ status, reason }: ClassDate): void {
  if (status === 'cancelled') throw new Refusal(409, 'This class is canceled on that day')
  if (status === 'moved') throw new Refusal(409, 'This class was moved to another day')
  if (status === 'holiday') throw new Refusal(409, `There is no class on that day: ${reason}`)
}

/** Its marks stop counting. A notice goes out unless a text does instead. */
export async function cancelDate(
  tx: Tx,
  caller: Member,
  { class_id, day, reason, gives_notice = true }: CancelledDate,
) {
  const { date, row } = await lockDate(tx, { class_id, day })
  if (date.status !== 'cancelled') requireTakesPlace(date)
  const kept_marks = [...row.kept_marks, ...(await takeOutMarks(tx, { class_id, day }))]
  await saveException(tx, caller, { ...row, is_cancelled: true, reason, kept_marks })
  const student_ids = await findConcerned(tx, date)
  if (gives_notice && date.status !== 'cancelled')
    await notifyOfDate(tx, caller.dojoId, date, student_ids, {
      title: 'Class canceled',
      words: (today) => cancelledWords(date, reason, today),
    })
  await auditAction(tx, caller, 'class date cancelled', {
    details: { class_name: date.class_name, day },
  })
  const text = cancellationText(date, reason, await todayOf(tx, caller.dojoId))
  return { date: await datedClassOn(tx, caller, class_id, day), text, student_ids }
}

export async function restoreDate(tx: Tx, caller: Member, target: DateTarget): Promise<void> {
  const { date, row } = await lockDate(tx, target)
  if (date.status !== 'cancelled') return
  await saveException(tx, caller, { ...row, is_cancelled: false, reason: null, kept_marks: [] })
  await putBackMarks(tx, target, row.kept_marks)
  await notifyOfDate(tx, caller.dojoId, date, await findConcerned(tx, date), {
    title: 'Class takes place',
    words: (today) => `${dateWords(date, today)} takes place after all.`,
  })
  await giveFreePlaces(tx, caller.dojoId, target)
  await auditAction(tx, caller, 'class date restored', {
    details: { class_name: date.class_name, day: target.day },
  })
}

/** On a holiday the class takes place then. 409 if it has a date on that day. */
export async function addDate(
  tx: Tx,
  caller: Member,
  { class_id, day, start_time, end_time }: AddedDate,
): Promise<DatedClass> {
  const { class_name } = await lockClass(tx, class_id)
  const existingDate = await classDateOn(tx, class_id, day)
  if (existingDate && existingDate.status !== 'holiday') throw new Refusal(409, IS_TAKEN)
  await saveException(tx, caller, {
    ...plainRow({ class_id, day }),
    is_added: true,
    start_time,
    end_time,
  })
  const addedDate = await datedClassOn(tx, caller, class_id, day)
  await notifyOfDate(tx, caller.dojoId, addedDate, await findConcerned(tx, addedDate), {
    title: 'Class added',
    words: (today) => `${dateWords(addedDate, today)}: this class has been added.`,
  })
  await auditAction(tx, caller, 'class date added', { details: { class_name, day } })
  return addedDate
}

export async function removeDate(
  tx: Tx,
  caller: Member,
  { class_id, day }: DateTarget,
): Promise<void> {
  const { class_name } = await lockClass(tx, class_id)
  if ((await countMarks(tx, { class_id, day })) > 0) throw new Refusal(409, HAS_MARKS)
  const removedRows = await tx
    .delete(classDates)
    .where(and(isException({ class_id, day }), eq(classDates.is_added, true)))
    .returning({ day: classDates.day })
  if (removedRows.length === 0) return
  await tx
    .delete(placeRequests)
    .where(and(eq(placeRequests.class_id, class_id), eq(placeRequests.day, day)))
  await auditAction(tx, caller, 'class date removed', { details: { class_name, day } })
}

/** 409 if the class has a date on that day, or somebody is marked. */
export async function moveDate(
  tx: Tx,
  caller: Member,
  { class_id, day, to_day, start_time, end_time }: MovedDate,
): Promise<DatedClass> {
  const { date, row, weekly } = await lockDate(tx, { class_id, day })
  requireTakesPlace(date)
  const isAsEveryWeek =
    !row.is_added && start_time === weekly.start_time && end_time === weekly.end_time
  const times =
    start_time && end_time
      ? { start_time, end_time }
      : { start_time: row.start_time, end_time: row.end_time }
  const movedRow = {
    ...row,
    held_on: to_day,
    ...(isAsEveryWeek && { start_time: null, end_time: null }),
    ...(!isAsEveryWeek && times),
  }
  if (
    movedRow.held_on === row.held_on &&
    movedRow.start_time === row.start_time &&
    movedRow.end_time === row.end_time
  )
    throw invalid('to_day', 'Choose another day or another time')
  await place(tx, caller, { from: row, to: row.is_added ? { ...movedRow, day: to_day } : movedRow })
  await giveFreePlaces(tx, caller.dojoId, { class_id, day: to_day })
  const newDate = await datedClassOn(tx, caller, class_id, to_day)
  await notifyOfDate(tx, caller.dojoId, newDate, await findConcerned(tx, newDate), {
    title: 'Class moved',
    words: (today) => `${dateWords(date, today)} was moved: ${dateWords(newDate, today)}.`,
  })
  await auditAction(tx, caller, 'class date moved', {
    details: { class_name: date.class_name, day, to_day },
  })
  return newDate
}

export async function moveBack(
  tx: Tx,
  caller: Member,
  { class_id, day }: DateTarget,
): Promise<void> {
  const { date, row } = await lockDate(tx, { class_id, day })
  if (date.origin !== 'moved') return
  requireTakesPlace(date)
  await place(tx, caller, {
    from: row,
    to: { ...row, held_on: row.day, start_time: null, end_time: null },
  })
  const back = await classDateOn(tx, class_id, row.day)
  if (back)
    await notifyOfDate(tx, caller.dojoId, back, await findConcerned(tx, back), {
      title: 'Class moved back',
      words: (today) => `${dateWords(date, today)} was moved back: ${dateWords(back, today)}.`,
    })
  await auditAction(tx, caller, 'class date moved back', {
    details: { class_name: date.class_name, day: row.day },
  })
}

/** Moves the places and the waitlist along. */
async function place(
  tx: Tx,
  caller: Member,
  { from, to }: { from: Change; to: Change },
): Promise<void> {
  const { class_id } = from
  if (to.held_on !== from.held_on) {
    if ((await countMarks(tx, { class_id, day: from.held_on })) > 0)
      throw new Refusal(409, HAS_MARKS)
    const existingDate = await classDateOn(tx, class_id, to.held_on)
    // The weekly day that it had left is still its own.
    if (existingDate && existingDate.status !== 'holiday' && to.held_on !== from.day)
      throw new Refusal(409, IS_TAKEN)
    await movePlaces(tx, class_id, from.held_on, to.held_on)
  }
  if (to.day !== from.day)
    await tx.delete(classDates).where(isException({ class_id, day: from.day }))
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

export async function setSubstitute(
  tx: Tx,
  caller: Member,
  { class_id, day, substitute }: SubstituteForm,
): Promise<DatedClass> {
  const { date, row } = await lockDate(tx, { class_id, day })
  if (date.status !== 'cancelled') requireTakesPlace(date)
  await saveException(tx, caller, { ...row, substitute: substitute ?? null })
  await auditAction(tx, caller, 'substitute set', {
    details: { class_name: date.class_name, day, is_set: Boolean(substitute) },
  })
  return datedClassOn(tx, caller, class_id, day)
}
