import type { Right } from '@tatami/contract/rights'
import { thisMonth } from '../lib/month.ts'
import type { EarlyProfile } from '../lib/prefetch.ts'
import { setTimeZone, today } from '../lib/dates.ts'
import { mayShowSetup } from './setup-place.ts'

export const MAX_AT_RISK_NAMES = 3

/** Lists the requests that the dashboard will make. The paths are written out, because the contract
 *  loads later. e2e/first-reads.spec.ts checks them. */
export function dashboardPrefetchPaths({ staff, is_guardian, time_zone }: EarlyProfile): string[] {
  if (!staff) {
    // If this fails, the dashboard tries again and shows the error.
    if (!is_guardian) import('./student-dashboard.tsx').catch(() => {})
    return []
  }
  if (mayShowSetup()) import('./first-steps.tsx').catch(() => {})
  setTimeZone(time_zone)
  const { month, year } = thisMonth()
  const paths: [path: string, right: Right | 'any'][] = [
    ['/dashboard/stats', 'any'],
    ['/student-birthdays', 'students.read'],
    ['/classes', 'any'],
    [`/attendance?class_date=${today()}`, 'roll'],
    [`/class-dates?from=${today()}&until=${today()}`, 'any'],
    ['/gradings', 'belts.grade'],
    [`/payment-statistics?month=${month}&year=${year}`, 'money.see'],
    [`/slipping-away?limit=${MAX_AT_RISK_NAMES}`, 'students.read'],
    ['/certificate-alerts', 'staff'],
  ]
  return paths
    .filter(([, right]) => right === 'any' || staff.rights.includes(right))
    .map(([path]) => path)
}
