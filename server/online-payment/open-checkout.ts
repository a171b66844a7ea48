import { toCents } from '@tatami/contract/lib/money'
import { asc, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { now } from '../lib/clock.ts'
import { returnUrl } from './pay-links.ts'
import { lockPayer, readPayerContact } from './payers.ts'
import { type Checkout, type Provider, ProviderFailure } from './provider.ts'
import type { OnlinePaymentContext } from './stripe-account.ts'
import { onlinePaymentLines, onlinePayers, onlinePayments } from './tables.ts'

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
  { db, publicUrl }: OnlinePaymentContext,
  dojoId: string,
  payment: OnlinePaymentRow,
  provider: Provider,
): Promise<Checkout> {
  const { lines, customerId } = await db.inDojo(dojoId, async (tx) => ({
    lines: await readLines(tx, payment.id),
    customerId: await readCustomerId(tx, payment, provider),
  }))
  const address = returnUrl(publicUrl, dojoId, payment.id)
  return provider.startCheckout({
    key: `tatami/${payment.id}/s${payment.attempt}`,
    customerId: customerId ?? (await createCustomer({ db, dojoId }, payment, provider)),
    paymentId: payment.id,
    items: lines.map(({ name, amount }) => ({ name, cents: toCents(amount) })),
    returnUrl: address,
    cancelUrl: address,
    expiresAt: new Date(payment.expires_at ?? now()),
  })
}

/** Customers of test and live mode differ. */
async function readCustomerId(
  tx: Tx,
  { payer_id }: OnlinePaymentRow,
  { isLive }: Provider,
): Promise<string | null> {
  const payer = payer_id === null ? null : await lockPayer(tx, payer_id)
  return payer?.customer_is_live === isLive ? payer.customer_id : null
}

async function createCustomer(
  { db, dojoId }: Pick<OnlinePaymentContext, 'db'> & { dojoId: string },
  { id, payer_id, attempt }: OnlinePaymentRow,
  provider: Provider,
): Promise<string> {
  const payerId = payer_id ?? ''
  const contact = await db.inDojo(dojoId, async (tx) => {
    const payer = await lockPayer(tx, payerId)
    return payer ? readPayerContact(tx, payer) : { name: '', email: null }
  })
  const key = `tatami/${id}/c${attempt}`
  const customer_id = await provider.createCustomer(key, { payerId, ...contact })
  await db.inDojo(dojoId, (tx) =>
    tx
      .update(onlinePayers)
      .set({ customer_id, customer_is_live: provider.isLive })
      .where(eq(onlinePayers.id, payerId)),
  )
  return customer_id
}
