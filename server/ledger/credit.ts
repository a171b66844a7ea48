import { isNotNull, type SQL, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { type Charge, owedOf } from './charges.ts'
import type { NewLine } from './ledger.ts'
import { oldestFirst } from './oldest-first.ts'
import { ledgerLines } from './tables.ts'

/** In cents: money paid beyond all charges, less what has paid charges since. */
const creditSum: SQL<number> = sql<number>`
  coalesce(sum(${ledgerLines.amount}) filter (where ${ledgerLines.kind} = 'credit'), 0)::float8
  - coalesce(sum(${ledgerLines.amount}) filter (where ${ledgerLines.charge_id} is null), 0)::float8`

export async function creditsOf(tx: Tx, studentIds?: string[]): Promise<Map<string, number>> {
  const rows = await tx
    .select({ id: sql<string>`${ledgerLines.student_id}`, cents: creditSum })
    .from(ledgerLines)
    .where(
      studentIds
        ? equalsAny(ledgerLines.student_id, studentIds)
        : isNotNull(ledgerLines.student_id),
    )
    .groupBy(ledgerLines.student_id)
    .having(sql`${creditSum} <> 0`)
  return new Map(rows.map(({ id, cents }) => [id, cents]))
}

/** Spreads money over the charges in the given order, and returns what is left over. */
export function spreadCents(
  cents: number,
  charges: readonly Charge[],
): { parts: { charge: Charge; cents: number }[]; remainingCents: number } {
  let remainingCents = cents
  const shares: { charge: Charge; cents: number }[] = []
  for (const charge of charges) {
    const share = Math.min(remainingCents, owedOf(charge))
    if (share <= 0) continue
    remainingCents -= share
    shares.push({ charge, cents: share })
  }
  return { parts: shares, remainingCents }
}

export const creditLines = (credit: number, charges: readonly Charge[]): NewLine[] =>
  spreadCents(credit, charges.toSorted(oldestFirst)).parts.map(({ charge, cents }) => ({
    student_id: charge.student_id,
    charge_id: charge.id,
    kind: 'credit',
    cents: 0 - cents,
  }))
