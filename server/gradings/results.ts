import type { Grading, GradingResults } from '@tatami/contract/gradings/gradings'
import { eq, sql } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { PromotionResult } from '@tatami/contract/belts/promotions'
import type { CurrentRank } from '../belts/current-ranks.ts'
import { promote } from '../belts/promotions.ts'
import { giveStripes } from '../belts/stripes.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { readBeltTestLabels, todayOf } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, Refusal } from '../lib/refusal.ts'
import { wasGivenRank } from './rank-comparison.ts'
import {
  findCandidates,
  type FullCandidate,
  type GradingRow,
  findCandidateRanks,
  lockGrading,
  lockUnfinished,
  findCandidatesById,
  readGrading,
  updateState,
} from './read-grading.ts'
import { candidates, gradings } from './tables.ts'
import { formatDay } from '../lib/format-day.ts'

type NewResult = GradingResults['results'][number]

/** Saves results, which take effect when the belt test is finished. Throws 404 for a student who is
 *  not a candidate, 409 if the test is already finished. */
export async function saveResults(
  tx: Tx,
  id: string,
  { results }: GradingResults,
): Promise<Grading> {
  const grading = await lockUnfinished(tx, id)
  const resultsByStudent = new Map(results.map((result) => [result.student_id, result]))
  const candidateRows = await findCandidatesById(tx, id, [...resultsByStudent.keys()])
  const ranksByStudent = await findCandidateRanks(tx, grading, candidateRows)
  for (const result of resultsByStudent.values())
    requireAvailableStripes(result, ranksByStudent.get(result.student_id))
  const rows = [...resultsByStudent.values()].map(
    ({ student_id, result, stripes_given, note }) => ({
      student_id,
      result,
      note,
      stripes_given: result === 'partial' ? stripes_given : null,
      is_note_kept: note === undefined,
    }),
  )
  await tx.execute(sql`update ${candidates} set result = r.result, stripes_given = r.stripes_given,
      note = case when r.is_note_kept then ${candidates.note} else r.note end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(student_id uuid, result text, stripes_given smallint, note text, is_note_kept boolean)
    where ${candidates.grading_id} = ${id} and ${candidates.student_id} = r.student_id`)
  await updateState(tx, id)
  return readGrading(tx, id)
}

const countAvailableStripes = (currentRank: CurrentRank | undefined): number =>
  currentRank ? Math.max(0, currentRank.rank.stripes - currentRank.stripes) : 0

function requireAvailableStripes(
  { result, stripes_given }: NewResult,
  currentRank: CurrentRank | undefined,
): void {
  if (result === 'partial' && (stripes_given ?? 0) > countAvailableStripes(currentRank))
    throw invalid(
      'stripes_given',
      currentRank
        ? `${currentRank.rank.name} can’t have that many stripes.`
        : 'This student has no rank yet, so there are no stripes to give.',
    )
}

/** Promotes candidates who passed, and gives stripes for partial passes. Finishing a second time
 *  changes nothing. Throws 409 before the day of the belt test. */
export async function finishGrading(
  tx: Tx,
  caller: DojoCaller,
  id: string,
): Promise<{ grading: Grading; promoted: number }> {
  const grading = await lockGrading(tx, id)
  if (grading.finished_at === null) {
    if (grading.held_on > (await todayOf(tx, caller.dojoId))) {
      const { singular } = await readBeltTestLabels(tx)
      throw new Refusal(
        409,
        `This ${singular} is on ${formatDay(grading.held_on)}. You can finish it from that day on.`,
      )
    }
    await applyResults(tx, caller, grading)
  }
  const finishedGrading = await readGrading(tx, id)
  return {
    grading: finishedGrading,
    promoted: finishedGrading.candidates.filter(({ promotion_id }) => promotion_id !== null).length,
  }
}

async function applyResults(tx: Tx, caller: DojoCaller, grading: GradingRow): Promise<void> {
  const allCandidates = await findCandidates(tx, grading.id)
  const ranksByStudent = await findCandidateRanks(tx, grading, allCandidates)
  await savePreviousRanks(tx, grading, ranksByStudent)
  const act_id = newId()
  const testedCandidates = allCandidates.filter(
    ({ student, rank }) => !wasGivenRank(ranksByStudent.get(student.id), rank),
  )
  const candidatesToPromote = testedCandidates.filter(
    ({ candidate }) => candidate.result === 'pass',
  )
  const promotions = await promoteCandidates(tx, caller, grading, candidatesToPromote, act_id)
  const stripes = await giveEarnedStripes(tx, caller, grading, {
    act_id,
    stripesByStudent: countEarnedStripes(testedCandidates, ranksByStudent),
  })
  await saveChangeIds(tx, grading, [...promotions, ...stripes])
  await tx
    .update(gradings)
    .set({ state: 'finished', finished_at: nowIso() })
    .where(eq(gradings.id, grading.id))
  await auditAction(tx, caller, 'grading finished', {
    details: {
      grading: grading.name,
      promoted: candidatesToPromote.length,
      students: allCandidates.length,
    },
  })
}

type GivenRanks = PromotionResult['students']

async function promoteCandidates(
  tx: Tx,
  caller: DojoCaller,
  { held_on, examiner }: GradingRow,
  candidatesToPromote: readonly FullCandidate[],
  act_id: string,
): Promise<GivenRanks> {
  if (candidatesToPromote.length === 0) return []
  const promotions = candidatesToPromote.map(({ student, rank }) => ({
    student_id: student.id,
    rank_id: rank.id,
  }))
  const form = { promotions, given_on: held_on, examiner }
  return (await promote(tx, caller, form, { act_id })).students
}

/** Counts the stripes for partial passes, up to the rank's limit. */
function countEarnedStripes(
  testedCandidates: readonly FullCandidate[],
  ranksByStudent: ReadonlyMap<string, CurrentRank>,
): Map<string, number> {
  const stripesByStudent = new Map<string, number>()
  for (const { candidate } of testedCandidates) {
    if (candidate.result !== 'partial') continue
    const limit = countAvailableStripes(ranksByStudent.get(candidate.student_id))
    const stripes = Math.min(candidate.stripes_given ?? 0, limit)
    if (stripes > 0) stripesByStudent.set(candidate.student_id, stripes)
  }
  return stripesByStudent
}

async function giveEarnedStripes(
  tx: Tx,
  caller: DojoCaller,
  { style_id, held_on }: GradingRow,
  options: { act_id: string; stripesByStudent: Map<string, number> },
): Promise<GivenRanks> {
  const student_ids = [...options.stripesByStudent.keys()]
  if (student_ids.length === 0) return []
  const form = { student_ids, style_id }
  return (await giveStripes(tx, caller, form, { ...options, given_on: held_on })).students
}

async function saveChangeIds(tx: Tx, { id }: GradingRow, givenRanks: GivenRanks): Promise<void> {
  const rows = givenRanks.map(({ student_id, promotion_id }) => ({ student_id, promotion_id }))
  await tx.execute(sql`update ${candidates} set belt_change_id = r.promotion_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(student_id uuid, promotion_id uuid)
    where ${candidates.grading_id} = ${id} and ${candidates.student_id} = r.student_id`)
}

/** Saves each candidate's rank before the belt test, because the page of the test keeps showing
 *  it. */
async function savePreviousRanks(
  tx: Tx,
  { id }: GradingRow,
  ranksByStudent: Map<string, CurrentRank>,
): Promise<void> {
  const rows = [...ranksByStudent.values()].map(({ student_id, rank, stripes }) => ({
    student_id,
    rank_id: rank.id,
    stripes,
  }))
  await tx.execute(sql`update ${candidates} set from_rank_id = r.rank_id, from_stripes = r.stripes
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(student_id uuid, rank_id uuid, stripes smallint)
    where ${candidates.grading_id} = ${id} and ${candidates.student_id} = r.student_id`)
}
