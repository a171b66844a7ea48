import type { Conversion, ConversionPreview } from '@tatami/contract/belts/belts'
import { BELTS } from '@tatami/contract/lib/ranks'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { isAgeForLadder } from './rank-for-belt.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { firstRow, getOrThrow, pick, pluck } from '../lib/rows.ts'
import { isCurrentStudent, students } from '../students/tables.ts'
import { type CurrentRank, findCurrentRanks, findRanksOfCurrentStudents } from './current-ranks.ts'
import { lockStudents, writeBeltLevels } from './history.ts'
import { writeConversions } from './preserve-ranks.ts'
import {
  saveMainStyle,
  requireLadder,
  type LadderWithRanks,
  type RankRow,
  indexRanksById,
  type StyleRow,
} from './styles.ts'
import { ladders } from './tables.ts'

/** Lists the ranks to convert: those that students of the right age have on other ladders. */
export async function previewConversion(
  tx: Tx,
  caller: DojoCaller,
  ladderId: string,
): Promise<ConversionPreview> {
  const { style, ladder, styleLadders } = await requireCurrentLadder(tx, ladderId)
  const currentRanks = (await findConvertibleRanks(tx, caller, style, ladder)).filter(
    ({ rank }) => rank.ladder_id !== ladderId,
  )
  const holdersByRank = Map.groupBy(currentRanks, ({ rank }) => rank.id)
  return {
    belts: styleLadders.flatMap((oldLadder) =>
      oldLadder.ranks
        .filter(({ id }) => holdersByRank.has(id))
        .map((rank) => ({
          ...pick(rank, 'name', 'belt_level'),
          from_rank_id: rank.id,
          students: getOrThrow(holdersByRank, rank.id).length,
          suggested_rank_id: suggestRank(rank, oldLadder.ranks, ladder.ranks).id,
        })),
    ),
  }
}

/** Suggests a rank that counts as the same belt. If there are four brown ranks on the old ladder
 *  and two on the new one, the second becomes the first. If no rank counts as the belt, suggests
 *  the next lower rank or the lowest one. */
export function suggestRank<Rank extends Pick<RankRow, 'id' | 'belt_level' | 'retired_at'>>(
  rank: Rank,
  oldRanks: Rank[],
  newRanks: Rank[],
): Rank {
  const currentRanks = newRanks.filter(({ retired_at }) => retired_at === null)
  const isSameBelt = ({ belt_level }: Rank) => belt_level === rank.belt_level
  const oldRanksOfBelt = oldRanks.filter(isSameBelt)
  const newRanksOfBelt = currentRanks.filter(isSameBelt)
  const oldIndex = oldRanksOfBelt.findIndex(({ id }) => id === rank.id)
  const newIndex = Math.floor((oldIndex * newRanksOfBelt.length) / oldRanksOfBelt.length)
  const nextLowerRank = currentRanks.findLast(
    ({ belt_level }) => BELTS.indexOf(belt_level) < BELTS.indexOf(rank.belt_level),
  )
  return newRanksOfBelt[newIndex] ?? nextLowerRank ?? firstRow(currentRanks)
}

/** Moves students to ranks of this ladder. They keep their stripes, the day on which they got the
 *  belt and the classes since then. A ladder that loses its last student is retired. Throws 404 for
 *  a rank of another style or ladder. */
export async function convert(tx: Tx, caller: DojoCaller, ladderId: string, { belts }: Conversion) {
  await saveMainStyle(tx)
  const { style, ladder, styleLadders } = await requireCurrentLadder(tx, ladderId)
  const targetByRank = findTargetRanks(belts, ladder, styleLadders)
  const convertibleRanks = await findConvertibleRanks(tx, caller, style, ladder)
  const convertedRanks = convertibleRanks.filter(({ rank }) => targetByRank.has(rank.id))
  const ids = pluck(convertedRanks, 'student_id')
  await lockStudents(tx, ids)
  // Reads the ranks again, because another request may have promoted a student before the lock.
  const currentRanks = await findCurrentRanks(tx, style, ids)
  const conversions = []
  for (const currentRank of currentRanks.values()) {
    const oldRank = currentRank.rank
    const rank = targetByRank.get(oldRank.id)
    if (rank && rank.id !== oldRank.id) conversions.push({ ...currentRank, rank, oldRank })
  }
  const act_id = newId()
  await writeConversions(tx, caller, style, conversions, act_id)
  if (style.is_main) await writeBeltLevels(tx, ids)
  const oldLadderIds = new Set(conversions.map(({ oldRank }) => oldRank.ladder_id))
  oldLadderIds.delete(ladderId)
  await retireEmptyLadders(tx, style, act_id, oldLadderIds)
  await auditAction(tx, caller, 'belts converted', {
    subject_id: ladderId,
    details: { students: conversions.length, name: ladder.name },
  })
  return { act_id, students: conversions.length }
}

function findTargetRanks(
  belts: Conversion['belts'],
  ladder: LadderWithRanks,
  styleLadders: LadderWithRanks[],
): Map<string, RankRow> {
  const styleRanks = indexRanksById(styleLadders)
  const targetByRank = new Map<string, RankRow>()
  for (const { from_rank_id, to_rank_id } of belts) {
    const target = ladder.ranks.find(({ id }) => id === to_rank_id)
    if (!target || target.retired_at !== null || !styleRanks.has(from_rank_id))
      throw notFound('Rank')
    targetByRank.set(from_rank_id, target)
  }
  if (targetByRank.size < belts.length) throw invalid('belts', 'A belt is listed twice.')
  return targetByRank
}

/** Restores the ladders that a conversion retired. */
export async function restoreLadders(tx: Tx, batchId: string): Promise<void> {
  await tx
    .update(ladders)
    .set({ retired_at: null, retired_by_act: null })
    .where(eq(ladders.retired_by_act, batchId))
}

async function requireCurrentLadder(tx: Tx, id: string) {
  const ladderInStyle = await requireLadder(tx, id)
  if (ladderInStyle.ladder.retired_at !== null) throw new Refusal(409, 'This ladder is retired.')
  return ladderInStyle
}

async function findConvertibleRanks(
  tx: Tx,
  { dojoId }: DojoCaller,
  style: StyleRow,
  ladder: LadderWithRanks,
): Promise<CurrentRank[]> {
  const today = await todayOf(tx, dojoId)
  const studentRows = await tx
    .select(pick(students, 'id', 'date_of_birth'))
    .from(students)
    .where(isCurrentStudent)
  const suitableStudents = studentRows.filter(({ date_of_birth }) =>
    isAgeForLadder(ladder, today, date_of_birth),
  )
  const suitableIds = new Set(pluck(suitableStudents, 'id'))
  const currentRanks = await findCurrentRanks(tx, style, null)
  return [...currentRanks.values()].filter(({ student_id }) => suitableIds.has(student_id))
}

async function retireEmptyLadders(
  tx: Tx,
  style: StyleRow,
  retired_by_act: string,
  oldLadderIds: Set<string>,
): Promise<void> {
  if (oldLadderIds.size === 0) return
  for (const { rank } of (await findRanksOfCurrentStudents(tx, style)).values())
    oldLadderIds.delete(rank.ladder_id)
  await tx
    .update(ladders)
    .set({ retired_at: nowIso(), retired_by_act })
    .where(and(inArray(ladders.id, [...oldLadderIds]), isNull(ladders.retired_at)))
}
