import { toCents, toDollars } from '@tatami/contract/lib/money'
import type { Tx } from '../db/database.ts'
import { readPendingCents } from '../online-payment/live-lines.ts'

export type FeeAmounts = {
  /** Student id → what the student is asked to pay, in dollars. */
  amounts: ReadonlyMap<string, number>
  /** Students who owe only money that is on its way through their bank. */
  onItsWayIds: ReadonlySet<string>
}

/** Subtracts bank payments that are on their way, so that nobody is asked to pay twice. */
export async function subtractPendingMoney(
  tx: Tx,
  owedAmounts: ReadonlyMap<string, number>,
): Promise<FeeAmounts> {
  const pendingCents = await readPendingCents(tx)
  const amounts = new Map(owedAmounts)
  const onItsWayIds = new Set<string>()
  for (const [studentId, cents] of pendingCents) {
    const amount = owedAmounts.get(studentId)
    if (amount === undefined) continue
    const remainingCents = toCents(amount) - cents
    if (remainingCents > 0) amounts.set(studentId, toDollars(remainingCents))
    else onItsWayIds.add(studentId)
  }
  return { amounts, onItsWayIds }
}
