import type { BalanceInMonth } from '@tatami/contract/ledger'
import type { MonthQuery } from '@tatami/contract/payment-records'
import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { balancesOf } from './balances.ts'
import { requestedMonth } from './payments.ts'
import { charges, ledgerLines } from './tables.ts'

/** Everybody's balance, with what Mark Paid would take of a month that was charged: a part of it may be paid already. */
export async function balancesInMonth(
  tx: Tx,
  dojoId: string,
  query: MonthQuery,
): Promise<BalanceInMonth[]> {
  const { month, year } = await requestedMonth(tx, dojoId, query)
  const owed = await tx
    .select({
      student_id: charges.student_id,
      cents: sql<number>`sum(${ledgerLines.amount})::float8`,
    })
    .from(charges)
    .innerJoin(
      ledgerLines,
      and(eq(ledgerLines.dojo_id, charges.dojo_id), eq(ledgerLines.charge_id, charges.id)),
    )
    .where(
      and(
        eq(charges.dojo_id, dojoId),
        eq(charges.kind, 'month'),
        eq(charges.year, year),
        eq(charges.month, month),
      ),
    )
    .groupBy(charges.student_id)
    .having(sql`sum(${ledgerLines.amount}) filter (where ${ledgerLines.kind} = 'charge') > 0`)
  const owedOf = new Map(owed.map(({ student_id, cents }) => [student_id, cents / 100]))
  return (await balancesOf(tx, dojoId)).map((balance) => ({
    ...balance,
    month_owed: owedOf.get(balance.student_id) ?? null,
  }))
}
