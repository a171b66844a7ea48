import type { Analytics } from '@tatami/contract/dashboard'
import { type Belt, BELTS } from '@tatami/contract/ranks'
import { heldRanks, shownRankOf } from '../belts/held-ranks.ts'
import { findMainStyle, laddersOf, type LadderWithRanks } from '../belts/styles.ts'
import type { Tx } from '../db/database.ts'

/** How many students have each rank of the main style, in the order of the ladders, where the dojo has drawn one of its own; otherwise how many
 *  have each of the seven belts. */
export async function studentsByBelt(tx: Tx, worn: Belt[]): Promise<Analytics['belts']> {
  const style = await findMainStyle(tx)
  const ladders = style ? await laddersOf(tx, style.id) : []
  if (!style || ladders.every(isTheSeven))
    return BELTS.map((label) => ({ label, students: worn.filter((belt) => belt === label).length, belt_level: label, rank: null }))
  const held = Map.groupBy((await heldRanks(tx, style, null)).values(), ({ rank }) => rank.id)
  const inUse = ladders.flatMap((ladder) => ladder.ranks.map((rank) => ({ ladder, rank }))).filter(({ rank }) => held.has(rank.id))
  const isNamedTwice = (name: string) => inUse.filter(({ rank }) => rank.name === name).length > 1
  return inUse.map(({ ladder, rank }) => ({
    label: isNamedTwice(rank.name) ? `${rank.name} (${ladder.name})` : rank.name,
    students: held.get(rank.id)!.length,
    belt_level: rank.belt_level,
    rank: shownRankOf(rank),
  }))
}

const isTheSeven = ({ retired_at, ranks }: LadderWithRanks) =>
  retired_at === null && ranks.map(({ name }) => name.toLowerCase()).join() === BELTS.join()
