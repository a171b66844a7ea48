import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import {
  amongMonths,
  ensureMonths,
  isMade,
  isPaid,
  keyOfMonth,
  owedOf,
  receivedOf,
  type StudentMonth,
  unmarkingLines,
} from './charges.ts'
import { dojos } from '../dojos/tables.ts'
import { actOfNobody, type NewLine, writeLines } from './ledger.ts'
import { refreshRecords } from './records.ts'
import { charges, ledgerLines, paymentRecords } from './tables.ts'

/** Of a record that the ledger does not say; `cents` is the record's amount. */
type Differing = {
  student_id: string
  year: number
  month: number
  payment_status: string
  cents: number
  marked_on: string
}

const differing = (months: readonly StudentMonth[] | null): SQL => sql`
  select p.student_id, p.payment_year as year, p.payment_month as month, p.payment_status, p.amount as cents,
      to_char(p.marked_at at time zone (select d.time_zone from ${dojos} d where d.id = p.dojo_id), 'YYYY-MM-DD') as marked_on
    from ${paymentRecords} p
    left join ${charges} c on c.dojo_id = p.dojo_id and c.student_id = p.student_id and c.year = p.payment_year
      and c.month = p.payment_month and c.kind = 'month'
    left join lateral (
      select coalesce(-sum(l.amount) filter (where l.kind in ('payment', 'credit', 'refund')), 0) as received, coalesce(sum(l.amount), 0) as owed
        from ${ledgerLines} l where l.dojo_id = c.dojo_id and l.charge_id = c.id
    ) l on true
    where ${months ? amongMonths({ student_id: sql`p.student_id`, year: sql`p.payment_year`, month: sql`p.payment_month` }, months) : sql`true`}
      and case p.payment_status when 'paid' then coalesce(l.received, 0) <> p.amount else l.received > 0 and l.owed <= 0 end`

/**
 * Brings the ledger up to the records where they differ. A server of the version before, which serves beside this one during an update, marks
 * a month paid or unpaid in its record alone; before anything else is done to it, the mark becomes lines, so that nothing is asked for twice.
 * The students of these months are locked; null stands for all months.
 */
export async function takeUpRecords(tx: Tx, months: readonly StudentMonth[] | null): Promise<void> {
  const { rows } = await tx.execute<Differing>(differing(months))
  if (rows.length === 0) return
  const known = await ensureMonths(tx, rows)
  const ids: string[] = []
  for (const row of rows) {
    const charge = known.get(keyOfMonth(row))!
    const { id: charge_id, student_id } = charge
    const line = (kind: 'charge' | 'payment', cents: number): NewLine => ({
      student_id,
      charge_id,
      kind,
      cents,
    })
    const paid = Math.max(0, row.cents - receivedOf(charge)),
      missing = paid - owedOf(charge)
    const lines =
      row.payment_status === 'paid'
        ? [line('charge', missing), line('payment', 0 - paid)]
        : unmarkingLines(charge, false)
    const isNeeded =
      row.payment_status === 'paid'
        ? !(isMade(charge) && missing === 0 && paid === 0)
        : isPaid(charge)
    if (isNeeded) await writeLines(tx, actOfNobody(row.marked_on), lines)
    ids.push(charge_id)
  }
  await refreshRecords(tx, ids)
}
