import type { OnlinePaymentState } from '@tatami/contract/online-payment/online-payment'
import { and, eq, inArray } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Tx } from '../db/database.ts'
import { onlinePaymentLines, onlinePayments } from './tables.ts'

/** A transition changes only payments in a `from` state, so late and repeated events do nothing.
 *  `paid` is final: refunds and disputes are recorded beside it. */
export const TRANSITIONS = {
  beginDebit: { from: ['open', 'unknown'], to: 'processing' },
  pay: { from: ['open', 'processing', 'unknown', 'declined', 'expired'], to: 'paid' },
  decline: { from: ['processing', 'unknown'], to: 'declined' },
  expire: { from: ['open', 'unknown'], to: 'expired' },
  /** What Stripe says does not match what we asked for, so a person has to look. */
  doubt: { from: ['open', 'processing', 'unknown'], to: 'unknown' },
} as const satisfies Record<string, { from: readonly OnlinePaymentState[]; to: OnlinePaymentState }>
type Transition = keyof typeof TRANSITIONS

export const UNSETTLED_STATES = ['open', 'processing', 'unknown'] as const

const isUnsettled = (state: OnlinePaymentState): boolean =>
  (UNSETTLED_STATES as readonly OnlinePaymentState[]).includes(state)

/** Returns false if the payment was in none of the `from` states. */
export async function transition(
  tx: Tx,
  paymentId: string,
  name: Transition,
  set: Omit<PgUpdateSetSource<typeof onlinePayments>, 'state'> = {},
): Promise<boolean> {
  const { from, to } = TRANSITIONS[name]
  const changedRows = await tx
    .update(onlinePayments)
    .set({ ...set, state: to })
    .where(and(eq(onlinePayments.id, paymentId), inArray(onlinePayments.state, [...from])))
    .returning({ id: onlinePayments.id })
  if (changedRows.length === 0) return false
  // Another payment may now take money for the same charges.
  if (!isUnsettled(to))
    await tx
      .update(onlinePaymentLines)
      .set({ is_live: false })
      .where(eq(onlinePaymentLines.payment_id, paymentId))
  return true
}
