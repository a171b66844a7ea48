import { addDays, firstDayOf, lastDayOf, type Month } from '@tatami/contract/lib/calendar-day'
import { todayIn } from '../dojos/calendar.ts'
import type { students, VacationDays } from '../students/tables.ts'

type Row = typeof students.$inferSelect
type Vacation = Pick<Row, 'on_vacation' | 'vacation_from' | 'vacation_until'>
export type Vacations = Vacation & { past_vacations: VacationDays[] }
export type Payer = Vacations &
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

/** The student's vacations that are over, and the one that is planned or has begun. */
export function vacationsOf({
  on_vacation,
  vacation_from: from,
  vacation_until: until,
  past_vacations,
}: Vacations): VacationDays[] {
  const hasVacation = on_vacation || from !== null
  return hasVacation ? [...past_vacations, { from, until }] : past_vacations
}

/** The first day from `first` on that no vacation covers; null where one has no end. */
export function firstDayBack(first: string, vacations: readonly VacationDays[]): string | null {
  let day = first
  for (const { from, until } of vacations.toSorted(compareFirstDays)) {
    if ((from !== null && from > day) || (until !== null && until < day)) continue
    if (until === null) return null
    day = addDays(until, 1)
  }
  return day
}

const compareFirstDays = (a: VacationDays, b: VacationDays): number =>
  (a.from ?? '') < (b.from ?? '') ? -1 : 1

/** The first day of a month on which a student could pay: its first, or the day in it on which they enrolled or their trial ended. */
export function firstPayingDay(
  month: Month,
  { enrolled_on, pays_since }: { enrolled_on: string; pays_since: string | null },
): string {
  const last = lastDayOf(month)
  let first = firstDayOf(month)
  for (const day of [enrolled_on, pays_since])
    if (day !== null && day > first && day <= last) first = day
  return first
}

/**
 * Whether the schedule charges a student for a month when it ends: enrolled by then, approved, not on
 * trial, and not away for all its days since they enrolled or their trial ended, be it by several vacations.
 */
export function owesMonth(student: Payer, month: Month, timeZone: string): boolean {
  const last = lastDayOf(month)
  const enrolled_on = todayIn(timeZone, new Date(student.created_at))
  if (!isPastTrial(student) || enrolled_on > last) return false
  const first = firstPayingDay(month, { enrolled_on, pays_since: student.pays_since })
  const back = firstDayBack(first, vacationsOf(student))
  return back !== null && back <= last
}

/** Whether a student is asked for the month in progress today, however long ago the schedule has turned vacations. */
export const paysToday = (student: Payer, today: string): boolean =>
  isPastTrial(student) && !isAwayFrom(today, today, student)
