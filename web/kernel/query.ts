import type { Endpoint, Reply } from '@tatami/contract/endpoint'
import { QueryClient, queryOptions, useMutation, useQueryClient, type UseMutationOptions } from '@tanstack/react-query'
import { ApiError, call, gotNoAnswer, type Args } from './api.ts'
import { session } from './session.ts'

const FRESH_MS = 5000
const RETRIES = 2

const isPassing = (error: Error) => gotNoAnswer(error) || (error instanceof ApiError && error.status === 503)

export const queryClient = new QueryClient({
  defaultOptions: {
    // 'always': a browser that believes to be offline gets our error and "Try again", not an endless wait.
    queries: { networkMode: 'always', staleTime: FRESH_MS, retry: (failures, error) => failures < RETRIES && isPassing(error) },
    mutations: { networkMode: 'always' },
  },
})

// What one person was answered is never shown to the next.
session.watch(() => {
  if (!session.token()) queryClient.clear()
})

export const keyOf = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}`

/** A question to the server: `useQuery(endpointQuery(studentsApi.list))`. Its key is derived from the endpoint. */
export const endpointQuery = <const E extends Endpoint>(endpoint: E, ...[sent]: Args<E>) =>
  queryOptions({
    queryKey: sent === undefined ? [keyOf(endpoint)] : [keyOf(endpoint), sent],
    queryFn: ({ signal }): Promise<Reply<E>> => call(endpoint, sent, signal),
  })

type Order<E extends Endpoint> = undefined extends Args<E>[0] ? Args<E>[0] | void : Args<E>[0]
type Options<E extends Endpoint, C> = Omit<UseMutationOptions<Reply<E>, Error, Order<E>, C>, 'mutationFn'>

/** An order to the server. When it is done, the answers it outdates are asked again. */
export function useEndpointMutation<const E extends Endpoint, C = unknown>(
  endpoint: E,
  { refreshes = [], ...options }: Options<E, C> & { refreshes?: readonly Endpoint[] } = {},
) {
  const cache = useQueryClient()
  return useMutation<Reply<E>, Error, Order<E>, C>({
    ...options,
    mutationFn: (sent) => call(endpoint, sent as Args<E>[0]),
    onSuccess: (...done) => {
      for (const outdated of refreshes) void cache.invalidateQueries({ queryKey: [keyOf(outdated)] })
      return options.onSuccess?.(...done)
    },
  })
}
