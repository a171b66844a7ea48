import { and, eq, isNull, lt } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import type { Actor } from '../guardians/guardian-records.ts'
import { requireLadder, saveMainStyle } from './styles.ts'
import { ranks } from './tables.ts'

export type StripeRaise = { ladderIds: readonly string[]; stripes: number }

/** Allows at least this many stripes on every rank of these ladders. A school that never changed its
 *  belts first gets rows for the seven default belts. */
export async function raiseStripes(
  tx: Tx,
  caller: Actor,
  { ladderIds, stripes }: StripeRaise,
): Promise<void> {
  await saveMainStyle(tx)
  for (const id of ladderIds) {
    await tx
      .update(ranks)
      .set({ stripes })
      .where(and(eq(ranks.ladder_id, id), isNull(ranks.retired_at), lt(ranks.stripes, stripes)))
    const { ladder } = await requireLadder(tx, id)
    await auditAction(tx, caller, 'ladder changed', {
      subject_id: id,
      details: { name: ladder.name },
    })
  }
}
