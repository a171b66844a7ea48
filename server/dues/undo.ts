import type { LedgerAct } from '@tatami/contract/ledger/ledger'
import { auditAct } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import type { Member } from '../http/serve.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { builtOn, linesWithinBounds } from '../ledger/bounds.ts'
import { type Charge, chargesById } from '../ledger/charges.ts'
import { keptAmounts } from './kept-amounts.ts'
import {
  actReply,
  type Line,
  linesOfAct,
  linesOfStudents,
  lockStudents,
  newAct,
  type NewLine,
  reversalOf,
  standing,
} from '../ledger/ledger.ts'
import { writeLines } from '../ledger/write-lines.ts'

type Caller = Pick<Member, 'id' | 'dojoId'>

/** Takes back everything that one press did to the ledger, by an act that can be taken back in turn. */
export async function undoAct(tx: Tx, caller: Caller, id: string): Promise<LedgerAct> {
  const known = await linesOfAct(tx, id)
  if (known.length === 0) throw notFound('Act')
  if (known.every(({ created_by }) => created_by === null))
    throw new Refusal(409, 'What happened by itself cannot be taken back')
  const studentIds = [...new Set(known.map(({ student_id }) => student_id))]
  const locked = await lockStudents(tx, studentIds)
  const chargeIds = [...new Set(known.flatMap(({ charge_id }) => charge_id ?? []))]
  const charges = await chargesById(tx, chargeIds)
  const keptAmountOf = await keptAmounts(tx, caller.dojoId, locked)
  const lines = [
    ...charges.flatMap((charge) => undoneOf(charge, id, keptAmountOf(charge))),
    ...(await undoneCredit(tx, known)),
  ]
  if (lines.length === 0) throw new Refusal(409, 'This was already taken back')
  const act = await newAct(tx, caller)
  const allLines = await writeLines(tx, act, lines, () =>
    linesWithinBounds(tx, chargeIds, studentIds),
  )
  const reply = actReply(act, allLines)
  await auditAct(tx, caller, 'payments taken back', {
    ...(studentIds.length === 1 && { subject_id: studentIds[0]! }),
    details: { students: studentIds.length, amount: reply.total },
  })
  return reply
}

/** The lines that nothing has taken back yet. */
const untouched = (lines: readonly Line[]) => {
  const reversed = new Set(lines.map(({ reverses }) => reverses))
  return lines.filter((line) => !reversed.has(line.id))
}

/** What of a charge is taken back with the act. 409 where its amount has changed since: then that would be wrong. */
function undoneOf({ lines }: Charge, actId: string, keptAmount: Line | undefined): NewLine[] {
  const undone = untouched(lines).filter((line) => line.act_id === actId)
  const amounts = standing(lines).filter((line) => line.kind === 'charge')
  const isLater = (line: Line, than: Line) => lines.indexOf(line) > lines.indexOf(than)
  for (const line of undone)
    if (line.kind === 'charge' && amounts.some((one) => one.act_id !== actId && isLater(one, line)))
      throw builtOn()
  return undone.filter(({ id }) => id !== keptAmount?.id).map(reversalOf)
}

/** What was paid beyond all charges, or given back of that, by the act. */
async function undoneCredit(tx: Tx, known: readonly Line[]): Promise<NewLine[]> {
  const own = known.filter(({ charge_id }) => charge_id === null)
  if (own.length === 0) return []
  const reversed = new Set(
    (await linesOfStudents(tx, [...new Set(own.map(({ student_id }) => student_id))])).map(
      ({ reverses }) => reverses,
    ),
  )
  return own.filter(({ id }) => !reversed.has(id)).map(reversalOf)
}
