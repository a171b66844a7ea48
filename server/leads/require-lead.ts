import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { notFound } from '../lib/refusal.ts'
import type { LeadRow } from '../trials/lead-stories.ts'
import { leads } from '../trials/tables.ts'

/** Locks the lead. Throws 404 for an unknown or merged one. */
export async function requireLead(tx: Tx, id: string): Promise<LeadRow> {
  const [lead] = await tx
    .select()
    .from(leads)
    .where(and(eq(leads.id, id), isNull(leads.merged_into)))
    .for('update')
  if (!lead) throw notFound('Lead')
  return lead
}
