import { sumCents, toDollars } from '@tatami/contract/lib/money'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { creditsOf } from '../ledger/credit.ts'
import { ledgerLines } from '../ledger/tables.ts'

const owedCents = sql<number>`sum(${ledgerLines.amount})::float8`

const findOwedCharges = (tx: Tx, studentId: string) =>
  tx
    .select({ charge_id: ledgerLines.charge_id, cents: owedCents })
    .from(ledgerLines)
    .where(and(eq(ledgerLines.student_id, studentId), isNotNull(ledgerLines.charge_id)))
    .groupBy(ledgerLines.charge_id)
    .having(sql`${owedCents} > 0`)

/** Returns what a student owes for all charges, and the unused credit, in dollars. */
export async function readOpenBalance(
  tx: Tx,
  studentId: string,
): Promise<{ owed: number; credit: number }> {
  const owedCharges = await findOwedCharges(tx, studentId)
  const credits = await creditsOf(tx, [studentId])
  return {
    owed: toDollars(sumCents(owedCharges.map(({ cents }) => cents))),
    credit: toDollars(credits.get(studentId) ?? 0),
  }
}

/** Writes off all debts of a student who is being deleted. */
export async function writeOffDebts(
  tx: Tx,
  { id: created_by, dojoId }: Pick<DojoCaller, 'id' | 'dojoId'>,
  studentId: string,
): Promise<void> {
  const owedCharges = await findOwedCharges(tx, studentId)
  if (owedCharges.length === 0) return
  const actColumns = { act_id: newId(), created_by, made_on: await todayOf(tx, dojoId) }
  await tx.insert(ledgerLines).values(
    owedCharges.map(({ charge_id, cents }) => ({
      ...actColumns,
      student_id: studentId,
      charge_id,
      kind: 'write_off' as const,
      amount: toDollars(0 - cents),
    })),
  )
}
