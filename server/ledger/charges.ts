import { type Month } from '@tatami/contract/lib/calendar-day'
import { and, asc, eq, getTableColumns, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import {
  type Line,
  linesOfCharges,
  type NewLine,
  reversalOf,
  standing,
  sumOf,
  sumOfKinds,
} from './ledger.ts'
import { charges } from './tables.ts'

/** A charge with all its lines. */
export type Charge = Omit<typeof charges.$inferSelect, 'dojo_id' | 'created_at' | 'student_id'> & {
  student_id: string
  lines: Line[]
}

export const owedOf = ({ lines }: Charge): number => sumOf(lines)

export const chargedOf = ({ lines }: Charge): number => sumOfKinds(lines, 'charge')

/** What has come for it, as money or as credit, less what was given back. */
export const receivedOf = ({ lines }: Charge): number =>
  0 - sumOfKinds(lines, 'payment', 'credit', 'refund')

/** Whether anything is asked for it, were it 0: a month in progress and one that was marked unpaid have no amount. */
export const isMade = ({ lines }: Charge): boolean =>
  standing(lines).some(({ kind }) => kind === 'charge')

export const isPaid = (charge: Charge): boolean => isMade(charge) && owedOf(charge) <= 0

/** The first amount of a charge, of lines that stand; what is charged as 0 was only marked. */
export function firstAmount(live: readonly Line[]): Line | undefined {
  const first = live.find(({ kind }) => kind === 'charge')
  return first && first.cents > 0 ? first : undefined
}

/**
 * What Mark Unpaid takes back of a month's charge: all that was paid, credited, given back and forgiven, and what a mark or a payment has
 * charged. What the schedule has charged stays, and so does `keptAmount`.
 */
export function unmarkingLines({ lines }: Charge, keptAmount: Line | undefined): NewLine[] {
  const live = standing(lines)
  const isOfPayment = ({ act_id }: Line) =>
    lines.some(
      (line) => line.act_id === act_id && (line.kind === 'payment' || line.kind === 'credit'),
    )
  return live
    .filter((line) => line.kind !== 'charge' || (isOfPayment(line) && line.id !== keptAmount?.id))
    .map(reversalOf)
}

const { dojo_id: _, created_at: __, ...columns } = getTableColumns(charges)

/** The charges of deleted students are closed, as their lines are. */
export async function findCharges(tx: Tx, where: SQL): Promise<Charge[]> {
  const found = await tx
    .select({ ...columns, student_id: sql<string>`${charges.student_id}` })
    .from(charges)
    .where(and(where, isNotNull(charges.student_id)))
    .orderBy(asc(charges.charged_on), asc(charges.id))
  const lines = await linesOfCharges(
    tx,
    found.map((charge) => charge.id),
  )
  const byCharge = Map.groupBy(lines, ({ charge_id }) => charge_id)
  return found.map((charge) => ({ ...charge, lines: byCharge.get(charge.id) ?? [] }))
}

export const chargesById = async (tx: Tx, ids: string[]): Promise<Charge[]> =>
  ids.length > 0 ? findCharges(tx, equalsAny(charges.id, ids)) : []

export const chargesOfStudent = (tx: Tx, studentId: string): Promise<Charge[]> =>
  findCharges(tx, eq(charges.student_id, studentId))

/** A student's month. */
export type StudentMonth = Month & { student_id: string }

export const keyOfMonth = (of: {
  student_id: string
  year: number | null
  month: number | null
}): string => `${of.student_id} ${of.year} ${of.month}`

type MonthColumns = Record<keyof StudentMonth, SQL | PgColumn>

/** SQL for the months of some students, and more where they are of several students and months: an index finds them by each of its columns. */
export function amongMonths(of: MonthColumns, months: readonly StudentMonth[]): SQL {
  const all = (values: (string | number)[]) => sql.param([...new Set(values)])
  return sql`${of.student_id} = any(${all(months.map((one) => one.student_id))}::uuid[])
    and ${of.year} = any(${all(months.map((one) => one.year))}::smallint[]) and ${of.month} = any(${all(months.map((one) => one.month))}::smallint[])`
}

/** The charges of these students' months that there are, by `keyOfMonth`. */
export async function chargesOfMonths(
  tx: Tx,
  months: readonly StudentMonth[],
): Promise<Map<string, Charge>> {
  if (months.length === 0) return new Map()
  const found = await findCharges(
    tx,
    and(eq(charges.kind, 'month'), isNotNull(charges.year), amongMonths(charges, months))!,
  )
  return new Map(found.map((charge) => [keyOfMonth(charge), charge]))
}
