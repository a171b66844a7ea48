import { firstDayOf, type Month, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { formatMonthOfDate, today } from './dates.ts'

export const thisMonth = (): Month => monthOfDate(today())

/** "March 2026" */
export const formatMonth = (month: Month) => formatMonthOfDate(firstDayOf(month))

/** From `firstYear` to 2026 or the current year, whichever is later. */
export function lateFeeYears(firstYear: number): number[] {
  const lastYear = Math.max(2026, thisMonth().year)
  return Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index)
}
