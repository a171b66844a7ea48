import { and, eq, isNull, or } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import { nowIso } from '../../lib/clock.ts'
import type { ProviderEvent } from '../provider.ts'
import { onlinePayers } from '../tables.ts'
import { stopMethodAtStripe } from './saved-methods.ts'
import { methodSetups, savedMethods } from './tables.ts'

/** An event only says what to ask Stripe about. Its object is a checkout, a method or a customer. */
export async function recordMethodEvent(
  tx: Tx,
  { type, objectId, endedMethodId }: ProviderEvent,
): Promise<void> {
  if (endedMethodId !== null) await stopMethodAtStripe(tx, endedMethodId, 'unauthorized')
  // The next checkout needs a new customer.
  if (type === 'customer.deleted')
    await tx
      .update(onlinePayers)
      .set({ customer_id: null, customer_is_live: null })
      .where(eq(onlinePayers.customer_id, objectId))
  await tx
    .update(methodSetups)
    .set({ next_check_at: nowIso() })
    .where(and(eq(methodSetups.checkout_id, objectId), eq(methodSetups.state, 'open')))
  await tx
    .update(savedMethods)
    .set({ next_check_at: nowIso() })
    .where(
      and(
        or(eq(savedMethods.method_id, objectId), eq(savedMethods.customer_id, objectId)),
        isNull(savedMethods.stopped_at),
      ),
    )
}
