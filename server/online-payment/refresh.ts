import { toCents, toDollars } from '@tatami/contract/lib/money'
import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { now } from '../lib/clock.ts'
import type { Email } from '../lib/mail.ts'
import { recordDisputeStatus } from './disputes.ts'
import type { OnlinePaymentRow } from './open-checkout.ts'
import {
  type DisputeStatus,
  type FeeStatus,
  type Provider,
  ProviderFailure,
  type RefundStatus,
} from './provider.ts'
import { failRefund, type OnlineRefundRow, recordRefundStatus } from './refunds.ts'
import { findProvider, type OnlinePaymentContext } from './stripe-account.ts'
import { onlinePayments, onlineRefunds } from './tables.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Stripe may drop an idempotency key after 24 hours. */
const KEY_HOURS = 23

type News = {
  refunds: readonly RefundStatus[]
  disputes: readonly DisputeStatus[]
  /** Null if it is known already, and if Stripe does not know it yet. */
  newFee: FeeStatus | null
}

/**
 * Sends refunds that wait, and asks Stripe about the fee, refunds and disputes of a payment.
 * `refreshAt` is the time that the caller has read: later news keeps its own time.
 */
export async function refreshPayment(
  context: OnlinePaymentContext,
  dojoId: string,
  paymentId: string,
  refreshAt: string | null,
): Promise<void> {
  const { db, sendEmail } = context
  const { payment, waitingRefunds, provider } = await db.inDojo(dojoId, async (tx) => ({
    payment: await readPayment(tx, paymentId),
    waitingRefunds: await readWaitingRefunds(tx, paymentId),
    provider: await findProvider(tx, context),
  }))
  if (!payment || payment.intent_id === null) return
  if (!provider || payment.is_live !== provider.isLive)
    return db.inDojo(dojoId, (tx) => refreshLater(tx, paymentId, refreshAt, HOUR_MS))
  const { intent_id } = payment
  const refunds = await provider.listRefunds(intent_id)
  for (const refund of waitingRefunds)
    if (!refunds.some(({ refundId }) => refundId === refund.id)) {
      const status = await sendRefund(context, dojoId, { refund, intentId: intent_id, provider })
      if (status) refunds.push(status)
    }
  const news: News = {
    refunds,
    disputes: await provider.listDisputes(intent_id),
    newFee: payment.fee === null ? await provider.readFee(intent_id) : null,
  }
  const emails = await db.inDojo(dojoId, (tx) =>
    recordNews(tx, dojoId, { paymentId, refreshAt }, news),
  )
  emails.forEach(sendEmail)
}

async function readPayment(tx: Tx, paymentId: string): Promise<OnlinePaymentRow | undefined> {
  const [payment] = await tx.select().from(onlinePayments).where(eq(onlinePayments.id, paymentId))
  return payment
}

const readWaitingRefunds = (tx: Tx, paymentId: string): Promise<OnlineRefundRow[]> =>
  tx
    .select()
    .from(onlineRefunds)
    .where(and(eq(onlineRefunds.payment_id, paymentId), eq(onlineRefunds.state, 'sending')))

type WaitingRefund = { refund: OnlineRefundRow; intentId: string; provider: Provider }

/**
 * Stripe's list does not have the refund. If an earlier call is still running, the same key keeps
 * it from being made twice. If Stripe has stored an error for the key, that call is over, so after
 * another look at the list we use another key. Returns null if Stripe will never make the refund.
 */
async function sendRefund(
  { db }: OnlinePaymentContext,
  dojoId: string,
  { refund, intentId, provider }: WaitingRefund,
): Promise<RefundStatus | null> {
  const giveUp = (reason: string) =>
    db.inDojo(dojoId, async (tx) => {
      await failRefund(tx, dojoId, refund, reason)
      return null
    })
  const { id: refundId, attempt } = refund
  if (now().getTime() - Date.parse(refund.created_at) > KEY_HOURS * HOUR_MS)
    return giveUp('never_received')
  try {
    const key = `tatami/refund/${refundId}/${attempt}`
    return await provider.createRefund({ key, intentId, refundId, cents: toCents(refund.amount) })
  } catch (failure) {
    if (!(failure instanceof ProviderFailure)) throw failure
    if (failure.kind === 'rejected') return giveUp(failure.code ?? 'rejected')
    if (failure.kind === 'wrong_key') return giveUp('wrong_key')
    if (failure.isStoredError)
      await db.inDojo(dojoId, (tx) =>
        tx
          .update(onlineRefunds)
          .set({ attempt: attempt + 1 })
          .where(eq(onlineRefunds.id, refundId)),
      )
    throw failure
  }
}

type Refresh = { paymentId: string; refreshAt: string | null }

async function recordNews(
  tx: Tx,
  dojoId: string,
  { paymentId, refreshAt }: Refresh,
  { refunds, disputes, newFee }: News,
): Promise<Email[]> {
  const [payment] = await tx
    .select()
    .from(onlinePayments)
    .where(eq(onlinePayments.id, paymentId))
    .for('no key update')
  if (!payment) return []
  const emails: Email[] = []
  for (const refund of refunds) await recordRefundStatus(tx, dojoId, payment, refund)
  for (const dispute of disputes)
    emails.push(...(await recordDisputeStatus(tx, dojoId, payment, dispute)))
  if (newFee)
    await tx
      .update(onlinePayments)
      .set({ fee: toDollars(newFee.cents), paid_by: newFee.paidBy })
      .where(eq(onlinePayments.id, paymentId))
  const isFeeKnown = newFee !== null || payment.fee !== null
  await refreshLater(tx, paymentId, refreshAt, isFeeKnown ? null : 10 * MINUTE_MS)
  return emails
}

/** Never again for a delay of null. Keeps the time if newer news has changed it. */
async function refreshLater(
  tx: Tx,
  paymentId: string,
  refreshAt: string | null,
  delayMs: number | null,
): Promise<void> {
  const nextTime = delayMs === null ? null : new Date(now().getTime() + delayMs).toISOString()
  await tx
    .update(onlinePayments)
    .set({ refresh_at: nextTime })
    .where(
      and(
        eq(onlinePayments.id, paymentId),
        sql`${onlinePayments.refresh_at} is not distinct from ${refreshAt}`,
      ),
    )
}
