import { isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { oldestFirst } from './oldest-first.ts'
import { type Charge, owedOf } from './charges.ts'
import type { NewLine } from './ledger.ts'
import { ledgerLines } from './tables.ts'

/** SQL for the credit of the lines of one student: what was paid beyond all charges, less what of it covers charges. */
const creditSum: SQL<number> = sql<number>`coalesce(sum(${ledgerLines.amount}) filter (where ${ledgerLines.kind} = 'credit'), 0)::float8
  - coalesce(sum(${ledgerLines.amount}) filter (where ${ledgerLines.charge_id} is null), 0)::float8`

/** Who has credit, in cents; of these students or of all. */
export async function creditsOf(tx: Tx, studentIds?: string[]): Promise<Map<string, number>> {
  const rows = await tx
    .select({ id: sql<string>`${ledgerLines.student_id}`, cents: creditSum })
    .from(ledgerLines)
    .where(
      studentIds
        ? sql`${ledgerLines.student_id} = any(${sql.param(studentIds)})`
        : isNotNull(ledgerLines.student_id),
    )
    .groupBy(ledgerLines.student_id)
    .having(sql`${creditSum} <> 0`)
  return new Map(rows.map(({ id, cents }) => [id, cents]))
}

/** Spreads money over what is owed: one part for each charge, in order, and what is left over. */
export function spread(
  cents: number,
  charges: readonly Charge[],
): { parts: { charge: Charge; cents: number }[]; rest: number } {
  let rest = cents
  const parts = charges.flatMap((charge) => {
    const part = Math.min(rest, owedOf(charge))
    if (part <= 0) return []
    rest -= part
    return [{ charge, cents: part }]
  })
  return { parts, rest }
}

/** Covers what is owed longest with credit. */
export const creditLines = (credit: number, charges: readonly Charge[]): NewLine[] =>
  spread(credit, charges.toSorted(oldestFirst)).parts.map(
    ({ charge: { id: charge_id, student_id }, cents }) => ({
      student_id,
      charge_id,
      kind: 'credit',
      cents: 0 - cents,
    }),
  )
