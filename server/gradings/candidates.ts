import {
  type CandidateChanges,
  type Grading,
  MAX_CANDIDATES,
  type NewGrading,
} from '@tatami/contract/gradings/gradings'
import { and, asc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { ladders, ranks } from '../belts/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { readBeltTestLabels } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { getOrThrow, pluck } from '../lib/rows.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { isCurrentStudent, students } from '../students/tables.ts'
import { filterPaid, waiveFees, writeOffFees, forgiveFees } from './fees.ts'
import {
  type GradingRow,
  lockGrading,
  lockUnfinished,
  findCandidatesById,
  readGrading,
  updateState,
} from './read-grading.ts'
import { candidates, gradings } from './tables.ts'

type NewCandidates = NonNullable<NewGrading['candidates']>

/** Adds and removes candidates, and waives fees. Throws 409 if the belt test is finished, or if a
 *  removed candidate has paid the fee. */
export async function changeCandidates(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  changes: CandidateChanges,
): Promise<Grading> {
  const { add = [], remove = [], waive_fee = [] } = changes
  const grading = await lockUnfinished(tx, id)
  await removeCandidates(tx, caller, grading, remove)
  await addCandidates(tx, grading, add)
  const waivedCandidates = await findCandidatesById(tx, id, waive_fee)
  if (waivedCandidates.length > 0)
    await waiveFees(tx, caller, grading, pluck(waivedCandidates, 'candidate'))
  await updateState(tx, id)
  await auditAction(tx, caller, 'grading candidates changed', {
    details: {
      grading: grading.name,
      added: add.length,
      removed: remove.length,
      waived: waivedCandidates.length,
    },
  })
  return readGrading(tx, id)
}

/** If a student is already a candidate, changes the rank, but not a fee that was charged. */
export async function addCandidates(
  tx: Tx,
  grading: GradingRow,
  newCandidates: NewCandidates,
): Promise<void> {
  if (newCandidates.length === 0) return
  const rankByStudent = new Map(
    newCandidates.map(({ student_id, to_rank_id }) => [student_id, to_rank_id]),
  )
  await requireStudents(tx, [...rankByStudent.keys()])
  await requireRanks(tx, grading, [...new Set(rankByStudent.values())])
  await tx
    .insert(candidates)
    .values(
      [...rankByStudent].map(([student_id, to_rank_id]) => ({
        grading_id: grading.id,
        student_id,
        to_rank_id,
      })),
    )
    .onConflictDoUpdate({
      target: [candidates.dojo_id, candidates.grading_id, candidates.student_id],
      set: { to_rank_id: sql`excluded.to_rank_id` },
    })
  if ((await tx.$count(candidates, eq(candidates.grading_id, grading.id))) > MAX_CANDIDATES)
    throw invalid('add', `At most ${MAX_CANDIDATES} candidates`)
}

async function requireStudents(tx: Tx, ids: string[]): Promise<void> {
  const isRequestedStudent = and(equalsAny(students.id, ids), isCurrentStudent)
  if ((await tx.$count(students, isRequestedStudent)) < ids.length) throw notFound('Student')
}

async function requireRanks(tx: Tx, { style_id }: GradingRow, ids: string[]): Promise<void> {
  const rankRows = await tx
    .select({ style_id: ladders.style_id, retired_at: ranks.retired_at })
    .from(ranks)
    .innerJoin(ladders, eq(ladders.id, ranks.ladder_id))
    .where(equalsAny(ranks.id, ids))
  if (rankRows.length < ids.length) throw notFound('Rank')
  if (rankRows.some((rank) => rank.style_id !== style_id))
    throw invalid('to_rank_id', 'This rank belongs to another style.')
  if (rankRows.some(({ retired_at }) => retired_at !== null))
    throw invalid('to_rank_id', 'This rank is retired.')
}

/** Finds unfinished belt tests with the student as a candidate. */
export const findPlannedGradings = (tx: Tx, studentId: string): Promise<GradingRow[]> =>
  tx
    .select(getTableColumns(gradings))
    .from(gradings)
    .innerJoin(candidates, eq(candidates.grading_id, gradings.id))
    .where(and(eq(candidates.student_id, studentId), isNull(gradings.finished_at)))
    .orderBy(asc(gradings.id))

/** Removes a student from all unfinished belt tests. Writes off fees that are still owed. Paid fees
 *  stay paid. */
export async function removeFromPlannedGradings(
  tx: Tx,
  caller: Pick<DojoCaller, 'id' | 'dojoId'>,
  studentId: string,
): Promise<void> {
  for (const { id } of await findPlannedGradings(tx, studentId)) {
    const grading = await lockGrading(tx, id)
    const isCandidate = and(eq(candidates.grading_id, id), eq(candidates.student_id, studentId))
    const rows = await tx.select().from(candidates).where(isCandidate)
    const paidRows = await filterPaid(tx, rows)
    await writeOffFees(
      tx,
      caller,
      grading,
      rows.filter((row) => !paidRows.includes(row)),
    )
    await tx.delete(candidates).where(isCandidate)
    await updateState(tx, id)
  }
}

async function removeCandidates(
  tx: Tx,
  caller: DojoCaller,
  grading: GradingRow,
  studentIds: readonly string[],
): Promise<void> {
  if (studentIds.length === 0) return
  const removedCandidates = await findCandidatesById(tx, grading.id, studentIds)
  const rows = pluck(removedCandidates, 'candidate')
  const [paidCandidate] = await filterPaid(tx, rows)
  if (paidCandidate) {
    const names = new Map(removedCandidates.map(({ student }) => [student.id, student.name]))
    const name = getOrThrow(names, paidCandidate.student_id)
    const { singular } = await readBeltTestLabels(tx)
    throw new Refusal(
      409,
      `${name} has paid for this ${singular}. Refund the fee first, or mark them absent.`,
    )
  }
  await forgiveFees(tx, caller, grading, rows)
  const ids = pluck(rows, 'student_id')
  await tx
    .delete(candidates)
    .where(and(eq(candidates.grading_id, grading.id), equalsAny(candidates.student_id, ids)))
}
