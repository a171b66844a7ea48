import { type Excuse, excusesApi } from '@tatami/contract/excuses'
import { useEndpointMutation, endpointQuery } from '../lib/query.ts'

/** A parent may write while the class comes in. */
const POLL_MS = 15_000

/** Who is excused from a class on a day, asked again while a roll is open. */
export const rollExcusesQuery = (class_id: string, class_date: string) => ({
  ...endpointQuery(excusesApi.list, { query: { class_id, class_date } }),
  refetchInterval: POLL_MS,
})

/** Whoever excused, and how, in a few words. */
export const excuseWords = ({ source, created_by_name: name }: Pick<Excuse, 'source' | 'created_by_name'>): string => {
  if (source === 'text') return name ? `Excused by text from ${name}` : 'Excused by text'
  if (source === 'student') return 'Excused themselves'
  return `Excused by ${name ?? (source === 'guardian' ? 'a guardian' : 'the instructor')}`
}

export const useExcuse = () => useEndpointMutation(excusesApi.add, { refreshes: [excusesApi.list] })
export const useTakeBackExcuse = () => useEndpointMutation(excusesApi.remove, { refreshes: [excusesApi.list] })
