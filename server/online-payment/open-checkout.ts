import { toCents } from '@tatami/contract/lib/money'
import { asc, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { now } from '../lib/clock.ts'
import { methodSetups } from './autopay/tables.ts'
import { findOrCreateCustomer } from './customers.ts'
import { returnUrl } from './pay-links.ts'
import { type Checkout, type Provider, ProviderFailure } from './provider.ts'
import type { OnlinePaymentContext } from './stripe-account.ts'
import { onlinePaymentLines, onlinePayments } from './tables.ts'

export type OnlinePaymentRow = typeof onlinePayments.$inferSelect

export const readLines = (tx: Tx, paymentId: string) =>
  tx
    .select()
    .from(onlinePaymentLines)
    .where(eq(onlinePaymentLines.payment_id, paymentId))
    .orderBy(asc(onlinePaymentLines.id))

/**
 * Opens the page on which the payer enters the card. After a cut connection, repeating this gives
 * the same page, because its key is the same. Stripe repeats an error of its own for the same key,
 * so after one we use another key. The first page, if there is one, is known to nobody.
 */
export async function openCheckout(
  context: OnlinePaymentContext,
  dojoId: string,
  payment: OnlinePaymentRow,
  provider: Provider,
): Promise<string> {
  const checkout = await startCheckout(context, dojoId, payment, provider).catch(
    async (failure: unknown) => {
      if (failure instanceof ProviderFailure && failure.status !== null && failure.status >= 500)
        await changePayment(context, dojoId, payment.id, { attempt: payment.attempt + 1 })
      throw failure
    },
  )
  const { id: checkout_id, url: checkout_url } = checkout
  await changePayment(context, dojoId, payment.id, { checkout_id, checkout_url })
  return checkout.url
}

const changePayment = (
  { db }: OnlinePaymentContext,
  dojoId: string,
  paymentId: string,
  changes: Partial<Pick<OnlinePaymentRow, 'attempt' | 'checkout_id' | 'checkout_url'>>,
) =>
  db.inDojo(dojoId, (tx) =>
    tx.update(onlinePayments).set(changes).where(eq(onlinePayments.id, paymentId)),
  )

async function startCheckout(
  context: OnlinePaymentContext,
  dojoId: string,
  payment: OnlinePaymentRow,
  provider: Provider,
): Promise<Checkout> {
  const { db, publicUrl } = context
  const { lines, savesMethod } = await db.inDojo(dojoId, async (tx) => ({
    lines: await readLines(tx, payment.id),
    savesMethod: (await tx.$count(methodSetups, eq(methodSetups.payment_id, payment.id))) > 0,
  }))
  const customerId = await findOrCreateCustomer(context, dojoId, provider, {
    payerId: payment.payer_id ?? '',
    key: `tatami/${payment.id}/c${payment.attempt}`,
  })
  const address = returnUrl(publicUrl, dojoId, payment.id)
  return provider.startCheckout({
    key: `tatami/${payment.id}/s${payment.attempt}`,
    customerId,
    paymentId: payment.id,
    items: lines.map(({ name, amount }) => ({ name, cents: toCents(amount) })),
    returnUrl: address,
    cancelUrl: address,
    expiresAt: new Date(payment.expires_at ?? now()),
    savesMethod,
  })
}
