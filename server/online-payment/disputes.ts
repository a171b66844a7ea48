import { formatMoneyInText, toCents, toDollars } from '@tatami/contract/lib/money'
import type { DisputeState } from '@tatami/contract/online-payment/refunds'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { type LedgerPart, recordOnlineRefund } from '../dues/online-refunds.ts'
import type { Email } from '../lib/mail.ts'
import { notifyStaff } from '../notifications/notify.ts'
import { endAutopay } from './autopay/agreements.ts'
import type { OnlinePaymentRow } from './open-checkout.ts'
import { findRefundableParts } from './payment-details.ts'
import { lockPayer } from './payers.ts'
import type { DisputeStatus } from './provider.ts'
import { setReviewReason } from './refunds.ts'
import { onlineDisputes } from './tables.ts'

type Dispute = typeof onlineDisputes.$inferSelect

/** Records what Stripe says about a dispute. The month stays paid until the school has lost, but
 *  autopay ends at once. Returns mails to the payer. */
export async function recordDisputeStatus(
  tx: Tx,
  dojoId: string,
  payment: OnlinePaymentRow,
  status: DisputeStatus,
): Promise<Email[]> {
  const storedDispute = await findDispute(tx, status.id)
  const dispute = storedDispute ?? (await openDispute(tx, dojoId, payment, status))
  const emails = storedDispute ? [] : await endAutopayAfterDispute(tx, dojoId, payment)
  if (dispute.state !== 'open' || status.state === 'open') return emails
  const act_id = status.state === 'lost' ? await takeMoneyBack(tx, dojoId, payment, dispute) : null
  await tx
    .update(onlineDisputes)
    .set({ state: status.state, act_id })
    .where(eq(onlineDisputes.stripe_id, dispute.stripe_id))
  const reviewReason = status.state === 'lost' ? 'dispute_lost' : null
  await setReviewReason(tx, payment.id, reviewReason)
  await notifyOutcome(tx, dojoId, status.state, dispute)
  return emails
}

/** Nothing more is charged to somebody who asked their bank to take a payment back. */
async function endAutopayAfterDispute(
  tx: Tx,
  dojoId: string,
  { payer_id }: OnlinePaymentRow,
): Promise<Email[]> {
  const payer = payer_id === null ? null : await lockPayer(tx, payer_id)
  if (!payer) return []
  const { emails } = await endAutopay(tx, dojoId, payer, { reason: 'dispute', way: 'server' })
  return emails
}

async function findDispute(tx: Tx, stripeId: string): Promise<Dispute | undefined> {
  const [dispute] = await tx
    .select()
    .from(onlineDisputes)
    .where(eq(onlineDisputes.stripe_id, stripeId))
  return dispute
}

async function openDispute(
  tx: Tx,
  dojoId: string,
  payment: OnlinePaymentRow,
  { id: stripe_id, cents, reason, answerBy }: DisputeStatus,
): Promise<Dispute> {
  const amount = toDollars(cents)
  const [dispute] = await tx
    .insert(onlineDisputes)
    .values({
      stripe_id,
      payment_id: payment.id,
      state: 'open',
      amount,
      reason,
      answer_by: answerBy?.toISOString() ?? null,
    })
    .returning()
  if (!dispute) throw new Error('A new dispute was not stored')
  await setReviewReason(tx, payment.id, 'dispute_open')
  await notifyStaff(tx, dojoId, 'money.give_back', {
    title: 'Payment disputed',
    message:
      `A payer asked the bank to take back ${formatMoneyInText(amount)}. ` +
      'Please answer in Stripe.',
    opens: '/online-payments',
  })
  return dispute
}

/** Makes the charges owed again. Returns the act, or null if the ledger has none of the money. */
async function takeMoneyBack(
  tx: Tx,
  dojoId: string,
  payment: OnlinePaymentRow,
  { amount }: Dispute,
): Promise<string | null> {
  let remainingCents = toCents(amount)
  const parts: LedgerPart[] = []
  for (const { student_id, charge_id, cents } of await findRefundableParts(tx, payment)) {
    const partCents = Math.min(cents, remainingCents)
    remainingCents -= partCents
    if (partCents > 0) parts.push({ student_id, charge_id, cents: partCents })
  }
  if (parts.length === 0) return null
  const note = 'Taken back by the payer’s bank'
  return recordOnlineRefund(tx, dojoId, {
    ...{ paymentActId: payment.act_id, parts, outcome: 'owed', note, created_by: null },
  })
}

const notifyOutcome = (
  tx: Tx,
  dojoId: string,
  state: DisputeState,
  { amount }: Dispute,
): Promise<void> =>
  notifyStaff(tx, dojoId, 'money.give_back', {
    title: state === 'won' ? 'Dispute won' : 'Dispute lost',
    message:
      state === 'won'
        ? `You keep the ${formatMoneyInText(amount)} that a payer had disputed.`
        : `The bank took back ${formatMoneyInText(amount)}. It is owed again.`,
    opens: '/online-payments',
  })
