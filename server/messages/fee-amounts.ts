import { toCents, toDollars } from '@tatami/contract/lib/money'
import type { Month } from '@tatami/contract/lib/calendar-day'
import type { Tx } from '../db/database.ts'
import { findAutopaidStudents } from '../online-payment/autopay/autopaid-students.ts'
import { readPendingCents } from '../online-payment/live-lines.ts'

export type FeeAmounts = {
  /** Student id → what the student is asked to pay, in dollars. */
  amounts: ReadonlyMap<string, number>
  /** Students who owe only money that is on its way through their bank. */
  onItsWayIds: ReadonlySet<string>
  /** Students for whom autopay will take it. */
  autopaidIds: ReadonlySet<string>
}

/** Leaves out what comes by itself, so that nobody is asked to pay twice. */
export async function readFeeAmounts(
  tx: Tx,
  dojoId: string,
  owedAmounts: ReadonlyMap<string, number>,
  month: Month,
): Promise<FeeAmounts> {
  const pendingMoney = await subtractPendingMoney(tx, owedAmounts)
  const request = { amounts: pendingMoney.amounts, month }
  return { ...pendingMoney, autopaidIds: await findAutopaidStudents(tx, dojoId, request) }
}

/** Subtracts bank payments that are on their way. */
async function subtractPendingMoney(
  tx: Tx,
  owedAmounts: ReadonlyMap<string, number>,
): Promise<Omit<FeeAmounts, 'autopaidIds'>> {
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
