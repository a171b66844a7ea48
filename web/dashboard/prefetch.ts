import type { attendanceApi } from '@tatami/contract/attendance/attendance'
import type { classDatesApi } from '@tatami/contract/calendar/class-dates'
import type { classesApi } from '@tatami/contract/classes/classes'
import type { dashboardApi } from '@tatami/contract/dashboard/dashboard'
import type { paymentsApi } from '@tatami/contract/dues/payments'
import type { slippingAwayApi } from '@tatami/contract/slipping-away/slipping-away'
import { thisMonth } from '../lib/month.ts'
import type { EarlyProfile } from '../lib/prefetch.ts'
import { setTimeZone, today } from '../lib/dates.ts'

export const SLIPPING_NAMES = 3

type Path =
  | (typeof dashboardApi)['stats' | 'birthdays']['path']
  | typeof classesApi.list.path
  | `${typeof attendanceApi.list.path}?class_date=${string}`
  | `${typeof classDatesApi.list.path}?from=${string}&until=${string}`
  | `${typeof slippingAwayApi.list.path}?limit=${number}`
  | `${typeof paymentsApi.statistics.path}?month=${number}&year=${number}`

/** Written out because the contract is loaded later; e2e/first-reads.spec.ts compares them. */
export function dashboardPrefetchPaths({
  is_instructor,
  is_guardian,
  time_zone,
}: EarlyProfile): Path[] {
  if (!is_instructor) {
    if (!is_guardian) import('./student-dashboard.tsx').catch(() => {})
    return []
  }
  setTimeZone(time_zone)
  const { month, year } = thisMonth()
  return [
    '/dashboard/stats',
    '/student-birthdays',
    '/classes',
    `/attendance?class_date=${today()}`,
    `/class-dates?from=${today()}&until=${today()}`,
    `/payment-statistics?month=${month}&year=${year}`,
    `/slipping-away?limit=${SLIPPING_NAMES}`,
  ]
}
