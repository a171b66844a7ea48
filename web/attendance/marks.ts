import { attendanceApi, classDate, type AttendanceRecord } from '@tatami/contract/attendance'
import { useSyncExternalStore } from 'react'
import { call } from '../lib/api.ts'
import { logFailure } from '../lib/log-failure.ts'
import { endpointQuery, isPassing, queryClient } from '../lib/query.ts'
import { session } from '../lib/session.ts'
import { markQueue, type Subject, type Tap } from './mark-queue.ts'

const WHOLE_CLASS = 1000
/** Long enough that a run of taps asks for the lists once. */
const REFRESH_MS = 500
const RETRY_MS = 10_000

/** What the server has for one class on one day. */
export const dayQuery = (class_id: string, day: string) =>
  endpointQuery(attendanceApi.list, { query: { class_id, class_date: day, limit: WHOLE_CLASS } })
const everyList = endpointQuery(attendanceApi.list).queryKey

let timer: ReturnType<typeof setTimeout> | undefined
function refreshLists() {
  clearTimeout(timer)
  timer = setTimeout(() => void queryClient.invalidateQueries({ queryKey: everyList }), REFRESH_MS)
}

async function keepRecord({ class_id, day, student_id }: Subject, record: AttendanceRecord | null) {
  const { queryKey } = dayQuery(class_id, day)
  // An answer that was asked for before this mark would bring back what was.
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(
    queryKey,
    (records) => records && [...records.filter((known) => known.student_id !== student_id), ...(record ? [record] : [])],
  )
}

async function send({ student_id, class_id, day, present, isRetry }: Tap) {
  const subject = { student_id, class_id, class_date: classDate(day) }
  try {
    const record =
      present === null
        ? await call(attendanceApi.unmark, { query: subject }).then(() => null)
        : await call(attendanceApi.mark, { body: { ...subject, present } })
    await keepRecord({ class_id, day, student_id }, record)
  } catch (error) {
    // Once, not at each retry (specification, section 8).
    if (!isRetry) logFailure(present === null ? attendanceApi.unmark : attendanceApi.mark, error)
    throw error
  } finally {
    // After a failure as well: a mark that got no answer may have arrived.
    refreshLists()
  }
}

export const marks = markQueue(send)
session.watch(marks.clear)

const failed = () => marks.taps().filter((tap) => tap.failure)
const hasPassed = ({ failure }: Tap) => failure?.error instanceof Error && isPassing(failure.error)
let retrying: ReturnType<typeof setInterval> | undefined

window.addEventListener('online', () => failed().forEach(marks.retryQuietly))
// Until the server has them all, they go out again by themselves, and the browser asks before the page is left.
marks.watch(() => {
  if (!failed().some(hasPassed)) {
    clearInterval(retrying)
    retrying = undefined
  } else retrying ??= setInterval(() => failed().filter(hasPassed).forEach(marks.retryQuietly), RETRY_MS)
})
window.addEventListener('beforeunload', (event) => {
  if (marks.taps().length > 0) event.preventDefault()
})

export const useTaps = () => useSyncExternalStore(marks.watch, marks.taps)
