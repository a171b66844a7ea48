import { addMonths, dayFrom, daysInMonth, type Month, monthOfDate } from '../lib/calendar-day.ts'

/** The day of a month on which autopay pays. In a shorter month, the 31st is the last day. */
export const debitDayIn = (month: Month, dayOfMonth: number): string =>
  dayFrom(month, Math.min(dayOfMonth, daysInMonth(month)))

/** The latest debit day up to a day, which may be that day itself. */
export function lastDebitDay(dayOfMonth: number, day: string): string {
  const debitDay = debitDayIn(monthOfDate(day), dayOfMonth)
  return debitDay <= day ? debitDay : debitDayIn(addMonths(monthOfDate(day), -1), dayOfMonth)
}

/** The first debit day from a day on, which may be that day itself. */
export function nextDebitDay(dayOfMonth: number, day: string): string {
  const debitDay = debitDayIn(monthOfDate(day), dayOfMonth)
  return debitDay >= day ? debitDay : debitDayIn(addMonths(monthOfDate(day), 1), dayOfMonth)
}
