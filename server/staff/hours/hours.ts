import type { HoursEntry, HoursForm } from '@tatami/contract/staff/hours'
import { and, eq, isNull } from 'drizzle-orm'
import { auditAction } from '../../audit/audit.ts'
import { equalsAny } from '../../db/bulk.ts'
import type { Tx } from '../../db/database.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { nowIso } from '../../lib/clock.ts'
import { notFound, Refusal } from '../../lib/refusal.ts'
import { firstRow, pick } from '../../lib/rows.ts'
import { lockMember } from '../membership.ts'
import { type HoursRow, readEntries, readTimeZone } from './entries.ts'
import {
  insertContinuations,
  insertHours,
  isClassTask,
  splitHours,
  refuseConflict,
} from './insert-hours.ts'
import { staffHours } from './tables.ts'

export async function addHours(
  tx: Tx,
  caller: DojoCaller,
  form: HoursForm,
): Promise<{ entries: HoursEntry[] }> {
  const { id: personId, dojoId } = caller
  await lockMember(tx, personId)
  const timeZone = await readTimeZone(tx, dojoId)
  const hours = {
    person_id: personId,
    task: form.task,
    source: 'own',
    created_by: personId,
  } as const
  const ids = await insertHours(tx, timeZone, hours, splitHours(form, timeZone))
  return readNewEntries(tx, timeZone, ids)
}

export const readNewEntries = async (tx: Tx, timeZone: string, ids: string[]) => ({
  entries: await readEntries(tx, timeZone, equalsAny(staffHours.id, ids)),
})

/** Staff managers see all hours, and other staff see their own. */
export const maySeeHoursOf = ({ id, staff }: DojoCaller, personId: string): boolean =>
  id === personId || staff?.rights.has('staff') === true

/** Only owners may approve their own hours. */
export const mayApproveHoursOf = ({ id, staff }: DojoCaller, personId: string): boolean =>
  staff !== null && staff.rights.has('staff') && (staff.isOwner || id !== personId)

const ALREADY_APPROVED = 'These hours are approved. Please ask a staff manager to change them.'

/** Locks hours. Refuses hours that the caller may not see with 404, and approved ones with 409. */
async function lockChangeableHours(tx: Tx, caller: DojoCaller, id: string): Promise<HoursRow> {
  const [entry] = await tx.select().from(staffHours).where(eq(staffHours.id, id))
  if (!entry || !maySeeHoursOf(caller, entry.person_id)) throw notFound('Hours')
  await lockMember(tx, entry.person_id)
  const [lockedEntry] = await tx
    .select()
    .from(staffHours)
    .where(eq(staffHours.id, id))
    .for('no key update')
  if (!lockedEntry) throw notFound('Hours')
  if (lockedEntry.approved_at !== null && !mayApproveHoursOf(caller, entry.person_id))
    throw new Refusal(409, ALREADY_APPROVED)
  return lockedEntry
}

/** The entry keeps its id, so that later pay periods find what was already paid for it. */
export async function changeHours(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  form: HoursForm,
): Promise<{ entries: HoursEntry[] }> {
  const entry = await lockChangeableHours(tx, caller, id)
  const timeZone = await readTimeZone(tx, caller.dojoId)
  const parts = splitHours(form, timeZone)
  await refuseConflict(tx, timeZone, entry.person_id, parts, id)
  const firstPart = firstRow(parts)
  const hours = changedColumns(entry, form, firstPart.day)
  const approval = approvalColumns(mayApproveHoursOf(caller, entry.person_id) ? caller.id : null)
  await tx
    .update(staffHours)
    .set({
      ...firstPart,
      ...hours,
      ...approval,
      is_continuation: entry.is_continuation && firstPart.starts_at === entry.starts_at,
    })
    .where(eq(staffHours.id, id))
  const newHours = {
    ...pick(entry, 'person_id', 'source'),
    ...hours,
    ...approval,
    created_by: caller.id,
  }
  const continuationIds = await insertContinuations(tx, newHours, parts.slice(1))
  await auditHours(tx, caller, 'hours changed', entry)
  return readNewEntries(tx, timeZone, [id, ...continuationIds])
}

const approvalColumns = (approved_by: string | null) => ({
  approved_by,
  approved_at: approved_by === null ? null : nowIso(),
})

/** With another day or task, the hours are no longer those of the suggested class. */
const changedColumns = (entry: HoursRow, { task }: HoursForm, day: string) => ({
  task,
  taught_class_id: isClassTask(task) && day === entry.day ? entry.taught_class_id : null,
  class_name: isClassTask(task) ? entry.class_name : null,
})

export async function removeHours(tx: Tx, caller: DojoCaller, id: string): Promise<void> {
  const entry = await lockChangeableHours(tx, caller, id)
  await tx.delete(staffHours).where(eq(staffHours.id, id))
  await auditHours(tx, caller, 'hours deleted', entry)
}

const auditHours = (
  tx: Tx,
  caller: DojoCaller,
  action: 'hours changed' | 'hours deleted',
  { person_id, day }: HoursRow,
) => auditAction(tx, caller, action, { subject_id: person_id, details: { day } })

export async function approveHours(tx: Tx, caller: DojoCaller, hoursIds: string[]): Promise<void> {
  const uniqueIds = [...new Set(hoursIds)]
  const entries = await tx
    .select(pick(staffHours, 'id', 'person_id'))
    .from(staffHours)
    .where(equalsAny(staffHours.id, uniqueIds))
    .orderBy(staffHours.id)
    .for('no key update')
  if (entries.length < uniqueIds.length) throw notFound('Hours')
  if (entries.some(({ person_id }) => !mayApproveHoursOf(caller, person_id)))
    throw new Refusal(403, 'Somebody else has to approve your hours.')
  await tx
    .update(staffHours)
    .set(approvalColumns(caller.id))
    .where(and(equalsAny(staffHours.id, uniqueIds), isNull(staffHours.approved_at)))
  await auditAction(tx, caller, 'hours approved', { details: { entries: uniqueIds.length } })
}
