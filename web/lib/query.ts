import type { Endpoint, Reply } from '@tatami/contract/lib/endpoint'
import {
  notifyManager,
  QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryKey,
  type UseMutationOptions,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query'
import { ApiError, call, isNetworkError, type Args, logFailure } from './api.ts'
import type { CallInput } from './copies.ts'
import { session } from './session.ts'

// A change shows at once, with the press that made it: by default it shows a turn of the event loop later, and a switch
// first jumps back.
notifyManager.setScheduler(queueMicrotask)

const FRESH_MS = 5000
const RETRIES = 2

/** Whether trying again may help: no answer came, or the server is out of service, or restarts behind a proxy. */
export const isTransientError = (error: Error) =>
  isNetworkError(error) || (error instanceof ApiError && [502, 503].includes(error.status))

export const queryClient = new QueryClient({
  defaultOptions: {
    // 'always': a browser that believes it is offline gets our error and "Try again", not an endless wait.
    queries: {
      networkMode: 'always',
      staleTime: FRESH_MS,
      retry: (failures, error) => failures < RETRIES && isTransientError(error),
    },
    mutations: { networkMode: 'always' },
  },
})

/** The reads whose last attempt failed. */
const failing = new Set<string>()

// What one person was sent is never shown to the next.
session.subscribe(() => {
  failing.clear()
  if (!session.token()) queryClient.clear()
})

export const keyOf = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}`

let isLeaving = false

/** Cancels the reads under way and starts no more: they would be refused once logout has revoked the token. */
export async function stopReading() {
  isLeaving = true
  await queryClient.cancelQueries()
}

/** Answers a read that gets no answer (copies.ts). */
type OrCopy = <T>(call: string, asked: CallInput, answer: Promise<T>) => Promise<T>
let orCopy: OrCopy | undefined
/** From now on reads that get no answer are answered by what this device has stored, if it has. */
export const readWithCopies = (reader: OrCopy) => {
  orCopy = reader
}

/** Makes a read. A failure is logged once (specification, section 8), not at each retry or poll until it works again. */
export async function read<const E extends Endpoint>(
  endpoint: E,
  input?: Args<E>[0],
  abort?: AbortSignal,
): Promise<Reply<E>> {
  if (isLeaving) return new Promise(() => {})
  const key = JSON.stringify([keyOf(endpoint), input])
  try {
    const answer = call(endpoint, input, abort)
    const reply = await (orCopy?.(keyOf(endpoint), input, answer) ?? answer)
    failing.delete(key)
    return reply
  } catch (error) {
    if (!abort?.aborted && !failing.has(key)) {
      failing.add(key)
      logFailure(endpoint, error)
    }
    throw error
  }
}

/** The options of a query: `useQuery(endpointQuery(studentsApi.list))`. Its key is derived from the endpoint. */
export const endpointQuery = <const E extends Endpoint>(endpoint: E, ...[input]: Args<E>) =>
  queryOptions({
    queryKey: input === undefined ? [keyOf(endpoint)] : [keyOf(endpoint), input],
    queryFn: ({ signal }): Promise<Reply<E>> => read(endpoint, input, signal),
  })

type Variables<E extends Endpoint> = undefined extends Args<E>[0] ? Args<E>[0] | void : Args<E>[0]
type Options<E extends Endpoint, C> = Omit<
  UseMutationOptions<Reply<E>, Error, Variables<E>, C>,
  'mutationFn'
>

type Refreshing = {
  /** What a success reloads. */
  refreshes?: readonly Endpoint[]
  /** Keeps the mutation pending until they are reloaded, for what shows the wanted state meanwhile, such as a switch. */
  waitsForRefresh?: boolean
}

/** A mutation: `useEndpointMutation(classesApi.create, { refreshes: [classesApi.list] })`. */
export function useEndpointMutation<const E extends Endpoint, C = unknown>(
  endpoint: E,
  { refreshes = [], waitsForRefresh = false, ...options }: Options<E, C> & Refreshing = {},
) {
  const client = useQueryClient()
  return useMutation<Reply<E>, Error, Variables<E>, C>({
    ...options,
    mutationFn: (variables) => call(endpoint, variables as Args<E>[0]),
    onSuccess: (...args) => {
      const reloads = refreshes.map((stale) =>
        client.invalidateQueries({ queryKey: [keyOf(stale)] }),
      )
      const result = options.onSuccess?.(...args)
      return waitsForRefresh ? Promise.all([...reloads, result]) : result
    },
  })
}

/** A read by POST says what a call would do: previews of promotions, imports, families and texts. */
const isPreview = ({ queryKey }: { queryKey: QueryKey }) => String(queryKey[0]).startsWith('POST ')

/**
 * Asks anew for everything that is shown. Previews are asked for again only when they are shown next:
 * what one of them is about may just have been done, and would be refused a second time.
 */
export function refreshAll(client: QueryClient): void {
  void client.invalidateQueries({ predicate: isPreview, refetchType: 'none' })
  void client.invalidateQueries({ predicate: (query) => !isPreview(query) })
}

const RETRY_MS = 5000

type Attempts = Pick<UseQueryResult, 'failureCount' | 'errorUpdateCount'>
export const hasFailed = ({ failureCount, errorUpdateCount }: Attempts) =>
  failureCount + errorUpdateCount > 0

/** While there is no data, a call that the server could not answer is made again. */
export const retryInterval = ({ data, error }: { data: unknown; error: Error | null }) =>
  data === undefined && error && isTransientError(error) ? RETRY_MS : false

/**
 * A query that a screen waits for. Loading ends at the first failure; then the query retries in the background, and its data
 * appears when the server is back. `retry` starts over and shows the wait. `pollMs` says how soon the data is asked for again; false: not by itself.
 */
export function useRetryingQuery<D, K extends QueryKey>(
  options: UseQueryOptions<D, Error, D, K>,
  { pollMs = () => false }: { pollMs?: (data: D) => number | false } = {},
) {
  const client = useQueryClient()
  const query = useQuery({
    ...options,
    refetchInterval: ({ state }) =>
      state.data === undefined ? retryInterval(state) : pollMs(state.data),
  })
  const isUnavailable = query.data === undefined && hasFailed(query)
  return {
    data: query.data,
    isPending: query.isPending && !isUnavailable,
    /** There is no data, and the last attempt failed. */
    isUnavailable,
    /** An attempt has ended since it is shown: the data is not of an earlier visit, if there was an answer. */
    isFetchedAfterMount: query.isFetchedAfterMount,
    error: query.error,
    retry: () => void client.resetQueries({ queryKey: options.queryKey, exact: true }),
  }
}
