import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import {
  type Greeting,
  hasEnded,
  MAX_LATE_DAYS,
  type NewCheckIn,
} from '@tatami/contract/kiosk/kiosk'
import { and, eq, gt, isNull, type SQL } from 'drizzle-orm'
import { markAttendance, readMark, unmarkAttendance } from '../attendance/attendance.ts'
import { auditAction } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { findHeldAmong } from '../documents/document-lists.ts'
import type { Kiosk } from '../http/serve.ts'
import { now, nowIso } from '../lib/clock.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { entriesOf, readEntryNotices } from '../plans/entries.ts'
import { readPlanRules } from '../plans/plans.ts'
import { isCurrentStudent, students } from '../students/tables.ts'
import { type KioskAttendee, composeGreetings } from './greeting.ts'
import { findClassesOfStudents, findOwnClass, findClass } from './identify.ts'
import { increaseCount, requireBelowLimit } from './limits.ts'
import { type UncountedStudent, reportUncounted } from './uncounted.ts'
import { createSigningQrCodes, type UnsignedDocuments } from './signing-qr-codes.ts'
import { readPass } from './passes.ts'
import { findStudentByPin } from './pins.ts'
import { type KioskDay, readKioskDay } from './today.ts'
import { kioskCheckIns } from './tables.ts'
import { firstRow, pluck } from '../lib/rows.ts'

/** How long a check-in can be undone. The greeting is shown for a shorter time, but the network may
 *  be slow. */
const UNDO_MS = 2 * 60_000

type CheckInReply = { greetings: Greeting[] }

/** A repeated check-in counts once. A wrong PIN is returned instead of thrown, so that the
 *  transaction that counts it is committed. */
export async function checkIn(
  tx: Tx,
  kiosk: Kiosk,
  { id, class_id, came_at, asks_first = false, ...identification }: NewCheckIn,
  publicUrl: string,
): Promise<CheckInReply | Refusal> {
  if (came_at !== undefined)
    return recordOfflineCheckIn(tx, kiosk, {
      id,
      class_id,
      passes: identification.passes ?? [],
      came_at,
      asks_first,
    })
  const kioskDay = await readKioskDay(tx, kiosk)
  const kioskClass = findClass(kioskDay, class_id)
  const ids = await identifyStudents(tx, kioskDay, identification)
  if (ids instanceof Refusal) return ids
  const classesByStudent = await findClassesOfStudents(tx, kioskDay, ids)
  const arrivals = ids.map((student_id) => {
    const ownClasses = classesByStudent.get(student_id) ?? []
    const ownClass = findOwnClass(ownClasses, kioskClass, kioskDay.minute)
    const attendedClass = ownClass ?? kioskClass
    if (hasEnded(attendedClass, kioskDay.minute))
      throw invalid('class_id', `${attendedClass.name} is over. Please tell your instructor.`)
    if (!ownClass && asks_first) throw invalid('asks_first', `You’re not in ${kioskClass.name}.`)
    return { student_id, kioskClass: attendedClass }
  })
  const heldIds = new Set([
    ...(await findStudentsOverLimit(tx, kioskDay, arrivals)),
    ...(await findHeldAmong(tx, kiosk.dojoId, pluck(arrivals, 'student_id'))),
  ])
  const unsignedDocuments = await createSigningQrCodes(tx, kiosk.dojoId, ids, publicUrl)
  return recordArrivals(tx, kiosk, kioskDay, { id, arrivals, heldIds, unsignedDocuments })
}

type OfflineCheckIn = {
  id: string
  class_id: string
  passes: string[]
  came_at: string
  asks_first: boolean
}

/** Counts the check-in for the time at which it was made. Notifies the instructors if it does not
 *  count for a student. */
async function recordOfflineCheckIn(
  tx: Tx,
  kiosk: Kiosk,
  { id, class_id, passes, came_at, asks_first }: OfflineCheckIn,
): Promise<CheckInReply> {
  // A tablet's clock may be ahead.
  const cameAt = new Date(Math.min(Date.parse(came_at), now().getTime()))
  const kioskDay = await readKioskDay(tx, kiosk, cameAt)
  const identities = readPasses(kioskDay, passes)
  const kioskClass = kioskDay.classes.find((dojoClass) => dojoClass.id === class_id)
  const isTooLate = now().getTime() - cameAt.getTime() > MAX_LATE_DAYS * DAY_MS
  const isPinMissing = kioskDay.settings.asks_pin && identities.some(({ kind }) => kind === 'name')
  const ids = await findExistingStudents(tx, [...new Set(pluck(identities, 'studentId'))])
  const classesByStudent = await findClassesOfStudents(tx, kioskDay, ids)
  const arrivals: Arrival[] = []
  const uncountedStudents: UncountedStudent[] = []
  for (const student_id of ids) {
    const ownClasses = classesByStudent.get(student_id) ?? []
    const ownClass = findOwnClass(ownClasses, kioskClass, kioskDay.minute)
    const attendedClass = ownClass ?? kioskClass
    if (isTooLate) uncountedStudents.push({ student_id, reasonCode: 'too late' })
    else if (!attendedClass) uncountedStudents.push({ student_id, reasonCode: 'no class' })
    else if (hasEnded(attendedClass, kioskDay.minute))
      uncountedStudents.push({ student_id, reasonCode: 'over' })
    else if (!ownClass && asks_first)
      uncountedStudents.push({ student_id, reasonCode: 'not enrolled' })
    else if (isPinMissing) uncountedStudents.push({ student_id, reasonCode: 'no PIN' })
    else arrivals.push({ student_id, kioskClass: attendedClass })
  }
  const offlineCheckIn = { id, class_id, day: kioskDay.day, at: cameAt }
  await reportUncounted(tx, kiosk, offlineCheckIn, uncountedStudents)
  // The students have already trained, so nobody is sent to an instructor.
  return arrivals.length > 0
    ? recordArrivals(tx, kiosk, kioskDay, {
        id,
        arrivals,
        heldIds: new Set(),
        unsignedDocuments: new Map(),
      })
    : { greetings: [] }
}

/** Includes former students, because an offline check-in may be from a day before a student left.
 *  */
async function findExistingStudents(tx: Tx, ids: string[], condition?: SQL): Promise<string[]> {
  const rows = await tx
    .select({ id: students.id })
    .from(students)
    .where(and(equalsAny(students.id, ids), condition))
  return ids.filter((id) => rows.some((row) => row.id === id))
}

type Arrival = Pick<KioskAttendee, 'student_id' | 'kioskClass'>

/** Finds students who are over the limit of their plan, if the school wants the kiosk to send them
 *  to an instructor. */
async function findStudentsOverLimit(
  tx: Tx,
  { day }: KioskDay,
  arrivals: readonly Arrival[],
): Promise<Set<string>> {
  const { kiosk_stops_over_limit } = await readPlanRules(tx)
  if (!kiosk_stops_over_limit) return new Set()
  const notices = await readEntryNotices(tx, entriesOf(arrivals, day), day)
  const overLimitNotices = [...notices].filter(([, { is_over_limit }]) => is_over_limit)
  return new Set(overLimitNotices.map(([studentId]) => studentId))
}

type NewArrivals = {
  id: string
  arrivals: readonly Arrival[]
  /** Students whom the kiosk sends to the instructor. */
  heldIds: ReadonlySet<string>
  /** Student id → the documents to sign. */
  unsignedDocuments: ReadonlyMap<string, UnsignedDocuments>
}

async function recordArrivals(
  tx: Tx,
  kiosk: Kiosk,
  kioskDay: KioskDay,
  { id, arrivals, heldIds, unsignedDocuments }: NewArrivals,
): Promise<CheckInReply> {
  const wasPresentById = new Map<string, boolean>()
  // All check-ins use the same order to avoid deadlocks.
  const sortedArrivals = arrivals
    .filter(({ student_id }) => !heldIds.has(student_id))
    .toSorted((a, b) => (a.student_id < b.student_id ? -1 : 1))
  for (const arrival of sortedArrivals)
    wasPresentById.set(arrival.student_id, await recordArrival(tx, kioskDay, id, arrival))
  const attendees = arrivals.map((arrival): KioskAttendee => ({
    ...arrival,
    was_here: wasPresentById.get(arrival.student_id) ?? false,
    sees_instructor: heldIds.has(arrival.student_id),
    papers: unsignedDocuments.get(arrival.student_id) ?? null,
  }))
  const markedAttendees = attendees.filter(({ sees_instructor }) => !sees_instructor)
  const hasNewMark = markedAttendees.some(({ was_here }) => !was_here)
  if (hasNewMark)
    await auditAction(
      tx,
      kiosk,
      'checked in at a kiosk',
      markedAttendees.length === 1
        ? { subject_id: firstRow(markedAttendees).student_id }
        : { details: { students: markedAttendees.length } },
    )
  return { greetings: await composeGreetings(tx, attendees, kioskDay.day) }
}

function readPasses({ settings, kioskId, day }: KioskDay, passes: readonly string[]) {
  const identities = passes
    .map((pass) => readPass({ secret: settings.secret, kioskId, day }, pass))
    .filter((identity) => identity !== null)
  if (identities.length < passes.length) throw invalid('passes', 'Please start again')
  return identities
}

async function identifyStudents(
  tx: Tx,
  kioskDay: KioskDay,
  { pin, passes }: Pick<NewCheckIn, 'pin' | 'passes'>,
): Promise<string[] | Refusal> {
  const { settings, kioskId } = kioskDay
  const identities = readPasses(kioskDay, passes ?? [])
  const needsPin =
    passes === undefined || (settings.asks_pin && identities.some(({ kind }) => kind === 'name'))
  const passIds = [...new Set(pluck(identities, 'studentId'))]
  const ids = await findExistingStudents(tx, passIds, isCurrentStudent)
  if (ids.length < passIds.length) throw invalid('passes', 'Please start again')
  if (!needsPin) return ids
  if (pin === undefined) throw invalid('pin', 'Please enter your PIN')
  await requireBelowLimit(tx, kioskId, 'wrong_pins')
  const pinOwnerId = await findStudentByPin(tx, settings.secret, pin)
  const isPinOfPass = passes === undefined || (ids.length === 1 && ids[0] === pinOwnerId)
  if (pinOwnerId !== undefined && isPinOfPass) return [pinOwnerId]
  await increaseCount(tx, kioskId, 'wrong_pins')
  return invalid(
    'pin',
    passes === undefined
      ? 'We don’t recognize this PIN. Please try again.'
      : 'That is not your PIN. Please try again.',
  )
}

/** Returns true if the student was already marked present. */
async function recordArrival(
  tx: Tx,
  { kioskId, day }: KioskDay,
  id: string,
  { student_id, kioskClass }: Arrival,
): Promise<boolean> {
  const mark = { student_id, class_id: kioskClass.id, class_date: day }
  const wasPresent = await readMark(tx, mark)
  const [newCheckIn] = await tx
    .insert(kioskCheckIns)
    .values({ id, kiosk_id: kioskId, ...mark, was_present: wasPresent })
    .onConflictDoNothing()
    .returning({ id: kioskCheckIns.id })
  if (newCheckIn && !wasPresent) await markAttendance(tx, { ...mark, present: true }, null)
  return wasPresent === true
}

/** Throws 404 if this kiosk did not make the check-in within the last two minutes. */
export async function undoCheckIn(tx: Tx, kiosk: Kiosk, id: string): Promise<void> {
  const undoneCheckIns = await tx
    .update(kioskCheckIns)
    .set({ undone_at: nowIso() })
    .where(
      and(
        eq(kioskCheckIns.id, id),
        eq(kioskCheckIns.kiosk_id, kiosk.id),
        isNull(kioskCheckIns.undone_at),
        gt(kioskCheckIns.created_at, new Date(now().getTime() - UNDO_MS).toISOString()),
      ),
    )
    .returning()
  if (undoneCheckIns.length === 0) throw notFound('Check-in')
  for (const { student_id, class_id, class_date, was_present } of undoneCheckIns) {
    if (was_present === null) await unmarkAttendance(tx, { student_id, class_id, class_date })
    else if (!was_present)
      await markAttendance(tx, { student_id, class_id, class_date, present: false }, null)
  }
  await auditAction(
    tx,
    kiosk,
    'kiosk check-in taken back',
    undoneCheckIns.length === 1
      ? { subject_id: firstRow(undoneCheckIns).student_id }
      : { details: { students: undoneCheckIns.length } },
  )
}
