import { firstDayOf } from '@tatami/contract/month'
import { and, eq, gt, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { currentMonthOf } from '../dojos/dojos.ts'
import { charges, ledgerLines } from '../payments/tables.ts'
import { amountsIn } from '../prices/amounts.ts'
import { isPayingStudent, students } from '../students/tables.ts'

/** What the month in progress costs each student who has not been charged for it yet, in cents. */
export type MonthInProgress = { month: string; cents: Map<string, number> }

export async function monthInProgress(tx: Tx, dojoId: string): Promise<MonthInProgress> {
  const month = await currentMonthOf(tx, dojoId)
  const prices = await amountsIn(tx, dojoId, month)
  const uncharged = await tx
    .select({ id: students.id })
    .from(students)
    .where(
      and(
        isPayingStudent,
        eq(students.awaits_approval, false),
        gt(students.monthly_payment_amount, 0),
        sql`not exists (select from ${charges} c join ${ledgerLines} l on l.charge_id = c.id
          where c.student_id = ${students.id} and c.kind = 'month' and c.year = ${month.year} and c.month = ${month.month}
          group by c.id having sum(l.amount) filter (where l.kind = 'charge') <> 0)`,
      ),
    )
  const cents = uncharged.map(({ id }): [string, number] => [id, Math.round((prices.get(id) ?? 0) * 100)])
  return { month: firstDayOf(month), cents: new Map(cents.filter(([, price]) => price > 0)) }
}
