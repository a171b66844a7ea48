import {
  attendanceApi,
  classDate,
  type CurrentRecord,
} from '@tatami/contract/attendance/attendance'
import { classesApi } from '@tatami/contract/classes/classes'
import type { slippingAwayApi } from '@tatami/contract/slipping-away/slipping-away'
import { studentsApi } from '@tatami/contract/students/students'
import { call } from '../lib/api.ts'
import { tapStore } from '../lib/device-database.ts'
import { deviceStorage } from '../lib/device-storage.ts'
import { deviceOutbox, type Items } from '../lib/outbox.ts'
import { endpointQuery, endpointKey, queryClient } from '../lib/query.ts'
import {
  afterAnswer,
  afterTap,
  isSendable,
  markKey,
  type MarkTarget,
  rollKey,
  type StoredMark,
  type Tap,
} from './pending-marks.ts'

const MAX_CLASS_SIZE = 1000
/** A series of taps refetches the lists once. */
const REFRESH_MS = 500

export const dayQuery = (class_id: string, day: string) =>
  endpointQuery(attendanceApi.list, { query: { class_id, class_date: day, limit: MAX_CLASS_SIZE } })
const allListsKey = endpointQuery(attendanceApi.list).queryKey

// Written out, so that its contract is not loaded with it.
type SlippingCall = typeof slippingAwayApi.list
const slippingKey =
  'GET /slipping-away' satisfies `${SlippingCall['method']} ${SlippingCall['path']}`

let refreshTimer: ReturnType<typeof setTimeout> | undefined
function refreshLists() {
  clearTimeout(refreshTimer)
  refreshTimer = setTimeout(() => {
    for (const queryKey of [allListsKey, [endpointKey(studentsApi.show)], [slippingKey]])
      void queryClient.invalidateQueries({ queryKey })
  }, REFRESH_MS)
}

async function cacheRecords(sentMarks: Items<StoredMark>, records: CurrentRecord[]) {
  const [{ class_id, day }] = sentMarks
  const { queryKey } = dayQuery(class_id, day)
  if (!queryClient.getQueryData(queryKey)) return
  // A response to an earlier request would overwrite these marks.
  await queryClient.cancelQueries({ queryKey })
  const ids = new Set(sentMarks.map(({ student_id }) => student_id))
  queryClient.setQueryData(queryKey, (cachedRecords = []) => [
    ...cachedRecords.filter(({ student_id }) => !ids.has(student_id)),
    ...records,
  ])
}

const isSingle = (marks: readonly StoredMark[]) => marks.length === 1 && marks[0]?.present !== null

/** A single mark has a call of its own (specification, section 7), others are sent as a roll. */
async function send(marks: Items<StoredMark>): Promise<CurrentRecord[]> {
  const [{ class_id, day, student_id, present, replaces }] = marks
  const class_date = classDate(day)
  try {
    if (marks.length === 1 && present !== null) {
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
    return await call(attendanceApi.markRoll, { body })
  } finally {
    // Also after a failure: marks without an answer may have arrived.
    refreshLists()
  }
}

/** Unsent marks. They outlive the page and are sent once there is a network. */
export const marks = deviceOutbox<MarkTarget, StoredMark, CurrentRecord[]>({
  name: 'marks',
  disk: tapStore,
  accountPrefix: () => `${deviceStorage.owner()} `,
  keyOf: markKey,
  groupOf: rollKey,
  isSendable,
  endpointOf: (sentMarks) => (isSingle(sentMarks) ? attendanceApi.mark : attendanceApi.markRoll),
  send,
  settle: afterAnswer,
  show: cacheRecords,
  reach: () => call(classesApi.list),
})

export const markStudents = (taps: readonly Tap[]) => marks.put(taps, afterTap)
