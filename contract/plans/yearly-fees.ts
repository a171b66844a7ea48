import { addDays, dayFrom, yearOf } from '../lib/calendar-day.ts'

/** The days from `firstDay` to `lastDay` on which a yearly fee falls due: the 1st of its month, but
 *  not so soon after the sign-up. `month` is zero-based. */
export function yearlyFeeDays(
  { starts_on, month, gap_days }: { starts_on: string; month: number; gap_days: number },
  firstDay: string,
  lastDay: string,
): string[] {
  const firstDue = addDays(starts_on, gap_days)
  const days: string[] = []
  for (let year = yearOf(firstDay); year <= yearOf(lastDay); year += 1) {
    const day = dayFrom({ month, year }, 1)
    if (day >= firstDay && day <= lastDay && day > firstDue) days.push(day)
  }
  return days
}
