import type { LedgerAct } from '@tatami/contract/ledger/ledger'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { laterActRefusal, linesWithinBounds } from '../ledger/bounds.ts'
import { type Charge, chargesById, withPlanAmounts } from '../ledger/charges.ts'
import {
  actReply,
  effectiveLines,
  type Line,
  linesOfAct,
  linesOfStudents,
  lockStudents,
  type NewLine,
  reversalOf,
} from '../ledger/ledger.ts'
import { refuseSelfOrOwnChildren } from '../ledger/own-family.ts'
import { writeLines } from '../ledger/write-lines.ts'
import { findKeptAmounts } from './kept-amounts.ts'
import { newAct } from './new-act.ts'
import { type LedgerCaller, requireMayUndo } from './others-acts.ts'

const FOLLOWS_PLAN = 'This sum follows from the plan. Change the plan or the hold instead.'

/** Undoes an act by reversing all its lines in a new act, which can also be undone. */
export async function undoLedgerAct(tx: Tx, caller: LedgerCaller, id: string): Promise<LedgerAct> {
  const actLines = await linesOfAct(tx, id)
  if (actLines.length === 0) throw notFound('Act')
  if (actLines.every(({ created_by }) => created_by === null))
    throw new Refusal(409, 'Automatic changes cannot be undone')
  if (actLines.some(({ kind, method }) => kind === 'refund' && method === 'online'))
    throw new Refusal(409, 'A refund through Stripe cannot be undone')
  if (actLines.some(({ follows_plan, reverses }) => follows_plan && reverses === null))
    throw new Refusal(409, FOLLOWS_PLAN)
  requireMayUndo(caller, actLines)
  const studentIds = [...new Set(actLines.map(({ student_id }) => student_id))]
  const hasCharges = actLines.some(({ kind }) => kind === 'charge')
  if (hasCharges) await refuseSelfOrOwnChildren(tx, caller.id, studentIds)
  const students = await lockStudents(tx, studentIds)
  const chargeIds = [...new Set(actLines.flatMap(({ charge_id }) => charge_id ?? []))]
  const charges = await chargesById(tx, chargeIds)
  const keptAmountOf = await findKeptAmounts(tx, caller.dojoId, students)
  const reversals = [
    ...charges.flatMap((charge) => chargeReversals(charge, id, keptAmountOf(charge))),
    ...(await creditReversals(tx, actLines)),
  ]
  if (reversals.length === 0) throw new Refusal(409, 'This was already undone')
  const act = await newAct(tx, caller)
  const { lines } = await writeLines(tx, act, reversals, {
    findFollowingLines: () => linesWithinBounds(tx, chargeIds, studentIds),
  })
  const reply = actReply(act, lines)
  await auditAction(tx, caller, 'payments taken back', {
    ...(studentIds.length === 1 && { subject_id: studentIds[0] }),
    details: { students: studentIds.length, amount: reply.total },
  })
  return reply
}

const withoutReversed = (lines: readonly Line[], allLines: readonly Line[]) => {
  const reversedIds = new Set(allLines.map(({ reverses }) => reverses))
  return lines.filter(({ id }) => !reversedIds.has(id))
}

/** Reverses the act's lines of a charge. 409 if the charge's amount has changed since the act,
 *  except by a plan. */
function chargeReversals(
  { lines }: Charge,
  actId: string,
  keptAmounts: readonly Line[],
): NewLine[] {
  const actLines = lines.filter((line) => line.act_id === actId)
  const undoneLines = withoutReversed(actLines, lines).filter((line) => !keptAmounts.includes(line))
  const currentLines = effectiveLines(lines)
  const allUndoneLines = withPlanAmounts(undoneLines, currentLines, keptAmounts)
  const otherAmounts = currentLines.filter(
    (line) => line.kind === 'charge' && line.act_id !== actId && !line.follows_plan,
  )
  const lastAmountIndex = Math.max(-1, ...otherAmounts.map((line) => lines.indexOf(line)))
  if (undoneLines.some((line) => line.kind === 'charge' && lines.indexOf(line) < lastAmountIndex))
    throw laterActRefusal()
  return allUndoneLines.map(reversalOf)
}

/** Reverses payments that became credit, and refunds of credit. */
async function creditReversals(tx: Tx, actLines: readonly Line[]): Promise<NewLine[]> {
  const creditLines = actLines.filter(({ charge_id }) => charge_id === null)
  const studentIds = [...new Set(creditLines.map(({ student_id }) => student_id))]
  const allLines = await linesOfStudents(tx, studentIds)
  return withoutReversed(creditLines, allLines).map(reversalOf)
}
