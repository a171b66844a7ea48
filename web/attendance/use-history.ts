import { attendanceApi } from '@tatami/contract/attendance'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '../kernel/api.ts'
import { endpointQuery } from '../kernel/query.ts'

const ROWS = 50

export type Filter = { class_id?: string | undefined; class_date?: string | undefined }

/** The records that match, newest first, page by page. */
export function useHistory(filter: Filter) {
  const { data, ...rest } = useInfiniteQuery({
    queryKey: [...endpointQuery(attendanceApi.list).queryKey, 'pages', filter],
    queryFn: ({ pageParam: before, signal }) => call(attendanceApi.list, { query: { ...filter, before, limit: ROWS } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length < ROWS ? undefined : page.at(-1)!.id),
    placeholderData: (shown) => shown,
  })
  return { ...rest, records: data?.pages.flat() }
}
