import type { Month } from '@tatami/contract/month'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { ledgerLines } from '../payments/tables.ts'
import { monthDues } from './month-dues.ts'

type Sums = { student_id: string; owed: number; credit: number }

/** What each student owes over all charges and has as credit, in cents. */
async function ledgerSums(tx: Tx): Promise<Map<string, Sums>> {
  const { rows } = await tx.execute<Sums>(sql`
    select student_id, coalesce(sum(amount) filter (where charge_id is not null), 0)::float8 as owed,
      (coalesce(sum(amount) filter (where kind = 'credit'), 0) - coalesce(sum(amount) filter (where charge_id is null), 0))::float8 as credit
    from ${ledgerLines} group by student_id`)
  return new Map(rows.map((row) => [row.student_id, row]))
}

/** What is left to pay of a month, in dollars, of those who have something left: what is asked, less credit that pays it. */
export async function amountsLeft(
  tx: Tx,
  dojoId: string,
  month: Month,
): Promise<Map<string, number>> {
  const dues = await monthDues(tx, dojoId, month)
  const sums = await ledgerSums(tx)
  const amounts = new Map<string, number>()
  for (const [id, due] of dues) {
    const { owed, credit } = sums.get(id) ?? { owed: 0, credit: 0 }
    const owedElsewhere = owed - (due.isCharged ? due.owed : 0)
    const left = due.owed - Math.max(0, credit - owedElsewhere)
    if (due.owed > 0 && left > 0) amounts.set(id, left / 100)
  }
  return amounts
}

/** Who is late with a month on a day, or was until it was paid: it is owed since an earlier day. */
export async function lateStudents(
  tx: Tx,
  dojoId: string,
  month: Month,
  day: string,
): Promise<Set<string>> {
  const dues = [...(await monthDues(tx, dojoId, month))]
  const lateDues = dues.filter(([, { cost, since }]) => cost > 0 && since < day)
  return new Set(lateDues.map(([id]) => id))
}

/**
 * What a text about a month's fee asks of everybody who has one, paid or not, in dollars: what is left to pay, else what
 * the month costs. A fee of 0 asks for nothing.
 */
export async function feeAmounts(
  tx: Tx,
  dojoId: string,
  month: Month,
): Promise<Map<string, number>> {
  const left = await amountsLeft(tx, dojoId, month)
  const priced = [...(await monthDues(tx, dojoId, month))].filter(([, { price }]) => price > 0)
  return new Map(priced.map(([id, { price }]) => [id, left.get(id) ?? price / 100]))
}
