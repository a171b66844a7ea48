import { toDollars } from '@tatami/contract/lib/money'
import type { Candidate } from '@tatami/contract/gradings/gradings'
import { and, eq, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { type DojoCaller, requireRight } from '../http/serve.ts'
import {
  type Charge,
  chargedOf,
  chargesById,
  hasAmount,
  owedOf,
  receivedOf,
} from '../ledger/charges.ts'
import { linesOfAct, sumOfKinds } from '../ledger/ledger.ts'
import { chargeStudents, writeOffAll } from '../dues/payment-acts.ts'
import { candidates, type gradings } from './tables.ts'
import { getOrThrow, pluck } from '../lib/rows.ts'

type GradingRow = typeof gradings.$inferSelect
export type CandidateRow = typeof candidates.$inferSelect

export async function findCharges(
  tx: Tx,
  rows: readonly Pick<CandidateRow, 'charge_id'>[],
): Promise<Map<string, Charge>> {
  const chargeList = await chargesById(
    tx,
    rows.flatMap(({ charge_id }) => charge_id ?? []),
  )
  return new Map(chargeList.map((charge) => [charge.id, charge]))
}

type RankFee = { fee: number | null }

/** Returns the fee of the belt test, else of the rank, or null if both are free. */
const findFeeToCharge = (grading: Pick<GradingRow, 'fee'>, rank: RankFee): number | null =>
  (grading.fee ?? rank.fee) || null

export function readFee(
  grading: Pick<GradingRow, 'fee'>,
  rank: RankFee,
  { is_fee_waived }: Pick<CandidateRow, 'is_fee_waived'>,
  charge: Charge | undefined,
): Pick<Candidate, 'fee' | 'fee_state'> {
  if (!charge || !hasAmount(charge))
    return { fee: findFeeToCharge(grading, rank), fee_state: is_fee_waived ? 'waived' : 'none' }
  return { fee: toDollars(chargedOf(charge)), fee_state: determineFeeState(charge) }
}

function determineFeeState(charge: Charge): 'due' | 'waived' | 'paid' {
  if (owedOf(charge) > 0) return 'due'
  return sumOfKinds(charge.lines, 'write_off') < 0 ? 'waived' : 'paid'
}

type PricedCandidate = { candidate: CandidateRow; rank: RankFee }

/** Charges the fees of invited candidates. Nobody is charged twice. */
export async function chargeFees(
  tx: Tx,
  caller: DojoCaller,
  grading: GradingRow,
  invitedCandidates: readonly PricedCandidate[],
): Promise<void> {
  const unchargedCandidates = invitedCandidates.filter(
    ({ candidate }) => candidate.charge_id === null && !candidate.is_fee_waived,
  )
  const candidatesByFee = Map.groupBy(unchargedCandidates, ({ rank }) =>
    findFeeToCharge(grading, rank),
  )
  for (const [amount, candidatesToCharge] of candidatesByFee) {
    if (amount === null) continue
    const student_ids = candidatesToCharge.map(({ candidate }) => candidate.student_id)
    const { act_id } = await chargeStudents(tx, caller, {
      student_ids,
      kind: 'grading',
      amount,
      note: grading.name,
    })
    const chargeLines = (await linesOfAct(tx, act_id)).filter(({ kind }) => kind === 'charge')
    const rows = chargeLines.map(({ student_id, charge_id }) => ({ student_id, charge_id }))
    await tx.execute(sql`update ${candidates} set charge_id = r.charge_id
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(student_id uuid, charge_id uuid)
      where ${candidates.grading_id} = ${grading.id} and ${candidates.student_id} = r.student_id`)
  }
}

export async function filterPaid(tx: Tx, rows: readonly CandidateRow[]): Promise<CandidateRow[]> {
  const charges = await findCharges(tx, rows)
  return rows.filter(
    ({ charge_id }) => charge_id !== null && receivedOf(getOrThrow(charges, charge_id)) > 0,
  )
}

export async function writeOffFees(
  tx: Tx,
  caller: Pick<DojoCaller, 'id' | 'dojoId'>,
  grading: GradingRow,
  rows: readonly CandidateRow[],
): Promise<void> {
  const ids = rows.flatMap(({ charge_id }) => charge_id ?? [])
  await writeOffAll(tx, caller, ids, { note: grading.name })
}

/** Writes off fees that are owed. Throws 403 if one is owed and the caller may not give money
 *  back. */
export async function forgiveFees(
  tx: Tx,
  caller: DojoCaller,
  grading: GradingRow,
  rows: readonly CandidateRow[],
): Promise<void> {
  const charges = [...(await findCharges(tx, rows)).values()]
  if (charges.some((charge) => owedOf(charge) > 0)) requireRight(caller.staff, 'money.give_back')
  await writeOffFees(tx, caller, grading, rows)
}

/** Waives the fees of candidates: writes off those that are owed, and never charges the others. */
export async function waiveFees(
  tx: Tx,
  caller: DojoCaller,
  grading: GradingRow,
  rows: readonly CandidateRow[],
): Promise<void> {
  const ids = pluck(rows, 'student_id')
  await tx
    .update(candidates)
    .set({ is_fee_waived: true })
    .where(and(eq(candidates.grading_id, grading.id), equalsAny(candidates.student_id, ids)))
  await forgiveFees(tx, caller, grading, rows)
}
