import { thisMonth } from '../lib/month.ts'
import type { EarlyProfile } from '../lib/prefetch.ts'
import { setTimeZone, today } from '../lib/dates.ts'
import { mayShowSetup } from './setup-place.ts'

export const MAX_AT_RISK_NAMES = 3

/** Literals, because the contract is loaded later. e2e/first-reads.spec.ts checks them. */
export function dashboardPrefetchPaths({
  is_instructor,
  is_guardian,
  time_zone,
}: EarlyProfile): string[] {
  if (!is_instructor) {
    // If this fails, the dashboard shows the error when it loads the file itself.
    if (!is_guardian) import('./student-dashboard.tsx').catch(() => {})
    return []
  }
  if (mayShowSetup()) import('./first-steps.tsx').catch(() => {})
  setTimeZone(time_zone)
  const { month, year } = thisMonth()
  return [
    '/dashboard/stats',
    '/student-birthdays',
    '/classes',
    `/attendance?class_date=${today()}`,
    `/class-dates?from=${today()}&until=${today()}`,
    '/gradings',
    `/payment-statistics?month=${month}&year=${year}`,
    `/slipping-away?limit=${MAX_AT_RISK_NAMES}`,
  ]
}
