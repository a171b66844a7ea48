import type { MarkValue, CurrentRecord } from '@tatami/contract/attendance/attendance'
import type { Attempt, OutboxItem } from '../lib/outbox.ts'

export type MarkTarget = { class_id: string; day: string; student_id: string }

/** What stands at the server; `isCheckIn` where the student has checked in at a kiosk. */
export type ServerMark = { present: MarkValue; isCheckIn?: boolean }

/** The last value tapped for a target that the server does not have yet; null takes the mark back. Ids and no names: it outlives a session. */
export type StoredMark = MarkTarget &
  OutboxItem & {
    present: MarkValue
    /** What the server may have without anybody else having marked: what was seen at the tap, and own taps that may have arrived. */
    replaces: MarkValue[]
    /** Of the rest of a class at once: where somebody else marked meanwhile, theirs stands, and nobody is asked. */
    yields: boolean
    /** What somebody else marked meanwhile; the next tap decides. It is not sent until then. */
    elsewhere?: ServerMark
  }
export type PendingMark = StoredMark & Attempt

export type Tap = MarkTarget & {
  present: MarkValue
  /** The server's value as the screen showed it. */
  seen: MarkValue
  yields?: boolean
}

export const markKey = ({ class_id, day, student_id }: MarkTarget) =>
  [class_id, day, student_id].join(' ')
/** Marks of one class on one day are sent together. */
export const rollKey = ({ class_id, day }: MarkTarget) => `${class_id} ${day}`

/** Whether it goes out by itself. */
export const isSendable = ({ refusal, elsewhere }: StoredMark) =>
  refusal === undefined && elsewhere === undefined
const hasFailed = (mark: PendingMark) => isSendable(mark) && mark.hasFailed === true
/** Whether it waits for the network: no answer came. */
export const isWaiting = (mark: PendingMark) => hasFailed(mark) && mark.failure === undefined
/** Why the server does not have the mark although it answered; undefined where it was not asked, or no answer came. */
export const notSavedReason = (mark: PendingMark): string | undefined =>
  mark.refusal ?? (hasFailed(mark) ? mark.failure : undefined)

/** What a tap may replace, where another on the same target waits. */
function replaceableAfter({ elsewhere, replaces, isAttempted, present }: StoredMark): MarkValue[] {
  if (elsewhere) return [elsewhere.present]
  return isAttempted ? [...new Set([...replaces, present])] : replaces
}

/** The stored mark after a tap; undefined where it takes back one that never left the device. */
export function afterTap(
  storedMark: StoredMark | undefined,
  { class_id, day, student_id, present, seen, yields = false }: Tap,
): StoredMark | undefined {
  const replaces = storedMark ? replaceableAfter(storedMark) : [seen]
  const isUnsent = storedMark && !storedMark.isAttempted && !storedMark.elsewhere
  if (isUnsent && replaces.every((value) => value === present)) return undefined
  return { class_id, day, student_id, present, replaces, isAttempted: false, yields }
}

/** The stored mark once the server has answered for `sent`; undefined where what stands settles it. */
export function afterAnswer(
  storedMark: StoredMark,
  sentMark: StoredMark,
  records: readonly CurrentRecord[],
): StoredMark | undefined {
  const record = records.find(({ student_id }) => student_id === sentMark.student_id)
  const present = record?.present ?? null
  // Tapped again meanwhile.
  if (storedMark.tap !== sentMark.tap)
    return present === sentMark.present ? { ...storedMark, replaces: [present] } : storedMark
  if (present === sentMark.present || sentMark.yields) return undefined
  // An own tap of before arrived only now.
  if (sentMark.replaces.includes(present)) return storedMark
  return { ...storedMark, elsewhere: { present, ...(record?.is_check_in && { isCheckIn: true }) } }
}
