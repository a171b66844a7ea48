import { type Month, monthOfDate } from '@tatami/contract/month'
import { and, eq, sql } from 'drizzle-orm'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { guardianships } from '../families/tables.ts'
import { nowIso } from '../lib/clock.ts'
import { charges, ledgerLines, paymentRecords } from '../payments/tables.ts'
import { type Due, monthDues } from '../prices/month-dues.ts'

/** The other students for whom the guardians pay who pay for these. */
async function siblingsOf(tx: Tx, studentIds: string[]): Promise<string[]> {
  const ids = sql.param(studentIds)
  const { rows } = await tx.execute<{ student_id: string }>(sql`
    select distinct sibling.student_id from ${guardianships} own
    join ${guardianships} sibling on sibling.guardian_id = own.guardian_id
      and sibling.pays and sibling.ended_at is null and sibling.student_id <> all(${ids})
    where own.student_id = any(${ids}) and own.pays and own.ended_at is null`)
  return rows.map(({ student_id }) => student_id)
}

/**
 * Runs the deletion of students, and charges the month in progress of brothers and sisters at the price
 * that it had before, where the deletion would change it.
 */
export async function keepSiblingMonths<T>(
  tx: Tx,
  dojoId: string,
  studentIds: string[],
  deleteRows: () => Promise<T>,
): Promise<T> {
  const siblingIds = await siblingsOf(tx, studentIds)
  if (siblingIds.length === 0) return deleteRows()
  const today = await todayOf(tx, dojoId)
  const month = monthOfDate(today)
  const duesBefore = await monthDues(tx, dojoId, month, siblingIds)
  const result = await deleteRows()
  const duesAfter = await monthDues(tx, dojoId, month, siblingIds)
  const changed = [...duesBefore].filter(
    ([id, due]) => !due.isCharged && due.owed !== duesAfter.get(id)?.owed,
  )
  if (changed.length > 0) await chargeMonth(tx, today, changed)
  const freeIds = changed.filter(([, { owed }]) => owed === 0).map(([id]) => id)
  if (freeIds.length > 0) await recordFreeMonth(tx, month, freeIds)
  return result
}

/** A month that was charged with $0 is settled, which its record says. */
async function recordFreeMonth(tx: Tx, month: Month, studentIds: string[]): Promise<void> {
  const now = nowIso()
  const settled = {
    payment_status: 'paid' as const,
    amount: 0,
    price_reason: null,
    marked_at: now,
    updated_at: now,
  }
  const records = studentIds.map((student_id) => ({
    student_id,
    payment_year: month.year,
    payment_month: month.month,
    ...settled,
  }))
  const { dojo_id, payment_year, payment_month, student_id } = paymentRecords
  await tx
    .insert(paymentRecords)
    .values(records)
    .onConflictDoUpdate({
      target: [dojo_id, payment_year, payment_month, student_id],
      set: settled,
    })
}

/** As the schedule charges a month: nobody made the act, and no undo takes it back. */
async function chargeMonth(tx: Tx, today: string, dues: [string, Due][]): Promise<void> {
  const month = monthOfDate(today)
  const rows = dues.map(([student_id, { since }]) => ({
    student_id,
    kind: 'month' as const,
    ...month,
    charged_on: since,
  }))
  await tx.insert(charges).values(rows).onConflictDoNothing()
  const monthCharges = await tx
    .select({ id: charges.id, student_id: charges.student_id })
    .from(charges)
    .where(
      and(eq(charges.kind, 'month'), eq(charges.year, month.year), eq(charges.month, month.month)),
    )
  const chargeIds = new Map(monthCharges.map(({ id, student_id }) => [student_id, id]))
  const act_id = newId()
  await tx.insert(ledgerLines).values(
    dues.map(([student_id, { owed, reason }]) => ({
      act_id,
      created_by: null,
      made_on: today,
      student_id,
      charge_id: chargeIds.get(student_id),
      kind: 'charge' as const,
      amount: owed / 100,
      reason,
    })),
  )
}
