import { attendanceApi, classDate, type AttendanceRecord } from '@tatami/contract/attendance'
import { useSyncExternalStore } from 'react'
import { call } from '../kernel/api.ts'
import { logFailure } from '../kernel/log-failure.ts'
import { endpointQuery, queryClient } from '../kernel/query.ts'
import { session } from '../kernel/session.ts'
import { markQueue, type Subject, type Tap } from './mark-queue.ts'

const WHOLE_CLASS = 1000
/** Long enough that a run of taps asks for the lists once. */
const REFRESH_MS = 500

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

async function send({ student_id, class_id, day, present }: Tap) {
  const subject = { student_id, class_id, class_date: classDate(day) }
  try {
    const record =
      present === null
        ? await call(attendanceApi.unmark, { query: subject }).then(() => null)
        : await call(attendanceApi.mark, { body: { ...subject, present } })
    await keepRecord({ class_id, day, student_id }, record)
  } catch (error) {
    logFailure(present === null ? attendanceApi.unmark : attendanceApi.mark, error)
    throw error
  } finally {
    // After a failure as well: a mark that got no answer may have arrived.
    refreshLists()
  }
}

export const marks = markQueue(send)
session.watch(marks.clear)

export const useTaps = () => useSyncExternalStore(marks.watch, marks.taps)
