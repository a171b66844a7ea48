import {
  type CertificateKind,
  certificateKind,
  type CertificateKindForm,
  DEFAULT_CERTIFICATE_KINDS,
  MAX_CERTIFICATE_KINDS,
} from '@tatami/contract/staff/staff-certificates'
import { and, eq } from 'drizzle-orm'
import { auditAction } from '../../audit/audit.ts'
import { byName, sharedColumns } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { notFound, Refusal } from '../../lib/refusal.ts'
import { certificateKinds } from './tables.ts'

export const kindColumns = sharedColumns(certificateKinds, certificateKind)

/** Lists the kinds that the school offers, by name. */
export async function listKinds(tx: Tx): Promise<CertificateKind[]> {
  const rows = await tx
    .select({ ...kindColumns, is_removed: certificateKinds.is_removed })
    .from(certificateKinds)
    .orderBy(...byName(certificateKinds))
  if (rows.length === 0) return [...DEFAULT_CERTIFICATE_KINDS]
  return rows.filter(({ is_removed }) => !is_removed).map(({ is_removed: _, ...kind }) => kind)
}

/** Stores the default kinds if a school has none yet, so that certificates can refer to them. */
export async function storeDefaultKinds(tx: Tx): Promise<void> {
  if ((await tx.$count(certificateKinds)) > 0) return
  await tx
    .insert(certificateKinds)
    .values([...DEFAULT_CERTIFICATE_KINDS])
    .onConflictDoNothing()
}

export async function addKind(
  tx: Tx,
  caller: DojoCaller,
  form: CertificateKindForm,
): Promise<CertificateKind[]> {
  await storeDefaultKinds(tx)
  const kinds = await listKinds(tx)
  if (kinds.length >= MAX_CERTIFICATE_KINDS)
    throw new Refusal(409, `A school can have at most ${MAX_CERTIFICATE_KINDS} kinds`)
  await tx.insert(certificateKinds).values(form)
  await auditAction(tx, caller, 'certificate kinds changed')
  return listKinds(tx)
}

export async function changeKind(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  { name, months, recheck_months }: CertificateKindForm,
): Promise<CertificateKind[]> {
  await updateKind(tx, id, { name, months, recheck_months: recheck_months ?? null })
  await auditAction(tx, caller, 'certificate kinds changed')
  return listKinds(tx)
}

export async function removeKind(
  tx: Tx,
  caller: DojoCaller,
  id: string,
): Promise<CertificateKind[]> {
  await updateKind(tx, id, { is_removed: true })
  await auditAction(tx, caller, 'certificate kinds changed')
  return listKinds(tx)
}

async function updateKind(
  tx: Tx,
  id: string,
  columns: Partial<typeof certificateKinds.$inferSelect>,
): Promise<void> {
  await storeDefaultKinds(tx)
  const updatedKinds = await tx
    .update(certificateKinds)
    .set(columns)
    .where(and(eq(certificateKinds.id, id), eq(certificateKinds.is_removed, false)))
    .returning({ id: certificateKinds.id })
  if (updatedKinds.length === 0) throw notFound('Kind')
}
