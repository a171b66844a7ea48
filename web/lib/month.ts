import { firstDayOf, type Month, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { formatMonthOfDate, today } from './dates.ts'

export const thisMonth = (): Month => monthOfDate(today())

export const formatMonth = (month: Month) => formatMonthOfDate(firstDayOf(month))

/** From `firstYear` to at least 2026 (specification, section 5) or the current year. */
export function lateFeeYears(firstYear: number): number[] {
  const lastYear = Math.max(2026, thisMonth().year)
  return Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index)
}
