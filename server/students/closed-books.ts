import { sumCents, toDollars } from '@tatami/contract/lib/money'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { Member } from '../http/serve.ts'
import { ledgerLines } from '../ledger/tables.ts'

const owedSum = sql<number>`sum(${ledgerLines.amount})::float8`

/** The charges of a student of which something is still owed, with how much, in cents. */
const openCharges = (tx: Tx, studentId: string) =>
  tx
    .select({ charge_id: ledgerLines.charge_id, cents: owedSum })
    .from(ledgerLines)
    .where(and(eq(ledgerLines.student_id, studentId), isNotNull(ledgerLines.charge_id)))
    .groupBy(ledgerLines.charge_id)
    .having(sql`${owedSum} > 0`)

/** What a student still owes of all charges, and the credit that covers none of them, in dollars. */
export async function openBalance(
  tx: Tx,
  studentId: string,
): Promise<{ owed: number; credit: number }> {
  const debts = await openCharges(tx, studentId)
  const [sums] = await tx
    .select({
      credit: sql<number>`coalesce(sum(${ledgerLines.amount}) filter (where ${ledgerLines.kind} = 'credit'), 0)::float8
        - coalesce(sum(${ledgerLines.amount}) filter (where ${ledgerLines.charge_id} is null), 0)::float8`,
    })
    .from(ledgerLines)
    .where(eq(ledgerLines.student_id, studentId))
  return {
    owed: toDollars(sumCents(debts.map(({ cents }) => cents))),
    credit: toDollars(sums?.credit ?? 0),
  }
}

/**
 * Writes off what a student owes who is about to be deleted: nobody is left to pay it. Then what was expected is still what came and what
 * was forgiven, when the lines stand in the books without the student.
 */
export async function writeOffDebts(
  tx: Tx,
  { id: created_by, dojoId }: Pick<Member, 'id' | 'dojoId'>,
  studentId: string,
): Promise<void> {
  const debts = await openCharges(tx, studentId)
  if (debts.length === 0) return
  const act = { act_id: newId(), created_by, made_on: await todayOf(tx, dojoId) }
  await tx.insert(ledgerLines).values(
    debts.map(({ charge_id, cents }) => ({
      ...act,
      student_id: studentId,
      charge_id,
      kind: 'write_off' as const,
      amount: toDollars(0 - cents),
    })),
  )
}
