import type { MarkValue, MarkReply } from '@tatami/contract/attendance/attendance'
import type { OutboxItem } from '../lib/outbox.ts'
import type { Attempt } from '../lib/pending-items.ts'

export type MarkTarget = { class_id: string; day: string; student_id: string }

/** A mark on the server. `isCheckIn` is true if the student checked in at a kiosk. */
export type ServerMark = { present: MarkValue; isCheckIn?: boolean }

/** Stored on the device, so its field names must not change. `present: null` clears the mark. */
export type StoredMark = MarkTarget &
  OutboxItem & {
    present: MarkValue
    /** The values that this mark may replace: the one on the screen when the instructor tapped, and
     *  the ones that this device sent before. */
    replaces: MarkValue[]
    /** True for "Rest present": if someone else marked the student, their mark wins. */
    yields: boolean
    /** A different mark by someone else. This mark waits until the instructor decides. */
    elsewhere?: ServerMark
  }
export type PendingMark = StoredMark & Attempt

export type Tap = MarkTarget & {
  present: MarkValue
  /** The value on the screen when the instructor tapped. */
  seenValue: MarkValue
  yields?: boolean
}

export const markKey = ({ class_id, day, student_id }: MarkTarget) =>
  [class_id, day, student_id].join(' ')
export const rollKey = ({ class_id, day }: MarkTarget) => `${class_id} ${day}`

export const isSendable = ({ refusal, elsewhere }: StoredMark) =>
  refusal === undefined && elsewhere === undefined
const hasFailed = (mark: PendingMark) => isSendable(mark) && mark.hasFailed === true
/** True if the last request got no response, so the mark waits for the network. */
export const isWaiting = (mark: PendingMark) => hasFailed(mark) && mark.failure === undefined
export const describeFailure = (mark: PendingMark): string | undefined =>
  mark.refusal ?? (hasFailed(mark) ? mark.failure : undefined)

function findReplaceableValues({
  elsewhere,
  replaces,
  isAttempted,
  present,
}: StoredMark): MarkValue[] {
  if (elsewhere) return [elsewhere.present]
  return isAttempted ? [...new Set([...replaces, present])] : replaces
}

/** Returns the mark to store after a tap. Undefined if the tap undoes a mark that was never sent. */
export function markAfterTap(
  storedMark: StoredMark | undefined,
  { class_id, day, student_id, present, seenValue, yields = false }: Tap,
): StoredMark | undefined {
  const replaces = storedMark ? findReplaceableValues(storedMark) : [seenValue]
  const isUnsent = storedMark && !storedMark.isAttempted && !storedMark.elsewhere
  if (isUnsent && replaces.every((value) => value === present)) return undefined
  return { class_id, day, student_id, present, replaces, isAttempted: false, yields }
}

/** Returns the mark to keep after the server's reply. Undefined if the mark was saved, or if it
 *  yielded to someone else's mark. */
export function markAfterReply(
  storedMark: StoredMark,
  sentMark: StoredMark,
  records: readonly MarkReply[],
): StoredMark | undefined {
  const record = records.find(({ student_id }) => student_id === sentMark.student_id)
  const present = record?.present ?? null
  // The student was tapped again while the mark was being sent.
  if (storedMark.tap !== sentMark.tap)
    return present === sentMark.present ? { ...storedMark, replaces: [present] } : storedMark
  if (present === sentMark.present || sentMark.yields) return undefined
  // The server has the value of one of our earlier taps, so this mark is sent again.
  if (sentMark.replaces.includes(present)) return storedMark
  return { ...storedMark, elsewhere: { present, ...(record?.is_check_in && { isCheckIn: true }) } }
}
