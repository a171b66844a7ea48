import {
  type HoursEntry,
  MAX_SHIFT_MINUTES,
  type Shift,
  type ShiftForm,
} from '@tatami/contract/staff/hours'
import { and, desc, eq, type SQL } from 'drizzle-orm'
import { auditAction } from '../../audit/audit.ts'
import type { Tx } from '../../db/database.ts'
import { todayIn } from '../../dojos/calendar.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { now } from '../../lib/clock.ts'
import { notFound } from '../../lib/refusal.ts'
import { instructors } from '../../sensei/tables.ts'
import { lockMember } from '../membership.ts'
import { readTimeZone } from './entries.ts'
import { maySeeHoursOf, readNewEntries } from './hours.ts'
import { insertHours, splitHours } from './insert-hours.ts'
import { minutesOfSpan, wallTime } from './spans.ts'
import { staffShifts } from './tables.ts'

export type ShiftRow = typeof staffShifts.$inferSelect

/** False if the shift is so long that the person probably forgot to end it. */
export const isRunning = ({ started_at, ended_at }: ShiftRow): boolean =>
  ended_at === null &&
  minutesOfSpan({ startsAt: new Date(started_at), endsAt: now() }) <= MAX_SHIFT_MINUTES

/** Newest first. */
export async function readShifts(tx: Tx, timeZone: string, condition?: SQL): Promise<Shift[]> {
  const rows = await tx
    .select({ shift: staffShifts, person_name: instructors.name })
    .from(staffShifts)
    .innerJoin(instructors, eq(instructors.id, staffShifts.person_id))
    .where(and(condition))
    .orderBy(desc(staffShifts.started_at), desc(staffShifts.id))
  return rows.map(({ shift, person_name }) => ({
    id: shift.id,
    person_id: shift.person_id,
    person_name,
    day: todayIn(timeZone, new Date(shift.started_at)),
    from: wallTime(shift.started_at, timeZone),
    until: shift.ended_at && wallTime(shift.ended_at, timeZone),
    needs_times: !isRunning(shift),
  }))
}

/** Deletes a shift after the person entered its times or dropped it. Refuses a shift that the
 *  caller may not see with 404. */
async function lockAndDeleteShift(tx: Tx, caller: DojoCaller, id: string): Promise<ShiftRow> {
  const [shift] = await tx.select().from(staffShifts).where(eq(staffShifts.id, id))
  if (!shift || !maySeeHoursOf(caller, shift.person_id)) throw notFound('Shift')
  await lockMember(tx, shift.person_id)
  const [deletedShift] = await tx.delete(staffShifts).where(eq(staffShifts.id, id)).returning()
  if (!deletedShift) throw notFound('Shift')
  return deletedShift
}

export async function settleShift(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  form: ShiftForm,
): Promise<{ entries: HoursEntry[] }> {
  const { person_id } = await lockAndDeleteShift(tx, caller, id)
  const timeZone = await readTimeZone(tx, caller.dojoId)
  const hours = { person_id, task: form.task, source: 'kiosk', created_by: caller.id } as const
  const ids = await insertHours(tx, timeZone, hours, splitHours(form, timeZone))
  await auditAction(tx, caller, 'hours changed', {
    subject_id: person_id,
    details: { day: form.day },
  })
  return readNewEntries(tx, timeZone, ids)
}

export async function dropShift(tx: Tx, caller: DojoCaller, id: string): Promise<void> {
  const { person_id, started_at } = await lockAndDeleteShift(tx, caller, id)
  const timeZone = await readTimeZone(tx, caller.dojoId)
  const day = todayIn(timeZone, new Date(started_at))
  await auditAction(tx, caller, 'hours deleted', { subject_id: person_id, details: { day } })
}
