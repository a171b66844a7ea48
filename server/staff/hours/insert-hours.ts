import {
  CLASS_TASK,
  type HoursForm,
  MAX_SHIFT_ERROR,
  MAX_SHIFT_MINUTES,
} from '@tatami/contract/staff/hours'
import { and, asc, eq, gt, lt, ne, type SQL, sql } from 'drizzle-orm'
import { newId } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import { todayIn } from '../../dojos/calendar.ts'
import { formatDay, formatTime } from '../../lib/format-day.ts'
import { invalid, Refusal } from '../../lib/refusal.ts'
import { firstRow, pluck } from '../../lib/rows.ts'
import type { HoursRow } from './entries.ts'
import { minutesOfDay, minutesOfSpan, type Span, toSpan, splitByDay, wallTime } from './spans.ts'
import { staffHours } from './tables.ts'

/** The columns that are the same in all parts of an entry. */
export type NewHours = Pick<HoursRow, 'person_id' | 'task' | 'source' | 'created_by'> &
  Partial<Pick<HoursRow, 'taught_class_id' | 'class_name' | 'approved_by' | 'approved_at'>>

export type DayPart = Pick<HoursRow, 'day' | 'starts_at' | 'ends_at' | 'minutes'>

/** Splits hours at midnight. Hours without times are not split. */
export function splitHours(
  { day, from, until, minutes = 0 }: HoursForm,
  timeZone: string,
): DayPart[] {
  refuseFutureDay(day, timeZone)
  if (from === undefined || until === undefined)
    return [{ day, minutes, starts_at: null, ends_at: null }]
  return splitSpan(toSpan({ day, from, until }, timeZone), timeZone)
}

function refuseFutureDay(day: string, timeZone: string): void {
  if (day > todayIn(timeZone)) throw invalid('day', 'The day must not be in the future')
}

export function splitSpan(span: Span, timeZone: string): DayPart[] {
  if (span.endsAt <= span.startsAt) throw invalid('until', 'The end must be after the start')
  if (minutesOfSpan(span) > MAX_SHIFT_MINUTES) throw invalid('until', MAX_SHIFT_ERROR)
  return splitByDay(span, timeZone).map(({ startsAt, endsAt, ...part }) => ({
    ...part,
    starts_at: startsAt.toISOString(),
    ends_at: endsAt.toISOString(),
  }))
}

/** Returns the ids of the new entries. The caller must lock the person's row in `staff_members`, so
 *  that nobody else enters hours for this person at the same time. */
export async function insertHours(
  tx: Tx,
  timeZone: string,
  hours: NewHours,
  parts: readonly DayPart[],
): Promise<string[]> {
  await refuseConflict(tx, timeZone, hours.person_id, parts)
  const [firstPart, ...laterParts] = parts
  if (!firstPart) return []
  const id = newId()
  await tx.insert(staffHours).values({ ...hours, ...firstPart, id })
  return [id, ...(await insertContinuations(tx, hours, laterParts))]
}

/** Inserts the parts after midnight. They do not count as another class. */
export async function insertContinuations(
  tx: Tx,
  hours: NewHours,
  parts: readonly DayPart[],
): Promise<string[]> {
  if (parts.length === 0) return []
  const continuation = { ...hours, taught_class_id: null, is_continuation: true }
  const rows = parts.map((part) => ({ ...continuation, ...part, id: newId() }))
  await tx.insert(staffHours).values(rows)
  return pluck(rows, 'id')
}

/** Refuses with 409 if the person has other hours at that time, or too many on that day. */
export async function refuseConflict(
  tx: Tx,
  timeZone: string,
  personId: string,
  parts: readonly DayPart[],
  changedId?: string,
): Promise<void> {
  const conflict = await findConflict(tx, timeZone, personId, parts, changedId)
  if (conflict !== null) throw new Refusal(409, conflict)
}

/** Returns why the hours cannot be entered, or null. Ignores the entry `changedId`. */
export async function findConflict(
  tx: Tx,
  timeZone: string,
  personId: string,
  parts: readonly DayPart[],
  changedId?: string,
): Promise<string | null> {
  const isOtherEntry = and(
    eq(staffHours.person_id, personId),
    changedId === undefined ? undefined : ne(staffHours.id, changedId),
  )
  for (const part of parts) {
    const overlap = await findOverlap(tx, part, isOtherEntry)
    if (overlap) return describeOverlap(overlap, timeZone)
    const otherMinutes = await sumMinutesOfDay(tx, part.day, isOtherEntry)
    if (otherMinutes + part.minutes > minutesOfDay(part.day, timeZone))
      return `${formatDay(part.day)} doesn’t have that many hours.`
  }
  return null
}

async function findOverlap(
  tx: Tx,
  { starts_at, ends_at }: DayPart,
  isOtherEntry: SQL | undefined,
): Promise<HoursRow | undefined> {
  if (starts_at === null || ends_at === null) return undefined
  const [overlap] = await tx
    .select()
    .from(staffHours)
    .where(and(isOtherEntry, lt(staffHours.starts_at, ends_at), gt(staffHours.ends_at, starts_at)))
    .orderBy(asc(staffHours.starts_at))
    .limit(1)
  return overlap
}

async function sumMinutesOfDay(
  tx: Tx,
  day: string,
  isOtherEntry: SQL | undefined,
): Promise<number> {
  const rows = await tx
    .select({ total: sql<number>`coalesce(sum(${staffHours.minutes}), 0)::int` })
    .from(staffHours)
    .where(and(isOtherEntry, eq(staffHours.day, day)))
  return firstRow(rows).total
}

function describeOverlap({ day, starts_at, ends_at, task }: HoursRow, timeZone: string): string {
  const [startTime, endTime] = [starts_at, ends_at].map((instant) =>
    instant === null ? '' : formatTime(wallTime(instant, timeZone)),
  )
  return `This overlaps hours on ${formatDay(day)}: ${task}, ${startTime} to ${endTime}.`
}

export const isClassTask = (task: string): boolean =>
  task.toLowerCase() === CLASS_TASK.toLowerCase()
