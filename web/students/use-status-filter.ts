import { STUDENT_FILTERS, type StudentFilter } from '@tatami/contract/students'
import { useSearchParams } from 'react-router'

/** The status filter in the address, "?filter=trial"; another value is ignored (specification, section 2). */
export function useStatusFilter() {
  const [query, setQuery] = useSearchParams()
  const filter = STUDENT_FILTERS.find((name) => name === query.get('filter')) ?? 'all'
  const choose = (chosen: StudentFilter) => setQuery((before) => ({ ...Object.fromEntries(before), filter: chosen }), { replace: true })
  return [filter, choose] as const
}
