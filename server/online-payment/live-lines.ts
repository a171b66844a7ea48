import type { OnlinePaymentState } from '@tatami/contract/online-payment/online-payment'
import { sumDollars, toCents } from '@tatami/contract/lib/money'
import { and, eq, inArray, or } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { pick } from '../lib/rows.ts'
import { payerPersonId, type PayerPerson, personId, studentsOfPayer } from './payers.ts'
import { onlinePayers, onlinePaymentLines, onlinePayments } from './tables.ts'

/** What a line takes money for, of which student. */
export const lineKey = ({
  student_id,
  pays_for,
}: {
  student_id: string | null
  pays_for: string
}): string => `${student_id} ${pays_for}`

/** Payments whose money may be on its way, so that nobody may take it a second time. */
const PENDING_STATES: OnlinePaymentState[] = ['processing', 'unknown']

/** Student id → the cents that may be on their way. */
export async function readPendingCents(tx: Tx): Promise<Map<string, number>> {
  const rows = await tx
    .select(pick(onlinePaymentLines, 'student_id', 'amount'))
    .from(onlinePaymentLines)
    .innerJoin(onlinePayments, eq(onlinePayments.id, onlinePaymentLines.payment_id))
    .where(and(inArray(onlinePayments.state, PENDING_STATES), eq(onlinePaymentLines.is_live, true)))
  const centsByStudent = new Map<string, number>()
  for (const { student_id, amount } of rows) {
    if (student_id === null) continue
    centsByStudent.set(student_id, (centsByStudent.get(student_id) ?? 0) + toCents(amount))
  }
  return centsByStudent
}

export type PendingMoney = {
  keys: ReadonlySet<string>
  cents: number
  /** By `lineKey`. */
  centsByKey: ReadonlyMap<string, number>
}

/** What a payer has paid, and what anybody has paid for the payer's students. */
export async function readPendingMoney(tx: Tx, person: PayerPerson): Promise<PendingMoney> {
  const rows = await tx
    .select(pick(onlinePaymentLines, 'student_id', 'pays_for', 'amount'))
    .from(onlinePaymentLines)
    .innerJoin(onlinePayments, eq(onlinePayments.id, onlinePaymentLines.payment_id))
    .leftJoin(onlinePayers, eq(onlinePayers.id, onlinePayments.payer_id))
    .where(
      and(
        inArray(onlinePayments.state, PENDING_STATES),
        eq(onlinePaymentLines.is_live, true),
        or(
          eq(payerPersonId, personId(person)),
          equalsAny(onlinePaymentLines.student_id, await studentsOfPayer(tx, person)),
        ),
      ),
    )
  const centsByKey = new Map<string, number>()
  for (const row of rows) {
    const key = lineKey(row)
    centsByKey.set(key, (centsByKey.get(key) ?? 0) + toCents(row.amount))
  }
  return {
    keys: new Set(centsByKey.keys()),
    cents: toCents(sumDollars(rows.map(({ amount }) => amount))),
    centsByKey,
  }
}

type OwedMoney = Parameters<typeof lineKey>[0] & { cents: number }

/** The rest of charges of which a bank is bringing a part. It can be paid after that has
 *  arrived. */
export const sumWaitingCents = (
  owedLines: readonly OwedMoney[],
  { centsByKey }: PendingMoney,
): number =>
  owedLines.reduce((sum, line) => {
    const pendingCents = centsByKey.get(lineKey(line))
    return pendingCents === undefined ? sum : sum + Math.max(0, line.cents - pendingCents)
  }, 0)
