import { firstDayOf, type Month } from '@tatami/contract/month'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { currentMonthOf } from '../dojos/dojos.ts'
import { charges, ledgerLines, paymentRecords, recordsOf } from '../payments/tables.ts'
import { students } from '../students/tables.ts'
import { reducedPricesIn } from './prices.ts'

/** What a student owes over all charges and the month in progress, since which day, and what was paid beyond that; in dollars. */
export type StudentBalance = { student_id: string; owed: number; credit: number; owed_since: string | null }

/** Who paid a month, and whose month in progress is to pay although it has no charge yet. */
const paidIn = (month: Month) => sql`(select ${paymentRecords.student_id} from ${paymentRecords}
  where ${recordsOf(month)} and ${paymentRecords.payment_status} = 'paid')`
const isExpectedToPay = sql`(not s.is_trial and not s.on_vacation and not s.awaits_approval and p.student_id is null)`

/** In cents; `fee` is that of the month in progress where it has no charge yet and the student pays. */
type Account = { student_id: string; owed: number; credit: number; since: string | null; fee: number | null }

/** The balance of every student who owes something or has credit. */
export async function balancesIn(tx: Tx, dojoId: string): Promise<StudentBalance[]> {
  const month = await currentMonthOf(tx, dojoId)
  const { rows } = await tx.execute<Account>(sql`
    with sums as (
      select student_id, charge_id, sum(amount)::int as owed, sum(amount) filter (where kind = 'charge') as asked,
        sum(amount) filter (where kind = 'credit') as credited
      from ${ledgerLines} group by student_id, charge_id),
    accounts as (
      select l.student_id, sum(l.owed) filter (where l.charge_id is not null and l.owed > 0) as owed,
        min(c.charged_on) filter (where l.owed > 0) as since,
        coalesce(sum(l.credited), 0) - coalesce(sum(l.owed) filter (where l.charge_id is null), 0) as credit,
        bool_or(c.kind = 'month' and c.year = ${month.year} and c.month = ${month.month} and l.asked > 0) as is_charged
      from sums l left join ${charges} c on c.id = l.charge_id group by l.student_id)
    select s.id as student_id, coalesce(a.owed, 0)::int as owed, greatest(a.credit, 0)::int as credit, a.since::text,
      case when ${isExpectedToPay} and a.is_charged is not true then s.monthly_payment_amount end as fee
    from ${students} s left join accounts a on a.student_id = s.id left join ${paidIn(month)} p on p.student_id = s.id`)
  const live = await livePrices(tx, dojoId, month)
  return rows.flatMap((row) => {
    const { student_id, owed, credit, since } = row,
      price = live(row)
    if (owed + price === 0 && credit === 0) return []
    const owed_since = since ?? (price > 0 ? firstDayOf(month) : null)
    return [{ student_id, owed: (owed + price) / 100, credit: credit / 100, owed_since }]
  })
}

/** What each student owes of one month, by id and in dollars; only of those who owe something of it. */
export async function owedOfMonth(tx: Tx, dojoId: string, month: Month): Promise<Map<string, number>> {
  const current = await currentMonthOf(tx, dojoId),
    isCurrent = current.year === month.year && current.month === month.month
  const { rows } = await tx.execute<Pick<Account, 'student_id' | 'owed' | 'fee'>>(sql`
    select s.id as student_id, coalesce(c.owed, 0)::int as owed,
      case when ${isCurrent} and ${isExpectedToPay} and coalesce(c.asked, 0) = 0 then s.monthly_payment_amount end as fee
    from ${students} s
    left join (select c.student_id, sum(l.amount) as owed, sum(l.amount) filter (where l.kind = 'charge') as asked
      from ${charges} c join ${ledgerLines} l on l.charge_id = c.id
      where c.kind = 'month' and c.year = ${month.year} and c.month = ${month.month} group by c.student_id) c on c.student_id = s.id
    left join ${paidIn(month)} p on p.student_id = s.id`)
  const live = await livePrices(tx, dojoId, month)
  return new Map(
    rows.flatMap((row) => {
      const owed = row.owed + live(row)
      return owed > 0 ? [[row.student_id, owed / 100] as const] : []
    }),
  )
}

/** What a month without a charge costs, in cents: the price for siblings, or the fee. */
async function livePrices(tx: Tx, dojoId: string, month: Month) {
  const [reduced = []] = await reducedPricesIn(tx, dojoId, [month])
  const prices = new Map(reduced.map(({ student_id, amount }) => [student_id, Math.round(amount * 100)]))
  return ({ student_id, fee }: Pick<Account, 'student_id' | 'fee'>) => (fee === null ? 0 : (prices.get(student_id) ?? fee))
}

/** What each student owes in all, by id and in dollars; only of those who owe something. */
export async function owedAmounts(tx: Tx, dojoId: string): Promise<Map<string, number>> {
  const balances = await balancesIn(tx, dojoId)
  return new Map(balances.flatMap(({ student_id, owed }) => (owed > 0 ? [[student_id, owed] as const] : [])))
}
