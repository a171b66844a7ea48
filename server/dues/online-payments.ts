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
import { prepareMonth } from './payment-acts.ts'

/** Money that was paid online for one charge, or for a month that may not be charged yet. */
export type OnlinePart = {
  student_id: string
  charge_id: string | null
  month: Month | null
  cents: number
}

/**
 * Records one online payment. What is no longer owed, because it was paid otherwise meanwhile,
 * becomes credit, which `creditCents` sums up. Parts of deleted students are left out.
 */
export async function recordOnlinePayment(
  tx: Tx,
  dojoId: string,
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
  const studentById = new Map(students.map((student) => [student.id, student]))
  const lines: NewLine[] = []
  let creditCents = 0
  for (const part of parts) {
    const student = studentById.get(part.student_id)
    if (!student) continue
    const { charge, newLine } = await findPaidCharge(tx, dojoId, student, part)
    const paidCents = charge ? Math.min(part.cents, Math.max(0, owedOf(charge))) : 0
    const payment = { student_id: student.id, kind: 'payment' as const }
    if (charge && paidCents > 0) {
      if (newLine) lines.push(newLine)
      lines.push({ ...payment, charge_id: charge.id, cents: 0 - paidCents })
    }
    const restCents = part.cents - paidCents
    if (restCents > 0) lines.push({ ...payment, charge_id: null, cents: 0 - restCents })
    creditCents += restCents
  }
  await writeLines(tx, act, lines)
  return { actId: act.id, creditCents }
}

/** The charge as it is now. A month is charged first, if it has not been. */
async function findPaidCharge(
  tx: Tx,
  dojoId: string,
  student: LockedStudent,
  { charge_id, month }: OnlinePart,
): Promise<{ charge: Charge | undefined; newLine: NewLine | null }> {
  if (month) {
    const preparedMonth = await prepareMonth(tx, dojoId, student, month)
    return { charge: preparedMonth?.charge, newLine: preparedMonth?.line ?? null }
  }
  const [charge] = charge_id === null ? [] : await chargesById(tx, [charge_id])
  return { charge, newLine: null }
}
