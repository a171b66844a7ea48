import { toDollars } from '@tatami/contract/lib/money'
import type { Month } from '@tatami/contract/lib/calendar-day'
import {
  type MonthQuery,
  type PaymentRecord,
  type MonthDue,
} from '@tatami/contract/ledger/payment-records'
import { type PaymentStatistics, statisticsOf } from '@tatami/contract/dues/payments'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { currentMonthOf } from '../dojos/dojos.ts'
import { paymentRecord, recordColumns } from '../ledger/records.ts'
import { charges, ledgerLines, paymentRecords, recordsOf } from '../ledger/tables.ts'
import { isCurrentStudent, students } from '../students/tables.ts'
import { listMonthDues } from './month-dues.ts'

/** Fills in the dojo's current month or year where the query has none. */
export async function requestedMonth(
  tx: Tx,
  dojoId: string,
  { month, year }: { month?: number | undefined; year?: number | undefined },
): Promise<Month> {
  const currentMonth = await currentMonthOf(tx, dojoId)
  return { month: month ?? currentMonth.month, year: year ?? currentMonth.year }
}

export async function paymentRecordsIn(
  tx: Tx,
  dojoId: string,
  query: MonthQuery,
): Promise<PaymentRecord[]> {
  const month = await requestedMonth(tx, dojoId, query)
  const records = await tx.select(recordColumns).from(paymentRecords).where(recordsOf(month))
  return records.map(paymentRecord)
}

/** Revenue of the month from deleted students, in cents. They have no payment records. */
async function deletedStudentsRevenue(tx: Tx, { month, year }: Month): Promise<number> {
  const [revenue = { cents: 0 }] = await tx
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
  return revenue.cents
}

export const monthDuesIn = async (tx: Tx, dojoId: string, query: MonthQuery): Promise<MonthDue[]> =>
  listMonthDues(tx, dojoId, await requestedMonth(tx, dojoId, query))

export async function paymentStatistics(
  tx: Tx,
  dojoId: string,
  query: MonthQuery,
): Promise<PaymentStatistics> {
  const month = await requestedMonth(tx, dojoId, query)
  const { id, is_trial, on_vacation } = students
  const rows = await tx.select({ id, is_trial, on_vacation }).from(students).where(isCurrentStudent)
  const records = await paymentRecordsIn(tx, dojoId, month)
  const dues = await listMonthDues(tx, dojoId, month)
  return statisticsOf(rows, records, dues, toDollars(await deletedStudentsRevenue(tx, month)))
}
