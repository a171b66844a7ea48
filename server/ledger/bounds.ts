import type { Tx } from '../db/database.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Charge, chargesById, owedOf } from './charges.ts'
import { creditsOf } from './credit.ts'
import {
  effectiveLines,
  type Line,
  linesOfStudents,
  type NewLine,
  reversalOf,
  sumOfKinds,
} from './ledger.ts'

export const laterActRefusal = () =>
  new Refusal(409, 'Something later depends on this. Please undo that first.')

/** Lines that correct overpaid charges and negative credit. 409 if refunds make it impossible. */
export async function linesWithinBounds(
  tx: Tx,
  chargeIds: string[],
  studentIds: string[],
): Promise<NewLine[]> {
  const charges = await chargesById(tx, chargeIds)
  if (charges.some(({ lines }) => sumOfKinds(lines, 'payment', 'refund') > 0))
    throw laterActRefusal()
  const lines = charges.flatMap(balancingLines)
  const credits = await creditsOf(tx, studentIds)
  for (const { student_id, kind, cents } of lines)
    if (kind === 'credit') credits.set(student_id, (credits.get(student_id) ?? 0) + cents)
  const overdrawnCredits = [...credits].filter(([, cents]) => cents < 0)
  const studentLines = await linesOfStudents(
    tx,
    overdrawnCredits.map(([id]) => id),
  )
  const coveringLines = effectiveLines(studentLines).filter(
    ({ kind, cents }) => kind === 'credit' && cents < 0,
  )
  for (const [id, credit] of overdrawnCredits) {
    const linesOfStudent = coveringLines.filter(({ student_id }) => student_id === id)
    lines.push(...reclaimCredit(credit, linesOfStudent))
  }
  return lines
}

/** Reverses write-offs of an overpaid charge and adds credit, or reverses credit if it is owed. */
function balancingLines(charge: Charge): NewLine[] {
  const { id: charge_id, student_id } = charge
  const lines: NewLine[] = []
  let owedCents = owedOf(charge)
  const isOverpaid = owedCents < 0
  const mustReverse = ({ kind, cents }: Line) =>
    isOverpaid
      ? owedCents < 0 && kind === 'write_off'
      : owedCents > 0 && kind === 'credit' && cents > 0
  for (const line of effectiveLines(charge.lines).toReversed())
    if (mustReverse(line)) {
      lines.push(reversalOf(line))
      owedCents -= line.cents
    }
  if (owedCents < 0) lines.push({ student_id, charge_id, kind: 'credit', cents: 0 - owedCents })
  // The last reversed write-off may have been more than the overpayment.
  if (isOverpaid && owedCents > 0)
    lines.push({ student_id, charge_id, kind: 'write_off', cents: 0 - owedCents })
  return lines
}

/** Takes credit back from the charges that it paid last, until it is no longer below 0. */
function reclaimCredit(credit: number, coveringLines: readonly Line[]): NewLine[] {
  const lines: NewLine[] = []
  let remainingCents = credit
  for (const line of coveringLines.toReversed()) {
    if (remainingCents >= 0) break
    lines.push(reversalOf(line))
    remainingCents -= line.cents
    const { student_id, charge_id } = line
    if (remainingCents > 0)
      lines.push({ student_id, charge_id, kind: 'credit', cents: 0 - remainingCents })
  }
  if (remainingCents < 0) throw laterActRefusal()
  return lines
}
