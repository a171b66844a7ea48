import { type Greeting, type KioskClass, LATE_DAYS, type NewCheckIn } from '@tatami/contract/kiosk'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { markAttendance, unmarkAttendance } from '../attendance/attendance.ts'
import { attendance } from '../attendance/tables.ts'
import { auditAct } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import type { Kiosk } from '../http/serve.ts'
import { DAY_MS, now, nowIso } from '../lib/clock.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { type Came, greetingsFor } from './greeting.ts'
import { classesOfStudents, ownClass, shownClass } from './identify.ts'
import { count, requireLeft } from './limits.ts'
import { readPass } from './passes.ts'
import { studentByPin } from './pins.ts'
import { type Door, doorAt } from './today.ts'
import { kioskCheckIns } from './tables.ts'

/** A tablet's clock may be ahead. */
const AHEAD_MS = 5 * 60_000
/** So long a check-in can be taken back: while its greeting stands, and somewhat longer where the network is slow. */
const UNDO_MS = 2 * 60_000

/** Marks those present who were identified, in their own class of that day, and greets them. The same check-in sent again is one. A wrong PIN is
 *  returned, not thrown, because it counts. */
export async function checkIn(
  tx: Tx,
  kiosk: Kiosk,
  { id, class_id, came_at, ...who }: NewCheckIn,
): Promise<{ greetings: Greeting[] } | Refusal> {
  const door = await doorAt(tx, kiosk, timeOf(came_at))
  const shown = shownClass(door, class_id)
  const ids = await identify(tx, door, who)
  if (ids instanceof Refusal) return ids
  const enrolled = await classesOfStudents(tx, door, ids)
  const came: Came[] = []
  // In one order, so that two check-ins never wait for each other.
  for (const student_id of ids.toSorted()) {
    const to = ownClass(enrolled.get(student_id) ?? [], shown, door.minute) ?? shown
    came.push({ student_id, to, was_here: await record(tx, door, id, student_id, to) })
  }
  const isNew = came.some(({ was_here }) => !was_here)
  if (isNew)
    await auditAct(tx, kiosk, 'checked in at a kiosk', ids.length === 1 ? { subject_id: ids[0]! } : { details: { students: ids.length } })
  const inOrder = came.toSorted((one, other) => ids.indexOf(one.student_id) - ids.indexOf(other.student_id))
  return { greetings: await greetingsFor(tx, inOrder, door.day) }
}

/** When somebody came: now, or while there was no network. */
function timeOf(came_at: string | undefined): Date {
  if (came_at === undefined) return now()
  const ago = now().getTime() - Date.parse(came_at)
  if (ago < -AHEAD_MS) throw invalid('came_at', 'The time is in the future. Please set the clock of this tablet.')
  if (ago > LATE_DAYS * DAY_MS) throw invalid('came_at', `A check-in is taken for ${LATE_DAYS} days at most.`)
  return new Date(came_at)
}

async function identify(tx: Tx, door: Door, { pin, passes }: Pick<NewCheckIn, 'pin' | 'passes'>): Promise<string[] | Refusal> {
  const { settings, kioskId, day } = door
  const given = passes?.map((pass) => readPass({ secret: settings.secret, kioskId, day }, pass)) ?? []
  const found = given.filter((one) => one !== null)
  if (found.length < given.length) throw invalid('passes', 'Please start again')
  const asksPin = passes === undefined || (settings.asks_pin && found.some(({ kind }) => kind === 'name'))
  const ids = [...new Set(found.map(({ studentId }) => studentId))]
  if (!asksPin) return ids
  if (pin === undefined) throw invalid('pin', 'Please enter your PIN')
  await requireLeft(tx, kioskId, 'wrong_pins')
  const owner = await studentByPin(tx, settings.secret, pin)
  if (owner !== undefined && (passes === undefined || (ids.length === 1 && ids[0] === owner))) return [owner]
  await count(tx, kioskId, 'wrong_pins')
  return invalid('pin', passes === undefined ? 'Nobody here has this PIN. Please try again.' : 'That is not your PIN. Please try again.')
}

/** Marks the student present, once for this check-in. Returns whether they were present before. */
async function record(tx: Tx, { kioskId, day }: Door, id: string, student_id: string, to: KioskClass): Promise<boolean> {
  const target = { student_id, class_id: to.id, class_date: day }
  const [before] = await tx
    .select({ present: attendance.present })
    .from(attendance)
    .where(and(eq(attendance.student_id, student_id), eq(attendance.class_id, to.id), eq(attendance.class_date, day)))
  const [isFirst] = await tx
    .insert(kioskCheckIns)
    .values({ id, kiosk_id: kioskId, ...target, was_present: before?.present ?? null })
    .onConflictDoNothing()
    .returning({ id: kioskCheckIns.id })
  if (!isFirst) return before?.present === true
  if (before?.present !== true) await markAttendance(tx, { ...target, present: true })
  return before?.present === true
}

/** Gives everybody of the check-in the mark that stood before; 404 where this kiosk has made none lately. */
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
    else if (!was_present) await markAttendance(tx, { student_id, class_id, class_date, present: false })
  }
  await auditAct(
    tx,
    kiosk,
    'kiosk check-in taken back',
    undone.length === 1 ? { subject_id: undone[0]!.student_id } : { details: { students: undone.length } },
  )
}
