import type { Month } from '@tatami/contract/lib/calendar-day'
import { toDollars } from '@tatami/contract/lib/money'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { charges, ledgerLines } from '../ledger/tables.ts'

type PaidMonth = { student_id: string; amount: number }
type PaidLine = { student_id: string; cents: number; is_reversed: boolean }

/** What was paid online for a month and still pays it, by student. */
export async function listPaidMonths(tx: Tx, { year, month }: Month): Promise<PaidMonth[]> {
  // A reversal can be reversed itself, so the last one of the chain decides.
  const { rows } = await tx.execute<PaidLine>(sql`
    with recursive chain as (
      select c.student_id, 0 - l.amount as cents, l.id as line_id, l.id as last_id, 0 as reversals
      from ${charges} c join ${ledgerLines} l on l.charge_id = c.id
      where c.kind = 'month' and c.year = ${year} and c.month = ${month} and l.method = 'online'
        and c.student_id is not null and l.reverses is null
      union all
      select chain.student_id, chain.cents, chain.line_id, r.id, chain.reversals + 1
      from chain join ${ledgerLines} r on r.reverses = chain.last_id
    )
    select student_id, min(cents)::float8 as cents, max(reversals) % 2 = 1 as is_reversed
    from chain group by student_id, line_id order by student_id`)
  const centsByStudent = new Map<string, number>()
  for (const { student_id, cents, is_reversed } of rows)
    if (!is_reversed) centsByStudent.set(student_id, (centsByStudent.get(student_id) ?? 0) + cents)
  return [...centsByStudent]
    .filter(([, cents]) => cents > 0)
    .map(([student_id, cents]) => ({ student_id, amount: toDollars(cents) }))
}
