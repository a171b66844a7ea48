import { attendanceApi, classDate, type AttendanceRecord } from '@tatami/contract/attendance'
import type { slippingAwayApi } from '@tatami/contract/slipping-away'
import { studentsApi } from '@tatami/contract/students'
import { useSyncExternalStore } from 'react'
import { call, logFailure } from '../lib/api.ts'
import { endpointQuery, isTransientError, keyOf, queryClient } from '../lib/query.ts'
import { session } from '../lib/session.ts'
import { createMarkQueue, type PendingMark } from './mark-queue.ts'

const MAX_CLASS_SIZE = 1000
/** Long enough that a series of taps refetches the lists once. */
const REFRESH_MS = 500
const RETRY_MS = 10_000

/** The server's records of one class on one day. */
export const dayQuery = (class_id: string, day: string) =>
  endpointQuery(attendanceApi.list, { query: { class_id, class_date: day, limit: MAX_CLASS_SIZE } })
const allListsKey = endpointQuery(attendanceApi.list).queryKey

// The name alone: the list itself is loaded where it is shown.
const slippingKey = 'GET /slipping-away' satisfies `${typeof slippingAwayApi.list.method} ${typeof slippingAwayApi.list.path}`

let refreshTimer: ReturnType<typeof setTimeout> | undefined
function refreshLists() {
  clearTimeout(refreshTimer)
  refreshTimer = setTimeout(() => {
    for (const queryKey of [allListsKey, [keyOf(studentsApi.show)], [slippingKey]]) void queryClient.invalidateQueries({ queryKey })
  }, REFRESH_MS)
}

type Cached = { student_id: string; record: AttendanceRecord | null }

async function cacheRecords(class_id: string, day: string, saved: Cached[]) {
  const { queryKey } = dayQuery(class_id, day)
  // A response to an earlier request would overwrite these marks.
  await queryClient.cancelQueries({ queryKey })
  const ids = new Set(saved.map(({ student_id }) => student_id))
  queryClient.setQueryData(
    queryKey,
    (records) => records && [...records.filter(({ student_id }) => !ids.has(student_id)), ...saved.flatMap(({ record }) => record ?? [])],
  )
}

/** A single mark by the call for one, several by the call for a roll. */
async function save(marks: readonly PendingMark[]): Promise<Cached[]> {
  const { class_id, day, student_id, present } = marks[0]!,
    class_date = classDate(day)
  if (marks.length > 1) {
    const body = { class_id, class_date, marks: marks.map((mark) => ({ student_id: mark.student_id, present: mark.present })) }
    const records = await call(attendanceApi.markRoll, { body })
    return marks.map((mark) => ({ ...mark, record: records.find((record) => record.student_id === mark.student_id) ?? null }))
  }
  const target = { student_id, class_id, class_date }
  if (present !== null) return [{ student_id, record: await call(attendanceApi.mark, { body: { ...target, present } }) }]
  await call(attendanceApi.unmark, { query: target })
  return [{ student_id, record: null }]
}

const endpointFor = (marks: readonly PendingMark[]) =>
  marks.length > 1 ? attendanceApi.markRoll : marks[0]!.present === null ? attendanceApi.unmark : attendanceApi.mark

async function send(marks: readonly PendingMark[]) {
  try {
    const saved = await save(marks)
    await cacheRecords(marks[0]!.class_id, marks[0]!.day, saved)
  } catch (error) {
    // A failure is logged once, not at each retry (specification, section 8).
    if (!marks.every(({ isRetry }) => isRetry)) logFailure(endpointFor(marks), error)
    throw error
  } finally {
    // A mark that got no answer may have arrived, so the lists are refetched after a failure, too.
    refreshLists()
  }
}

const isTransient = (error: unknown) => error instanceof Error && isTransientError(error)
export const marks = createMarkQueue({ send, isTransient })
session.subscribe(marks.clear)

const failed = () => marks.pending().filter((mark) => mark.failure)
const hasFailedTransiently = ({ failure }: PendingMark) => isTransient(failure?.error)
let retryTimer: ReturnType<typeof setInterval> | undefined

window.addEventListener('online', () => failed().forEach(marks.retryInBackground))
// Failed marks are retried until the server has them, and the browser warns before the page is left.
marks.subscribe(() => {
  if (!failed().some(hasFailedTransiently)) {
    clearInterval(retryTimer)
    retryTimer = undefined
  } else retryTimer ??= setInterval(() => failed().filter(hasFailedTransiently).forEach(marks.retryInBackground), RETRY_MS)
})
window.addEventListener('beforeunload', (event) => {
  if (marks.pending().length > 0) event.preventDefault()
})

export const usePendingMarks = () => useSyncExternalStore(marks.subscribe, marks.pending)
