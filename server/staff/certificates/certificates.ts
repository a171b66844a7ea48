import {
  type CertificateForm,
  type CertificateKind,
  type NewCertificateForm,
  nextRecheckDay,
  type StaffCertificate,
  usualLastDay,
} from '@tatami/contract/staff/staff-certificates'
import { and, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { AuditAction } from '@tatami/contract/audit/actions'
import { auditAction } from '../../audit/audit.ts'
import type { Tx } from '../../db/database.ts'
import { todayOf } from '../../dojos/dojos.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { nowIso } from '../../lib/clock.ts'
import { invalid, notFound, Refusal } from '../../lib/refusal.ts'
import { firstRow, pick } from '../../lib/rows.ts'
import { staffMembers } from '../tables.ts'
import { kindColumns, listKinds, storeDefaultKinds } from './kinds.ts'
import { certificateKinds, staffCertificates } from './tables.ts'

/** The day by which a certificate must be rechecked or renewed. */
export const actionOn = sql<string>`coalesce(${staffCertificates.recheck_on},
  ${staffCertificates.expires_on})`

/** True for the person's newest certificate of its kind. It replaces the older ones. */
export const isNewestOfKind = sql<boolean>`not exists (
  select from ${staffCertificates} newer
  where newer.dojo_id = ${staffCertificates.dojo_id}
    and newer.staff_id = ${staffCertificates.staff_id}
    and newer.kind_id = ${staffCertificates.kind_id} and newer.removed_at is null
    and (newer.got_on, newer.expires_on, newer.id) > (${staffCertificates.got_on},
      ${staffCertificates.expires_on}, ${staffCertificates.id}))`

export const listCertificates = (tx: Tx): Promise<StaffCertificate[]> => readCertificates(tx)

export const listOwnCertificates = (tx: Tx, { id }: DojoCaller): Promise<StaffCertificate[]> =>
  readCertificates(tx, eq(staffCertificates.staff_id, id))

/** Sorted by kind, newest first. */
const readCertificates = (tx: Tx, condition?: SQL): Promise<StaffCertificate[]> =>
  tx
    .select({
      ...pick(staffCertificates, 'id', 'staff_id', 'got_on', 'expires_on', 'recheck_on', 'note'),
      kind: kindColumns,
      is_current: isNewestOfKind,
    })
    .from(staffCertificates)
    .innerJoin(certificateKinds, eq(certificateKinds.id, staffCertificates.kind_id))
    .where(and(isNull(staffCertificates.removed_at), condition))
    .orderBy(
      sql`lower(${certificateKinds.name})`,
      certificateKinds.id,
      desc(staffCertificates.got_on),
      desc(staffCertificates.id),
    )

async function readCertificate(tx: Tx, id: string): Promise<StaffCertificate> {
  const [certificate] = await readCertificates(tx, eq(staffCertificates.id, id))
  if (!certificate) throw notFound('Certificate')
  return certificate
}

export async function addCertificate(
  tx: Tx,
  caller: DojoCaller,
  { staff_id, kind_id, got_on, expires_on, note = null }: NewCertificateForm,
): Promise<StaffCertificate> {
  await requireCurrentStaff(tx, staff_id)
  if (got_on > (await todayOf(tx, caller.dojoId)))
    throw invalid('got_on', 'The day must not be in the future')
  await storeDefaultKinds(tx)
  const kind = (await listKinds(tx)).find(({ id }) => id === kind_id)
  if (!kind) throw invalid('kind_id', 'Kind not found')
  const lastDay = expires_on ?? usualLastDay(kind, got_on)
  const id = await insertCertificate(tx, { staff_id, kind, got_on, expires_on: lastDay, note })
  return recordChange(tx, caller, 'certificate added', id)
}

type NewCertificate = Pick<StaffCertificate, 'staff_id' | 'got_on' | 'expires_on' | 'note'> & {
  kind: CertificateKind
}

async function insertCertificate(
  tx: Tx,
  { kind, ...certificate }: NewCertificate,
): Promise<string> {
  const recheck_on = nextRecheckDay(kind, certificate.got_on, certificate.expires_on)
  const rows = await tx
    .insert(staffCertificates)
    .values({ ...certificate, kind_id: kind.id, recheck_on })
    .returning({ id: staffCertificates.id })
  return firstRow(rows).id
}

/** Adds a change to the audit log, and returns the changed certificate. */
async function recordChange(
  tx: Tx,
  caller: DojoCaller,
  action: AuditAction,
  id: string,
): Promise<StaffCertificate> {
  const certificate = await readCertificate(tx, id)
  await auditAction(tx, caller, action, { subject_id: certificate.staff_id })
  return certificate
}

async function requireCurrentStaff(tx: Tx, staffId: string): Promise<void> {
  const [member] = await tx
    .select({ ended_at: staffMembers.ended_at })
    .from(staffMembers)
    .where(eq(staffMembers.instructor_id, staffId))
  if (!member) throw notFound('Member of the staff')
  if (member.ended_at !== null) throw new Refusal(409, 'They no longer work here')
}

export async function changeCertificate(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  { got_on, expires_on, recheck_on = null, note = null }: CertificateForm,
): Promise<StaffCertificate> {
  await readCertificate(tx, id)
  await tx
    .update(staffCertificates)
    .set({ got_on, expires_on, recheck_on, note })
    .where(eq(staffCertificates.id, id))
  return recordChange(tx, caller, 'certificate changed', id)
}

/** Keeps the old certificate as history. */
export async function renewCertificate(
  tx: Tx,
  caller: DojoCaller,
  id: string,
): Promise<StaffCertificate> {
  const { staff_id, kind } = await readCertificate(tx, id)
  await requireCurrentStaff(tx, staff_id)
  const today = await todayOf(tx, caller.dojoId)
  const newId = await insertCertificate(tx, {
    staff_id,
    kind,
    got_on: today,
    expires_on: usualLastDay(kind, today),
    note: null,
  })
  return recordChange(tx, caller, 'certificate renewed', newId)
}

export async function recheckCertificate(
  tx: Tx,
  caller: DojoCaller,
  id: string,
): Promise<StaffCertificate> {
  const { staff_id, kind, expires_on } = await readCertificate(tx, id)
  await requireCurrentStaff(tx, staff_id)
  if (kind.recheck_months === null)
    throw new Refusal(409, 'This kind of certificate is not rechecked')
  const today = await todayOf(tx, caller.dojoId)
  await tx
    .update(staffCertificates)
    .set({ recheck_on: nextRecheckDay(kind, today, expires_on) })
    .where(eq(staffCertificates.id, id))
  return recordChange(tx, caller, 'certificate rechecked', id)
}

export async function removeCertificate(tx: Tx, caller: DojoCaller, id: string): Promise<void> {
  const { staff_id } = await readCertificate(tx, id)
  await tx
    .update(staffCertificates)
    .set({ removed_at: nowIso() })
    .where(eq(staffCertificates.id, id))
  await auditAction(tx, caller, 'certificate removed', { subject_id: staff_id })
}

export async function restoreCertificate(
  tx: Tx,
  caller: DojoCaller,
  id: string,
): Promise<StaffCertificate> {
  const restoredRows = await tx
    .update(staffCertificates)
    .set({ removed_at: null })
    .where(and(eq(staffCertificates.id, id), isNotNull(staffCertificates.removed_at)))
    .returning({ id: staffCertificates.id })
  if (restoredRows.length === 0) return readCertificate(tx, id)
  return recordChange(tx, caller, 'certificate restored', id)
}
