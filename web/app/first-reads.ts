import type { attendanceApi } from '@tatami/contract/attendance/attendance'
import type { classDatesApi } from '@tatami/contract/calendar/class-dates'
import type { Right } from '@tatami/contract/rights'
import type { classesApi } from '@tatami/contract/classes/classes'
import type { conversationsApi } from '@tatami/contract/texting/conversations'
import type { studentsApi } from '@tatami/contract/students/students'
import type { textingApi } from '@tatami/contract/texting/texting'
import { dashboardPrefetchPaths } from '../dashboard/prefetch.ts'
import { setTimeZone, today } from '../lib/dates.ts'
import type { PageName } from '../lib/paths.ts'
import type { EarlyProfile } from '../lib/prefetch.ts'

type ReadPath =
  | typeof classesApi.list.path
  | typeof studentsApi.list.path
  | `${typeof attendanceApi.list.path}?limit=50`
  | `${typeof classDatesApi.list.path}?from=${string}&until=${string}`
  | (typeof textingApi)['status' | 'usage']['path']
  | `${typeof textingApi.batches.path}?limit=10`
  | `${typeof conversationsApi.conversations.path}?limit=30`

const forStaff =
  (right: Right, listPaths: () => ReadPath[]) =>
  ({ staff, time_zone }: EarlyProfile): string[] => {
    if (!staff?.rights.includes(right)) return []
    setTimeZone(time_zone)
    return listPaths()
  }

/** The first requests of each page. They start before the page's code has loaded
 *  (lib/prefetch.ts). */
export const FIRST_READS: Partial<Record<PageName, (profile: EarlyProfile) => string[]>> = {
  dashboard: dashboardPrefetchPaths,
  students: forStaff('students.read', () => ['/students', '/classes']),
  attendance: forStaff('roll', () => [
    '/classes',
    `/class-dates?from=${today()}&until=${today()}`,
    '/attendance?limit=50',
  ]),
  classCenter: forStaff('schedule', () => ['/classes']),
  messageCenter: forStaff('texts.send', () => [
    '/sms/status',
    '/daily-message-usage',
    '/sms/batches?limit=10',
  ]),
  conversations: forStaff('texts.read', () => ['/sms/conversations?limit=30']),
}
