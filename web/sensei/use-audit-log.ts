import { senseiApi } from '@tatami/contract/sensei'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../kernel/api.ts'
import { endpointQuery } from '../kernel/query.ts'

const LINES = 50

/** Who did what, newest first, page by page. */
export function useAuditLog() {
  const { data, ...rest } = useInfiniteQuery({
    queryKey: [...endpointQuery(senseiApi.auditLog).queryKey, 'pages'],
    queryFn: ({ pageParam: before, signal }) => call(senseiApi.auditLog, { query: { before, limit: LINES } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length < LINES ? undefined : page.at(-1)!.id),
  })
  return { ...rest, lines: data?.pages.flat() }
}
