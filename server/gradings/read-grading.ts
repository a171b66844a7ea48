import type {
  Candidate,
  Grading,
  GradingState,
  GradingSummary,
} from '@tatami/contract/gradings/gradings'
import { BELTS } from '@tatami/contract/lib/ranks'
import { desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import {
  type CurrentRank,
  toHeldRank,
  findCurrentRanks,
  toShownRank,
} from '../belts/current-ranks.ts'
import type { RankRow } from '../belts/styles.ts'
import { ranks, styles } from '../belts/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { readBeltTestLabels } from '../dojos/dojos.ts'
import { firstRow, pick, pluck } from '../lib/rows.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'
import { type CandidateRow, findCharges, readFee } from './fees.ts'
import { isAtLeast, wasGivenRank } from './rank-comparison.ts'
import { candidates, gradings } from './tables.ts'

export type GradingRow = typeof gradings.$inferSelect

/** Creates the 404 error, with the school's own word for a belt test. */
export const gradingNotFound = async (tx: Tx) =>
  notFound((await readBeltTestLabels(tx)).capitalized)

export async function requireGrading(tx: Tx, id: string): Promise<GradingRow> {
  const [grading] = await tx.select().from(gradings).where(eq(gradings.id, id))
  if (!grading) throw await gradingNotFound(tx)
  return grading
}

export async function lockGrading(tx: Tx, id: string): Promise<GradingRow> {
  const [grading] = await tx.select().from(gradings).where(eq(gradings.id, id)).for('no key update')
  if (!grading) throw await gradingNotFound(tx)
  return grading
}

/** Throws 409 if the belt test is finished. */
export async function requireUnfinished(tx: Tx, { finished_at }: GradingRow): Promise<void> {
  if (finished_at === null) return
  const { singular } = await readBeltTestLabels(tx)
  throw new Refusal(409, `This ${singular} is finished.`)
}

export async function lockUnfinished(tx: Tx, id: string): Promise<GradingRow> {
  const grading = await lockGrading(tx, id)
  await requireUnfinished(tx, grading)
  return grading
}

export type FullCandidate = {
  candidate: CandidateRow
  student: Pick<typeof students.$inferSelect, 'id' | 'name' | 'belt_level' | 'belt_size'>
  rank: RankRow
}

const { id, name, belt_level, belt_size } = students

/** Sorts the candidates by rank, the lowest first, and then by name. */
export async function findCandidates(tx: Tx, gradingId: string): Promise<FullCandidate[]> {
  const rows = await tx
    .select({ candidate: candidates, student: { id, name, belt_level, belt_size }, rank: ranks })
    .from(candidates)
    .innerJoin(students, eq(students.id, candidates.student_id))
    .innerJoin(ranks, eq(ranks.id, candidates.to_rank_id))
    .where(eq(candidates.grading_id, gradingId))
  const beltIndex = ({ rank }: FullCandidate) => BELTS.indexOf(rank.belt_level)
  return rows.toSorted(
    (a, b) =>
      beltIndex(a) - beltIndex(b) ||
      a.rank.ladder_id.localeCompare(b.rank.ladder_id) ||
      a.rank.place - b.rank.place ||
      a.student.name.localeCompare(b.student.name, 'en') ||
      a.student.id.localeCompare(b.student.id),
  )
}

/** Throws 404 if a student is not a candidate. */
export async function findCandidatesById(
  tx: Tx,
  gradingId: string,
  studentIds: readonly string[],
): Promise<FullCandidate[]> {
  const requestedIds = new Set(studentIds)
  const allCandidates = await findCandidates(tx, gradingId)
  const requestedCandidates = allCandidates.filter(({ student }) => requestedIds.has(student.id))
  if (requestedCandidates.length < requestedIds.size) throw notFound('Candidate')
  return requestedCandidates
}

async function findStyle(tx: Tx, { style_id }: Pick<GradingRow, 'style_id'>) {
  return firstRow(await tx.select().from(styles).where(eq(styles.id, style_id)))
}

export async function readGrading(tx: Tx, gradingId: string): Promise<Grading> {
  const grading = await requireGrading(tx, gradingId)
  const rows = await findCandidates(tx, gradingId)
  const charges = await findCharges(tx, pluck(rows, 'candidate'))
  const previousRanks = await findPreviousRanks(tx, grading, rows)
  const candidateList = rows.map(({ candidate, student, rank }): Candidate => {
    const previousRank = previousRanks.get(student.id)
    return {
      ...pick(candidate, 'invited_at', 'answer', 'answered_at', 'charge_id', 'result'),
      ...pick(candidate, 'stripes_given', 'note'),
      ...pick(student, 'name', 'belt_level', 'belt_size'),
      student_id: student.id,
      from_rank: previousRank ? toHeldRank(previousRank) : null,
      to_rank: toShownRank(rank),
      has_rank:
        previousRank !== undefined &&
        previousRank.isGiven &&
        candidate.belt_change_id === null &&
        isAtLeast(previousRank.rank, rank),
      max_stripes: previousRank?.rank.stripes ?? 0,
      ...readFee(grading, rank, candidate, charges.get(candidate.charge_id ?? '')),
      promotion_id: candidate.result === 'pass' ? candidate.belt_change_id : null,
    }
  })
  return {
    ...toSummary(grading),
    counts: countCandidates(candidateList),
    candidates: candidateList,
  }
}

export const findCandidateRanks = async (
  tx: Tx,
  grading: GradingRow,
  rows: readonly FullCandidate[],
): Promise<Map<string, CurrentRank>> =>
  findCurrentRanks(
    tx,
    await findStyle(tx, grading),
    rows.map(({ student }) => student.id),
  )

type PreviousRank = { rank: RankRow; stripes: number; isGiven: boolean }

/** Returns the ranks before the belt test: the current ranks until it is finished, and then the
 *  saved ones. */
async function findPreviousRanks(
  tx: Tx,
  grading: GradingRow,
  rows: readonly FullCandidate[],
): Promise<Map<string, PreviousRank>> {
  const previousRanks = new Map<string, PreviousRank>()
  if (grading.finished_at === null) {
    for (const [studentId, currentRank] of await findCandidateRanks(tx, grading, rows))
      previousRanks.set(studentId, { ...currentRank, isGiven: currentRank.promotion_id !== null })
    return previousRanks
  }
  const ids = rows.flatMap(({ candidate }) => candidate.from_rank_id ?? [])
  const rankRows = await tx.select().from(ranks).where(equalsAny(ranks.id, ids))
  const ranksById = new Map(rankRows.map((rank) => [rank.id, rank]))
  for (const { candidate } of rows) {
    const rank = ranksById.get(candidate.from_rank_id ?? '')
    if (rank)
      previousRanks.set(candidate.student_id, {
        rank,
        stripes: candidate.from_stripes ?? 0,
        isGiven: true,
      })
  }
  return previousRanks
}

type CountedCandidate = Pick<Candidate, 'invited_at' | 'answer' | 'result' | 'has_rank'>
type Counts = GradingSummary['counts']

function countCandidates(rows: readonly CountedCandidate[]): Counts {
  const testedRows = rows.filter(({ has_rank }) => !has_rank)
  const countAnswers = (answer: Candidate['answer']) =>
    testedRows.filter((row) => row.answer === answer).length
  return {
    candidates: rows.length,
    invited: rows.filter(({ invited_at }) => invited_at !== null).length,
    yes: countAnswers('yes'),
    no: countAnswers('no'),
    unanswered: countAnswers('none'),
    passed: testedRows.filter(({ result }) => result === 'pass').length,
  }
}

const toSummary = (grading: GradingRow) => ({
  ...pick(grading, 'id', 'name', 'style_id', 'held_on', 'held_at', 'place', 'fee'),
  ...pick(grading, 'answer_until', 'examiner', 'state'),
})

export async function listGradings(tx: Tx): Promise<GradingSummary[]> {
  const countIf = (condition: ReturnType<typeof sql>) =>
    sql<number>`(count(*) filter (where ${condition}))::int`
  const rows = await tx
    .select({
      ...getTableColumns(gradings),
      counts: {
        candidates: countIf(sql`${candidates.student_id} is not null`),
        invited: countIf(sql`${candidates.invited_at} is not null`),
        yes: countIf(sql`${candidates.answer} = 'yes'`),
        no: countIf(sql`${candidates.answer} = 'no'`),
        unanswered: countIf(sql`${candidates.answer} = 'none'`),
        passed: countIf(
          sql`${candidates.result} = 'pass' and ${candidates.belt_change_id} is not null`,
        ),
      },
    })
    .from(gradings)
    .leftJoin(candidates, eq(candidates.grading_id, gradings.id))
    .groupBy(gradings.dojo_id, gradings.id)
    .orderBy(desc(gradings.held_on), desc(gradings.id))
  const unfinishedCounts = await countUnfinished(tx)
  return rows.map(({ counts, ...grading }) => ({
    ...toSummary(grading),
    counts: unfinishedCounts.get(grading.id) ?? counts,
  }))
}

/** Counts the candidates of unfinished belt tests, without those who already have the rank. */
async function countUnfinished(tx: Tx): Promise<Map<string, Counts>> {
  const rows = await tx
    .select({ candidate: candidates, rank: ranks, style: styles })
    .from(candidates)
    .innerJoin(gradings, eq(gradings.id, candidates.grading_id))
    .innerJoin(ranks, eq(ranks.id, candidates.to_rank_id))
    .innerJoin(styles, eq(styles.id, gradings.style_id))
    .where(isNull(gradings.finished_at))
  const countedRows: (CandidateRow & CountedCandidate)[] = []
  for (const styleRows of Map.groupBy(rows, ({ style }) => style.id).values()) {
    const studentIds = styleRows.map(({ candidate }) => candidate.student_id)
    const currentRanks = await findCurrentRanks(tx, firstRow(styleRows).style, studentIds)
    for (const { candidate, rank } of styleRows) {
      const has_rank = wasGivenRank(currentRanks.get(candidate.student_id), rank)
      countedRows.push({ ...candidate, has_rank })
    }
  }
  const rowsByGrading = Map.groupBy(countedRows, ({ grading_id }) => grading_id)
  return new Map(
    [...rowsByGrading].map(([gradingId, group]) => [gradingId, countCandidates(group)]),
  )
}

export async function updateState(tx: Tx, gradingId: string): Promise<void> {
  const rows = await tx
    .select(pick(candidates, 'invited_at', 'result'))
    .from(candidates)
    .where(eq(candidates.grading_id, gradingId))
  await tx
    .update(gradings)
    .set({ state: determineState(rows) })
    .where(eq(gradings.id, gradingId))
}

/** A grading opens for answers with the first invitation, and closes with the first result. */
function determineState(
  rows: readonly Pick<CandidateRow, 'invited_at' | 'result'>[],
): GradingState {
  if (rows.some(({ result }) => result !== null)) return 'closed'
  return rows.some(({ invited_at }) => invited_at !== null) ? 'open' : 'draft'
}
