import type { FamilyPayment } from '@tatami/contract/bookkeeping/receipts'
import { sumCents, toDollars } from '@tatami/contract/lib/money'
import { and, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { guardianships } from '../guardians/tables.ts'
import type { DojoCaller } from '../http/serve.ts'
import { firstRow, pick, pluck } from '../lib/rows.ts'
import { groupByPayer, type PaymentLine, readYearPayments } from './receipt-lines.ts'
import { whereReadable, findStudentsWithVisibleFees } from './receipt-readers.ts'
import { readReceipts } from './receipts.ts'
import { receiptLines, receipts } from './tables.ts'

/** An undone payment is listed only if it has a receipt. */
export async function listFamilyPayments(
  tx: Tx,
  { id }: Pick<DojoCaller, 'id'>,
  year: number,
): Promise<FamilyPayment[]> {
  const payments = [
    ...(await listPaymentsWithReceipt(tx, id, year)),
    ...(await listPaymentsWithoutReceipt(tx, id, year)),
  ]
  return payments.toSorted((first, second) => second.received_on.localeCompare(first.received_on))
}

async function listPaymentsWithReceipt(tx: Tx, guardianId: string, year: number) {
  const isOfYear = sql`exists (
    select from ${receiptLines} where ${receiptLines.receipt_id} = ${receipts.id}
      and extract(year from ${receiptLines.received_on}) = ${year})`
  // The caller may also be an instructor, but sees only the receipts of their own children here.
  const isReadable = await whereReadable(tx, { id: guardianId, role: 'guardian' })
  const rows = await readReceipts(tx, and(isReadable, isOfYear))
  return rows.map(({ id, number, lines, ...receipt }): FamilyPayment => ({
    ...pick(receipt, 'act_id', 'total', 'cancelled_on'),
    student_id: null,
    receipt: { id, number },
    received_on: firstRow(lines).received_on,
    lines,
  }))
}

async function listPaymentsWithoutReceipt(tx: Tx, guardianId: string, year: number) {
  const studentIds = await findStudentsWithVisibleFees(tx, guardianId)
  const lines = await readYearPayments(tx, await addSiblings(tx, studentIds), year)
  const unissuedLines = lines.filter(
    ({ isInEffect, receipt_id }) => isInEffect && receipt_id === null,
  )
  const linesByAct = Map.groupBy(unissuedLines, ({ act_id }) => act_id)
  const families = [...linesByAct.values()].flatMap(groupByPayer)
  const visibleFamilies = families.filter((family) =>
    family.every(({ student_id }) => studentIds.includes(student_id)),
  )
  return visibleFamilies.map(toUnissuedPayment)
}

/** Adds students with the same payer, because their payments share receipts. */
async function addSiblings(tx: Tx, studentIds: string[]): Promise<string[]> {
  const { rows } = await tx.execute<{ student_id: string }>(sql`
    select distinct sibling.student_id
    from ${guardianships} link
      join ${guardianships} sibling on sibling.guardian_id = link.guardian_id
        and sibling.pays and sibling.ended_at is null
    where link.student_id = any(${sql.param(studentIds)}) and link.pays and link.ended_at is null`)
  return [...new Set([...studentIds, ...pluck(rows, 'student_id')])]
}

function toUnissuedPayment(lines: PaymentLine[]): FamilyPayment {
  const { act_id, student_id, received_on } = firstRow(lines)
  return {
    act_id,
    student_id,
    receipt: null,
    received_on,
    total: toDollars(sumCents(lines.map(({ cents }) => cents))),
    cancelled_on: null,
    lines,
  }
}
