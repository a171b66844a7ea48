import type { classDatesApi } from '@tatami/contract/calendar/class-dates'
import { type Excuse, excusesApi } from '@tatami/contract/calendar/excuses'
import { useEndpointMutation, endpointQuery, queryClient } from '../lib/query.ts'

/** A parent may text an excuse while students arrive. */
const POLL_MS = 15_000

export const rollExcusesQuery = (class_id: string, class_date: string) => ({
  ...endpointQuery(excusesApi.list, { query: { class_id, class_date } }),
  refetchInterval: POLL_MS,
})

export const describeExcuse = ({
  source,
  created_by_name: name,
}: Pick<Excuse, 'source' | 'created_by_name'>): string => {
  if (source === 'text') return name ? `Excused by text from ${name}` : 'Excused by text'
  if (source === 'student') return 'Excused by the student'
  return `Excused by ${name ?? (source === 'guardian' ? 'a guardian' : 'the instructor')}`
}

/** An excuse frees a place, so the class dates reload. The key is written out, because importing
 *  the endpoint would enlarge the bundle. */
type ListClassDates = typeof classDatesApi.list
const CLASS_DATES_KEY =
  'GET /class-dates' satisfies `${ListClassDates['method']} ${ListClassDates['path']}`
const mutationOptions = {
  refreshes: [excusesApi.list],
  onSuccess: () => void queryClient.invalidateQueries({ queryKey: [CLASS_DATES_KEY] }),
}
export const useExcuse = () => useEndpointMutation(excusesApi.add, mutationOptions)
export const useUndoExcuse = () => useEndpointMutation(excusesApi.remove, mutationOptions)
