import type { Month } from '@tatami/contract/month'
import { and, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { paymentRecords, recordsOf } from '../payments/tables.ts'
import { students } from '../students/tables.ts'
import { reducedPricesIn } from './prices.ts'

/** What each student pays in a month, in dollars: what is recorded as paid, else what marking the month as paid would record now, the price
 *  for siblings or the fee; 0 without a fee. */
export async function amountsIn(
  tx: Tx,
  dojoId: string,
  month: Month,
): Promise<Map<string, number>> {
  const rows = await tx
    .select({ id: students.id, fee: students.monthly_payment_amount, paid: paymentRecords.amount })
    .from(students)
    .leftJoin(
      paymentRecords,
      and(
        eq(paymentRecords.student_id, students.id),
        recordsOf(month),
        eq(paymentRecords.payment_status, 'paid'),
      ),
    )
  const [reduced = []] = await reducedPricesIn(tx, dojoId, [month])
  const prices = new Map(reduced.map(({ student_id, amount }) => [student_id, amount]))
  return new Map(rows.map(({ id, fee, paid }) => [id, paid ?? prices.get(id) ?? fee ?? 0]))
}
