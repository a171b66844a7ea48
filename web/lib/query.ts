import type { Endpoint, Reply } from '@tatami/contract/endpoint'
import { QueryClient, queryOptions, useMutation, useQueryClient, type UseMutationOptions } from '@tanstack/react-query'
import { ApiError, call, gotNoAnswer, type Args } from './api.ts'
import { logFailure } from './log-failure.ts'
import { session } from './session.ts'

const FRESH_MS = 5000
const RETRIES = 2

export const isPassing = (error: Error) => gotNoAnswer(error) || (error instanceof ApiError && error.status === 503)

export const queryClient = new QueryClient({
  defaultOptions: {
    // 'always': a browser that believes to be offline gets our error and "Try again", not an endless wait.
    queries: { networkMode: 'always', staleTime: FRESH_MS, retry: (failures, error) => failures < RETRIES && isPassing(error) },
    mutations: { networkMode: 'always' },
  },
})

/** The reads that failed when they were last tried. */
const failing = new Set<string>()

// What one person was answered is never shown to the next.
session.watch(() => {
  failing.clear()
  if (!session.token()) queryClient.clear()
})

export const keyOf = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}`

let isLeaving = false

/** Ends the reads under way and starts no more: they would be refused once the token is revoked. The page is about to be left. */
export async function stopReading() {
  isLeaving = true
  await queryClient.cancelQueries()
}

/** Makes a read. A failure is logged once (specification, section 8), not at each retry or poll until it works again. */
export async function read<const E extends Endpoint>(endpoint: E, sent?: Args<E>[0], stop?: AbortSignal): Promise<Reply<E>> {
  if (isLeaving) return new Promise(() => {})
  const which = JSON.stringify([keyOf(endpoint), sent])
  try {
    const reply = await call(endpoint, sent, stop)
    failing.delete(which)
    return reply
  } catch (error) {
    if (!stop?.aborted && !failing.has(which)) {
      failing.add(which)
      logFailure(endpoint, error)
    }
    throw error
  }
}

/** A question to the server: `useQuery(endpointQuery(studentsApi.list))`. Its key is derived from the endpoint. */
export const endpointQuery = <const E extends Endpoint>(endpoint: E, ...[sent]: Args<E>) =>
  queryOptions({
    queryKey: sent === undefined ? [keyOf(endpoint)] : [keyOf(endpoint), sent],
    queryFn: ({ signal }): Promise<Reply<E>> => read(endpoint, sent, signal),
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
