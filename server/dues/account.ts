import { toDollars } from '@tatami/contract/lib/money'
import { monthOfDate } from '@tatami/contract/lib/calendar-day'
import type { Account, AccountCharge, LedgerLine } from '@tatami/contract/ledger/ledger'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { notFound } from '../lib/refusal.ts'
import { debtsOf, NO_DEBT, owedCents, pricesInProgress } from './balances.ts'
import { oldestFirst } from '../ledger/oldest-first.ts'
import { instructors } from '../sensei/tables.ts'
import { students } from '../students/tables.ts'
import { type Charge, chargedOf, chargesOfStudent, owedOf } from '../ledger/charges.ts'
import { type Line, linesOfStudents, standing } from '../ledger/ledger.ts'

const accountCharge = (charge: Charge): AccountCharge => {
  const { lines, ...identity } = charge
  const priced = standing(lines).find(({ kind, reason }) => kind === 'charge' && reason !== null)
  return {
    ...identity,
    amount: toDollars(chargedOf(charge)),
    owed: toDollars(owedOf(charge)),
    reason: priced?.reason ?? null,
  }
}

const ledgerLine = (
  { cents, created_by, ...line }: Line,
  names: Map<string, string>,
): LedgerLine => ({
  ...line,
  amount: toDollars(cents),
  created_by: names.get(created_by ?? '') ?? null,
})

/** The month in progress, as the charge that it will be. */
async function chargeInProgress(
  tx: Tx,
  dojoId: string,
  studentId: string,
): Promise<AccountCharge[]> {
  const today = await todayOf(tx, dojoId)
  const price = (await pricesInProgress(tx, dojoId, today, [studentId])).get(studentId)
  if (!price) return []
  const month = monthOfDate(today),
    amount = toDollars(price.cents)
  return [
    {
      id: null,
      kind: 'month',
      ...month,
      amount,
      owed: amount,
      reason: price.reason,
      note: null,
      charged_on: price.since,
    },
  ]
}

/** A student's charges with an amount, the month in progress among them, and every line of the ledger. */
export async function accountOf(tx: Tx, dojoId: string, studentId: string): Promise<Account> {
  const [student] = await tx
    .select({ id: students.id })
    .from(students)
    .where(eq(students.id, studentId))
  if (!student) throw notFound('Student')
  const lines = await linesOfStudents(tx, [studentId])
  const names = new Map(
    (await tx.select({ id: instructors.id, name: instructors.name }).from(instructors)).map(
      ({ id, name }) => [id, name],
    ),
  )
  const asked = (await chargesOfStudent(tx, studentId))
    .filter((charge) => chargedOf(charge) > 0)
    .map(accountCharge)
  const charges = [...asked, ...(await chargeInProgress(tx, dojoId, studentId))].toSorted(
    oldestFirst,
  )
  const debt = (await debtsOf(tx, dojoId, [studentId])).get(studentId) ?? NO_DEBT
  return {
    student_id: studentId,
    balance: toDollars(owedCents(debt) - debt.credit),
    credit: toDollars(debt.unusedCredit),
    owed_since: debt.charges[0]?.charged_on ?? null,
    charges,
    lines: lines.map((line) => ledgerLine(line, names)).toReversed(),
  }
}
