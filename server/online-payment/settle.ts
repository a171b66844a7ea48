import { toCents, toDollars } from '@tatami/contract/lib/money'
import { and, eq, inArray } from 'drizzle-orm'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { recordOnlinePayment } from '../dues/online-payments.ts'
import { now, nowIso } from '../lib/clock.ts'
import { recordTry } from './autopay/after-try.ts'
import { askDebit, type DebitFault } from './autopay/ask-debit.ts'
import { monthOfLine } from './line-months.ts'
import { expireCheckout, OPEN_CHECK_MS, type OnlinePaymentRow, readLines } from './open-checkout.ts'
import { areStillOwed, hasSameLines, readPayableLines } from './payable-lines.ts'
import { readPayer } from './payers.ts'
import type { CheckoutStatus, Decline, IntentStatus, Provider } from './provider.ts'
import { transition, UNSETTLED_STATES } from './states.ts'
import { findProvider, type OnlinePaymentContext } from './stripe-account.ts'
import { onlinePayments } from './tables.ts'

/** Asks Stripe how a payment is going, and records what it says. An event is only a reason to ask.
 *  Does nothing for a settled payment. */
export async function settlePayment(
  context: OnlinePaymentContext,
  dojoId: string,
  paymentId: string,
): Promise<void> {
  const { db } = context
  const { payment, provider } = await db.inDojo(dojoId, async (tx) => ({
    payment: await findUnsettled(tx, paymentId),
    provider: await findProvider(tx, context),
  }))
  if (!payment || !provider || payment.is_live !== provider.isLive) return
  const answer = await askProvider(context, dojoId, payment, provider)
  const { countsAsMoney } = provider
  await db.inDojo(dojoId, (tx) => recordAnswer(tx, dojoId, payment, { ...answer, countsAsMoney }))
}

async function findUnsettled(tx: Tx, paymentId: string): Promise<OnlinePaymentRow | undefined> {
  const [payment] = await tx
    .select()
    .from(onlinePayments)
    .where(
      and(eq(onlinePayments.id, paymentId), inArray(onlinePayments.state, [...UNSETTLED_STATES])),
    )
  return payment
}

/** `fault`: why autopay did not ask the bank. */
type Answer = { intent: IntentStatus | null; isCheckoutOver: boolean; fault?: DebitFault | null }

async function askProvider(
  context: OnlinePaymentContext,
  dojoId: string,
  payment: OnlinePaymentRow,
  provider: Provider,
): Promise<Answer> {
  const { checkout_id, debit_id } = payment
  if (debit_id !== null) {
    const { intent, fault } = await askDebit(context, dojoId, payment, provider)
    return { intent, isCheckoutOver: fault !== null, fault }
  }
  // The call that began the checkout was cut off. The payer never got its address.
  if (checkout_id === null) return { intent: null, isCheckoutOver: true }
  const { isOver, intentId } = await readCheckout(
    context,
    dojoId,
    { ...payment, checkout_id },
    provider,
  )
  const intent = intentId === null ? null : await provider.readIntent(intentId)
  return { intent, isCheckoutOver: isOver }
}

/** Ends the checkout first if something else is owed by now, such as after a payment in cash. */
async function readCheckout(
  context: OnlinePaymentContext,
  dojoId: string,
  payment: OnlinePaymentRow & { checkout_id: string },
  provider: Provider,
): Promise<CheckoutStatus> {
  const { checkout_id } = payment
  const status = await provider.readCheckout(checkout_id)
  if (status.isOver) return status
  const isCurrent = await context.db.inDojo(dojoId, (tx) => isForCurrentDebt(tx, dojoId, payment))
  if (isCurrent) return status
  await expireCheckout(context, dojoId, payment, provider)
  return provider.readCheckout(checkout_id)
}

async function isForCurrentDebt(
  tx: Tx,
  dojoId: string,
  payment: OnlinePaymentRow,
): Promise<boolean> {
  const payer = payment.payer_id === null ? null : await readPayer(tx, payment.payer_id)
  if (payer === null) return false
  const lines = await readPayableLines(tx, dojoId, payer)
  return payment.is_part ? areStillOwed(tx, payment, lines) : hasSameLines(tx, payment, lines)
}

/** How long until a server asks again, if no event of Stripe comes first. */
const CHECK_AGAIN_MS = { open: OPEN_CHECK_MS, processing: 600_000, unknown: 600_000 }

async function recordAnswer(
  tx: Tx,
  dojoId: string,
  { id: paymentId, checkout_id: askedCheckoutId, next_check_at: checkedAt }: OnlinePaymentRow,
  { intent, isCheckoutOver, fault, countsAsMoney }: Answer & { countsAsMoney: boolean },
): Promise<void> {
  const [payment] = await tx
    .select()
    .from(onlinePayments)
    .where(eq(onlinePayments.id, paymentId))
    .for('no key update')
  if (!payment || !isUnsettled(payment)) return
  // The page was opened meanwhile, so the answer says nothing about it.
  if (payment.checkout_id !== askedCheckoutId) return
  const set = {
    ...(intent && { intent_id: intent.id }),
    decline_code: fault ?? declineCode(intent?.decline),
    advice_code: intent?.decline?.adviceCode ?? null,
  }
  const laterTime = new Date(now().getTime() + CHECK_AGAIN_MS[payment.state]).toISOString()
  if (intent && !matches(payment, intent)) {
    const doubt = { ...set, review_reason: 'mismatch' as const, next_check_at: laterTime }
    await transition(tx, paymentId, 'doubt', doubt)
    return
  }
  const isDebit = payment.debit_id !== null
  if (intent?.state === 'paid') {
    await markPaid(tx, dojoId, payment, set, countsAsMoney)
    if (isDebit) await recordTry(tx, dojoId, payment, { kind: 'paid' })
    return
  }
  if (intent?.state === 'processing') await transition(tx, paymentId, 'beginDebit', set)
  else if (payment.state === 'processing' || (isDebit && intent)) {
    await transition(tx, paymentId, 'decline', set)
    const decline = intent?.decline ?? null
    if (isDebit) await recordTry(tx, dojoId, payment, { kind: 'declined', decline })
  } else if (isCheckoutOver) {
    await transition(tx, paymentId, 'expire', set)
    if (isDebit && fault) await recordTry(tx, dojoId, payment, { kind: 'not_taken', fault })
  }
  // An event that came while Stripe answered has moved the time, and is newer than the answer.
  const next_check_at = payment.next_check_at === checkedAt ? laterTime : payment.next_check_at
  await tx
    .update(onlinePayments)
    .set({ ...set, next_check_at })
    .where(eq(onlinePayments.id, paymentId))
}

const isUnsettled = (
  payment: OnlinePaymentRow,
): payment is OnlinePaymentRow & { state: (typeof UNSETTLED_STATES)[number] } =>
  payment.state in CHECK_AGAIN_MS

const declineCode = (decline: Decline | null | undefined): string | null =>
  decline?.declineCode ?? decline?.code ?? null

const matches = ({ id, amount, is_live }: OnlinePaymentRow, intent: IntentStatus): boolean =>
  intent.cents === toCents(amount) && intent.isLive === is_live && intent.paymentId === id

type LedgerEntry = Awaited<ReturnType<typeof recordOnlinePayment>>

/** For a payment that changes nothing in the ledger. */
const nothingRecorded = (creditCents: number): LedgerEntry => ({ actId: newId(), creditCents })

async function recordLines(
  tx: Tx,
  dojoId: string,
  { id, amount: total }: OnlinePaymentRow,
): Promise<LedgerEntry> {
  const lines = await readLines(tx, id)
  const parts = lines.flatMap(({ student_id, charge_id, pays_for, amount }) =>
    student_id === null
      ? []
      : [{ student_id, charge_id, month: monthOfLine(pays_for), cents: toCents(amount) }],
  )
  if (parts.length > 0) return recordOnlinePayment(tx, dojoId, id, parts)
  // The students were deleted, so the whole payment should be refunded.
  return nothingRecorded(toCents(total))
}

/** The payer's money and the ledger change in one transaction. Test payments are no money. */
async function markPaid(
  tx: Tx,
  dojoId: string,
  payment: OnlinePaymentRow,
  set: { intent_id?: string; decline_code: string | null; advice_code: string | null },
  countsAsMoney: boolean,
): Promise<void> {
  const { actId, creditCents } = countsAsMoney
    ? await recordLines(tx, dojoId, payment)
    : nothingRecorded(0)
  await transition(tx, payment.id, 'pay', {
    ...set,
    act_id: actId,
    paid_twice: toDollars(creditCents),
    paid_at: nowIso(),
    review_reason: creditCents > 0 ? 'paid_twice' : null,
    // To learn the fee.
    refresh_at: nowIso(),
  })
}
