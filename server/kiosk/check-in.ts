import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import {
  type Greeting,
  type KioskClass,
  LATE_DAYS,
  type NewCheckIn,
} from '@tatami/contract/kiosk/kiosk'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { markAttendance, readMark, unmarkAttendance } from '../attendance/attendance.ts'
import { auditAction } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import type { Kiosk } from '../http/serve.ts'
import { now, nowIso } from '../lib/clock.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'
import { type Attendee, greetingsFor } from './greeting.ts'
import { classesOfStudents, ownClass, requireClass } from './identify.ts'
import { count, requireLeft } from './limits.ts'
import { type NotCounted, reportNotCounted } from './not-counted.ts'
import { readPass } from './passes.ts'
import { studentByPin } from './pins.ts'
import { type Door, doorAt } from './today.ts'
import { kioskCheckIns } from './tables.ts'
import { firstRow, getOrThrow, pluck } from '../lib/rows.ts'

/** As long as the greeting shows, and some more for a slow network. */
const UNDO_MS = 2 * 60_000

type CheckInReply = { greetings: Greeting[] }

/** Marks students present in their own class of that day. The same check-in sent again counts
 *  once. A wrong PIN is returned, not thrown: its transaction counts it. */
export async function checkIn(
  tx: Tx,
  kiosk: Kiosk,
  { id, class_id, came_at, ...identification }: NewCheckIn,
): Promise<CheckInReply | Refusal> {
  if (came_at !== undefined)
    return checkInLate(tx, kiosk, { id, class_id, passes: identification.passes ?? [], came_at })
  const door = await doorAt(tx, kiosk)
  const kioskClass = requireClass(door, class_id)
  const ids = await identify(tx, door, identification)
  if (ids instanceof Refusal) return ids
  const classesByStudent = await classesOfStudents(tx, door, ids)
  return recordArrivals(
    tx,
    kiosk,
    door,
    id,
    ids.map((student_id) => ({
      student_id,
      to: ownClass(classesByStudent.get(student_id) ?? [], kioskClass, door.minute) ?? kioskClass,
    })),
  )
}

/** A check-in made offline counts for its own moment. If it cannot count, nobody is at the door
 *  any more, so the instructors are told. */
async function checkInLate(
  tx: Tx,
  kiosk: Kiosk,
  {
    id,
    class_id,
    passes,
    came_at,
  }: { id: string; class_id: string; passes: string[]; came_at: string },
): Promise<CheckInReply> {
  // A tablet's clock may be ahead.
  const cameAt = new Date(Math.min(Date.parse(came_at), now().getTime()))
  const door = await doorAt(tx, kiosk, cameAt)
  const identities = readPasses(door, passes)
  const kioskClass = door.classes.find((candidate) => candidate.id === class_id)
  const isTooLate = now().getTime() - cameAt.getTime() > LATE_DAYS * DAY_MS
  const lacksPin = door.settings.asks_pin && identities.some(({ kind }) => kind === 'name')
  const ids = await findExisting(tx, [...new Set(pluck(identities, 'studentId'))])
  const classesByStudent = await classesOfStudents(tx, door, ids)
  const came: Arrival[] = [],
    notCounted: NotCounted[] = []
  for (const student_id of ids) {
    const attendedClass =
      ownClass(classesByStudent.get(student_id) ?? [], kioskClass, door.minute) ?? kioskClass
    if (attendedClass && !isTooLate && !lacksPin) came.push({ student_id, to: attendedClass })
    else
      notCounted.push({
        student_id,
        why: isTooLate ? 'too late' : attendedClass ? 'no PIN' : 'no class',
      })
  }
  await reportNotCounted(tx, kiosk, { id, class_id, day: door.day, at: cameAt }, notCounted)
  return came.length > 0 ? recordArrivals(tx, kiosk, door, id, came) : { greetings: [] }
}

async function findExisting(tx: Tx, ids: string[]): Promise<string[]> {
  const rows = await tx
    .select({ id: students.id })
    .from(students)
    .where(equalsAny(students.id, ids))
  return ids.filter((id) => rows.some((row) => row.id === id))
}

type Arrival = Pick<Attendee, 'student_id' | 'to'>

async function recordArrivals(
  tx: Tx,
  kiosk: Kiosk,
  door: Door,
  id: string,
  arrivals: readonly Arrival[],
): Promise<CheckInReply> {
  const was = new Map<string, boolean>()
  // In one order, so that two check-ins never wait for each other.
  for (const { student_id, to } of arrivals.toSorted((a, b) =>
    a.student_id < b.student_id ? -1 : 1,
  ))
    was.set(student_id, await record(tx, door, id, student_id, to))
  const came = arrivals.map((arrival): Attendee => ({
    ...arrival,
    was_here: getOrThrow(was, arrival.student_id),
  }))
  const isNew = came.some(({ was_here }) => !was_here)
  if (isNew)
    await auditAction(
      tx,
      kiosk,
      'checked in at a kiosk',
      came.length === 1
        ? { subject_id: firstRow(came).student_id }
        : { details: { students: came.length } },
    )
  return { greetings: await greetingsFor(tx, came, door.day) }
}

function readPasses({ settings, kioskId, day }: Door, passes: readonly string[]) {
  const identities = passes
    .map((pass) => readPass({ secret: settings.secret, kioskId, day }, pass))
    .filter((identity) => identity !== null)
  if (identities.length < passes.length) throw invalid('passes', 'Please start again')
  return identities
}

async function identify(
  tx: Tx,
  door: Door,
  { pin, passes }: Pick<NewCheckIn, 'pin' | 'passes'>,
): Promise<string[] | Refusal> {
  const { settings, kioskId } = door
  const identities = readPasses(door, passes ?? [])
  const asksPin =
    passes === undefined || (settings.asks_pin && identities.some(({ kind }) => kind === 'name'))
  const ids = await findExisting(tx, [...new Set(pluck(identities, 'studentId'))])
  if (ids.length < new Set(pluck(identities, 'studentId')).size)
    throw invalid('passes', 'Please start again')
  if (!asksPin) return ids
  if (pin === undefined) throw invalid('pin', 'Please enter your PIN')
  await requireLeft(tx, kioskId, 'wrong_pins')
  const owner = await studentByPin(tx, settings.secret, pin)
  if (owner !== undefined && (passes === undefined || (ids.length === 1 && ids[0] === owner)))
    return [owner]
  await count(tx, kioskId, 'wrong_pins')
  return invalid(
    'pin',
    passes === undefined
      ? 'Nobody here has this PIN. Please try again.'
      : 'That is not your PIN. Please try again.',
  )
}

async function record(
  tx: Tx,
  { kioskId, day }: Door,
  id: string,
  student_id: string,
  attendedClass: KioskClass,
): Promise<boolean> {
  const target = { student_id, class_id: attendedClass.id, class_date: day }
  const wasPresent = await readMark(tx, target)
  const [isFirst] = await tx
    .insert(kioskCheckIns)
    .values({ id, kiosk_id: kioskId, ...target, was_present: wasPresent })
    .onConflictDoNothing()
    .returning({ id: kioskCheckIns.id })
  if (isFirst && !wasPresent) await markAttendance(tx, { ...target, present: true })
  return wasPresent === true
}

/** Restores the marks before the check-in. 404 if this kiosk has made none in the last minutes. */
export async function undoCheckIn(tx: Tx, kiosk: Kiosk, id: string): Promise<void> {
  const undone = await tx
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
  if (undone.length === 0) throw notFound('Check-in')
  for (const { student_id, class_id, class_date, was_present } of undone) {
    if (was_present === null) await unmarkAttendance(tx, { student_id, class_id, class_date })
    else if (!was_present)
      await markAttendance(tx, { student_id, class_id, class_date, present: false })
  }
  await auditAction(
    tx,
    kiosk,
    'kiosk check-in taken back',
    undone.length === 1
      ? { subject_id: firstRow(undone).student_id }
      : { details: { students: undone.length } },
  )
}
