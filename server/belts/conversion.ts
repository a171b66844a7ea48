import type { Conversion, ConversionPreview } from '@tatami/contract/belts/belts'
import { BELTS } from '@tatami/contract/lib/ranks'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { isFor } from './rank-of-level.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { Member } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { firstRow, getOrThrow, pick } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import { type CurrentRank, heldRanks } from './held-ranks.ts'
import { lockStudents, writeBeltLevels } from './history.ts'
import { writeConversions } from './keep-ranks.ts'
import {
  keepMainStyle,
  ladderById,
  type LadderWithRanks,
  type RankRow,
  type StyleRow,
} from './styles.ts'
import { ladders } from './tables.ts'

/** The ranks that students for whom the ladder is hold on other ladders, from the lowest up,
 *  each with a suggestion of its new rank. */
export async function previewConversion(
  tx: Tx,
  caller: Member,
  ladderId: string,
): Promise<ConversionPreview> {
  const { style, ladder, all } = await ladderToConvertTo(tx, ladderId)
  const currentRanks = (await ranksOfIntended(tx, caller, style, ladder)).filter(
    ({ rank }) => rank.ladder_id !== ladderId,
  )
  const counts = Map.groupBy(currentRanks, ({ rank }) => rank.id)
  return {
    belts: all.flatMap((oldLadder) =>
      oldLadder.ranks
        .filter(({ id }) => counts.has(id))
        .map((rank) => ({
          ...pick(rank, 'name', 'belt_level'),
          from_rank_id: rank.id,
          students: getOrThrow(counts, rank.id).length,
          suggested_rank_id: suggestedRank(rank, oldLadder.ranks, ladder.ranks).id,
        })),
    ),
  }
}

/** A rank that counts as the same belt, in proportion if there are several. Otherwise the
 *  highest below. */
export function suggestedRank<R extends Pick<RankRow, 'id' | 'belt_level' | 'retired_at'>>(
  rank: R,
  oldRanks: R[],
  newRanks: R[],
): R {
  const inUse = newRanks.filter(({ retired_at }) => retired_at === null)
  const ofLevel = (ranks: R[]) => ranks.filter(({ belt_level }) => belt_level === rank.belt_level)
  const [oldPeers, newPeers] = [ofLevel(oldRanks), ofLevel(inUse)]
  const lower = inUse.findLast(
    ({ belt_level }) => BELTS.indexOf(belt_level) < BELTS.indexOf(rank.belt_level),
  )
  return (
    newPeers[
      Math.floor(
        (oldPeers.findIndex(({ id }) => id === rank.id) * newPeers.length) / oldPeers.length,
      )
    ] ??
    lower ??
    firstRow(inUse)
  )
}

/** Converts students to the ladder in one act. They keep their stripes, the day they got the
 *  belt and their classes since. Ladders that this empties are retired. 404 for a rank of
 *  another style, or if the new rank is not on this ladder. */
export async function convert(tx: Tx, caller: Member, ladderId: string, { belts }: Conversion) {
  await keepMainStyle(tx)
  const { style, ladder, all } = await ladderToConvertTo(tx, ladderId)
  const targetRanks = new Map(
    ladder.ranks.filter(({ retired_at }) => retired_at === null).map((rank) => [rank.id, rank]),
  )
  const sourceIds = new Set(all.flatMap(({ ranks }) => ranks).map(({ id }) => id))
  if (
    belts.some(
      ({ from_rank_id, to_rank_id }) =>
        !sourceIds.has(from_rank_id) || !targetRanks.has(to_rank_id),
    )
  )
    throw notFound('Rank')
  const targetByRank = new Map(
    belts.map(({ from_rank_id, to_rank_id }) => [
      from_rank_id,
      getOrThrow(targetRanks, to_rank_id),
    ]),
  )
  if (targetByRank.size < belts.length) throw invalid('belts', 'A belt is named twice.')

  const act_id = newId()
  const ids = (await ranksOfIntended(tx, caller, style, ladder)).flatMap(({ student_id, rank }) =>
    targetByRank.has(rank.id) ? [student_id] : [],
  )
  await lockStudents(tx, ids)
  // Read again under the lock.
  const conversions = [...(await heldRanks(tx, style, ids)).values()].flatMap((currentRank) => {
    const rank = targetByRank.get(currentRank.rank.id)
    return rank && rank.id !== currentRank.rank.id
      ? [{ ...currentRank, rank, before: currentRank.rank }]
      : []
  })
  await writeConversions(tx, caller, style, conversions, act_id)
  if (style.is_main) await writeBeltLevels(tx, ids)
  await retireEmpty(
    tx,
    style,
    act_id,
    new Set(conversions.map(({ before }) => before.ladder_id).filter((id) => id !== ladderId)),
  )
  await auditAction(tx, caller, 'belts converted', {
    subject_id: ladderId,
    details: { students: conversions.length, name: ladder.name },
  })
  return { act_id, students: conversions.length }
}

export async function reviveLadders(tx: Tx, actId: string): Promise<void> {
  await tx
    .update(ladders)
    .set({ retired_at: null, retired_by_act: null })
    .where(eq(ladders.retired_by_act, actId))
}

async function ladderToConvertTo(tx: Tx, id: string) {
  const target = await ladderById(tx, id)
  if (target.ladder.retired_at !== null) throw new Refusal(409, 'This ladder is retired.')
  return target
}

async function ranksOfIntended(
  tx: Tx,
  { dojoId }: Member,
  style: StyleRow,
  ladder: LadderWithRanks,
): Promise<CurrentRank[]> {
  const today = await todayOf(tx, dojoId)
  const born = await tx.select(pick(students, 'id', 'date_of_birth')).from(students)
  const suitedIds = new Set(
    born.filter(({ date_of_birth }) => isFor(ladder, today, date_of_birth)).map(({ id }) => id),
  )
  return [...(await heldRanks(tx, style, null)).values()].filter(({ student_id }) =>
    suitedIds.has(student_id),
  )
}

async function retireEmpty(
  tx: Tx,
  style: StyleRow,
  retired_by_act: string,
  leftLadderIds: Set<string>,
): Promise<void> {
  if (leftLadderIds.size === 0) return
  for (const { rank } of (await heldRanks(tx, style, null)).values())
    leftLadderIds.delete(rank.ladder_id)
  await tx
    .update(ladders)
    .set({ retired_at: nowIso(), retired_by_act })
    .where(and(inArray(ladders.id, [...leftLadderIds]), isNull(ladders.retired_at)))
}
