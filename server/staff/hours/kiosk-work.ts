import { firstName } from '@tatami/contract/lib/name-parts'
import { DESK_TASK } from '@tatami/contract/staff/hours'
import type { ShiftReply, Worker } from '@tatami/contract/staff/work-pins'
import { and, desc, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import type { Kiosk } from '../../http/serve.ts'
import { increaseCount, requireBelowLimit } from '../../kiosk/limits.ts'
import { now } from '../../lib/clock.ts'
import { formatTime } from '../../lib/format-day.ts'
import { invalid, Refusal } from '../../lib/refusal.ts'
import { lockMember } from '../membership.ts'
import { readTimeZone } from './entries.ts'
import { findConflict, insertHours, splitSpan } from './insert-hours.ts'
import { isRunning, type ShiftRow } from './shifts.ts'
import { minutesOfSpan, startOfMinute, wallTime } from './spans.ts'
import { staffShifts } from './tables.ts'
import { findWorkerByPin } from './work-pins.ts'

type Person = { id: string; name: string }

/** Returns the refusal of a wrong PIN instead of throwing it, so that the count of wrong PINs is
 *  committed. */
async function findWorker(tx: Tx, kiosk: Kiosk, pin: string): Promise<Person | Refusal> {
  await requireBelowLimit(tx, kiosk.id, 'wrong_pins')
  const worker = await findWorkerByPin(tx, kiosk.dojoId, pin)
  if (worker) return worker
  await increaseCount(tx, kiosk.id, 'wrong_pins')
  return invalid('pin', 'Nobody on the staff has this PIN. Please try again.')
}

export async function lookUpWorker(tx: Tx, kiosk: Kiosk, pin: string): Promise<Worker | Refusal> {
  const worker = await findWorker(tx, kiosk, pin)
  if (worker instanceof Refusal) return worker
  const shift = await findRunningShift(tx, worker.id)
  const timeZone = await readTimeZone(tx, kiosk.dojoId)
  return {
    first_name: firstName(worker.name),
    started: shift ? wallTime(shift.started_at, timeZone) : null,
  }
}

async function findRunningShift(tx: Tx, personId: string): Promise<ShiftRow | undefined> {
  const [latestShift] = await tx
    .select()
    .from(staffShifts)
    .where(and(eq(staffShifts.person_id, personId), isNull(staffShifts.ended_at)))
    .orderBy(desc(staffShifts.started_at))
    .limit(1)
  return latestShift && isRunning(latestShift) ? latestShift : undefined
}

export async function recordWork(
  tx: Tx,
  kiosk: Kiosk,
  { pin, action }: { pin: string; action: 'start' | 'end' },
): Promise<ShiftReply | Refusal> {
  const worker = await findWorker(tx, kiosk, pin)
  if (worker instanceof Refusal) return worker
  await lockMember(tx, worker.id)
  const shift = await findRunningShift(tx, worker.id)
  const timeZone = await readTimeZone(tx, kiosk.dojoId)
  if (action === 'start') return startWork(tx, kiosk, worker, shift, timeZone)
  if (!shift) throw new Refusal(409, 'You haven’t started work.')
  return endWork(tx, worker, shift, timeZone)
}

async function startWork(
  tx: Tx,
  kiosk: Kiosk,
  worker: Person,
  shift: ShiftRow | undefined,
  timeZone: string,
): Promise<ShiftReply> {
  if (shift) {
    const time = formatTime(wallTime(shift.started_at, timeZone))
    throw new Refusal(409, `You already started work at ${time}.`)
  }
  await tx.insert(staffShifts).values({
    person_id: worker.id,
    kiosk_id: kiosk.id,
    started_at: startOfMinute(now()).toISOString(),
  })
  return { outcome: 'started', first_name: firstName(worker.name), minutes: null }
}

/** Keeps a shift that overlaps other hours, so the person can fix it under Hours. A shift that ends
 *  within its first minute is dropped. */
async function endWork(
  tx: Tx,
  worker: Person,
  shift: ShiftRow,
  timeZone: string,
): Promise<ShiftReply> {
  const first_name = firstName(worker.name)
  const span = { startsAt: new Date(shift.started_at), endsAt: startOfMinute(now()) }
  const minutes = minutesOfSpan(span)
  const isThisShift = eq(staffShifts.id, shift.id)
  const parts = minutes > 0 ? splitSpan(span, timeZone) : []
  if ((await findConflict(tx, timeZone, worker.id, parts)) !== null) {
    await tx.update(staffShifts).set({ ended_at: span.endsAt.toISOString() }).where(isThisShift)
    return { outcome: 'check', first_name, minutes }
  }
  await tx.delete(staffShifts).where(isThisShift)
  const hours = {
    person_id: worker.id,
    task: DESK_TASK,
    source: 'kiosk',
    created_by: worker.id,
  } as const
  await insertHours(tx, timeZone, hours, parts)
  return { outcome: 'ended', first_name, minutes }
}
