import { type Month } from '@tatami/contract/lib/calendar-day'
import { and, asc, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { equalsAny, inChunks } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { pick } from '../lib/rows.ts'
import {
  effectiveLines,
  type Line,
  lineColumns,
  type NewLine,
  reversalOf,
  sumOf,
  sumOfKinds,
} from './ledger.ts'
import { charges, ledgerLines } from './tables.ts'

export type Charge = Pick<
  typeof charges.$inferSelect,
  'id' | 'kind' | 'year' | 'month' | 'note' | 'charged_on'
> & {
  student_id: string
  lines: Line[]
}

export const owedOf = ({ lines }: Charge): number => sumOf(lines)

export const chargedOf = ({ lines }: Charge): number => sumOfKinds(lines, 'charge')

export const receivedOf = ({ lines }: Charge): number =>
  0 - sumOfKinds(lines, 'payment', 'credit', 'refund')

/** The most that can be refunded: money that was taken for the charge and not refunded yet. */
export const refundableOf = (charge: Charge): number =>
  Math.max(0, Math.min(0 - sumOfKinds(charge.lines, 'payment', 'refund'), receivedOf(charge)))

/** False for the current month until a payment, and for a month marked unpaid. */
export const hasAmount = ({ lines }: Charge): boolean =>
  effectiveLines(lines).some(({ kind }) => kind === 'charge')

export const isPaid = (charge: Charge): boolean => hasAmount(charge) && owedOf(charge) <= 0

/** The first amount that was charged, unless it was $0. Expects effective lines. */
export function firstAmount(lines: readonly Line[]): Line | undefined {
  const firstCharge = lines.find(({ kind }) => kind === 'charge')
  return firstCharge && firstCharge.cents > 0 ? firstCharge : undefined
}

/** Reversals of all lines except `keptAmounts` and what the schedule has charged. */
export function unmarkingLines({ lines }: Charge, keptAmounts: readonly Line[]): NewLine[] {
  const isPartOfPayment = ({ act_id, follows_plan }: Line) =>
    !follows_plan &&
    lines.some(
      (line) => line.act_id === act_id && (line.kind === 'payment' || line.kind === 'credit'),
    )
  const currentLines = effectiveLines(lines)
  const undoneLines = currentLines.filter(
    (line) => line.kind !== 'charge' || (isPartOfPayment(line) && !keptAmounts.includes(line)),
  )
  return withPlanAmounts(undoneLines, currentLines, keptAmounts).map(reversalOf)
}

/** What a plan added to an amount is undone with it. The month then costs again what the plan says,
 *  because nothing is charged for it. Expects effective lines. */
export function withPlanAmounts(
  undoneLines: readonly Line[],
  currentLines: readonly Line[],
  keptAmounts: readonly Line[],
): Line[] {
  const amounts = currentLines.filter(({ kind }) => kind === 'charge')
  const [firstLine] = amounts
  const otherAmounts = amounts.filter((line) => !undoneLines.includes(line))
  const isFirstUndone = firstLine !== undefined && undoneLines.includes(firstLine)
  const onlyPlanRemains = otherAmounts.every(
    (line) => line.follows_plan && !keptAmounts.includes(line),
  )
  return isFirstUndone && onlyPlanRemains ? [...undoneLines, ...otherAmounts] : [...undoneLines]
}

/** Money that was paid online stays with the school, so it becomes credit when a payment for a
 *  month is undone. Otherwise the payer could be asked to pay it again. */
export const creditOfOnlineMoney = (reversals: readonly NewLine[]): NewLine[] =>
  reversals
    .filter(({ kind, method }) => kind === 'payment' && method === 'online')
    .map(({ student_id, cents }) => ({
      student_id,
      charge_id: null,
      kind: 'payment',
      method: 'online',
      cents: 0 - cents,
    }))

const chargeColumns = {
  ...pick(charges, 'id', 'kind', 'year', 'month', 'note', 'charged_on'),
  student_id: sql<string>`${charges.student_id}`,
}

export async function findCharges(tx: Tx, condition: SQL): Promise<Charge[]> {
  const rows = await tx
    .select({ charge: chargeColumns, line: lineColumns })
    .from(charges)
    .leftJoin(ledgerLines, eq(ledgerLines.charge_id, charges.id))
    .where(and(condition, isNotNull(charges.student_id)))
    .orderBy(
      ...[asc(charges.charged_on), asc(charges.id)],
      ...[asc(ledgerLines.created_at), asc(ledgerLines.id)],
    )
  const chargeById = new Map<string, Charge>()
  for (const { charge, line } of rows) {
    const { lines } = chargeById.get(charge.id) ?? { lines: [] }
    chargeById.set(charge.id, { ...charge, lines: line ? [...lines, line] : lines })
  }
  return [...chargeById.values()]
}

export const chargesById = async (tx: Tx, ids: string[]): Promise<Charge[]> =>
  ids.length > 0 ? findCharges(tx, equalsAny(charges.id, ids)) : []

export const chargesOfStudent = (tx: Tx, studentId: string): Promise<Charge[]> =>
  findCharges(tx, eq(charges.student_id, studentId))

export type StudentMonth = Month & { student_id: string }

export const studentMonthKey = ({
  student_id,
  year,
  month,
}: Pick<Charge, keyof StudentMonth>): string => `${student_id} ${year} ${month}`

/** Matches each of the students in each of the months, because an index works by columns. */
export function whereMonths(
  columns: Record<keyof StudentMonth, SQL | PgColumn>,
  months: readonly StudentMonth[],
): SQL {
  const distinct = (column: keyof StudentMonth) =>
    sql.param([...new Set(months.map((month) => month[column]))])
  return sql`${columns.student_id} = any(${distinct('student_id')}::uuid[])
    and ${columns.year} = any(${distinct('year')}::smallint[])
    and ${columns.month} = any(${distinct('month')}::smallint[])`
}

export async function findMonthCharges(
  tx: Tx,
  months: readonly StudentMonth[],
): Promise<Map<string, Charge>> {
  if (months.length === 0) return new Map()
  const condition = sql`${eq(charges.kind, 'month')} and ${isNotNull(charges.year)}
    and ${whereMonths(charges, months)}`
  const monthCharges = await findCharges(tx, condition)
  return new Map(monthCharges.map((charge) => [studentMonthKey(charge), charge]))
}

export type DueMonth = StudentMonth & Pick<Charge, 'charged_on'>

/** By `studentMonthKey`. The students must be locked. A charge without lines owes nothing. */
export async function findOrCreateMonthCharges(
  tx: Tx,
  months: readonly DueMonth[],
): Promise<Map<string, Charge>> {
  const chargeByMonth = await findMonthCharges(tx, months)
  const newCharges = months
    .filter((month) => !chargeByMonth.has(studentMonthKey(month)))
    .map((month) => ({ id: newId(), kind: 'month' as const, note: null, ...month }))
  await inChunks(newCharges, (chunk) => tx.insert(charges).values(chunk))
  for (const charge of newCharges)
    chargeByMonth.set(studentMonthKey(charge), { ...charge, lines: [] })
  return chargeByMonth
}
