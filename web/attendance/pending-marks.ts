import type { MarkValue, CurrentRecord } from '@tatami/contract/attendance/attendance'
import type { Attempt, OutboxItem } from '../lib/outbox.ts'

export type MarkTarget = { class_id: string; day: string; student_id: string }

/** `isCheckIn`: the student checked in at a kiosk. */
export type ServerMark = { present: MarkValue; isCheckIn?: boolean }

/** An unsent tap; null clears the mark. It outlives a session, so it holds ids and no names. */
export type StoredMark = MarkTarget &
  OutboxItem & {
    present: MarkValue
    /** Values that are not somebody else's: seen at the tap, or own taps that may have arrived. */
    replaces: MarkValue[]
    /** Somebody else's mark wins without a question: for "Rest present". */
    yields: boolean
    /** Somebody else's different mark. Nothing is sent until a tap decides. */
    elsewhere?: ServerMark
  }
export type PendingMark = StoredMark & Attempt

export type Tap = MarkTarget & {
  present: MarkValue
  /** The server's value on the screen. */
  seen: MarkValue
  yields?: boolean
}

export const markKey = ({ class_id, day, student_id }: MarkTarget) =>
  [class_id, day, student_id].join(' ')
export const rollKey = ({ class_id, day }: MarkTarget) => `${class_id} ${day}`

export const isSendable = ({ refusal, elsewhere }: StoredMark) =>
  refusal === undefined && elsewhere === undefined
const hasFailed = (mark: PendingMark) => isSendable(mark) && mark.hasFailed === true
/** No answer came, so it waits for the network. */
export const isWaiting = (mark: PendingMark) => hasFailed(mark) && mark.failure === undefined
/** Why the server, which answered, did not save the mark. */
export const notSavedReason = (mark: PendingMark): string | undefined =>
  mark.refusal ?? (hasFailed(mark) ? mark.failure : undefined)

/** What a new tap may replace when an earlier one is still unsent. */
function replaceableAfter({ elsewhere, replaces, isAttempted, present }: StoredMark): MarkValue[] {
  if (elsewhere) return [elsewhere.present]
  return isAttempted ? [...new Set([...replaces, present])] : replaces
}

/** Undefined if the tap undoes one that never left the device. */
export function afterTap(
  storedMark: StoredMark | undefined,
  { class_id, day, student_id, present, seen, yields = false }: Tap,
): StoredMark | undefined {
  const replaces = storedMark ? replaceableAfter(storedMark) : [seen]
  const isUnsent = storedMark && !storedMark.isAttempted && !storedMark.elsewhere
  if (isUnsent && replaces.every((value) => value === present)) return undefined
  return { class_id, day, student_id, present, replaces, isAttempted: false, yields }
}

/** The stored mark after the server's answer; undefined once nothing is left to send. */
export function afterAnswer(
  storedMark: StoredMark,
  sentMark: StoredMark,
  records: readonly CurrentRecord[],
): StoredMark | undefined {
  const record = records.find(({ student_id }) => student_id === sentMark.student_id)
  const present = record?.present ?? null
  // Tapped again since.
  if (storedMark.tap !== sentMark.tap)
    return present === sentMark.present ? { ...storedMark, replaces: [present] } : storedMark
  if (present === sentMark.present || sentMark.yields) return undefined
  // An earlier tap of ours has arrived only now.
  if (sentMark.replaces.includes(present)) return storedMark
  return { ...storedMark, elsewhere: { present, ...(record?.is_check_in && { isCheckIn: true }) } }
}
