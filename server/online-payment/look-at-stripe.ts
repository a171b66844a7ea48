import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, isNotNull } from 'drizzle-orm'
import { settleSetup } from './autopay/settle-setup.ts'
import { methodSetups } from './autopay/tables.ts'
import { ProviderFailure } from './provider.ts'
import { settlePayment } from './settle.ts'
import type { OnlinePaymentContext } from './stripe-account.ts'
import { onlinePayments } from './tables.ts'

/** How long a page may wait for Stripe. The worker finds out later what it did not learn. */
const MAX_LOOK_MS = 4_000

/** Records what the payer has just done at Stripe, so that the next page knows. */
export async function lookAtPayment(
  context: OnlinePaymentContext,
  dojoId: string,
  paymentId: string,
): Promise<void> {
  const settling = settleWithSetup(context, dojoId, paymentId).catch(ignoreProviderFailure)
  await Promise.race([settling, sleep(MAX_LOOK_MS, undefined, { ref: false })])
}

async function settleWithSetup(
  context: OnlinePaymentContext,
  dojoId: string,
  paymentId: string,
): Promise<void> {
  await settlePayment(context, dojoId, paymentId)
  const [setup] = await context.db.inDojo(dojoId, (tx) =>
    tx
      .select({ id: methodSetups.id })
      .from(methodSetups)
      .where(and(eq(methodSetups.payment_id, paymentId), eq(methodSetups.state, 'open'))),
  )
  if (setup) await settleSetup(context, dojoId, setup.id)
}

function ignoreProviderFailure(failure: unknown): void {
  if (!(failure instanceof ProviderFailure)) throw failure
}

/** If the payer has an open page of Stripe, looks whether it was used. Returns the id of the
 *  payment if it was paid in the meantime, or null. */
export async function findJustPaid(
  context: OnlinePaymentContext,
  dojoId: string,
  payerId: string,
): Promise<string | null> {
  const [openPayment] = await context.db.inDojo(dojoId, (tx) =>
    tx
      .select({ id: onlinePayments.id })
      .from(onlinePayments)
      .where(
        and(
          eq(onlinePayments.payer_id, payerId),
          eq(onlinePayments.state, 'open'),
          isNotNull(onlinePayments.checkout_id),
        ),
      ),
  )
  if (!openPayment) return null
  await lookAtPayment(context, dojoId, openPayment.id)
  const [payment] = await context.db.inDojo(dojoId, (tx) =>
    tx
      .select({ state: onlinePayments.state })
      .from(onlinePayments)
      .where(eq(onlinePayments.id, openPayment.id)),
  )
  const isPaid = payment?.state === 'paid' || payment?.state === 'processing'
  return isPaid ? openPayment.id : null
}
