import type { AutopayEndReason, AutopayWay } from '@tatami/contract/online-payment/autopay-states'
import { formatMoneyInText, toDollars } from '@tatami/contract/lib/money'
import { WORDING_LANGUAGE } from '@tatami/contract/online-payment/autopay-words'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { newId } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import { todayOf } from '../../dojos/dojos.ts'
import { nowIso } from '../../lib/clock.ts'
import type { Email } from '../../lib/mail.ts'
import { firstRow } from '../../lib/rows.ts'
import { sha256 } from '../../lib/secrets.ts'
import { readPendingMoney } from '../live-lines.ts'
import type { Payer } from '../payers.ts'
import { announceNextDebit } from './notices.ts'
import { tellPayer } from './payer-messages.ts'
import { stopLiveMethod } from './saved-methods.ts'
import { stopNote } from './stop-links.ts'
import { type AgreementTerms, autopayAgreements, autopayDebits } from './tables.ts'

export type Agreement = typeof autopayAgreements.$inferSelect

const isOpen = isNull(autopayAgreements.ended_at)

export async function findOpenAgreement(tx: Tx, payerId: string): Promise<Agreement | null> {
  const [agreement] = await tx
    .select()
    .from(autopayAgreements)
    .where(and(eq(autopayAgreements.payer_id, payerId), isOpen))
  return agreement ?? null
}

/** Records what the payer agreed to, and mails it. It replaces an agreement that is open. */
export async function makeAgreement(
  tx: Tx,
  dojoId: string,
  payer: Payer,
  terms: AgreementTerms,
  publicUrl: string,
): Promise<Email[]> {
  const formerAgreement = await findOpenAgreement(tx, payer.id)
  if (formerAgreement)
    await recordEnd(tx, formerAgreement, {
      reason: 'changed',
      way: 'home',
      accountId: terms.agreed_by,
    })
  const { limit_cents, ...columns } = terms
  const agreement = firstRow(
    await tx
      .insert(autopayAgreements)
      .values({
        ...columns,
        id: newId(),
        payer_id: payer.id,
        language: WORDING_LANGUAGE,
        words_hash: sha256(terms.words),
        covers_new_students: true,
        covers_former_students: false,
        limit_amount: limit_cents === null ? null : toDollars(limit_cents),
        agreed_way: 'home',
      })
      .returning(),
  )
  if (formerAgreement) await moveDebits(tx, formerAgreement.id, agreement.id)
  const { emails } = await tellPayer(tx, dojoId, payer, {
    title: formerAgreement ? 'Autopay changed' : 'Autopay is on',
    message: `You agreed to this:\n\n${terms.words}`,
    mailOnly: stopNote(publicUrl, dojoId, agreement.id),
  })
  const today = await todayOf(tx, dojoId)
  // The notice of today's run would be too late if the first payment is due in three days.
  const notices = await announceNextDebit(tx, { dojoId, agreement, payer, today, publicUrl })
  return [...emails, ...notices]
}

/** Declined debits are retried under the new agreement. */
const moveDebits = (tx: Tx, formerId: string, agreementId: string) =>
  tx
    .update(autopayDebits)
    .set({ agreement_id: agreementId })
    .where(
      and(
        eq(autopayDebits.agreement_id, formerId),
        inArray(autopayDebits.state, ['open', 'needs_method']),
      ),
    )

export type AutopayEnd = {
  reason: AutopayEndReason
  way: AutopayWay
  accountId?: string | null
  note?: string | null
}

const recordEnd = (tx: Tx, { id }: Agreement, { reason, way, accountId, note }: AutopayEnd) =>
  tx
    .update(autopayAgreements)
    .set({
      ended_at: nowIso(),
      ended_by: accountId ?? null,
      ended_way: way,
      end_reason: reason,
      end_note: note ?? null,
    })
    .where(and(eq(autopayAgreements.id, id), isOpen))

const END_MESSAGES: Record<AutopayEndReason, string> = {
  payer: 'You stopped autopay.',
  staff: 'Your school stopped autopay for you.',
  changed: '',
  no_students:
    'Autopay has stopped, because nobody is left to pay for. What is still owed has to be paid ' +
    'another way.',
  method_gone: 'Autopay has stopped, because your card can no longer be charged.',
  dispute: 'Autopay has stopped, because you asked your bank to take a payment back.',
  test_over: 'Your school has only tried out autopay. No real money was taken.',
}

/** Stops autopay at once, and the saved method with it. `pendingCents` is on its way already. */
export async function endAutopay(
  tx: Tx,
  dojoId: string,
  payer: Payer,
  end: AutopayEnd,
): Promise<{ emails: Email[]; pendingCents: number }> {
  const agreement = await findOpenAgreement(tx, payer.id)
  await stopLiveMethod(tx, payer.id, 'autopay_ended')
  const { cents: pendingCents } = await readPendingMoney(tx, payer)
  if (!agreement) return { emails: [], pendingCents }
  await recordEnd(tx, agreement, end)
  await tx
    .update(autopayDebits)
    .set({ state: 'stopped', next_try_on: null, awaits_text: false })
    .where(
      and(
        eq(autopayDebits.agreement_id, agreement.id),
        inArray(autopayDebits.state, ['open', 'needs_method', 'needs_payer']),
      ),
    )
  const reason = end.note ? ` Reason: ${end.note.replace(/\.*$/, '.')}` : ''
  const pendingNote =
    pendingCents > 0
      ? ` A payment of ${formatMoneyInText(toDollars(pendingCents))} was already on its way.`
      : ' Nothing more will be charged.'
  const { emails } = await tellPayer(tx, dojoId, payer, {
    title: 'Autopay is off',
    message:
      `${END_MESSAGES[end.reason]}${reason}${pendingNote} Your card or bank account is no ` +
      'longer saved.',
  })
  return { emails, pendingCents }
}
