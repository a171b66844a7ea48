import type { Month } from '@tatami/contract/month'
import type { MonthQuery, PaymentRecord } from '@tatami/contract/payment-records'
import type { PaymentStatistics } from '@tatami/contract/payments'
import { and, count, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { currentMonthOf } from '../dojos/dojos.ts'
import { isPayingStudent, students } from '../students/tables.ts'
import { paymentRecords, recordsOf, unpaidIn } from './tables.ts'

const { dojo_id: _, amount: recorded, ...columns } = getTableColumns(paymentRecords)
const shown = { ...columns, monthly_payment_amount: recorded }

/** The requested month; an omitted month or year is the dojo's current one. */
export async function requestedMonth(
  tx: Tx,
  dojoId: string,
  { month, year }: { month?: number | undefined; year?: number | undefined },
): Promise<Month> {
  const current = await currentMonthOf(tx, dojoId)
  return { month: month ?? current.month, year: year ?? current.year }
}

export const paymentRecordsIn = async (
  tx: Tx,
  dojoId: string,
  query: MonthQuery,
): Promise<PaymentRecord[]> =>
  tx
    .select(shown)
    .from(paymentRecords)
    .where(recordsOf(await requestedMonth(tx, dojoId, query)))

/** The number of paying students, and the revenue from all paid records of the month, including those of trial students. */
export async function paymentStatistics(
  tx: Tx,
  dojoId: string,
  query: MonthQuery,
): Promise<PaymentStatistics> {
  const month = await requestedMonth(tx, dojoId, query)
  const [payers] = await tx
    .select({ all: count(), yetToPay: count(sql`case when ${unpaidIn(month)} then 1 end`) })
    .from(students)
    .where(isPayingStudent)
  const [revenue] = await tx
    .select({ cents: sql<number>`coalesce(sum(${paymentRecords.amount}), 0)::float8` })
    .from(paymentRecords)
    .where(and(recordsOf(month), eq(paymentRecords.payment_status, 'paid')))
  return {
    total_monthly_paying_students: payers!.all,
    total_paid_this_month: payers!.all - payers!.yetToPay,
    total_yet_to_pay: payers!.yetToPay,
    monthly_revenue: revenue!.cents / 100,
  }
}
