import { setTimeout as sleep } from 'node:timers/promises'
import { toCents } from '@tatami/contract/lib/money'
import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { now } from '../lib/clock.ts'
import { methodSetups } from './autopay/tables.ts'
import { findOrCreateCustomer } from './customers.ts'
import { returnUrl } from './pay-links.ts'
import { type Checkout, CheckoutReplaced, type Provider, ProviderFailure } from './provider.ts'
import type { OnlinePaymentContext } from './stripe-account.ts'
import { statementSuffix } from './statement-suffix.ts'
import { onlinePayers, onlinePaymentLines, onlinePayments } from './tables.ts'

export type OnlinePaymentRow = typeof onlinePayments.$inferSelect

export const readLines = (tx: Tx, paymentId: string) =>
  tx
    .select()
    .from(onlinePaymentLines)
    .where(eq(onlinePaymentLines.payment_id, paymentId))
    .orderBy(asc(onlinePaymentLines.id))

/**
 * Opens the page on which the payer enters the card. After a cut connection, repeating this gives
 * the same page, because its key is the same. If Stripe has stored an error for the key, we use
 * another one. The page of the first key, if there is one, is known to nobody.
 */
export async function openCheckout(
  context: OnlinePaymentContext,
  dojoId: string,
  payment: OnlinePaymentRow,
  provider: Provider,
): Promise<string> {
  const checkout = await waitForSameCall(() =>
    startCheckout(context, dojoId, payment, provider),
  ).catch(async (failure: unknown) => {
    if (isMissingCustomer(failure)) await forgetCustomer(context, dojoId, payment)
    else if (!isStoredError(failure)) throw failure
    const attempt = await switchToNextKey(context, dojoId, payment)
    return startCheckout(context, dojoId, { ...payment, attempt }, provider)
  })
  return context.db.inDojo(dojoId, (tx) => storeCheckout(tx, payment, checkout))
}

const MAX_WAITS = 3
const WAIT_MS = 700

/** Another press of the payer is opening or ending the same page, so this one waits for it. */
async function waitForSameCall<T>(call: () => Promise<T>): Promise<T> {
  for (let waits = 0; waits < MAX_WAITS; waits += 1) {
    try {
      return await call()
    } catch (failure) {
      if (!(failure instanceof ProviderFailure) || failure.status !== 409) throw failure
      await sleep(WAIT_MS)
    }
  }
  return call()
}

export const isStoredError = (failure: unknown): boolean =>
  failure instanceof ProviderFailure && failure.isStoredError

/** The school has changed to another account at Stripe, which does not know its former customers. */
const isMissingCustomer = (failure: unknown): boolean =>
  failure instanceof ProviderFailure && failure.code === 'resource_missing'

const forgetCustomer = (
  { db }: OnlinePaymentContext,
  dojoId: string,
  { payer_id }: OnlinePaymentRow,
) =>
  db.inDojo(dojoId, (tx) =>
    tx
      .update(onlinePayers)
      .set({ customer_id: null, customer_is_live: null })
      .where(eq(onlinePayers.id, payer_id ?? '')),
  )

/** Later calls use another idempotency key. Returns its number. */
export async function switchToNextKey(
  { db }: OnlinePaymentContext,
  dojoId: string,
  { id, attempt: formerAttempt }: OnlinePaymentRow,
): Promise<number> {
  const attempt = formerAttempt + 1
  await db.inDojo(dojoId, (tx) =>
    tx.update(onlinePayments).set({ attempt }).where(eq(onlinePayments.id, id)),
  )
  return attempt
}

/** Keeps the first page, because a payer may be on it already. Returns its address. Fails if the
 *  payment has ended meanwhile, because nobody would learn that its page was paid. */
async function storeCheckout(
  tx: Tx,
  { id }: OnlinePaymentRow,
  { id: checkout_id, url: checkout_url }: Checkout,
): Promise<string> {
  await tx
    .update(onlinePayments)
    .set({ checkout_id, checkout_url, next_check_at: timeOfNextCheck() })
    .where(and(isOpen(id), isNull(onlinePayments.checkout_id)))
  const [payment] = await tx
    .select({ checkout_url: onlinePayments.checkout_url })
    .from(onlinePayments)
    .where(isOpen(id))
  if (!payment?.checkout_url) throw new CheckoutReplaced()
  return payment.checkout_url
}

/** How often a server asks whether a payer has paid, in case a webhook gets lost. */
export const OPEN_CHECK_MS = 20_000
const timeOfNextCheck = (): string => new Date(now().getTime() + OPEN_CHECK_MS).toISOString()

const isOpen = (id: string) => and(eq(onlinePayments.id, id), eq(onlinePayments.state, 'open'))

/** Nobody can pay on the page anymore. Does nothing if it was paid or has expired. */
export async function expireCheckout(
  context: OnlinePaymentContext,
  dojoId: string,
  payment: OnlinePaymentRow & { checkout_id: string },
  provider: Provider,
): Promise<void> {
  const { id, checkout_id, attempt } = payment
  await waitForSameCall(() =>
    provider.expireCheckout(`tatami/${id}/x${attempt}`, checkout_id),
  ).catch(async (failure: unknown) => {
    if (isStoredError(failure)) await switchToNextKey(context, dojoId, payment)
    throw failure
  })
}

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
    statementSuffix: statementSuffix(lines),
    savesMethod,
    isCardOnly: false,
  })
}
