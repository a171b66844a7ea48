import { type Month } from '@tatami/contract/lib/calendar-day'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { type Charge, chargesById, owedOf } from '../ledger/charges.ts'
import {
  type Act,
  lockExistingStudents,
  type LockedStudent,
  type NewLine,
} from '../ledger/ledger.ts'
import { writeLines } from '../ledger/write-lines.ts'
import { debtsOf, NO_DEBT, type OwedCharge } from './balances.ts'
import { isPaidOnline, readOnlineLines } from './money-on-its-way.ts'
import { prepareMonth } from './payment-acts.ts'

/** Money that was paid online for one charge, or for a month that may not be charged yet. */
export type OnlinePart = {
  student_id: string
  charge_id: string | null
  month: Month | null
  cents: number
}

/**
 * Records one online payment. What is no longer owed for its charges, because they were paid
 * otherwise or written off meanwhile, pays what the students owe besides. The rest becomes credit,
 * which `creditCents` sums up. Parts of deleted students are left out.
 */
export async function recordOnlinePayment(
  tx: Tx,
  dojoId: string,
  paymentId: string,
  parts: readonly OnlinePart[],
): Promise<{ actId: string; creditCents: number }> {
  const act: Act = {
    id: newId(),
    created_by: null,
    made_on: await todayOf(tx, dojoId),
    method: 'online',
    note: null,
  }
  const students = await lockExistingStudents(
    tx,
    parts.map(({ student_id }) => student_id),
  )
  let creditCents = 0
  for (const student of students) {
    const record = { dojoId, act, student, paymentId }
    const ownParts = parts.filter(({ student_id }) => student_id === student.id)
    const excessCents = await payCharges(tx, record, ownParts)
    if (excessCents > 0) creditCents += await payOtherDebts(tx, record, excessCents)
  }
  return { actId: act.id, creditCents }
}

/** How the money for one student is recorded. */
type PaymentRecord = { dojoId: string; act: Act; student: LockedStudent; paymentId: string }

/** Pays the charges that the payment is for. Returns the cents that are no longer owed for them. */
async function payCharges(
  tx: Tx,
  { dojoId, act, student }: PaymentRecord,
  parts: readonly OnlinePart[],
): Promise<number> {
  const lines: NewLine[] = []
  let excessCents = 0
  for (const part of parts) {
    const { charge, newLine } = await findPaidCharge(tx, dojoId, student, part)
    const paidCents = charge ? Math.min(part.cents, Math.max(0, owedOf(charge))) : 0
    if (charge && paidCents > 0) {
      if (newLine) lines.push(newLine)
      lines.push(paymentLine(student, charge.id, paidCents))
    }
    excessCents += part.cents - paidCents
  }
  await writeLines(tx, act, lines)
  return excessCents
}

const paymentLine = (
  { id: student_id }: LockedStudent,
  charge_id: string | null,
  cents: number,
): NewLine => ({ student_id, charge_id, kind: 'payment', cents: 0 - cents })

/** Pays what the student owes, the oldest charge first. Returns the cents that become credit. */
async function payOtherDebts(
  tx: Tx,
  { dojoId, act, student, paymentId }: PaymentRecord,
  cents: number,
): Promise<number> {
  const lines: NewLine[] = []
  let remainingCents = cents
  for (const debt of await readOtherDebts(tx, dojoId, student.id, paymentId)) {
    if (remainingCents === 0) break
    const { charge, newLine } = await findPaidCharge(tx, dojoId, student, {
      ...{ student_id: student.id, charge_id: debt.id, month: monthOf(debt) },
    })
    if (!charge) continue
    const paidCents = Math.min(remainingCents, debt.owed)
    if (newLine) lines.push(newLine)
    lines.push(paymentLine(student, charge.id, paidCents))
    remainingCents -= paidCents
  }
  if (remainingCents > 0) lines.push(paymentLine(student, null, remainingCents))
  await writeLines(tx, act, lines)
  return remainingCents
}

/** What a student owes after credit, except what another online payment is bringing. */
async function readOtherDebts(
  tx: Tx,
  dojoId: string,
  studentId: string,
  paymentId: string,
): Promise<OwedCharge[]> {
  const { charges } = (await debtsOf(tx, dojoId, [studentId])).get(studentId) ?? NO_DEBT
  const otherLines = (await readOnlineLines(tx, [studentId])).filter(
    ({ payment_id }) => payment_id !== paymentId,
  )
  return charges.filter((charge) => !isPaidOnline(otherLines, charge))
}

const monthOf = ({ kind, month, year }: OwedCharge): Month | null =>
  kind === 'month' && month !== null && year !== null ? { month, year } : null

/** The charge as it is now. A month is charged first, if it has not been. */
async function findPaidCharge(
  tx: Tx,
  dojoId: string,
  student: LockedStudent,
  { charge_id, month }: Omit<OnlinePart, 'cents'>,
): Promise<{ charge: Charge | undefined; newLine: NewLine | null }> {
  if (month) {
    const preparedMonth = await prepareMonth(tx, dojoId, student, month)
    return { charge: preparedMonth?.charge, newLine: preparedMonth?.line ?? null }
  }
  const [charge] = charge_id === null ? [] : await chargesById(tx, [charge_id])
  return { charge, newLine: null }
}
