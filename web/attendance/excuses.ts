import type { classDatesApi } from '@tatami/contract/calendar/class-dates'
import { type Excuse, excusesApi } from '@tatami/contract/calendar/excuses'
import { useEndpointMutation, endpointQuery, queryClient } from '../lib/query.ts'

/** A parent may write while the class comes in. */
const POLL_MS = 15_000

/** The excuses of a roll, polled while it is open. */
export const rollExcusesQuery = (class_id: string, class_date: string) => ({
  ...endpointQuery(excusesApi.list, { query: { class_id, class_date } }),
  refetchInterval: POLL_MS,
})

export const excuseWords = ({
  source,
  created_by_name: name,
}: Pick<Excuse, 'source' | 'created_by_name'>): string => {
  if (source === 'text') return name ? `Excused by text from ${name}` : 'Excused by text'
  if (source === 'student') return 'Excused themselves'
  return `Excused by ${name ?? (source === 'guardian' ? 'a guardian' : 'the instructor')}`
}

/** An excuse frees a place. Written out, so that the calendar's contract is not loaded with it. */
type DatesCall = typeof classDatesApi.list
const DATES_KEY = 'GET /class-dates' satisfies `${DatesCall['method']} ${DatesCall['path']}`
const options = {
  refreshes: [excusesApi.list],
  onSuccess: () => void queryClient.invalidateQueries({ queryKey: [DATES_KEY] }),
}
export const useExcuse = () => useEndpointMutation(excusesApi.add, options)
export const useUndoExcuse = () => useEndpointMutation(excusesApi.remove, options)
