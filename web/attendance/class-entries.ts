import { isCalendarDate } from '@tatami/contract/lib/fields'
import { type ClassEntry, classEntriesApi } from '@tatami/contract/plans/class-entries'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'

/** Marks and kiosk check-ins change these numbers during class. */
const POLL_MS = 15_000

/** Returns what is left of each student's plan or class pack, by student id. A student whose plan
 *  has no limit is not in the map. */
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
