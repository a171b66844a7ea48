import { addMonthsToDay, lastDayOf, monthOfDate } from '@tatami/contract/lib/calendar-day'
import type { LeaveReason } from '@tatami/contract/students/leaving'
import type { ImportedPerson } from '@tatami/contract/import/rows'
import { normalizeText } from '@tatami/contract/import/values'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { pluck } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import type { PlannedStudent } from './plan.ts'

/** What the sheet says about a student who left. `quote` is the cell that says so, such as
 *  "Status: Canceled". */
export type Departure = { left_on: string | null; reason: string | null; quote: string }

/** Later patterns are more specific and win. */
const REASON_PATTERNS: [reason: LeaveReason, pattern: RegExp][] = [
  ['moved_away', /\b(moved?|moving|relocat\w*|transfer\w*)\b/],
  ['cost', /\b(cost|price|money|afford|financ\w*|expens\w*|fees?|paying|payment)\b/],
  ['schedule', /\b(schedul\w*|times?|busy|work|school|sports?|season)\b/],
  ['injury_or_health', /\b(injur\w*|health|medical|sick|ill|surgery|pregnan\w*|deceased|died)\b/],
  ['lost_interest', /\b(interest|bored|motivation)\b/],
  ['another_school', /\b(another|other|competitor|different) (school|dojo|gym|academy)\b/],
]

function findReason({ reason, quote }: Departure): LeaveReason {
  const text = normalizeText(`${reason ?? ''} ${quote}`)
  const match = REASON_PATTERNS.findLast(([, pattern]) => pattern.test(text))
  return match?.[0] ?? 'other'
}

/** How long ago students left if the sheet does not say when. */
const ASSUMED_MONTHS_AGO = 12
const MAX_NOTE_LENGTH = 200

type PersonWhoLeft = Pick<ImportedPerson, 'joined_on' | 'paid_through'>

/** Returns null if the last paid month is not over yet, because then it does not show when the
 *  student left. */
function findEndOfPaidMonths({ paid_through }: PersonWhoLeft, today: string): string | null {
  const lastDay = paid_through === null ? null : lastDayOf(monthOfDate(paid_through))
  return lastDay !== null && lastDay < today ? lastDay : null
}

export const isLeavingDayUnknown = (leftOn: string | null, person: PersonWhoLeft, today: string) =>
  leftOn === null && findEndOfPaidMonths(person, today) === null

/**
 * If the sheet has no day, we assume that the student left at the end of the last paid month, or
 * else a year ago, so that this month's figures stay right. Nobody leaves before the day they
 * joined.
 */
export function findLeavingDay(
  leftOn: string | null,
  person: PersonWhoLeft,
  today: string,
): string {
  if (leftOn !== null) return leftOn
  const day = findEndOfPaidMonths(person, today) ?? addMonthsToDay(today, -ASSUMED_MONTHS_AGO)
  return person.joined_on !== null && person.joined_on > day ? person.joined_on : day
}

function describeDay(leftOn: string | null, person: PersonWhoLeft, today: string): string[] {
  if (leftOn !== null) return []
  return isLeavingDayUnknown(leftOn, person, today)
    ? ['Day not known']
    : ['Day not known: end of the last paid month']
}

const buildNote = ({ left_on, reason, quote }: Departure, person: PersonWhoLeft, today: string) =>
  [...describeDay(left_on, person, today), quote, ...(reason ? [reason] : [])]
    .join('. ')
    .slice(0, MAX_NOTE_LENGTH)

/** A former student is in no class. `left_classes` keeps their classes in case they come back. */
function toDepartureRow({ id, person, departure, classes }: PlannedStudent, today: string) {
  if (departure === null) return null
  return {
    id,
    left_on: findLeavingDay(departure.left_on, person, today),
    left_reason: findReason(departure),
    left_note: buildNote(departure, person, today),
    left_classes: pluck(classes, 'id'),
  }
}

export async function markFormerStudents(
  tx: Tx,
  newStudents: readonly PlannedStudent[],
  today: string,
): Promise<void> {
  const rows = newStudents.flatMap((student) => toDepartureRow(student, today) ?? [])
  if (rows.length === 0) return
  await tx.execute(sql`
    update ${students} s set left_on = r.left_on, left_reason = r.left_reason,
      left_note = r.left_note, left_classes = r.left_classes,
      joined_on = coalesce(s.joined_on, r.left_on)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(id uuid, left_on date, left_reason text, left_note text, left_classes uuid[])
    where s.id = r.id`)
}
