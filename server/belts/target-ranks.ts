import type { Tx } from '../db/database.ts'
import { invalid, notFound } from '../lib/refusal.ts'
import { findLadders, type LadderRow, listStyles, type RankRow, type StyleRow } from './styles.ts'

export type TargetRank = { rank: RankRow; ladder: LadderRow; style: StyleRow }

/** Finds the ranks to which students will be promoted. Throws 404 for an unknown rank, 422 for a
 *  retired one. */
export async function findTargetRanks(tx: Tx, ids: string[]): Promise<Map<string, TargetRank>> {
  const rankIds = new Set(ids)
  const targets = new Map<string, TargetRank>()
  for (const style of await listStyles(tx))
    for (const ladder of await findLadders(tx, style.id))
      for (const rank of ladder.ranks)
        if (rankIds.has(rank.id)) targets.set(rank.id, { rank, ladder, style })
  if (targets.size < rankIds.size) throw notFound('Rank')
  for (const { rank, ladder } of targets.values())
    if (rank.retired_at !== null || ladder.retired_at !== null)
      throw invalid('rank_id', `${rank.name} is retired. Please choose another rank.`)
  return targets
}
