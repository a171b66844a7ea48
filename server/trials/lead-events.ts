import type { LeadEventKind } from '@tatami/contract/leads/stages'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { leadEvents } from '../leads/tables.ts'
import { nowIso } from '../lib/clock.ts'
import { leads } from './tables.ts'

type NewEvent = { kind: LeadEventKind; note?: string | null }

/** A lead who joined or is lost needs no next step. */
export async function recordEvent(
  tx: Tx,
  caller: { id: string },
  leadId: string,
  { kind, note }: NewEvent,
): Promise<void> {
  await tx
    .insert(leadEvents)
    .values({ lead_id: leadId, kind, note: note ?? null, created_by: caller.id })
  const endsNextStep = kind === 'lost' || kind === 'joined'
  await tx
    .update(leads)
    .set({
      last_active_at: nowIso(),
      ...(endsNextStep && { next_step: null, next_step_on: null }),
    })
    .where(eq(leads.id, leadId))
}
