import type { classDatesApi } from '@tatami/contract/calendar/class-dates'
import { type Excuse, excusesApi } from '@tatami/contract/calendar/excuses'
import { useEndpointMutation, endpointQuery, queryClient } from '../lib/query.ts'

/** A parent may write while the class comes in. */
const POLL_MS = 15_000

/** Who is excused from a class on a day, asked again while a roll is open. */
export const rollExcusesQuery = (class_id: string, class_date: string) => ({
  ...endpointQuery(excusesApi.list, { query: { class_id, class_date } }),
  refetchInterval: POLL_MS,
})

/** Whoever excused, and how, in a few words. */
export const excuseWords = ({
  source,
  created_by_name: name,
}: Pick<Excuse, 'source' | 'created_by_name'>): string => {
  if (source === 'text') return name ? `Excused by text from ${name}` : 'Excused by text'
  if (source === 'student') return 'Excused themselves'
  return `Excused by ${name ?? (source === 'guardian' ? 'a guardian' : 'the instructor')}`
}

/** An excuse frees a place of its date. The key alone: the calls of dates need not come with every list that excuses. */
const DATES_KEY =
  'GET /class-dates' satisfies `${typeof classDatesApi.list.method} ${typeof classDatesApi.list.path}`
const how = {
  refreshes: [excusesApi.list],
  onSuccess: () => void queryClient.invalidateQueries({ queryKey: [DATES_KEY] }),
}
export const useExcuse = () => useEndpointMutation(excusesApi.add, how)
export const useTakeBackExcuse = () => useEndpointMutation(excusesApi.remove, how)
