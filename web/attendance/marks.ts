import { attendanceApi, classDate, type AttendanceRecord } from '@tatami/contract/attendance'
import { useSyncExternalStore } from 'react'
import { call, logFailure } from '../lib/api.ts'
import { endpointQuery, isTransientError, queryClient } from '../lib/query.ts'
import { session } from '../lib/session.ts'
import { createMarkQueue, type MarkTarget, type PendingMark } from './mark-queue.ts'

const MAX_CLASS_SIZE = 1000
/** Long enough that a series of taps refetches the lists once. */
const REFRESH_MS = 500
const RETRY_MS = 10_000

/** The server's records of one class on one day. */
export const dayQuery = (class_id: string, day: string) =>
  endpointQuery(attendanceApi.list, { query: { class_id, class_date: day, limit: MAX_CLASS_SIZE } })
const allListsKey = endpointQuery(attendanceApi.list).queryKey

let refreshTimer: ReturnType<typeof setTimeout> | undefined
function refreshLists() {
  clearTimeout(refreshTimer)
  refreshTimer = setTimeout(() => void queryClient.invalidateQueries({ queryKey: allListsKey }), REFRESH_MS)
}

async function cacheRecord({ class_id, day, student_id }: MarkTarget, record: AttendanceRecord | null) {
  const { queryKey } = dayQuery(class_id, day)
  // A response to an earlier request would overwrite this mark.
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(
    queryKey,
    (records) => records && [...records.filter((cached) => cached.student_id !== student_id), ...(record ? [record] : [])],
  )
}

async function send({ student_id, class_id, day, present, isRetry }: PendingMark) {
  const target = { student_id, class_id, class_date: classDate(day) }
  try {
    const record =
      present === null
        ? await call(attendanceApi.unmark, { query: target }).then(() => null)
        : await call(attendanceApi.mark, { body: { ...target, present } })
    await cacheRecord({ class_id, day, student_id }, record)
  } catch (error) {
    // A failure is logged once, not at each retry (specification, section 8).
    if (!isRetry) logFailure(present === null ? attendanceApi.unmark : attendanceApi.mark, error)
    throw error
  } finally {
    // A mark that got no answer may have arrived, so the lists are refetched after a failure, too.
    refreshLists()
  }
}

export const marks = createMarkQueue(send)
session.subscribe(marks.clear)

const failed = () => marks.pending().filter((mark) => mark.failure)
const isTransient = ({ failure }: PendingMark) => failure?.error instanceof Error && isTransientError(failure.error)
let retryTimer: ReturnType<typeof setInterval> | undefined

window.addEventListener('online', () => failed().forEach(marks.retryInBackground))
// Failed marks are retried until the server has them, and the browser warns before the page is left.
marks.subscribe(() => {
  if (!failed().some(isTransient)) {
    clearInterval(retryTimer)
    retryTimer = undefined
  } else retryTimer ??= setInterval(() => failed().filter(isTransient).forEach(marks.retryInBackground), RETRY_MS)
})
window.addEventListener('beforeunload', (event) => {
  if (marks.pending().length > 0) event.preventDefault()
})

export const usePendingMarks = () => useSyncExternalStore(marks.subscribe, marks.pending)
