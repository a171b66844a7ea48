import { STUDENT_FILTERS, type StudentFilter } from '@tatami/contract/students'
import { startTransition, useOptimistic } from 'react'
import { useSearchParams } from 'react-router'

/** The status filter in the address, "?filter=trial"; another value is ignored (specification, section 2). */
export function useStatusFilter() {
  const [query, setQuery] = useSearchParams()
  const inAddress = STUDENT_FILTERS.find((name) => name === query.get('filter')) ?? 'all'
  // The address follows a moment later; the button shows at once what was chosen.
  const [filter, show] = useOptimistic(inAddress)
  const choose = (chosen: StudentFilter) =>
    startTransition(() => {
      show(chosen)
      setQuery((before) => ({ ...Object.fromEntries(before), filter: chosen }), { replace: true })
    })
  return [filter, choose] as const
}
