import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { lockPayer, readPayerContact } from './payers.ts'
import type { Provider } from './provider.ts'
import type { OnlinePaymentContext } from './stripe-account.ts'
import { onlinePayers, stripeCustomers } from './tables.ts'

/** The payer's id at Stripe. Customers of test and live mode differ. `key` makes a repeated call
 *  create nobody twice. */
export async function findOrCreateCustomer(
  { db }: OnlinePaymentContext,
  dojoId: string,
  provider: Provider,
  { payerId, key }: { payerId: string; key: string },
): Promise<string> {
  const { customerId, contact } = await db.inDojo(dojoId, async (tx) => {
    const payer = await lockPayer(tx, payerId)
    return {
      customerId: payer?.customer_is_live === provider.isLive ? payer.customer_id : null,
      contact: payer ? await readPayerContact(tx, payer) : { name: '', email: null },
    }
  })
  if (customerId !== null) return customerId
  const { name, email } = contact
  const customer_id = await provider.createCustomer(key, { payerId, name, email })
  await db.inDojo(dojoId, (tx) =>
    storeCustomer(tx, payerId, { customer_id, is_live: provider.isLive }),
  )
  return customer_id
}

/** A payer who was deleted in the meantime is deleted at Stripe, too. */
async function storeCustomer(
  tx: Tx,
  payerId: string,
  { customer_id, is_live }: { customer_id: string; is_live: boolean },
): Promise<void> {
  const payer = await lockPayer(tx, payerId)
  await tx
    .insert(stripeCustomers)
    .values({
      customer_id,
      is_live,
      payer_id: payer?.id ?? null,
      next_check_at: payer ? null : nowIso(),
    })
    .onConflictDoNothing()
  await tx
    .update(onlinePayers)
    .set({ customer_id, customer_is_live: is_live })
    .where(eq(onlinePayers.id, payerId))
}
