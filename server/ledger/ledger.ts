import { sumCents, toDollars } from '@tatami/contract/lib/money'
import type { LineKind, PaymentMethod } from '@tatami/contract/ledger/ledger'
import { and, asc, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { equalsAny, inChunks } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { notFound } from '../lib/refusal.ts'
import { pick } from '../lib/rows.ts'
import { enrolledOn, pastVacationDays, students, type VacationDays } from '../students/tables.ts'
import { type BasePlans, withBasePlans } from '../plans/plans.ts'
import { ledgerLines, openMonths } from './tables.ts'

type StoredColumn = 'dojo_id' | 'amount' | 'student_id' | 'tax'
export type Line = Omit<typeof ledgerLines.$inferSelect, StoredColumn> & {
  student_id: string
  cents: number
  /** The sales tax in `cents`. Null if the charge is not taxed. */
  taxCents: number | null
}
export type NewLine = Pick<Line, 'student_id' | 'charge_id' | 'kind' | 'cents'> &
  Partial<
    Pick<Line, 'reason' | 'reverses' | 'method' | 'taxCents' | 'tax_percent' | 'follows_plan'>
  >

/** One action of a user. All its lines have its id, so they can be undone together. */
export type Act = {
  id: string
  created_by: string | null
  made_on: string
  method: PaymentMethod | null
  note: string | null
}

/** An act of the schedule. It cannot be undone. */
export const systemAct = (made_on: string): Act => ({
  id: newId(),
  created_by: null,
  made_on,
  method: null,
  note: null,
})

const isMoney = (kind: LineKind) => kind === 'payment' || kind === 'refund'

type LineOfAnybody = Omit<NewLine, 'student_id'> & {
  /** Null for a student who has been deleted. */
  student_id: string | null
}

/** Reversals keep the method. Other code calls `writeLines`, which also updates the records. */
export const insertLines = (
  tx: Tx,
  { id: act_id, created_by, made_on, method, note }: Act,
  lines: LineOfAnybody[],
): Promise<void> =>
  inChunks(
    lines.map(({ cents, taxCents = null, ...line }) => ({
      act_id,
      created_by,
      made_on,
      note,
      method: isMoney(line.kind) && !line.reverses ? method : null,
      ...line,
      amount: toDollars(cents),
      tax: taxCents === null ? null : toDollars(taxCents),
    })),
    (chunk) => tx.insert(ledgerLines).values(chunk),
  )

export const lineColumns = {
  ...pick(ledgerLines, 'id', 'act_id', 'charge_id', 'kind', 'reason', 'method', 'note'),
  ...pick(ledgerLines, 'made_on', 'reverses', 'created_at', 'created_by', 'tax_percent'),
  ...pick(ledgerLines, 'follows_plan'),
  student_id: sql<string>`${ledgerLines.student_id}`,
  cents: sql<number>`${ledgerLines.amount}`,
  taxCents: sql<number | null>`${ledgerLines.tax}`,
}

/** Oldest first, without the lines of deleted students, which no act may change. */
const findLines = (tx: Tx, condition: SQL): Promise<Line[]> =>
  tx
    .select(lineColumns)
    .from(ledgerLines)
    .where(and(condition, isNotNull(ledgerLines.student_id)))
    .orderBy(asc(ledgerLines.created_at), asc(ledgerLines.id))
export const linesOfStudents = async (tx: Tx, studentIds: string[]): Promise<Line[]> =>
  studentIds.length > 0 ? findLines(tx, equalsAny(ledgerLines.student_id, studentIds)) : []
export const linesOfAct = (tx: Tx, id: string): Promise<Line[]> =>
  findLines(tx, eq(ledgerLines.act_id, id))

export const sumOf = (lines: readonly Pick<Line, 'cents'>[]): number =>
  sumCents(lines.map(({ cents }) => cents))
export const sumOfKinds = (lines: readonly Line[], ...kinds: LineKind[]): number =>
  sumOf(lines.filter(({ kind }) => kinds.includes(kind)))

/** Neither reversed nor a reversal. A reversed reversal restores the original line. */
export function effectiveLines(lines: readonly Line[]): Line[] {
  const lineById = new Map(lines.map((line) => [line.id, line]))
  const reversedIds = new Set(lines.map((line) => line.reverses))
  const isReversal = (line: Line): boolean => {
    const originalLine = lineById.get(line.reverses ?? '')
    return originalLine !== undefined && !isReversal(originalLine)
  }
  return lines.filter((line) => !reversedIds.has(line.id) && !isReversal(line))
}

export const reversalOf = (line: Line): NewLine => ({
  ...pick(line, 'student_id', 'charge_id', 'kind', 'reason', 'method', 'follows_plan'),
  cents: 0 - line.cents,
  reverses: line.id,
})

export const billingColumns = {
  ...pick(students, 'id', 'is_trial', 'awaits_approval', 'on_vacation'),
  ...pick(students, 'vacation_from', 'vacation_until', 'pays_since', 'paid_through', 'left_on'),
  ...pick(students, 'monthly_payment_amount', 'has_subscription'),
  enrolled_on: sql<string>`${enrolledOn}::text`,
  past_vacations: pastVacationDays,
}
export type LockedStudent = Pick<
  typeof students.$inferSelect,
  Exclude<keyof typeof billingColumns, 'past_vacations' | 'enrolled_on'>
> & { enrolled_on: string; past_vacations: VacationDays[]; base_plans: BasePlans }

/** Locks students until the commit, so acts on them cannot overlap. 404 if one is missing. */
export async function lockStudents(tx: Tx, ids: readonly string[]): Promise<LockedStudent[]> {
  const distinctIds = [...new Set(ids)]
  const lockedStudents = await lockExistingStudents(tx, distinctIds)
  if (lockedStudents.length < distinctIds.length) throw notFound('Student')
  return lockedStudents
}

export async function lockStudent(tx: Tx, id: string): Promise<LockedStudent> {
  const [student] = await lockExistingStudents(tx, [id])
  if (!student) throw notFound('Student')
  return student
}

/** Like `lockStudents`, but skips students who have been deleted. */
export const lockExistingStudents = async (tx: Tx, ids: string[]): Promise<LockedStudent[]> =>
  withBasePlans(
    tx,
    await tx
      .select(billingColumns)
      .from(students)
      .where(equalsAny(students.id, ids))
      .orderBy(asc(students.id))
      .for('no key update'),
  )

/** The first day of the month that is charged next, and of the first month that was charged. */
export async function openMonthOf(tx: Tx): Promise<{ month: string; since: string }> {
  const [openMonth] = await tx.select(pick(openMonths, 'month', 'since')).from(openMonths)
  if (!openMonth) throw new Error('A dojo has no ledger')
  return openMonth
}

export const actReply = ({ id }: Act, lines: readonly Pick<NewLine, 'kind' | 'cents'>[]) => ({
  act_id: id,
  total: toDollars(0 - sumOf(lines.filter(({ kind }) => isMoney(kind)))),
  lines: lines.length,
})
