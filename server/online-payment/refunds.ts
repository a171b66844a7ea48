import { formatMoneyInText, toCents, toDollars } from '@tatami/contract/lib/money'
import type { ReviewReason } from '@tatami/contract/online-payment/online-payment'
import type { NewOnlineRefund, RefundPart } from '@tatami/contract/online-payment/refunds'
import { and, eq, ne } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { type LedgerPart, recordOnlineRefund, reverseOnlineRefund } from '../dues/online-refunds.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { notifyStaff } from '../notifications/notify.ts'
import type { OnlinePaymentRow } from './open-checkout.ts'
import { findRefundableParts, lockPayment, readRefundableCents } from './payment-details.ts'
import type { RefundStatus } from './provider.ts'
import { onlineDisputes, onlinePayments, onlineRefundLines, onlineRefunds } from './tables.ts'

export type OnlineRefundRow = typeof onlineRefunds.$inferSelect

const IS_DISPUTED =
  'The payer has disputed this payment at the bank, so it cannot be refunded. ' +
  'You can answer the dispute in Stripe.'

/** Records the refund in the ledger. A server then tells Stripe within seconds. Returns the
 *  payment's id. */
export async function requestRefund(
  tx: Tx,
  caller: DojoCaller,
  paymentId: string,
  order: NewOnlineRefund,
): Promise<string> {
  const payment = await lockPayment(tx, paymentId)
  const parts = await checkParts(tx, payment, order.parts)
  await refuseDisputed(tx, payment)
  const totalCents = sumOfParts(parts)
  if (totalCents > (await readRefundableCents(tx, payment)))
    throw invalid('parts', 'You can refund at most what is left of the payment')
  const id = newId()
  await tx.insert(onlineRefunds).values({
    id,
    payment_id: payment.id,
    state: 'sending',
    amount: toDollars(totalCents),
    note: order.note ?? null,
    created_by: caller.id,
  })
  await recordInLedger(tx, caller, { id, paymentActId: payment.act_id, parts, order })
  if (await isCreditGivenBack(tx, payment)) await setReviewReason(tx, payment.id, null)
  await tx
    .update(onlinePayments)
    .set({ refresh_at: nowIso() })
    .where(eq(onlinePayments.id, payment.id))
  return payment.id
}

/** Whether nothing is left to do about a payment that was made twice. */
async function isCreditGivenBack(tx: Tx, payment: OnlinePaymentRow): Promise<boolean> {
  if (payment.review_reason !== 'paid_twice') return false
  const parts = await findRefundableParts(tx, payment)
  return !parts.some(({ charge_id }) => charge_id === null)
}

/** Says what a refund was for that was made in Stripe's dashboard. Returns the payment's id. */
export async function recordRefund(
  tx: Tx,
  caller: DojoCaller,
  refundId: string,
  order: NewOnlineRefund,
): Promise<string> {
  const payment = await lockPayment(tx, (await readRefund(tx, refundId)).payment_id)
  const refund = await readRefund(tx, refundId)
  if (refund.act_id !== null || refund.state === 'failed')
    throw new Refusal(409, 'This refund is already recorded')
  const parts = await checkParts(tx, payment, order.parts)
  if (sumOfParts(parts) !== toCents(refund.amount))
    throw invalid('parts', `The parts must add up to ${formatMoneyInText(refund.amount)}`)
  await recordInLedger(tx, caller, {
    ...{ id: refund.id, paymentActId: payment.act_id, parts, order },
  })
  await setReviewReason(tx, payment.id, null)
  return payment.id
}

async function readRefund(tx: Tx, refundId: string): Promise<OnlineRefundRow> {
  const [refund] = await tx.select().from(onlineRefunds).where(eq(onlineRefunds.id, refundId))
  if (!refund) throw notFound('Refund')
  return refund
}

async function refuseDisputed(tx: Tx, payment: OnlinePaymentRow): Promise<void> {
  const isDisputed = and(
    eq(onlineDisputes.payment_id, payment.id),
    eq(onlineDisputes.state, 'open'),
  )
  if ((await tx.$count(onlineDisputes, isDisputed)) > 0) throw new Refusal(409, IS_DISPUTED)
}

/** 422 if a part is more than the ledger can give back. */
async function checkParts(
  tx: Tx,
  payment: OnlinePaymentRow,
  parts: readonly RefundPart[],
): Promise<LedgerPart[]> {
  const refundableParts = await findRefundableParts(tx, payment)
  return parts.map(({ student_id = null, charge_id = null, amount }) => {
    const refundablePart = refundableParts.find(
      (part) => part.student_id === student_id && part.charge_id === charge_id,
    )
    if (!refundablePart || toCents(amount) > refundablePart.cents)
      throw invalid('parts', 'You can refund at most what was paid for this')
    return { student_id, charge_id, cents: toCents(amount) }
  })
}

const sumOfParts = (parts: readonly LedgerPart[]): number =>
  parts.reduce((sum, { cents }) => sum + cents, 0)

type RecordedRefund = {
  id: string
  paymentActId: string | null
  parts: readonly LedgerPart[]
  order: NewOnlineRefund
}

async function recordInLedger(
  tx: Tx,
  caller: DojoCaller,
  { id, paymentActId, parts, order }: RecordedRefund,
): Promise<void> {
  const act_id = await recordOnlineRefund(tx, caller.dojoId, {
    paymentActId,
    parts,
    outcome: order.outcome,
    note: order.note ?? null,
    created_by: caller.id,
  })
  await tx.update(onlineRefunds).set({ act_id }).where(eq(onlineRefunds.id, id))
  await tx.insert(onlineRefundLines).values(
    parts.map(({ cents, ...part }) => ({
      ...part,
      id: newId(),
      refund_id: id,
      amount: toDollars(cents),
    })),
  )
  await auditAction(tx, caller, 'online payment refunded', {
    details: { amount: toDollars(sumOfParts(parts)) },
  })
}

/** Returns the payment's id. */
export async function endReview(tx: Tx, caller: DojoCaller, id: string): Promise<string> {
  const payment = await lockPayment(tx, id)
  await setReviewReason(tx, payment.id, null)
  await auditAction(tx, caller, 'online payment reviewed', {
    details: { amount: payment.amount },
  })
  return payment.id
}

export const setReviewReason = (
  tx: Tx,
  paymentId: string,
  review_reason: ReviewReason | null,
): Promise<unknown> =>
  tx.update(onlinePayments).set({ review_reason }).where(eq(onlinePayments.id, paymentId))

/** Records what Stripe says about a refund. States only move forward. */
export async function recordRefundStatus(
  tx: Tx,
  dojoId: string,
  payment: OnlinePaymentRow,
  status: RefundStatus,
): Promise<void> {
  const refund = await findRefund(tx, payment, status)
  if (!refund) return insertOutsideRefund(tx, dojoId, payment, status)
  await tx
    .update(onlineRefunds)
    .set({ stripe_id: status.id })
    .where(eq(onlineRefunds.id, refund.id))
  if (status.state === 'failed') return failRefund(tx, dojoId, refund, status.failureReason)
  const isNews =
    refund.state === 'sending' || (refund.state === 'pending' && status.state === 'refunded')
  if (isNews)
    await tx
      .update(onlineRefunds)
      .set({ state: status.state })
      .where(eq(onlineRefunds.id, refund.id))
}

async function findRefund(
  tx: Tx,
  payment: OnlinePaymentRow,
  { id, refundId }: RefundStatus,
): Promise<OnlineRefundRow | undefined> {
  const refunds = await tx
    .select()
    .from(onlineRefunds)
    .where(eq(onlineRefunds.payment_id, payment.id))
  return refunds.find((refund) => refund.id === refundId || refund.stripe_id === id)
}

/** Somebody refunded the payment in Stripe's dashboard. The staff then say what it was for. */
async function insertOutsideRefund(
  tx: Tx,
  dojoId: string,
  payment: OnlinePaymentRow,
  { id: stripe_id, state, cents, failureReason }: RefundStatus,
): Promise<void> {
  const amount = toDollars(cents)
  await tx.insert(onlineRefunds).values({
    id: newId(),
    payment_id: payment.id,
    state,
    amount,
    stripe_id,
    failure_reason: failureReason,
  })
  if (state === 'failed') return
  await setReviewReason(tx, payment.id, 'outside_refund')
  await notifyStaff(tx, dojoId, 'money.give_back', {
    title: 'Refund made in Stripe',
    message: `${formatMoneyInText(amount)} was refunded in Stripe. Please say what it was for.`,
    opens: '/online-payments',
  })
}

/** The school has the money again, so the charges are as they were before the refund. */
export async function failRefund(
  tx: Tx,
  dojoId: string,
  { id, payment_id, act_id, amount }: OnlineRefundRow,
  failureReason: string | null,
): Promise<void> {
  const failedRows = await tx
    .update(onlineRefunds)
    .set({ state: 'failed', failure_reason: failureReason })
    .where(and(eq(onlineRefunds.id, id), ne(onlineRefunds.state, 'failed')))
    .returning()
  if (failedRows.length === 0) return
  await setReviewReason(tx, payment_id, 'refund_failed')
  if (act_id !== null) await reverseOnlineRefund(tx, dojoId, act_id)
  await notifyStaff(tx, dojoId, 'money.give_back', {
    title: 'A refund did not arrive',
    message: `The refund of ${formatMoneyInText(amount)} came back. You have the money again.`,
    opens: '/online-payments',
  })
}
