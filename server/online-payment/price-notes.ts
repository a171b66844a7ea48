import type { Month } from '@tatami/contract/lib/calendar-day'
import { formatMoneyInText, toCents, toDollars } from '@tatami/contract/lib/money'
import { and, eq, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { currentMonthOf } from '../dojos/dojos.ts'
import { debtsOf } from '../dues/balances.ts'
import { monthDues } from '../dues/month-dues.ts'
import { ledgerLines } from '../ledger/tables.ts'
import { pick, pluck } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import { lineKey } from './live-lines.ts'
import type { OwedLine } from './owed-lines.ts'

const paysFor = ({ year, month }: Month): string => `${year}-${month}`

/** Why the current month costs less than the usual fee, such as for siblings, by `lineKey`. */
export async function readPriceNotes(
  tx: Tx,
  dojoId: string,
  lines: readonly OwedLine[],
): Promise<Map<string, string>> {
  const month = await currentMonthOf(tx, dojoId)
  const monthLines = lines.filter(({ pays_for }) => pays_for === paysFor(month))
  const studentIds = monthLines.map(({ student_id }) => student_id)
  if (studentIds.length === 0) return new Map()
  const dues = await monthDues(tx, dojoId, month, studentIds)
  const fees = await readFees(tx, studentIds)
  return new Map(
    monthLines.flatMap((line) => {
      const due = dues.get(line.student_id)
      const feeCents = fees.get(line.student_id) ?? 0
      if (!due || due.reason === null || due.price >= feeCents) return []
      const fee = formatMoneyInText(toDollars(feeCents))
      return [[lineKey(line), `${due.reason}, instead of ${fee}`] as const]
    }),
  )
}

/** How much of the charges credit has paid already, in cents. */
export async function readUsedCreditCents(
  tx: Tx,
  dojoId: string,
  lines: readonly OwedLine[],
): Promise<number> {
  const chargeIds = lines.flatMap(({ charge_id }) => charge_id ?? [])
  const [row] = await tx
    .select({ cents: sql<number>`coalesce(-sum(${ledgerLines.amount}), 0)::float8` })
    .from(ledgerLines)
    .where(and(equalsAny(ledgerLines.charge_id, chargeIds), eq(ledgerLines.kind, 'credit')))
  // The current month is not charged yet, so credit pays it only when somebody pays.
  const debts = await debtsOf(tx, dojoId, pluck(lines, 'student_id'))
  const promisedCents = [...debts.values()].reduce(
    (sum, { unusedCredit, credit }) => sum + unusedCredit - credit,
    0,
  )
  return (row?.cents ?? 0) + promisedCents
}

/** The usual monthly fees in cents, by the id of the student. */
async function readFees(tx: Tx, studentIds: string[]): Promise<Map<string, number>> {
  const rows = await tx
    .select(pick(students, 'id', 'monthly_payment_amount'))
    .from(students)
    .where(equalsAny(students.id, studentIds))
  return new Map(
    rows.map(({ id, monthly_payment_amount }) => [id, toCents(monthly_payment_amount ?? 0)]),
  )
}
