import type { Grading, GradingResults } from '@tatami/contract/gradings/gradings'
import { eq, sql } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { CurrentRank } from '../belts/held-ranks.ts'
import { giveStripes, promote } from '../belts/promotions.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { readBeltTestLabels, todayOf } from '../dojos/dojos.ts'
import type { Member } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, Refusal } from '../lib/refusal.ts'
import {
  candidatesOf,
  type FullCandidate,
  type GradingRow,
  readCurrentRanks,
  lockGrading,
  lockUnfinished,
  namedCandidates,
  readGrading,
  refreshState,
} from './read-grading.ts'
import { candidates, gradings } from './tables.ts'
import { formatDay } from '../lib/format-day.ts'

type NewResult = GradingResults['results'][number]

/** A later result of a student replaces the earlier. 404 for a student who is no candidate, 409
 *  once the test is finished. */
export async function noteResults(
  tx: Tx,
  id: string,
  { results }: GradingResults,
): Promise<Grading> {
  const grading = await lockUnfinished(tx, id)
  const resultsByStudent = new Map(results.map((result) => [result.student_id, result]))
  const candidateRows = await namedCandidates(tx, id, [...resultsByStudent.keys()])
  const ranksByStudent = await readCurrentRanks(tx, grading, candidateRows)
  for (const result of resultsByStudent.values())
    requireFreeStripes(result, ranksByStudent.get(result.student_id))
  const rows = [...resultsByStudent.values()].map(
    ({ student_id, result, stripes_given, note }) => ({
      ...{ student_id, result, note },
      stripes_given: result === 'partial' ? stripes_given : null,
      keeps_note: note === undefined,
    }),
  )
  await tx.execute(sql`update ${candidates} set result = r.result, stripes_given = r.stripes_given,
      note = case when r.keeps_note then ${candidates.note} else r.note end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(student_id uuid, result text, stripes_given smallint, note text, keeps_note boolean)
    where ${candidates.grading_id} = ${id} and ${candidates.student_id} = r.student_id`)
  await refreshState(tx, id)
  return readGrading(tx, id)
}

const freeStripes = (currentRank: CurrentRank | undefined): number =>
  currentRank ? Math.max(0, currentRank.rank.stripes - currentRank.stripes) : 0

function requireFreeStripes(
  { result, stripes_given }: NewResult,
  currentRank: CurrentRank | undefined,
): void {
  if (result === 'partial' && (stripes_given ?? 0) > freeStripes(currentRank))
    throw invalid(
      'stripes_given',
      currentRank
        ? `The rank ${currentRank.rank.name} has no room for so many stripes.`
        : 'There is no rank to put stripes on.',
    )
}

/** Promotes students who passed and gives stripes for partial passes, in one act. Pressed again,
 *  it returns the same. 409 before the day of the test. */
export async function finishGrading(
  tx: Tx,
  caller: Member,
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
    await finish(tx, caller, grading)
  }
  const finishedGrading = await readGrading(tx, id)
  return {
    grading: finishedGrading,
    promoted: finishedGrading.candidates.filter(({ promotion_id }) => promotion_id !== null).length,
  }
}

async function finish(tx: Tx, caller: Member, grading: GradingRow): Promise<void> {
  const allCandidates = await candidatesOf(tx, grading.id)
  const ranksByStudent = await readCurrentRanks(tx, grading, allCandidates)
  await keepRanksBefore(tx, grading, ranksByStudent)
  // They may have been given the rank on their page since.
  const hasItAlready = ({ candidate, rank }: FullCandidate) => {
    const has = ranksByStudent.get(candidate.student_id)
    return has?.rank.id === rank.id && has.promotion_id !== null
  }
  const passedCandidates = allCandidates.filter(
    (candidateRow) => candidateRow.candidate.result === 'pass' && !hasItAlready(candidateRow),
  )
  const changeIds = new Map<string, string>()
  const act_id = newId()
  if (passedCandidates.length > 0) {
    const promotions = passedCandidates.map(({ student, rank }) => ({
      student_id: student.id,
      rank_id: rank.id,
    }))
    const form = { promotions, given_on: grading.held_on, examiner: grading.examiner }
    const { students } = await promote(tx, caller, form, { act_id })
    for (const { student_id, promotion_id } of students) changeIds.set(student_id, promotion_id)
  }
  const numbers = new Map(
    allCandidates.flatMap(
      ({ candidate: { student_id, result, stripes_given } }): [string, number][] => {
        const number =
          result === 'partial'
            ? Math.min(stripes_given ?? 0, freeStripes(ranksByStudent.get(student_id)))
            : 0
        return number > 0 ? [[student_id, number]] : []
      },
    ),
  )
  if (numbers.size > 0) {
    const form = { student_ids: [...numbers.keys()], style_id: grading.style_id }
    const { students } = await giveStripes(tx, caller, form, {
      act_id,
      given_on: grading.held_on,
      numbers,
    })
    for (const { student_id, promotion_id } of students) changeIds.set(student_id, promotion_id)
  }
  const rows = [...changeIds].map(([student_id, belt_change_id]) => ({
    student_id,
    belt_change_id,
  }))
  await tx.execute(sql`update ${candidates} set belt_change_id = r.belt_change_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(student_id uuid, belt_change_id uuid)
    where ${candidates.grading_id} = ${grading.id} and ${candidates.student_id} = r.student_id`)
  await tx
    .update(gradings)
    .set({ state: 'finished', finished_at: nowIso() })
    .where(eq(gradings.id, grading.id))
  await auditAction(tx, caller, 'grading finished', {
    details: {
      grading: grading.name,
      promoted: passedCandidates.length,
      students: allCandidates.length,
    },
  })
}

async function keepRanksBefore(
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
