import { eq } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import type { Actor } from '../guardians/guardian-records.ts'
import { ladderById, type RankRow, saveMainStyle } from './styles.ts'
import { ranks } from './tables.ts'

/** Sets a higher number of stripes for these ranks. A school that still has the seven default belts
 *  gets rows for them first. */
export async function raiseStripes(
  tx: Tx,
  caller: Actor,
  raises: readonly { rank: RankRow; stripes: number }[],
): Promise<void> {
  if (raises.length === 0) return
  await saveMainStyle(tx)
  for (const { rank, stripes } of raises)
    await tx.update(ranks).set({ stripes }).where(eq(ranks.id, rank.id))
  for (const id of new Set(raises.map(({ rank }) => rank.ladder_id))) {
    const { ladder } = await ladderById(tx, id)
    await auditAction(tx, caller, 'ladder changed', {
      subject_id: id,
      details: { name: ladder.name },
    })
  }
}
