import { type Grading, gradingsApi } from '@tatami/contract/gradings'
import { useSyncExternalStore } from 'react'
import { ApiError, call, errorMessage, isNetworkError, logFailure } from '../lib/api.ts'
import { deviceStorage, PENDING_RESULTS } from '../lib/device-storage.ts'
import { keyOf, queryClient } from '../lib/query.ts'
import { startRetrying } from '../lib/retry.ts'
import { session } from '../lib/session.ts'
import { createResultQueue, type PendingResult } from './result-queue.ts'
import { gradingQuery, storeGrading } from './stored-gradings.ts'

/** The end of a session, too many requests and a fault of the server's own pass: only what the server will never take is refused. */
const PASSING = [401, 408, 429]
const isRefusal = (error: unknown) =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  !PASSING.includes(error.status)

let hasFailed = false

async function send(id: string, all: readonly PendingResult[]) {
  try {
    const body = {
      results: all.map(({ student_id, result, stripes_given }) => ({
        student_id,
        result,
        stripes_given,
      })),
    }
    await showGrading(await call(gradingsApi.results, { params: { id }, body }))
    hasFailed = false
  } catch (error) {
    // A failure is logged once, not at each retry (specification, section 8).
    if (!hasFailed || isRefusal(error)) logFailure(gradingsApi.results, error)
    hasFailed = true
    throw error
  }
}

/** Shows a grading as a call has just returned it, everywhere and without a network. */
export async function showGrading(grading: Grading) {
  const { queryKey } = gradingQuery(grading.id)
  // A response to an earlier request would overwrite it.
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, grading)
  storeGrading(grading)
  void queryClient.invalidateQueries({ queryKey: [keyOf(gradingsApi.list)] })
}

/** The results that are not at the server yet. They outlive the page, and go out when the network is back. */
export const results = createResultQueue({
  load: () => (deviceStorage.load(PENDING_RESULTS) ?? []) as PendingResult[],
  store: (pending) => {
    if (pending.length > 0) return deviceStorage.store(PENDING_RESULTS, pending)
    deviceStorage.remove(PENDING_RESULTS)
    return true
  },
  send,
  refusalOf: (error) =>
    isRefusal(error) ? errorMessage(error, 'The server refused it.') : undefined,
  failureOf: (error) =>
    error instanceof ApiError && !isNetworkError(error)
      ? errorMessage(error, 'The server could not save it.')
      : undefined,
})

const isUnsent = () => results.pending().some(({ refusal }) => refusal === undefined)

let stopRetrying: (() => void) | undefined
function retryWhileUnsent() {
  if (!isUnsent() || !session.token()) {
    stopRetrying?.()
    stopRetrying = undefined
  } else stopRetrying ??= startRetrying(results.sendAll)
}
results.subscribe(retryWhileUnsent)
session.subscribe(() => results.reload())
window.addEventListener('storage', () => results.reload())
window.addEventListener('beforeunload', (event) => {
  // A reload loses nothing; only a log-out, which asks by an event of its own (session.isAllSaved), does.
  if (!event.isTrusted && isUnsent()) event.preventDefault()
})
retryWhileUnsent()
void results.sendAll()

export const usePendingResults = () => useSyncExternalStore(results.subscribe, results.pending)
