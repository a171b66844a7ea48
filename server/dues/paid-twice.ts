import { toCents } from '@tatami/contract/lib/money'
import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { pick } from '../lib/rows.ts'
import { creditsOf } from '../ledger/credit.ts'
import { onlinePaymentLines, onlinePayments } from '../online-payment/tables.ts'

/** A payment that was made twice needs nobody anymore when a refund of credit has given it back. */
export async function endReviewsOfRefundedCredit(
  tx: Tx,
  { studentId, cents }: { studentId: string; cents: number },
): Promise<void> {
  const paymentIds = tx
    .select({ id: onlinePaymentLines.payment_id })
    .from(onlinePaymentLines)
    .where(eq(onlinePaymentLines.student_id, studentId))
  const payments = await tx
    .select(pick(onlinePayments, 'id', 'paid_twice'))
    .from(onlinePayments)
    .where(
      and(eq(onlinePayments.review_reason, 'paid_twice'), inArray(onlinePayments.id, paymentIds)),
    )
    .orderBy(onlinePayments.paid_at)
  if (payments.length === 0) return
  const hasCredit = ((await creditsOf(tx, [studentId])).get(studentId) ?? 0) > 0
  const settledPayment = payments.find(
    ({ paid_twice }) => !hasCredit || cents >= toCents(paid_twice),
  )
  if (!settledPayment) return
  await tx
    .update(onlinePayments)
    .set({ review_reason: null })
    .where(eq(onlinePayments.id, settledPayment.id))
}
