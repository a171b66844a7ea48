import { firstDayOf, type Month, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { formatMonthOfDate, today } from './dates.ts'

export const thisMonth = (): Month => monthOfDate(today())

export const formatMonth = (month: Month) => formatMonthOfDate(firstDayOf(month))

/** From `firstYear` to the current year, or to 2026 if that is later (specification, section 5). */
export function lateFeeYears(firstYear: number): number[] {
  const lastYear = Math.max(2026, thisMonth().year)
  return Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index)
}
