import { type LeadSource, type LeadSourceForm, SOURCE_PATH } from '@tatami/contract/leads/sources'
import { asc, eq } from 'drizzle-orm'
import { toDataURL } from 'qrcode'
import { auditAction } from '../audit/audit.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { firstRow, pick } from '../lib/rows.ts'
import { createCode } from './source-codes.ts'
import { leadSources } from './tables.ts'

type SourceRow = typeof leadSources.$inferSelect

async function describeSource(source: SourceRow, publicUrl: string): Promise<LeadSource> {
  const link = `${publicUrl}${SOURCE_PATH}/${source.code}`
  return {
    ...pick(source, 'id', 'name', 'monthly_cost'),
    link,
    qr: await toDataURL(link, { margin: 1, width: 320 }),
  }
}

export async function listSources(tx: Tx, publicUrl: string): Promise<LeadSource[]> {
  const sources = await tx
    .select()
    .from(leadSources)
    .orderBy(asc(leadSources.created_at), asc(leadSources.id))
  return Promise.all(sources.map((source) => describeSource(source, publicUrl)))
}

const nameTaken = (name: string) => new Refusal(409, `There is a source named ${name} already.`)

export async function addSource(
  tx: Tx,
  caller: DojoCaller,
  { name, monthly_cost }: LeadSourceForm,
  publicUrl: string,
): Promise<LeadSource> {
  const [source] = await tx
    .insert(leadSources)
    .values({ id: newId(), name, monthly_cost, code: createCode(name), created_by: caller.id })
    .onConflictDoNothing()
    .returning()
  if (!source) throw nameTaken(name)
  await auditAction(tx, caller, 'lead source changed', { subject_id: source.id })
  return describeSource(source, publicUrl)
}

/** Leads keep the name that the source had when they came. */
export async function changeSource(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  { name, monthly_cost }: LeadSourceForm,
  publicUrl: string,
): Promise<LeadSource> {
  const [source] = await tx.select().from(leadSources).where(eq(leadSources.id, id)).for('update')
  if (!source) throw notFound('Source')
  const sameNames = await tx.select().from(leadSources).where(eq(leadSources.name, name))
  if (sameNames.some((otherSource) => otherSource.id !== id)) throw nameTaken(name)
  const rows = await tx
    .update(leadSources)
    .set({ name, monthly_cost })
    .where(eq(leadSources.id, id))
    .returning()
  await auditAction(tx, caller, 'lead source changed', { subject_id: id })
  return describeSource(firstRow(rows), publicUrl)
}
