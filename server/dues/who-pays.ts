import { firstDayOf, lastDayOf, type Month } from '@tatami/contract/lib/calendar-day'
import { todayIn } from '../dojos/calendar.ts'
import type { students } from '../students/tables.ts'

type Row = typeof students.$inferSelect
type Vacation = Pick<Row, 'on_vacation' | 'vacation_from' | 'vacation_until'>
export type Payer = Vacation &
  Pick<Row, 'is_trial' | 'awaits_approval' | 'created_at' | 'pays_since'>

/** Whether a vacation covers these days. Vacations of earlier releases have no first day. */
const isAwayFrom = (
  first: string,
  last: string,
  { on_vacation, vacation_from, vacation_until }: Vacation,
) =>
  (vacation_from === null ? on_vacation : vacation_from <= first) &&
  (vacation_until === null || vacation_until >= last)

export const isAwayAllOf = (month: Month, student: Vacation): boolean =>
  isAwayFrom(firstDayOf(month), lastDayOf(month), student)

const isPastTrial = ({ is_trial, awaits_approval }: Payer) => !is_trial && !awaits_approval

/**
 * Whether the schedule charges a student for a month when it ends: enrolled by then, approved, not on
 * trial, and not away for all its days since they enrolled or their trial ended.
 */
export function owesMonth(student: Payer, month: Month, timeZone: string): boolean {
  const last = lastDayOf(month)
  const enrolledOn = todayIn(timeZone, new Date(student.created_at))
  if (!isPastTrial(student) || enrolledOn > last) return false
  let first = firstDayOf(month)
  for (const day of [enrolledOn, student.pays_since])
    if (day !== null && day > first && day <= last) first = day
  return !isAwayFrom(first, last, student)
}

/** Whether a student is asked for the month in progress today, however long ago the schedule has turned vacations. */
export const paysToday = (student: Payer, today: string): boolean =>
  isPastTrial(student) && !isAwayFrom(today, today, student)
