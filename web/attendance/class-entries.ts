import { isCalendarDate } from '@tatami/contract/lib/fields'
import { type ClassEntry, classEntriesApi } from '@tatami/contract/plans/class-entries'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'

/** Marks on this device and at the kiosk change the numbers. */
const POLL_MS = 15_000

/** For each student of a roll who has a plan with a limit or a class pack, what is left of it. */
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
