import type { Month } from '@tatami/contract/month'
import type { MonthQuery, PaymentMark, PaymentRecord, PaymentStatistics, ResetMonth } from '@tatami/contract/payments'
import { and, count, eq, getTableColumns, inArray, ne, sql } from 'drizzle-orm'
import { auditAct } from '../audit/audit.ts'
import { currentMonthOf } from '../dojos/dojos.ts'
import { nowIso } from '../lib/clock.ts'
import type { Tx } from '../db/database.ts'
import { notFound } from '../lib/refusal.ts'
import type { Member } from '../http/serve.ts'
import { reducedPricesIn } from '../prices/prices.ts'
import { isPayingStudent, students } from '../students/tables.ts'
import { paymentRecords, recordsOf, unpaidIn } from './tables.ts'

const { dojo_id: _, amount: recorded, ...columns } = getTableColumns(paymentRecords)
const shown = { ...columns, monthly_payment_amount: recorded }

/** The requested month; an omitted month or year is the dojo's current one. */
async function requestedMonth(
  tx: Tx,
  dojoId: string,
  { month, year }: { month?: number | undefined; year?: number | undefined },
): Promise<Month> {
  const current = await currentMonthOf(tx, dojoId)
  return { month: month ?? current.month, year: year ?? current.year }
}

export const paymentRecordsIn = async (tx: Tx, dojoId: string, query: MonthQuery): Promise<PaymentRecord[]> =>
  tx
    .select(shown)
    .from(paymentRecords)
    .where(recordsOf(await requestedMonth(tx, dojoId, query)))

/** The number of paying students, and the revenue from all paid records of the month, including those of trial students. */
export async function paymentStatistics(tx: Tx, dojoId: string, query: MonthQuery): Promise<PaymentStatistics> {
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

/** Marks a month of a student, as `markPayment` does, and records in the audit log who did. */
export async function markPaymentBy(tx: Tx, caller: Member, mark: PaymentMark): Promise<PaymentRecord> {
  const record = await markPayment(tx, caller.dojoId, mark)
  const { payment_month: month, payment_year: year, payment_status: status, monthly_payment_amount: amount } = record
  await auditAct(tx, caller, 'payment marked', { subject_id: mark.student_id, details: { month, year, status, amount } })
  return record
}

/** The amount is the one in the request, else the month's price for siblings, else the student's current fee. Marking with the same status again changes nothing. */
export async function markPayment(tx: Tx, dojoId: string, mark: PaymentMark): Promise<PaymentRecord> {
  const [student] = await tx.select({ fee: students.monthly_payment_amount }).from(students).where(eq(students.id, mark.student_id))
  if (!student) throw notFound('Student')
  const { monthly_payment_amount, ...rest } = mark
  const [reduced = []] = await reducedPricesIn(tx, dojoId, [{ month: mark.payment_month, year: mark.payment_year }])
  const price = reduced.find(({ student_id }) => student_id === mark.student_id)
  const amount = monthly_payment_amount ?? price?.amount ?? student.fee ?? 0
  const price_reason = price?.amount === amount ? price.reason : null
  const values = { ...rest, amount, price_reason, marked_at: nowIso(), updated_at: nowIso() }
  const { marked_at, updated_at, payment_status } = values
  const target = [paymentRecords.dojo_id, paymentRecords.payment_year, paymentRecords.payment_month, paymentRecords.student_id]
  await tx
    .insert(paymentRecords)
    .values(values)
    .onConflictDoUpdate({
      target,
      set: { amount, price_reason, marked_at, updated_at, payment_status },
      setWhere: ne(paymentRecords.payment_status, payment_status),
    })
  const [record] = await tx
    .select(shown)
    .from(paymentRecords)
    .where(and(recordsOf({ month: mark.payment_month, year: mark.payment_year }), eq(paymentRecords.student_id, mark.student_id)))
  return record!
}

/** Sets every paying student of the month to unpaid in one transaction, and records it in the audit log. */
export async function resetMonth(tx: Tx, caller: Member, { payment_month, payment_year }: ResetMonth) {
  const { month, year } = await requestedMonth(tx, caller.dojoId, { month: payment_month, year: payment_year })
  const paying = tx.select({ id: students.id }).from(students).where(isPayingStudent)
  const reset = await tx
    .update(paymentRecords)
    .set({ payment_status: 'unpaid', updated_at: nowIso() })
    .where(and(recordsOf({ month, year }), eq(paymentRecords.payment_status, 'paid'), inArray(paymentRecords.student_id, paying)))
    .returning({ id: paymentRecords.student_id })
  const [all] = await tx.select({ n: count() }).from(students).where(isPayingStudent)
  const counts = { students_reset: reset.length, total_paying_students: all!.n }
  await auditAct(tx, caller, 'month reset', { details: { month, year, ...counts } })
  return { ...counts, message: `Reset ${reset.length} of ${all!.n} paying students to unpaid.` }
}
