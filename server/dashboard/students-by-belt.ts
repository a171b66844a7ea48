import type { Analytics } from '@tatami/contract/dashboard/dashboard'
import { type Belt, BELTS } from '@tatami/contract/lib/ranks'
import { findCurrentRanks, toShownRank } from '../belts/held-ranks.ts'
import { findMainStyle, findLadders, type LadderWithRanks, type StyleRow } from '../belts/styles.ts'
import type { Tx } from '../db/database.ts'
import { getOrThrow } from '../lib/rows.ts'

export async function ownLadders(
  tx: Tx,
): Promise<{ style: StyleRow; ladders: LadderWithRanks[] } | null> {
  const style = await findMainStyle(tx)
  const ladders = style ? await findLadders(tx, style.id) : []
  return style && !ladders.every(isTheSeven) ? { style, ladders } : null
}

const isTheSeven = ({ retired_at, ranks }: LadderWithRanks) =>
  retired_at === null && ranks.map(({ name }) => name.toLowerCase()).join() === BELTS.join()

type CountedRank = Pick<Analytics['belts'][number], 'label' | 'belt_level' | 'rank'>
/** In the order of the ladders. Ranks of the same name are told apart by their ladders. */
export function countedRanks<T>(
  ladders: LadderWithRanks[],
  counts: Map<string, T>,
): (CountedRank & { count: T })[] {
  const entries = ladders
    .flatMap((ladder) => ladder.ranks.map((rank) => ({ ladder, rank })))
    .filter(({ rank }) => counts.has(rank.id))
  const isNamedTwice = (name: string) => entries.filter(({ rank }) => rank.name === name).length > 1
  return entries.map(({ ladder, rank }) => ({
    label: isNamedTwice(rank.name) ? `${rank.name} (${ladder.name})` : rank.name,
    belt_level: rank.belt_level,
    rank: toShownRank(rank),
    count: getOrThrow(counts, rank.id),
  }))
}

export async function studentsByBelt(tx: Tx, worn: Belt[]): Promise<Analytics['belts']> {
  const mainStyle = await ownLadders(tx)
  if (!mainStyle)
    return BELTS.map((label) => ({
      label,
      students: worn.filter((belt) => belt === label).length,
      belt_level: label,
      rank: null,
    }))
  const studentsByRank = Map.groupBy(
    (await findCurrentRanks(tx, mainStyle.style, null)).values(),
    ({ rank }) => rank.id,
  )
  return countedRanks(mainStyle.ladders, studentsByRank).map(({ count, ...rank }) => ({
    ...rank,
    students: count.length,
  }))
}
