import { and, eq, inArray, isNotNull, isNull, ne, notExists, or } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { ledgerLines } from '../ledger/tables.ts'
import type { Email } from '../lib/mail.ts'
import { pluck } from '../lib/rows.ts'
import { endAutopay } from './autopay/agreements.ts'
import { autopayAgreements, methodSetups } from './autopay/tables.ts'
import { onlinePaymentLines, onlinePayers, onlinePayments } from './tables.ts'

/** Before real money moves, everything ends that was only tried out. Returns what to mail. */
export async function endTestMode(tx: Tx, dojoId: string): Promise<Email[]> {
  await endTestPayments(tx)
  await tx
    .update(methodSetups)
    .set({ state: 'expired' })
    .where(and(eq(methodSetups.is_live, false), eq(methodSetups.state, 'open')))
  const emails = await endTestAgreements(tx, dojoId)
  // Neither live mode nor another account knows these customers.
  await tx
    .update(onlinePayers)
    .set({ customer_id: null, customer_is_live: null })
    .where(eq(onlinePayers.customer_is_live, false))
  return emails
}

/** They then hold no charge back from a real payment, and are not listed anymore. */
async function endTestPayments(tx: Tx): Promise<void> {
  const isInLedger = tx
    .select({ id: ledgerLines.id })
    .from(ledgerLines)
    .where(eq(ledgerLines.act_id, onlinePayments.act_id))
  const endedPayments = await tx
    .update(onlinePayments)
    .set({
      state: 'expired',
      act_id: null,
      decline_code: null,
      review_reason: null,
      refresh_at: null,
    })
    .where(
      and(
        eq(onlinePayments.is_live, false),
        or(ne(onlinePayments.state, 'expired'), isNotNull(onlinePayments.decline_code)),
        or(isNull(onlinePayments.act_id), notExists(isInLedger)),
      ),
    )
    .returning({ id: onlinePayments.id })
  await tx
    .update(onlinePaymentLines)
    .set({ is_live: false })
    .where(inArray(onlinePaymentLines.payment_id, pluck(endedPayments, 'id')))
}

/** Their cards exist only in Stripe's test mode. */
async function endTestAgreements(tx: Tx, dojoId: string): Promise<Email[]> {
  const payers = await tx
    .select({ payer: onlinePayers })
    .from(autopayAgreements)
    .innerJoin(onlinePayers, eq(onlinePayers.id, autopayAgreements.payer_id))
    .where(and(isNull(autopayAgreements.ended_at), eq(onlinePayers.customer_is_live, false)))
    .orderBy(onlinePayers.id)
  const emails: Email[] = []
  for (const { payer } of payers) {
    const end = await endAutopay(tx, dojoId, payer, { reason: 'test_over', way: 'server' })
    emails.push(...end.emails)
  }
  return emails
}
