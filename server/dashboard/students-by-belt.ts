import type { Analytics } from '@tatami/contract/dashboard/dashboard'
import { type Belt, BELTS } from '@tatami/contract/lib/ranks'
import { findRanksOfCurrentStudents, toShownRank } from '../belts/current-ranks.ts'
import { findMainStyle, findLadders, type LadderWithRanks, type StyleRow } from '../belts/styles.ts'
import type { Tx } from '../db/database.ts'
import { getOrThrow } from '../lib/rows.ts'

/** Returns null for a dojo that uses only the seven standard belts. */
export async function findOwnLadders(
  tx: Tx,
): Promise<{ style: StyleRow; ladders: LadderWithRanks[] } | null> {
  const style = await findMainStyle(tx)
  const ladders = style ? await findLadders(tx, style.id) : []
  return style && !ladders.every(isSevenBelts) ? { style, ladders } : null
}

const isSevenBelts = ({ retired_at, ranks }: LadderWithRanks) =>
  retired_at === null && ranks.map(({ name }) => name.toLowerCase()).join() === BELTS.join()

type CountedRank = Pick<Analytics['belts'][number], 'label' | 'belt_level' | 'rank'>
/** The label of a rank is its name. If two ranks have the same name, it includes the ladder. */
export function toCountedRanks<Counts extends object>(
  ladders: LadderWithRanks[],
  counts: Map<string, Counts>,
): (CountedRank & Counts)[] {
  const countedRanks = ladders
    .flatMap((ladder) => ladder.ranks.map((rank) => ({ ladder, rank })))
    .filter(({ rank }) => counts.has(rank.id))
  const isSharedName = (name: string) =>
    countedRanks.filter(({ rank }) => rank.name === name).length > 1
  return countedRanks.map(({ ladder, rank }) => ({
    label: isSharedName(rank.name) ? `${rank.name} (${ladder.name})` : rank.name,
    belt_level: rank.belt_level,
    rank: toShownRank(rank),
    ...getOrThrow(counts, rank.id),
  }))
}

export async function countStudentsByBelt(
  tx: Tx,
  currentBelts: Belt[],
): Promise<Analytics['belts']> {
  const mainStyle = await findOwnLadders(tx)
  if (!mainStyle)
    return BELTS.map((label) => ({
      label,
      students: currentBelts.filter((belt) => belt === label).length,
      belt_level: label,
      rank: null,
    }))
  const currentRanks = await findRanksOfCurrentStudents(tx, mainStyle.style)
  const studentRanksById = Map.groupBy(currentRanks.values(), ({ rank }) => rank.id)
  const counts = new Map(
    [...studentRanksById].map(([rankId, studentRanks]) => [
      rankId,
      { students: studentRanks.length },
    ]),
  )
  return toCountedRanks(mainStyle.ladders, counts)
}
