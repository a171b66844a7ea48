import { formatMoneyInText, toCents } from '@tatami/contract/lib/money'
import { and, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { notifyStaff } from '../notifications/notify.ts'
import {
  type OnlinePaymentContext,
  type Provider,
  ProviderFailure,
  type RefundStatus,
} from '../online-payment/online-payment.ts'
import type { TrialPaymentRow } from './payments.ts'
import { trialPayments } from './tables.ts'

/** Gives back what was paid for a booking. A server tells Stripe within seconds. */
export const refundBooking = (tx: Tx, bookingId: string): Promise<unknown> =>
  tx
    .update(trialPayments)
    .set({ state: 'refunding', next_check_at: nowIso() })
    .where(and(eq(trialPayments.booking_id, bookingId), eq(trialPayments.state, 'paid')))

/** Refunds once, however often it is called: Stripe's list says whether it did. */
export async function sendTrialRefund(
  context: OnlinePaymentContext,
  dojoId: string,
  payment: TrialPaymentRow,
  provider: Provider,
): Promise<void> {
  const { id, attempt, intent_id } = payment
  if (intent_id === null) return
  const refunds = await provider.listRefunds(intent_id)
  const status =
    refunds.find(({ refundId }) => refundId === id) ??
    (await createRefund(context, dojoId, provider, { ...payment, intent_id, attempt }))
  const isRefunded = status !== null && status.state !== 'failed'
  await context.db.inDojo(dojoId, async (tx) => {
    if (isRefunded) await endRefund(tx, id, 'refunded')
    else await tellAboutFailure(tx, dojoId, payment)
  })
}

type PaidRow = TrialPaymentRow & { intent_id: string }

/** Null if Stripe will never make the refund. */
async function createRefund(
  { db }: OnlinePaymentContext,
  dojoId: string,
  provider: Provider,
  { id, attempt, intent_id, amount }: PaidRow,
): Promise<RefundStatus | null> {
  const key = `tatami/trial-refund/${id}/${attempt}`
  const order = { key, intentId: intent_id, refundId: id, cents: toCents(amount) }
  return provider.createRefund(order).catch(async (failure: unknown) => {
    if (!(failure instanceof ProviderFailure)) throw failure
    if (failure.kind === 'rejected') return null
    // Stripe repeats this error for the key, so the next try has another one.
    if (failure.isStoredError)
      await db.inDojo(dojoId, (tx) =>
        tx
          .update(trialPayments)
          .set({ attempt: attempt + 1 })
          .where(eq(trialPayments.id, id)),
      )
    throw failure
  })
}

const endRefund = (tx: Tx, id: string, state: 'refunded' | 'refund_failed') =>
  tx
    .update(trialPayments)
    .set({ state })
    .where(and(eq(trialPayments.id, id), eq(trialPayments.state, 'refunding')))
    .returning({ id: trialPayments.id })

async function tellAboutFailure(tx: Tx, dojoId: string, { id, amount }: TrialPaymentRow) {
  const changedRows = await endRefund(tx, id, 'refund_failed')
  if (changedRows.length === 0) return
  await notifyStaff(tx, dojoId, 'money.give_back', {
    title: 'Please refund a trial in Stripe',
    message: `Stripe could not give back ${formatMoneyInText(amount)} that was paid for a trial.`,
    opens: '/trials',
  })
}
