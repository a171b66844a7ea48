import type { Tx } from '../db/database.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Charge, chargesById, owedOf } from './charges.ts'
import { creditsOf } from './credit.ts'
import {
  type Line,
  linesOfStudents,
  type NewLine,
  reversalOf,
  standing,
  sumOfKinds,
} from './ledger.ts'

/** Something was taken back, and what came later would no longer add up. */
export const builtOn = () =>
  new Refusal(409, 'Something later rests on this. Please take that back first.')

/**
 * What follows from lines that were taken back of these charges, so that none is overpaid and no credit is below 0: what was forgiven is no
 * longer, what was paid beyond a charge is credit, and credit that is gone covers nothing. 409 where money was given back that would not have
 * come.
 */
export async function linesWithinBounds(
  tx: Tx,
  chargeIds: string[],
  studentIds: string[],
): Promise<NewLine[]> {
  const charges = await chargesById(tx, chargeIds)
  if (charges.some(({ lines }) => sumOfKinds(lines, 'payment', 'refund') > 0)) throw builtOn()
  const lines = charges.flatMap(overpaidLines)
  const credits = await creditsOf(tx, studentIds)
  for (const { student_id, kind, cents } of lines)
    if (kind === 'credit') credits.set(student_id, (credits.get(student_id) ?? 0) + cents)
  const short = studentIds.filter((id) => (credits.get(id) ?? 0) < 0)
  const covering = standing(await linesOfStudents(tx, short)).filter(
    ({ kind, cents }) => kind === 'credit' && cents < 0,
  )
  for (const id of short)
    lines.push(
      ...uncoveredLines(
        credits.get(id)!,
        covering.filter(({ student_id }) => student_id === id),
      ),
    )
  return lines
}

/** What is paid beyond a charge becomes credit by a `credit` line of more than 0, and is taken from that again when it is less. */
function overpaidLines(charge: Charge): NewLine[] {
  const { id: charge_id, student_id } = charge
  const lines: NewLine[] = []
  let owed = owedOf(charge)
  const isOver = owed < 0
  const isInTheWay = ({ kind, cents }: Line) =>
    isOver ? owed < 0 && kind === 'write_off' : owed > 0 && kind === 'credit' && cents > 0
  for (const line of standing(charge.lines).toReversed())
    if (isInTheWay(line)) {
      lines.push(reversalOf(line))
      owed -= line.cents
    }
  if (owed < 0) lines.push({ student_id, charge_id, kind: 'credit', cents: 0 - owed })
  // Of what was forgiven the part that is still to be.
  if (isOver && owed > 0) lines.push({ student_id, charge_id, kind: 'write_off', cents: 0 - owed })
  return lines
}

/** Takes credit off the charges that it covered last, as far as it is short. */
function uncoveredLines(credit: number, covering: readonly Line[]): NewLine[] {
  const lines: NewLine[] = []
  let left = credit
  for (const line of covering.toReversed()) {
    if (left >= 0) break
    lines.push(reversalOf(line))
    left -= line.cents
    const { student_id, charge_id } = line
    if (left > 0) lines.push({ student_id, charge_id, kind: 'credit', cents: 0 - left })
  }
  if (left < 0) throw builtOn()
  return lines
}
