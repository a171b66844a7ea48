import { toCents } from '@tatami/contract/lib/money'
import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import { now } from '../../lib/clock.ts'
import {
  isStoredError,
  type OnlinePaymentRow,
  readLines,
  switchToNextKey,
} from '../open-checkout.ts'
import { type IntentStatus, type Provider, ProviderFailure } from '../provider.ts'
import { statementSuffix } from '../statement-suffix.ts'
import type { OnlinePaymentContext } from '../stripe-account.ts'
import { onlinePayments } from '../tables.ts'
import type { DebitOrder } from './method-provider.ts'
import type { SavedMethodRow } from './saved-methods.ts'
import { autopayAgreements, autopayDebits, savedMethods } from './tables.ts'

/** `fault`: why nothing was taken, if the bank was not even asked. */
export type DebitAnswer = { intent: IntentStatus | null; fault: DebitFault | null }
export type DebitFault = 'stopped' | 'method_gone' | 'our_fault' | 'never_began'

/** Stripe may drop an idempotency key after 24 hours. */
const KEY_MS = 23 * 3_600_000

/**
 * Asks Stripe to take the money, or what became of an earlier call. A call whose answer was lost is
 * first looked up in Stripe's list, and then repeated with the same key. If Stripe has stored an
 * error for the key, that call is over, so after another look at the list we use another key.
 */
export async function askDebit(
  context: OnlinePaymentContext,
  dojoId: string,
  payment: OnlinePaymentRow,
  provider: Provider,
): Promise<DebitAnswer> {
  if (payment.intent_id !== null)
    return { intent: await provider.readIntent(payment.intent_id), fault: null }
  const call = await context.db.inDojo(dojoId, (tx) => beginCall(tx, payment))
  if (call.kind === 'stopped') return { intent: null, fault: 'stopped' }
  const { method, order, isFirst, attempt } = call
  const createdAt = new Date(payment.created_at)
  if (!isFirst) {
    const intent = await provider.findDebit(method.customer_id, payment.id, createdAt)
    if (intent) return { intent, fault: null }
    if (now().getTime() - createdAt.getTime() > KEY_MS)
      return { intent: null, fault: 'never_began' }
  }
  try {
    return { intent: await provider.debit(order), fault: null }
  } catch (failure) {
    if (isStoredError(failure)) await switchToNextKey(context, dojoId, { ...payment, attempt })
    return { intent: null, fault: faultOf(failure) }
  }
}

const METHOD_GONE_CODES = ['payment_method_unexpected_state', 'resource_missing']

/** Throws a failure that leaves open whether Stripe took the money, or that passes. */
function faultOf(failure: unknown): DebitFault {
  if (!(failure instanceof ProviderFailure)) throw failure
  if (failure.kind !== 'rejected' && failure.kind !== 'wrong_key') throw failure
  return METHOD_GONE_CODES.includes(failure.code ?? '') ? 'method_gone' : 'our_fault'
}

type Call =
  | { kind: 'stopped' }
  | { kind: 'call'; isFirst: boolean; attempt: number; method: SavedMethodRow; order: DebitOrder }

/** Stores that a call was begun. The first one is not made if autopay was just stopped. */
async function beginCall(
  tx: Tx,
  { id, attempt: formerAttempt, amount, ...payment }: OnlinePaymentRow,
): Promise<Call> {
  const [method] = await tx
    .select()
    .from(savedMethods)
    .where(eq(savedMethods.id, payment.saved_method_id ?? ''))
  const [agreement] = await tx
    .select({ ended_at: autopayAgreements.ended_at })
    .from(autopayAgreements)
    .innerJoin(autopayDebits, eq(autopayDebits.agreement_id, autopayAgreements.id))
    .where(eq(autopayDebits.id, payment.debit_id ?? ''))
    .for('share', { of: autopayAgreements })
  const isFirst = formerAttempt === 0
  const attempt = isFirst ? 1 : formerAttempt
  const isStopped = !agreement || agreement.ended_at !== null || method?.stopped_at !== null
  if (!method || (isFirst && isStopped)) return { kind: 'stopped' }
  await tx.update(onlinePayments).set({ attempt }).where(eq(onlinePayments.id, id))
  const lines = await readLines(tx, id)
  const order = {
    key: `tatami/${id}/d${attempt}`,
    customerId: method.customer_id,
    methodId: method.method_id,
    paymentId: id,
    cents: toCents(amount),
    description: lines
      .map(({ name }) => name)
      .join(', ')
      .slice(0, MAX_DESCRIPTION),
    // Stripe knows it only for cards.
    statementSuffix: method.kind === 'card' ? statementSuffix(lines) : undefined,
  }
  return { kind: 'call', isFirst, attempt, method, order }
}

const MAX_DESCRIPTION = 500
