import { isNull, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { dojos } from '../dojos/tables.ts'
import { chargesById, type Charge, owedOf } from '../ledger/charges.ts'
import { creditLines, creditsOf } from '../ledger/credit.ts'
import { lockExistingStudents, type NewLine, systemAct } from '../ledger/ledger.ts'
import { writeLines } from '../ledger/write-lines.ts'
import { pluck } from '../lib/rows.ts'
import { findSubscriptions, readPlanRules } from '../plans/plans.ts'
import { subscriptions } from '../plans/tables.ts'
import { addMissingCharges, ownChargesUntil } from '../dues/plans/own-charges.ts'
import { updateStudentFee } from '../dues/plans/student-fees.ts'

/** A subquery with a limit, so that PostgreSQL looks up each dojo instead of reading all plans. */
export const hasOpenSubscriptions = (): SQL => sql`coalesce((
  select true from ${subscriptions} where ${subscriptions.dojo_id} = ${dojos.id}
    and ${subscriptions.closed_on} is null limit 1), false)`

/**
 * Charges what plans charge besides the month, starts and ends plans, and moves their prices into
 * the fees of students. Runs after the months were charged, which looks at the fees before. What
 * fell due while no server ran is charged, too.
 */
export async function runPlans(tx: Tx, _dojoId: string, today: string): Promise<void> {
  const studentIds = await tx
    .selectDistinct({ id: subscriptions.student_id })
    .from(subscriptions)
    .where(isNull(subscriptions.closed_on))
  await lockExistingStudents(tx, pluck(studentIds, 'id'))
  const openSubscriptions = await findSubscriptions(tx, isNull(subscriptions.closed_on))
  const rules = await readPlanRules(tx)
  const lines = await addMissingCharges(
    tx,
    openSubscriptions.flatMap((subscription) => ownChargesUntil(subscription, today, rules)),
  )
  await writeWithCredit(tx, lines, today)
  const byStudent = Map.groupBy(openSubscriptions, ({ student_id }) => student_id)
  for (const ownSubscriptions of byStudent.values())
    await updateStudentFee(tx, ownSubscriptions, today)
}

/** Credit pays new charges at once, the oldest first. */
async function writeWithCredit(tx: Tx, lines: NewLine[], today: string): Promise<void> {
  if (lines.length === 0) return
  await writeLines(tx, systemAct(today), lines)
  const studentIds = [...new Set(pluck(lines, 'student_id'))]
  const credits = await creditsOf(tx, studentIds)
  if (![...credits.values()].some((cents) => cents > 0)) return
  const newCharges = await chargesById(
    tx,
    lines.flatMap(({ charge_id }) => charge_id ?? []),
  )
  const owedByStudent = Map.groupBy(
    newCharges.filter((charge: Charge) => owedOf(charge) > 0),
    ({ student_id }) => student_id,
  )
  const coveringLines = [...credits].flatMap(([id, cents]) =>
    cents > 0 ? creditLines(cents, owedByStudent.get(id) ?? []) : [],
  )
  if (coveringLines.length > 0) await writeLines(tx, systemAct(today), coveringLines)
}
