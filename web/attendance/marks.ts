import { attendanceApi, classDate, type StandingRecord } from '@tatami/contract/attendance'
import { classesApi } from '@tatami/contract/classes'
import type { slippingAwayApi } from '@tatami/contract/slipping-away'
import { studentsApi } from '@tatami/contract/students'
import { useSyncExternalStore } from 'react'
import {
  ApiError,
  call,
  errorMessage,
  isNetworkError,
  logFailure,
  newIdempotencyKey,
} from '../lib/api.ts'
import { deviceStorage } from '../lib/device-storage.ts'
import { endpointQuery, keyOf, queryClient } from '../lib/query.ts'
import { startRetrying } from '../lib/retry.ts'
import { session } from '../lib/session.ts'
import { createMarkQueue, isRetried, type StoredMark } from './mark-queue.ts'
import { storedMarks } from './stored-marks.ts'

const MAX_CLASS_SIZE = 1000
/** Long enough that a series of taps refetches the lists once. */
const REFRESH_MS = 500

/** The server's records of one class on one day. */
export const dayQuery = (class_id: string, day: string) =>
  endpointQuery(attendanceApi.list, { query: { class_id, class_date: day, limit: MAX_CLASS_SIZE } })
const allListsKey = endpointQuery(attendanceApi.list).queryKey

// The name alone: the list itself is loaded where it is shown.
const slippingKey =
  'GET /slipping-away' satisfies `${typeof slippingAwayApi.list.method} ${typeof slippingAwayApi.list.path}`

let refreshTimer: ReturnType<typeof setTimeout> | undefined
function refreshLists() {
  clearTimeout(refreshTimer)
  refreshTimer = setTimeout(() => {
    for (const queryKey of [allListsKey, [keyOf(studentsApi.show)], [slippingKey]])
      void queryClient.invalidateQueries({ queryKey })
  }, REFRESH_MS)
}

/** Marks that the server has answered for, and what stands. */
type Answered = { marks: readonly StoredMark[]; standing: StandingRecord[] }

async function cacheRecords({ marks, standing }: Answered) {
  const { queryKey } = dayQuery(marks[0]!.class_id, marks[0]!.day)
  if (!queryClient.getQueryData(queryKey)) return
  // A response to an earlier request would overwrite these marks.
  await queryClient.cancelQueries({ queryKey })
  const ids = new Set(marks.map(({ student_id }) => student_id))
  queryClient.setQueryData(queryKey, (records = []) => [
    ...records.filter(({ student_id }) => !ids.has(student_id)),
    ...standing,
  ])
}

/** Pages of one browser have one account, and show the same. */
const CHANNEL = 'marks'
const otherPages = new BroadcastChannel(CHANNEL)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has one origin.
const tellOtherPages = (news: Answered | null) => otherPages.postMessage(news)

let hasFailed = false

const isSingle = (marks: readonly StoredMark[]) => marks.length === 1 && marks[0]?.present !== null
const endpointFor = (marks: readonly StoredMark[]) =>
  isSingle(marks) ? attendanceApi.mark : attendanceApi.markRoll

/** One mark goes out by the call for a single one (specification, section 7); several, and one that is taken back, as a roll. */
async function callFor(marks: readonly StoredMark[]): Promise<StandingRecord[]> {
  const [first] = marks
  if (!first) return []
  const { class_id, day } = first
  const class_date = classDate(day)
  const { student_id, present, replaces } = first
  if (isSingle(marks) && present !== null) {
    const body = { student_id, class_id, class_date, present, replaces }
    const record = await call(attendanceApi.mark, { body })
    return record ? [record] : []
  }
  const body = {
    class_id,
    class_date,
    marks: marks.map((mark) => ({
      student_id: mark.student_id,
      present: mark.present,
      replaces: mark.replaces,
    })),
  }
  return call(attendanceApi.markRoll, { body })
}

async function send(marks: readonly StoredMark[]) {
  try {
    const standing = await callFor(marks)
    await cacheRecords({ marks, standing })
    tellOtherPages({ marks, standing })
    hasFailed = false
    return marks.map(({ student_id }) => {
      const record = standing.find((one) => one.student_id === student_id)
      return { present: record?.present ?? null, ...(record?.is_check_in && { isCheckIn: true }) }
    })
  } catch (error) {
    // A failure is logged once, not at each retry (specification, section 8).
    if (!hasFailed || isRefusal(error)) logFailure(endpointFor(marks), error)
    hasFailed = true
    throw error
  } finally {
    // Marks that got no answer may have arrived, so the lists are refetched after a failure, too.
    refreshLists()
  }
}

/** The end of a session, too many requests and a fault of the server's own pass: only what the server will never take is refused. */
const PASSING = [401, 408, 429]
const isRefusal = (error: unknown) =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  !PASSING.includes(error.status)

const store = storedMarks(deviceStorage.owner)

/** The marks that are not at the server yet. They outlive the page, and go out when the network is back. */
export const marks = createMarkQueue({
  store,
  send,
  reach: () => call(classesApi.list),
  isOnline: () => navigator.onLine,
  refusalOf: (error) => (isRefusal(error) ? errorMessage(error, 'refused') : undefined),
  failureOf: (error) =>
    error instanceof ApiError && !isNetworkError(error)
      ? errorMessage(error, 'The server could not save it')
      : undefined,
  newTap: newIdempotencyKey,
  // Without https there are no locks: each page sends, and what arrives twice changes nothing.
  ...('locks' in navigator && { exclusively: (work) => navigator.locks.request(CHANNEL, work) }),
})

let stopRetrying: (() => void) | undefined
function retryWhileWaiting() {
  if (!marks.pending().some(isRetried)) {
    stopRetrying?.()
    stopRetrying = undefined
  } else stopRetrying ??= startRetrying(marks.sendAll)
}

let shown = ''
let isReloading = false
const tapsOf = () =>
  JSON.stringify(marks.pending().map(({ tap, refusal, elsewhere }) => [tap, refusal, elsewhere]))
marks.subscribe(() => {
  retryWhileWaiting()
  const taps = tapsOf()
  if (taps !== shown && !isReloading) tellOtherPages(null)
  shown = taps
})
async function follow(news: Answered | null) {
  // Before the marks are gone from the store: the roll goes on showing them.
  if (news) return cacheRecords(news)
  isReloading = true
  await marks.reload().finally(() => {
    isReloading = false
  })
}
let following = Promise.resolve()
otherPages.addEventListener('message', ({ data }: MessageEvent<Answered | null>) => {
  following = following.then(() => follow(data)).catch(() => {})
})
session.subscribe(() => {
  if (!session.token()) marks.close()
})
window.addEventListener('beforeunload', (event) => {
  // A reload loses nothing that is stored.
  if (marks.pending().length > 0 && (!store.isDurable() || !event.isTrusted)) event.preventDefault()
})
/** Shows and sends what a page before this one could not; once it is known who is signed in. */
export const sendStoredMarks = () => marks.reload().then(marks.sendAll)

export const usePendingMarks = () => useSyncExternalStore(marks.subscribe, marks.pending)
/** False while marks are in the memory of this page alone. */
export const areMarksStored = store.isDurable
