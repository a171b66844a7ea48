import { useQuery, useQueryClient, type QueryKey, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query'
import { isPassing } from './query.ts'

const RETRY_MS = 5000

type State = Pick<UseQueryResult, 'failureCount' | 'errorUpdateCount'>
export const hasFailed = ({ failureCount, errorUpdateCount }: State) => failureCount + errorUpdateCount > 0

/** While nothing has arrived, a call that the server could not answer is made again by itself. */
export const recoveryInterval = ({ data, error }: { data: unknown; error: Error | null }) =>
  data === undefined && error && isPassing(error) ? RETRY_MS : false

/**
 * A query that a screen waits for. Loading ends at the first failure; then the query goes on trying in the background, and
 * fills in when the server is back. `retry` starts over and shows the wait.
 */
export function useRecoveringQuery<D, K extends QueryKey>(options: UseQueryOptions<D, Error, D, K>) {
  const client = useQueryClient()
  const query = useQuery({ ...options, refetchInterval: ({ state }) => recoveryInterval(state) })
  const isMissing = query.data === undefined && hasFailed(query)
  return {
    data: query.data,
    isPending: query.isPending && !isMissing,
    /** Nothing has arrived, and the last try failed. */
    isMissing,
    retry: () => void client.resetQueries({ queryKey: options.queryKey, exact: true }),
  }
}
