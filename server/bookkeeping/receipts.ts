import { sumCents, sumDollars, toDollars } from '@tatami/contract/lib/money'
import { yearOf } from '@tatami/contract/lib/calendar-day'
import { DEFAULT_PAGE_SIZE } from '@tatami/contract/lib/fields'
import { receiptNumber } from '@tatami/contract/bookkeeping/receipt-number'
import type { NewReceipt, Receipt, ReceiptsQuery } from '@tatami/contract/bookkeeping/receipts'
import { and, asc, desc, eq, isNotNull, ne, type SQL, sql } from 'drizzle-orm'
import { findInstructorName } from '../accounts/instructors.ts'
import { auditAction } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { pick, pluck } from '../lib/rows.ts'
import { ledgerLines } from '../ledger/tables.ts'
import { onlinePayments, onlineRefunds } from '../online-payment/tables.ts'
import {
  groupByPayer,
  lockStudents,
  type PaymentLine,
  readPaymentLines,
  withPlanNames,
} from './receipt-lines.ts'
import {
  hideUncertainPayer,
  whereReadable,
  type Reader,
  findStudentsWithVisibleFees,
  hideOtherPayer,
} from './receipt-readers.ts'
import { receiptCounters, receiptLines, receipts } from './tables.ts'

const NO_MONEY_RECEIVED = 'No money was received, so there is no receipt.'
const PAYMENT_UNDONE = 'This payment was undone, so there is no receipt.'
const SEVERAL_FAMILIES = 'Several families paid together. Choose whose receipt you want.'

/** Returns the receipt for what a family paid in one act, and issues it if there is none yet. */
export async function issueReceipt(
  tx: Tx,
  caller: DojoCaller,
  { act_id, student_id }: NewReceipt,
): Promise<Receipt> {
  await lockStudents(tx, act_id)
  const families = await readFamilies(tx, caller, act_id)
  if (families.length === 0) return findReceiptOfDeletedStudents(tx, caller, act_id)
  const family = selectFamily(families, student_id)
  const issuedLine = family.find(
    (line) =>
      line.receipt_id !== null && (student_id === undefined || line.student_id === student_id),
  )
  if (issuedLine) return showReceipt(tx, caller, issuedLine.receipt_id!)
  const unissuedLines = family.filter(
    ({ isInEffect, receipt_id }) => isInEffect && receipt_id === null,
  )
  if (unissuedLines.length === 0) throw new Refusal(409, PAYMENT_UNDONE)
  const namedLines = await withPlanNames(tx, unissuedLines)
  const id = await insertReceipt(tx, caller, act_id, namedLines)
  return showReceipt(tx, caller, id)
}

/** Reads the payments of each family in an act. Guardians see a family only if they may see the
 *  fees of all its students. */
async function readFamilies(tx: Tx, caller: DojoCaller, actId: string): Promise<PaymentLine[][]> {
  const families = groupByPayer(await readPaymentLines(tx, actId))
  if (caller.role === 'instructor') return families
  const studentIds = await findStudentsWithVisibleFees(tx, caller.id)
  const visibleFamilies = families.filter((lines) =>
    lines.every(({ student_id }) => studentIds.includes(student_id)),
  )
  return visibleFamilies.map(hideUncertainPayer)
}

/** Finds a receipt whose students were deleted. Throws 409 if the act received no money. */
async function findReceiptOfDeletedStudents(
  tx: Tx,
  { role }: DojoCaller,
  actId: string,
): Promise<Receipt> {
  if (role !== 'instructor') throw notFound('Payment')
  const [receipt] = await readReceipts(tx, eq(receipts.act_id, actId), 1)
  if (receipt) return receipt
  const [line] = await tx
    .select({ id: ledgerLines.id })
    .from(ledgerLines)
    .where(and(eq(ledgerLines.act_id, actId), isNotNull(ledgerLines.student_id)))
    .limit(1)
  throw line ? new Refusal(409, NO_MONEY_RECEIVED) : notFound('Payment')
}

function selectFamily(families: PaymentLine[][], studentId: string | undefined): PaymentLine[] {
  if (studentId === undefined) {
    if (families.length > 1) throw new Refusal(409, SEVERAL_FAMILIES)
    return families[0]!
  }
  const family = families.find((lines) => lines.some(({ student_id }) => student_id === studentId))
  if (!family) throw notFound('Payment')
  return family
}

async function insertReceipt(
  tx: Tx,
  caller: DojoCaller,
  act_id: string,
  lines: PaymentLine[],
): Promise<string> {
  const { name: dojo_name, time_zone } = await dojoById(tx, caller.dojoId)
  const issued_by_name =
    caller.role === 'instructor' ? await findInstructorName(tx, caller.id) : dojo_name
  const issued_on = todayIn(time_zone)
  const year = yearOf(issued_on)
  const id = newId()
  const total = toDollars(sumCents(lines.map(({ cents }) => cents)))
  const number = await takeNextNumber(tx, year)
  await tx.insert(receipts).values({
    id,
    act_id,
    year,
    number,
    dojo_name,
    total,
    issued_on,
    issued_by: caller.id,
    issued_by_name,
  })
  await tx.insert(receiptLines).values(
    lines.map(({ id: ledger_line_id, cents, taxCents, ...line }, position) => ({
      ...pick(line, 'student_id', 'student_name', 'payer_id', 'payer_name', 'kind', 'year'),
      ...pick(line, 'month', 'note', 'method', 'received_on', 'tax_percent'),
      receipt_id: id,
      position,
      ledger_line_id,
      amount: toDollars(cents),
      tax: taxCents === null ? null : toDollars(taxCents),
    })),
  )
  await auditAction(tx, caller, 'receipt issued', {
    details: { number: receiptNumber(year, number), total },
  })
  return id
}

/** Locks the counter until the commit, so that no number is used twice or skipped. */
async function takeNextNumber(tx: Tx, year: number): Promise<number> {
  await tx.insert(receiptCounters).values({ year, last: 0 }).onConflictDoNothing()
  const [counter] = await tx
    .update(receiptCounters)
    .set({ last: sql`${receiptCounters.last} + 1` })
    .where(eq(receiptCounters.year, year))
    .returning({ last: receiptCounters.last })
  return counter!.last
}

export async function readReceiptById(tx: Tx, id: string): Promise<Receipt> {
  const [receipt] = await readReceipts(tx, eq(receipts.id, id), 1)
  if (!receipt) throw notFound('Receipt')
  return receipt
}

export async function showReceipt(tx: Tx, caller: Reader, id: string): Promise<Receipt> {
  const isReadable = await whereReadable(tx, caller)
  const [receipt] = await readReceipts(tx, and(eq(receipts.id, id), isReadable), 1)
  if (!receipt) throw notFound('Receipt')
  return hideOtherPayer(receipt, caller)
}

export async function listReceipts(
  tx: Tx,
  { year, before, limit = DEFAULT_PAGE_SIZE }: ReceiptsQuery,
): Promise<Receipt[]> {
  const isOlder =
    before &&
    sql`(${receipts.year}, ${receipts.number}) <
      (select o.year, o.number from ${receipts} o where o.id = ${before})`
  const isOfYear = year === undefined ? undefined : eq(receipts.year, year)
  return readReceipts(tx, and(isOfYear, isOlder || undefined), limit)
}

export async function readReceipts(tx: Tx, condition: SQL | undefined, limit?: number) {
  const query = tx
    .select()
    .from(receipts)
    .where(condition)
    .orderBy(desc(receipts.year), desc(receipts.number))
  const rows = await (limit === undefined ? query : query.limit(limit))
  const ids = rows.map(({ id }) => id)
  const lines = await tx
    .select()
    .from(receiptLines)
    .where(equalsAny(receiptLines.receipt_id, ids))
    .orderBy(asc(receiptLines.position))
  const refundedAmounts = await readRefundedAmounts(tx, pluck(rows, 'act_id'))
  const linesByReceipt = Map.groupBy(lines, ({ receipt_id }) => receipt_id)
  return rows.map(({ year, number, issued_by_name, ...receipt }) => {
    const issuedLines = linesByReceipt.get(receipt.id) ?? []
    const undoneDays = issuedLines.flatMap(({ taken_back_on }) => taken_back_on ?? [])
    return {
      ...receipt,
      number: receiptNumber(year, number),
      refunded: refundedAmounts.get(receipt.act_id) ?? 0,
      issued_by: issued_by_name,
      payer_name: issuedLines.find(({ payer_name }) => payer_name !== null)?.payer_name ?? null,
      cancelled_on: undoneDays.length === issuedLines.length ? undoneDays.toSorted().at(-1)! : null,
      lines: issuedLines,
    }
  })
}

/** What was refunded of online payments, by their acts. */
async function readRefundedAmounts(tx: Tx, actIds: string[]): Promise<Map<string, number>> {
  const rows = await tx
    .select({ act_id: sql<string>`${onlinePayments.act_id}`, amount: onlineRefunds.amount })
    .from(onlineRefunds)
    .innerJoin(onlinePayments, eq(onlinePayments.id, onlineRefunds.payment_id))
    .where(and(equalsAny(onlinePayments.act_id, actIds), ne(onlineRefunds.state, 'failed')))
  const refunds = Map.groupBy(rows, ({ act_id }) => act_id)
  return new Map([...refunds].map(([actId, group]) => [actId, sumDollars(pluck(group, 'amount'))]))
}
