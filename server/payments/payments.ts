import type { Month } from '@tatami/contract/month'
import type { MonthQuery, PaymentRecord } from '@tatami/contract/payment-records'
import type { PaymentStatistics } from '@tatami/contract/payments'
import { and, count, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { currentMonthOf } from '../dojos/dojos.ts'
import { isPayingStudent, students } from '../students/tables.ts'
import { charges, ledgerLines, paymentRecords, recordsOf, unpaidIn } from './tables.ts'

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

/** What came for this month from students who have been deleted since, in cents: they have no records any more. */
async function deletedStudentsRevenue(tx: Tx, { month, year }: Month): Promise<number> {
  const [revenue] = await tx
    .select({ cents: sql<number>`coalesce(-sum(${ledgerLines.amount}), 0)::float8` })
    .from(ledgerLines)
    .innerJoin(
      charges,
      and(eq(charges.dojo_id, ledgerLines.dojo_id), eq(charges.id, ledgerLines.charge_id)),
    )
    .where(
      and(
        isNull(charges.student_id),
        eq(charges.kind, 'month'),
        eq(charges.year, year),
        eq(charges.month, month),
        inArray(ledgerLines.kind, ['payment', 'credit', 'refund']),
      ),
    )
  return revenue!.cents
}

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
  const deletedStudentsCents = await deletedStudentsRevenue(tx, month)
  return {
    total_monthly_paying_students: payers!.all,
    total_paid_this_month: payers!.all - payers!.yetToPay,
    total_yet_to_pay: payers!.yetToPay,
    monthly_revenue: (revenue!.cents + deletedStudentsCents) / 100,
    revenue_of_deleted_students: deletedStudentsCents / 100,
  }
}
