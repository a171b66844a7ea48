import type { Month } from '@tatami/contract/lib/calendar-day'

const MONTH = /^(\d{4})-(\d{1,2})$/

/** The month that a line pays for ("2026-3" is April 2026), or null if it pays for another charge. */
export function monthOfLine(paysFor: string): Month | null {
  const [, year, month] = MONTH.exec(paysFor) ?? []
  return year && month ? { year: Number(year), month: Number(month) } : null
}
