import { classDatesBetween, type ClassDate, hasBegun } from '@tatami/contract/calendar/timetable'
import { findEndMinutes, parseMinutes } from '@tatami/contract/classes/classes'
import { addDays } from '@tatami/contract/lib/calendar-day'
import {
  CLASS_TASK,
  type HoursEntry,
  SUGGESTED_DAYS,
  type SuggestedClass,
  type TaughtClassForm,
} from '@tatami/contract/staff/hours'
import { and, between, eq, gte, isNotNull } from 'drizzle-orm'
import { attendance } from '../../attendance/tables.ts'
import { readDojoTime, readTimetable } from '../../calendar/timetable/timetable.ts'
import type { Tx } from '../../db/database.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { invalid, notFound } from '../../lib/refusal.ts'
import { lockMember } from '../membership.ts'
import { readTimeZone } from './entries.ts'
import { readNewEntries } from './hours.ts'
import { insertHours, splitHours } from './insert-hours.ts'
import { clockTime } from './spans.ts'
import { declinedClasses, staffHours } from './tables.ts'

type ClassDay = { class_id: string; day: string }
const classDayKey = ({ class_id, day }: ClassDay) => `${class_id} ${day}`

/** Suggests recent classes that the person taught according to the roll or the timetable, and has
 *  not entered or declined. Newest first. */
export async function suggestClasses(
  tx: Tx,
  { id, dojoId }: Pick<DojoCaller, 'id' | 'dojoId'>,
): Promise<SuggestedClass[]> {
  const dojoTime = await readDojoTime(tx, dojoId)
  const firstDay = addDays(dojoTime.day, 1 - SUGGESTED_DAYS)
  const timetable = await readTimetable(tx, firstDay, dojoTime.day)
  const markedKeys = await findMarkedClasses(tx, id, firstDay, dojoTime.day)
  const answeredKeys = await findAnsweredClasses(tx, id, firstDay)
  return classDatesBetween(timetable, firstDay, dojoTime.day)
    .filter(
      (date) =>
        date.status === 'on' &&
        hasBegun(date, dojoTime) &&
        isTaughtBy(date, id, markedKeys) &&
        !answeredKeys.has(classDayKey(date)),
    )
    .map(toSuggestion)
    .toReversed()
}

/** A substitute taught the class. Without one, the person who took the roll did. */
const isTaughtBy = (date: ClassDate, id: string, markedKeys: ReadonlySet<string>): boolean =>
  date.substitute === null && date.substitute_id === null
    ? markedKeys.has(classDayKey(date))
    : date.substitute_id === id

async function findMarkedClasses(tx: Tx, id: string, firstDay: string, lastDay: string) {
  const rows = await tx
    .selectDistinct({ class_id: attendance.class_id, day: attendance.class_date })
    .from(attendance)
    .where(
      and(
        between(attendance.class_date, firstDay, lastDay),
        eq(attendance.marked_by, id),
        isNotNull(attendance.class_id),
      ),
    )
  return new Set(rows.map(({ class_id, day }) => classDayKey({ class_id: String(class_id), day })))
}

async function findAnsweredClasses(tx: Tx, id: string, firstDay: string) {
  const enteredRows = await tx
    .select({ class_id: staffHours.taught_class_id, day: staffHours.day })
    .from(staffHours)
    .where(and(eq(staffHours.person_id, id), gte(staffHours.day, firstDay)))
  const declinedRows = await tx
    .select({ class_id: declinedClasses.taught_class_id, day: declinedClasses.day })
    .from(declinedClasses)
    .where(eq(declinedClasses.person_id, id))
  return new Set(
    [...enteredRows, ...declinedRows].map(({ class_id, day }) =>
      classDayKey({ class_id: String(class_id), day }),
    ),
  )
}

function toSuggestion({ class_id, class_name, day, start_time, end_time }: ClassDate) {
  const [start, end] = [parseMinutes(start_time), parseMinutes(end_time)]
  const hasTimes = start !== null && findEndMinutes(start, end) !== null
  return {
    class_id,
    class_name,
    day,
    from: hasTimes ? clockTime(start) : null,
    until: hasTimes && end !== null ? clockTime(end) : null,
  }
}

async function findSuggestion(tx: Tx, caller: DojoCaller, classDay: ClassDay) {
  const suggestions = await suggestClasses(tx, caller)
  const suggestion = suggestions.find(
    (suggestedClass) => classDayKey(suggestedClass) === classDayKey(classDay),
  )
  if (!suggestion) throw notFound('Suggested class')
  return suggestion
}

/** Uses the times of the form, or else those of the class. Refuses a class that is not suggested
 *  with 404, for example because it was already entered. */
export async function addTaughtClass(
  tx: Tx,
  caller: DojoCaller,
  form: TaughtClassForm,
): Promise<{ entries: HoursEntry[] }> {
  await lockMember(tx, caller.id)
  const suggestion = await findSuggestion(tx, caller, form)
  const startTime = form.from ?? suggestion.from
  const endTime = form.until ?? suggestion.until
  if (startTime === null || endTime === null)
    throw invalid('until', 'This class has no times. Please enter the start and the end.')
  const timeZone = await readTimeZone(tx, caller.dojoId)
  const hours = {
    person_id: caller.id,
    task: CLASS_TASK,
    source: 'class',
    created_by: caller.id,
    taught_class_id: suggestion.class_id,
    class_name: suggestion.class_name,
  } as const
  const times = { day: suggestion.day, from: startTime, until: endTime, task: CLASS_TASK }
  const ids = await insertHours(tx, timeZone, hours, splitHours(times, timeZone))
  return readNewEntries(tx, timeZone, ids)
}

export async function declineClass(tx: Tx, caller: DojoCaller, classDay: ClassDay): Promise<void> {
  const { class_id, day } = await findSuggestion(tx, caller, classDay)
  await tx
    .insert(declinedClasses)
    .values({ person_id: caller.id, taught_class_id: class_id, day })
    .onConflictDoNothing()
}
