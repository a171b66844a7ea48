import { chargeName } from '@tatami/contract/ledger/charge-words'
import { sumDollars, toCents, toDollars } from '@tatami/contract/lib/money'
import type {
  OnlineDispute,
  OnlinePaymentDetails,
  OnlineRefund,
  PaymentPart,
} from '@tatami/contract/online-payment/refunds'
import { and, asc, desc, eq, ne, or, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { readBeltTestLabels } from '../dojos/dojos.ts'
import { type RefundablePart, readRefundableParts } from '../dues/online-refunds.ts'
import { readUsedCredit } from '../dues/used-credit.ts'
import { notFound } from '../lib/refusal.ts'
import { pick, pluck } from '../lib/rows.ts'
import { instructors } from '../sensei/tables.ts'
import { students } from '../students/tables.ts'
import { needsReview } from './needs-review.ts'
import { type OnlinePaymentRow, readLines } from './open-checkout.ts'
import { readPayer, readPayerContact } from './payers.ts'
import type { Provider } from './provider.ts'
import { describeDisputeReason, describeRefundFailure } from './refund-words.ts'
import { onlineDisputes, onlinePayments, onlineRefundLines, onlineRefunds } from './tables.ts'

/** By its id or by the id of its act in the ledger. Locked until the commit. 404 if unknown. */
export async function lockPayment(tx: Tx, id: string): Promise<OnlinePaymentRow> {
  const [payment] = await tx
    .select()
    .from(onlinePayments)
    .where(or(eq(onlinePayments.id, id), eq(onlinePayments.act_id, id)))
    .for('no key update')
  if (!payment) throw notFound('Online payment')
  return payment
}

/** Null for a payer who was deleted. */
async function readPayerName(tx: Tx, { payer_id }: OnlinePaymentRow): Promise<string | null> {
  const payer = payer_id === null ? null : await readPayer(tx, payer_id)
  return payer && (await readPayerContact(tx, payer)).name
}

export async function describePayment(
  tx: Tx,
  id: string,
  provider: Provider | null,
): Promise<OnlinePaymentDetails> {
  const payment = await lockPayment(tx, id)
  const { intent_id } = payment
  const parts = await findRefundableParts(tx, payment)
  return {
    ...pick(payment, 'id', 'state', 'amount', 'fee', 'paid_at', 'is_live'),
    review_reason: await readReviewReason(tx, payment),
    payer_name: await readPayerName(tx, payment),
    lines: (await readLines(tx, payment.id)).map((line) => pick(line, 'name', 'amount')),
    refundable: toDollars(Math.min(await readRefundableCents(tx, payment), sumOfParts(parts))),
    parts: await nameParts(tx, payment.dojo_id, parts),
    refunds: await listRefunds(
      tx,
      payment,
      parts.some(({ student_id }) => student_id !== null),
    ),
    dispute: await readDispute(tx, payment),
    stripe_url: findStripeUrl(provider, intent_id),
  }
}

async function readReviewReason(
  tx: Tx,
  { id, review_reason }: OnlinePaymentRow,
): Promise<OnlinePaymentRow['review_reason']> {
  const isToReview = and(eq(onlinePayments.id, id), needsReview(sql`online_payments`))
  return (await tx.$count(onlinePayments, isToReview)) > 0 ? review_reason : null
}

const sumOfParts = (parts: readonly RefundablePart[]): number =>
  parts.reduce((sum, { cents }) => sum + cents, 0)

const findStripeUrl = (provider: Provider | null, intentId: string | null): string | null =>
  provider && !provider.isSimulated && intentId !== null ? provider.dashboardUrl(intentId) : null

const isRefundOf = (payment: OnlinePaymentRow) =>
  and(eq(onlineRefunds.payment_id, payment.id), ne(onlineRefunds.state, 'failed'))

/** What is left of the payment after all refunds. */
export async function readRefundableCents(tx: Tx, payment: OnlinePaymentRow): Promise<number> {
  if (payment.state !== 'paid') return 0
  const refunds = await tx
    .select(pick(onlineRefunds, 'amount'))
    .from(onlineRefunds)
    .where(isRefundOf(payment))
  return toCents(payment.amount) - toCents(sumDollars(pluck(refunds, 'amount')))
}

/** What the ledger can give back of the payment, at most what was paid for each student. */
export async function findRefundableParts(
  tx: Tx,
  payment: OnlinePaymentRow,
): Promise<RefundablePart[]> {
  if (payment.act_id === null) return []
  const paidLines = await readLines(tx, payment.id)
  const refundedLines = await tx
    .select(pick(onlineRefundLines, 'student_id', 'amount'))
    .from(onlineRefundLines)
    .innerJoin(onlineRefunds, eq(onlineRefunds.id, onlineRefundLines.refund_id))
    .where(isRefundOf(payment))
  const centsOf = (lines: readonly StudentAmount[], studentId: string | null) =>
    toCents(
      sumDollars(
        pluck(
          lines.filter(({ student_id }) => student_id === studentId),
          'amount',
        ),
      ),
    )
  const studentParts = await readRefundableParts(tx, payment.act_id)
  const formerCents = centsOf(paidLines, null)
  const formerPart = { student_id: null, charge_id: null, charge: null, cents: formerCents }
  return [...studentParts, formerPart]
    .map((part) => {
      const studentCents =
        centsOf(paidLines, part.student_id) - centsOf(refundedLines, part.student_id)
      // Credit from other payments did not come from this card or bank account.
      const chargeCents = part.charge_id === null ? sumOfCharges(studentParts, part.student_id) : 0
      return { ...part, cents: Math.min(part.cents, studentCents - chargeCents) }
    })
    .filter(({ cents }) => cents > 0)
}

/** What still pays charges of a student. */
const sumOfCharges = (parts: readonly RefundablePart[], studentId: string | null): number =>
  sumOfParts(
    parts.filter(({ student_id, charge_id }) => student_id === studentId && charge_id !== null),
  )

type StudentAmount = { student_id: string | null; amount: number }

async function nameParts(
  tx: Tx,
  dojoId: string,
  parts: readonly RefundablePart[],
): Promise<PaymentPart[]> {
  const beltTest = await readBeltTestLabels(tx)
  const studentRows = await tx
    .select(pick(students, 'id', 'name'))
    .from(students)
    .where(
      equalsAny(
        students.id,
        parts.flatMap(({ student_id }) => student_id ?? []),
      ),
    )
  const nameById = new Map(studentRows.map(({ id, name }) => [id, name]))
  const namedParts: PaymentPart[] = []
  for (const { charge, cents, student_id, charge_id } of parts) {
    const ids = { student_id, charge_id }
    const refundable = toDollars(cents)
    if (student_id === null) {
      namedParts.push({ ...ids, name: FORMER_STUDENT, refundable, ...NO_CREDIT })
      continue
    }
    const name = `${nameById.get(student_id)}: ${charge ? chargeName(charge, beltTest) : 'Credit'}`
    const credit = charge ? NO_CREDIT : await readUsedCredit(tx, dojoId, student_id)
    namedParts.push({ ...ids, name, refundable, ...credit })
  }
  return namedParts
}

const FORMER_STUDENT = 'Former student'
const NO_CREDIT = { pays_now: [], free_credit: 0 }

/** A refund made in Stripe's dashboard needs no record if its students were deleted. */
async function listRefunds(
  tx: Tx,
  payment: OnlinePaymentRow,
  canBeRecorded: boolean,
): Promise<OnlineRefund[]> {
  const rows = await tx
    .select({ refund: onlineRefunds, created_by: instructors.name })
    .from(onlineRefunds)
    .leftJoin(instructors, eq(instructors.id, onlineRefunds.created_by))
    .where(eq(onlineRefunds.payment_id, payment.id))
    .orderBy(desc(onlineRefunds.created_at), asc(onlineRefunds.id))
  return rows.map(({ refund, created_by }) => ({
    ...pick(refund, 'id', 'state', 'amount', 'note', 'created_at'),
    failure_reason: describeRefundFailure(refund.state, refund.failure_reason),
    created_by,
    is_recorded: refund.act_id !== null || refund.state === 'failed' || !canBeRecorded,
  }))
}

async function readDispute(tx: Tx, payment: OnlinePaymentRow): Promise<OnlineDispute | null> {
  const [dispute] = await tx
    .select()
    .from(onlineDisputes)
    .where(eq(onlineDisputes.payment_id, payment.id))
    .orderBy(desc(onlineDisputes.opened_at))
    .limit(1)
  return dispute
    ? {
        ...pick(dispute, 'state', 'amount', 'answer_by'),
        reason: describeDisputeReason(dispute.reason),
      }
    : null
}
