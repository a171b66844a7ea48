import { isCalendarDate } from '@tatami/contract/lib/fields'
import { type ClassEntry, classEntriesApi } from '@tatami/contract/plans/class-entries'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'

/** Short, because marks on this device and check-ins at the kiosk change the numbers. */
const POLL_MS = 15_000

/** Returns what remains of the plan or class pack of each student on a roll, by student id. Students
 *  without a limit are left out. */
export function useClassEntries(class_id: string, day: string): ReadonlyMap<string, ClassEntry> {
  const { data = [] } = useRetryingQuery(
    {
      ...endpointQuery(classEntriesApi.list, { query: { class_id, day } }),
      enabled: class_id !== '' && isCalendarDate(day),
    },
    { pollMs: (entries) => entries.length > 0 && POLL_MS },
  )
  return new Map(data.map((entry) => [entry.student_id, entry]))
}
