import { attendanceApi, toClassDate, type MarkReply } from '@tatami/contract/attendance/attendance'
import type { classDatesApi } from '@tatami/contract/calendar/class-dates'
import { classesApi } from '@tatami/contract/classes/classes'
import type { slippingAwayApi } from '@tatami/contract/slipping-away/slipping-away'
import { studentsApi } from '@tatami/contract/students/students'
import { call } from '../lib/api.ts'
import { tapStore } from '../lib/device-database.ts'
import { deviceStorage } from '../lib/device-storage.ts'
import { createDeviceOutbox } from '../lib/device-outbox.ts'
import type { NonEmptyItems } from '../lib/outbox.ts'
import { endpointQuery, endpointKey, queryClient } from '../lib/query.ts'
import {
  markAfterReply,
  markAfterTap,
  isSendable,
  markKey,
  type MarkTarget,
  rollKey,
  type StoredMark,
  type Tap,
} from './pending-marks.ts'

const MAX_ROLL_SIZE = 1000
const REFRESH_DELAY_MS = 500

export const rollRecordsQuery = (class_id: string, day: string) =>
  endpointQuery(attendanceApi.list, { query: { class_id, class_date: day, limit: MAX_ROLL_SIZE } })
const attendanceKey = endpointQuery(attendanceApi.list).queryKey

// The keys are written out, because importing the endpoints would enlarge the bundle.
type ListAtRisk = typeof slippingAwayApi.list
const atRiskKey = 'GET /slipping-away' satisfies `${ListAtRisk['method']} ${ListAtRisk['path']}`

type ListClassDates = typeof classDatesApi.list
const classDatesKey =
  'GET /class-dates' satisfies `${ListClassDates['method']} ${ListClassDates['path']}`

let refreshTimer: ReturnType<typeof setTimeout> | undefined
function refreshLists() {
  clearTimeout(refreshTimer)
  refreshTimer = setTimeout(() => {
    const listKeys = [[endpointKey(studentsApi.show)], [atRiskKey], [classDatesKey]]
    for (const queryKey of [attendanceKey, ...listKeys])
      void queryClient.invalidateQueries({ queryKey })
  }, REFRESH_DELAY_MS)
}

async function showSavedRecords(sentMarks: NonEmptyItems<StoredMark>, records: MarkReply[]) {
  const [{ class_id, day }] = sentMarks
  const { queryKey } = rollRecordsQuery(class_id, day)
  if (!queryClient.getQueryData(queryKey)) return
  await queryClient.cancelQueries({ queryKey })
  const ids = new Set(sentMarks.map(({ student_id }) => student_id))
  queryClient.setQueryData(queryKey, (cachedRecords = []) => [
    ...cachedRecords.filter(({ student_id }) => !ids.has(student_id)),
    // The next refresh adds the name of the person who marked.
    ...records.map((record) => ({ ...record, marked_by: null })),
  ])
}

const isSentAlone = (sentMarks: readonly StoredMark[]) =>
  sentMarks.length === 1 && sentMarks[0]?.present !== null

/** A single mark has its own endpoint (specification, section 7). Several marks, or a cleared one,
 *  are sent as a roll. */
async function send(sentMarks: NonEmptyItems<StoredMark>): Promise<MarkReply[]> {
  const [{ class_id, day, student_id, present, replaces }] = sentMarks
  const class_date = toClassDate(day)
  try {
    if (sentMarks.length === 1 && present !== null) {
      const body = { student_id, class_id, class_date, present, replaces }
      const record = await call(attendanceApi.mark, { body })
      return record ? [record] : []
    }
    const body = {
      class_id,
      class_date,
      marks: sentMarks.map((mark) => ({
        student_id: mark.student_id,
        present: mark.present,
        replaces: mark.replaces,
      })),
    }
    return await call(attendanceApi.markRoll, { body })
  } finally {
    // Also refreshes after a failure, because the server may have saved the marks.
    refreshLists()
  }
}

export const marks = createDeviceOutbox<MarkTarget, StoredMark, MarkReply[]>({
  name: 'marks',
  deviceStore: tapStore,
  accountPrefix: () => `${deviceStorage.owner()} `,
  keyOf: markKey,
  groupOf: rollKey,
  isSendable,
  endpointOf: (sentMarks) => (isSentAlone(sentMarks) ? attendanceApi.mark : attendanceApi.markRoll),
  send,
  itemAfterReply: markAfterReply,
  showReply: showSavedRecords,
  // Any request would do to find out whether the network is back.
  reachServer: () => call(classesApi.list),
})

export const markStudents = (taps: readonly Tap[]) => marks.put(taps, markAfterTap)
