import type { Endpoint, Reply } from '@tatami/contract/lib/endpoint'
import { profileApi } from '@tatami/contract/profile/profile'
import {
  MutationCache,
  notifyManager,
  QueryCache,
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

// Shows a change in the same tick as the press. Otherwise, a switch would jump back for a moment.
notifyManager.setScheduler(queueMicrotask)

const STALE_AFTER_MS = 5000
const MAX_RETRIES = 2

export const isTransientError = (error: unknown) =>
  isNetworkError(error) || (error instanceof ApiError && [502, 503].includes(error.status))

/** The rights of staff may have changed since the profile was loaded. */
function reloadProfileIfForbidden(error: Error) {
  if (error instanceof ApiError && error.status === 403)
    void queryClient.invalidateQueries({ queryKey: [endpointKey(profileApi.show)] })
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      if (queryKey[0] !== endpointKey(profileApi.show)) reloadProfileIfForbidden(error)
    },
  }),
  mutationCache: new MutationCache({ onError: (error) => reloadProfileIfForbidden(error) }),
  defaultOptions: {
    // With 'always', a browser that thinks it is offline shows our error instead of waiting
    // forever.
    queries: {
      networkMode: 'always',
      staleTime: STALE_AFTER_MS,
      retry: (failures, error) => failures < MAX_RETRIES && isTransientError(error),
    },
    mutations: { networkMode: 'always' },
  },
})

const failingReads = new Set<string>()

session.subscribe(() => {
  failingReads.clear()
  if (!session.token()) queryClient.clear()
})

export const endpointKey = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}`

let isLoggingOut = false

/** Stops all reads, because the server refuses them once the logout has revoked the token. */
export async function stopReads() {
  isLoggingOut = true
  await queryClient.cancelQueries()
}

type CopyReader = <Data>(call: string, input: CallInput, reply: Promise<Data>) => Promise<Data>
let readThroughCopies: CopyReader | undefined
export const setCopyReader = (reader: CopyReader) => {
  readThroughCopies = reader
}

/** Logs a failure once (specification, section 8), not at each retry or poll. */
export async function readEndpoint<const CalledEndpoint extends Endpoint>(
  endpoint: CalledEndpoint,
  input?: Args<CalledEndpoint>[0],
  abortSignal?: AbortSignal,
): Promise<Reply<CalledEndpoint>> {
  if (isLoggingOut) return new Promise(() => {})
  const key = JSON.stringify([endpointKey(endpoint), input])
  try {
    const serverReply = call(endpoint, input, abortSignal)
    const reply = await (readThroughCopies?.(endpointKey(endpoint), input, serverReply) ??
      serverReply)
    failingReads.delete(key)
    return reply
  } catch (error) {
    if (!abortSignal?.aborted && !failingReads.has(key)) {
      failingReads.add(key)
      logFailure(endpoint, error)
    }
    throw error
  }
}

/** Use it as `useQuery(endpointQuery(studentsApi.list))`. */
export const endpointQuery = <const CalledEndpoint extends Endpoint>(
  endpoint: CalledEndpoint,
  ...[input]: Args<CalledEndpoint>
) =>
  queryOptions({
    queryKey: input === undefined ? [endpointKey(endpoint)] : [endpointKey(endpoint), input],
    queryFn: ({ signal }): Promise<Reply<CalledEndpoint>> => readEndpoint(endpoint, input, signal),
  })

type Variables<CalledEndpoint extends Endpoint> = undefined extends Args<CalledEndpoint>[0]
  ? Args<CalledEndpoint>[0] | void
  : Args<CalledEndpoint>[0]
type Options<CalledEndpoint extends Endpoint, Context> = Omit<
  UseMutationOptions<Reply<CalledEndpoint>, Error, Variables<CalledEndpoint>, Context>,
  'mutationFn'
>

type RefreshOptions = {
  refreshes?: readonly Endpoint[]
  /** Stays pending until `refreshes` have reloaded, for controls that show the new value. */
  waitsForRefresh?: boolean
}

/** Use it as `useEndpointMutation(classesApi.create, { refreshes: [classesApi.list] })`. */
export function useEndpointMutation<const CalledEndpoint extends Endpoint, Context = unknown>(
  endpoint: CalledEndpoint,
  {
    refreshes = [],
    waitsForRefresh = false,
    ...options
  }: Options<CalledEndpoint, Context> & RefreshOptions = {},
) {
  const client = useQueryClient()
  return useMutation<Reply<CalledEndpoint>, Error, Variables<CalledEndpoint>, Context>({
    ...options,
    mutationFn: (variables) => call(endpoint, variables as Args<CalledEndpoint>[0]),
    onSuccess: (...args) => {
      const reloads = refreshes.map((staleEndpoint) =>
        client.invalidateQueries({ queryKey: [endpointKey(staleEndpoint)] }),
      )
      const result = options.onSuccess?.(...args)
      return waitsForRefresh ? Promise.all([...reloads, result]) : result
    },
  })
}

/** Queries with POST preview an action, such as a promotion, an import or a text. */
const isPreview = ({ queryKey }: { queryKey: QueryKey }) => String(queryKey[0]).startsWith('POST ')

/** Reloads all queries. A preview waits until it opens again, because its action may already have
 *  been carried out. */
export function refreshAll(client: QueryClient): void {
  void client.invalidateQueries({ predicate: isPreview, refetchType: 'none' })
  void client.invalidateQueries({ predicate: (query) => !isPreview(query) })
}

/** For a change that many screens show. Each screen reloads when it opens. */
export const reloadOnOpen = (client: QueryClient): void =>
  void client.invalidateQueries({ refetchType: 'none' })

const RETRY_MS = 5000

type FailureCounts = Pick<UseQueryResult, 'failureCount' | 'errorUpdateCount'>
export const hasFailed = ({ failureCount, errorUpdateCount }: FailureCounts) =>
  failureCount + errorUpdateCount > 0

export const retryInterval = ({ data, error }: { data: unknown; error: Error | null }) =>
  data === undefined && error && isTransientError(error) ? RETRY_MS : false

/** Without data, the query is unavailable from the first failure until a retry succeeds. If
 *  `pollMs` returns false, it does not poll. */
export function useRetryingQuery<Data, Key extends QueryKey>(
  options: UseQueryOptions<Data, Error, Data, Key>,
  { pollMs = () => false }: { pollMs?: (data: Data) => number | false } = {},
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
    isUnavailable,
    isFetchedAfterMount: query.isFetchedAfterMount,
    error: query.error,
    retry: () => void client.resetQueries({ queryKey: options.queryKey, exact: true }),
  }
}
