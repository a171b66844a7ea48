import { toDollars } from '@tatami/contract/lib/money'
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import {
  amongMonths,
  type Charge,
  chargesById,
  isPaid,
  keyOfMonth,
  receivedOf,
  type StudentMonth,
} from './charges.ts'
import { type NewLine, standing } from './ledger.ts'
import { paymentRecords } from './tables.ts'

const { dojo_id: _, ...columns } = getTableColumns(paymentRecords)
export type StoredRecord = Omit<typeof paymentRecords.$inferSelect, 'dojo_id'>

const keyOfRecord = ({
  student_id,
  payment_year: year,
  payment_month: month,
}: StoredRecord): string => keyOfMonth({ student_id, year, month })

/** The records of these students' months that there are, by `keyOfMonth`. */
export async function recordsOfMonths(
  tx: Tx,
  months: StudentMonth[],
): Promise<Map<string, StoredRecord>> {
  if (months.length === 0) return new Map()
  const { payment_year: year, payment_month: month, student_id } = paymentRecords
  const found = await tx
    .select(columns)
    .from(paymentRecords)
    .where(amongMonths({ student_id, year, month }, months))
  const isAsked = new Set(months.map(keyOfMonth))
  return new Map(
    found
      .map((record) => [keyOfRecord(record), record] as const)
      .filter(([key]) => isAsked.has(key)),
  )
}

const excluded = (column: string): SQL => sql`excluded.${sql.identifier(column)}`

/** Writes the records as they are, whether there were any. */
export const saveRecords = (tx: Tx, records: StoredRecord[]): Promise<void> =>
  inChunks(records, (some) =>
    tx
      .insert(paymentRecords)
      .values(some)
      .onConflictDoUpdate({
        target: [
          paymentRecords.dojo_id,
          paymentRecords.payment_year,
          paymentRecords.payment_month,
          paymentRecords.student_id,
        ],
        set: {
          payment_status: excluded('payment_status'),
          amount: excluded('amount'),
          price_reason: excluded('price_reason'),
          marked_at: excluded('marked_at'),
          updated_at: excluded('updated_at'),
        },
      }),
  )

/** What a record says of a charge that is paid: what has come for it, because what was written off is no revenue. */
function paidRecordOf(
  charge: Charge,
): Pick<StoredRecord, 'payment_status' | 'amount' | 'price_reason'> {
  const cents = receivedOf(charge)
  const price = standing(charge.lines).find(({ kind }) => kind === 'charge')
  return {
    payment_status: 'paid',
    amount: toDollars(cents),
    price_reason: price?.cents === cents ? price.reason : null,
  }
}

function recordAfter(charge: Charge, before: StoredRecord | undefined): StoredRecord | undefined {
  const now = nowIso()
  if (!isPaid(charge))
    return before?.payment_status === 'paid'
      ? { ...before, payment_status: 'unpaid', updated_at: now }
      : undefined
  const paid = paidRecordOf(charge)
  if (before?.payment_status === 'paid')
    return before.amount === paid.amount ? undefined : { ...before, ...paid, updated_at: now }
  const { student_id, year, month } = charge
  return {
    student_id,
    payment_year: year!,
    payment_month: month!,
    ...paid,
    marked_at: now,
    updated_at: now,
  }
}

/**
 * Writes the payment records of the months to whose charges these lines were added: a month is paid when its charge has been made and
 * nothing is owed of it.
 */
export async function refreshRecords(tx: Tx, lines: readonly NewLine[]): Promise<void> {
  const ids = [...new Set(lines.flatMap(({ charge_id }) => charge_id ?? []))]
  if (ids.length === 0) return
  const months = (await chargesById(tx, ids)).filter(({ kind }) => kind === 'month')
  const records = await recordsOfMonths(
    tx,
    months.map(({ student_id, year, month }) => ({ student_id, year: year!, month: month! })),
  )
  await saveRecords(
    tx,
    months.flatMap((charge) => recordAfter(charge, records.get(keyOfMonth(charge))) ?? []),
  )
}
