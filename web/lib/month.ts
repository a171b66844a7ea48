import { firstDayOf, type Month, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { formatMonthOfDate, today } from './dates.ts'

export const thisMonth = (): Month => monthOfDate(today())

/** "March 2026" */
export const formatMonth = (month: Month) => formatMonthOfDate(firstDayOf(month))

/** From `first` to 2026 or the current year, whichever is later. */
export const lateFeeYears = (first: number) =>
  Array.from({ length: Math.max(2026, thisMonth().year) - first + 1 }, (_, step) => first + step)
