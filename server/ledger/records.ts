import { toDollars } from '@tatami/contract/lib/money'
import type { PaymentRecord } from '@tatami/contract/ledger/payment-records'
import { type SQL, sql } from 'drizzle-orm'
import { inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { pick } from '../lib/rows.ts'
import {
  type Charge,
  chargesById,
  isPaid,
  receivedOf,
  type StudentMonth,
  studentMonthKey,
  whereMonths,
} from './charges.ts'
import { effectiveLines, type NewLine } from './ledger.ts'
import { paymentRecords } from './tables.ts'

export const recordColumns = {
  ...pick(paymentRecords, 'student_id', 'payment_year', 'payment_month', 'payment_status'),
  ...pick(paymentRecords, 'amount', 'price_reason', 'marked_at', 'updated_at'),
}
export type StoredRecord = Omit<typeof paymentRecords.$inferSelect, 'dojo_id'>

export const paymentRecord = ({ amount, ...record }: StoredRecord): PaymentRecord => ({
  ...record,
  monthly_payment_amount: amount,
})

export type RecordsByMonth = Map<string, StoredRecord>

const byMonth = (records: StoredRecord[]): RecordsByMonth =>
  new Map(
    records.map((record) => {
      const { student_id, payment_year: year, payment_month: month } = record
      return [studentMonthKey({ student_id, year, month }), record]
    }),
  )

export async function recordsOfMonths(
  tx: Tx,
  months: readonly StudentMonth[],
): Promise<RecordsByMonth> {
  if (months.length === 0) return new Map()
  const { student_id, payment_year: year, payment_month: month } = paymentRecords
  const condition = whereMonths({ student_id, year, month }, months)
  return byMonth(await tx.select(recordColumns).from(paymentRecords).where(condition))
}

const newValue = (column: string): SQL => sql`excluded.${sql.identifier(column)}`

export async function saveRecords(tx: Tx, records: StoredRecord[]): Promise<RecordsByMonth> {
  const { dojo_id, payment_year, payment_month, student_id } = paymentRecords
  const savedRecords: StoredRecord[] = []
  await inChunks(records, async (chunk) => {
    const rows = await tx
      .insert(paymentRecords)
      .values(chunk)
      .onConflictDoUpdate({
        target: [dojo_id, payment_year, payment_month, student_id],
        set: {
          payment_status: newValue('payment_status'),
          amount: newValue('amount'),
          price_reason: newValue('price_reason'),
          marked_at: newValue('marked_at'),
          updated_at: newValue('updated_at'),
        },
      })
      .returning(recordColumns)
    savedRecords.push(...rows)
  })
  return byMonth(savedRecords)
}

/** The amount is what was received. A write-off is not revenue. */
function paidValues(charge: Charge) {
  const cents = receivedOf(charge)
  const price = effectiveLines(charge.lines).find(({ kind }) => kind === 'charge')
  return {
    payment_status: 'paid' as const,
    amount: toDollars(cents),
    price_reason: price?.cents === cents ? price.reason : null,
  }
}

function changedRecords(
  charge: Charge,
  { student_id, year, month }: StudentMonth,
  record: StoredRecord | undefined,
): StoredRecord[] {
  const updated_at = nowIso()
  const wasPaid = record?.payment_status === 'paid'
  if (!isPaid(charge)) return wasPaid ? [{ ...record, payment_status: 'unpaid', updated_at }] : []
  const values = paidValues(charge)
  if (wasPaid) return record.amount === values.amount ? [] : [{ ...record, ...values, updated_at }]
  const key = { student_id, payment_year: year, payment_month: month }
  return [{ ...key, ...values, marked_at: updated_at, updated_at }]
}

export async function refreshRecords(tx: Tx, lines: readonly NewLine[]): Promise<RecordsByMonth> {
  const chargeIds = [...new Set(lines.flatMap(({ charge_id }) => charge_id ?? []))]
  const changedMonths = (await chargesById(tx, chargeIds)).flatMap((charge) => {
    const { kind, student_id, year, month } = charge
    const isMonth = kind === 'month' && year !== null && month !== null
    return isMonth ? [{ charge, key: { student_id, year, month } }] : []
  })
  const records = await recordsOfMonths(
    tx,
    changedMonths.map(({ key }) => key),
  )
  const changes = changedMonths.flatMap(({ charge, key }) =>
    changedRecords(charge, key, records.get(studentMonthKey(key))),
  )
  return saveRecords(tx, changes)
}
