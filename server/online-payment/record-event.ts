import { eq, inArray, or, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { recordMethodEvent } from './autopay/method-events.ts'
import type { ProviderEvent } from './provider.ts'
import { onlinePayments, stripeEvents } from './tables.ts'

/** An event may come late, repeatedly and in any order, so it only says which payment to ask
 *  Stripe about. The worker asks within seconds. */
export async function recordEvent(tx: Tx, event: ProviderEvent): Promise<void> {
  const { id, type, objectId, intentId } = event
  const newEvents = await tx
    .insert(stripeEvents)
    .values({ event_id: id, type, object_id: objectId })
    .onConflictDoNothing()
    .returning()
  if (newEvents.length === 0) return
  const intentIds = [objectId, ...(intentId === null ? [] : [intentId])]
  await tx
    .update(onlinePayments)
    .set({
      next_check_at: nowIso(),
      refresh_at: sql`case when ${onlinePayments.state} = 'paid' then ${nowIso()}::timestamptz end`,
    })
    .where(
      or(eq(onlinePayments.checkout_id, objectId), inArray(onlinePayments.intent_id, intentIds)),
    )
  await recordMethodEvent(tx, event)
}
