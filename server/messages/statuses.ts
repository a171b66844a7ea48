import { and, eq, inArray } from 'drizzle-orm'
import { nowIso } from '../kernel/clock.ts'
import { insideDojo, type Tx } from '../kernel/database.ts'
import { giveBack } from './allowance.ts'
import { OPTED_OUT, wordsFor } from './error-codes.ts'
import { heed } from './heed.ts'
import type { Fate } from './provider.ts'
import { messages, providerMessages } from './tables.ts'

const RANK: Record<Fate, number> = { accepted: 1, sent: 2, delivered: 3, undelivered: 3, failed: 3 }
const BEFORE: Record<Fate, ('accepted' | 'sent')[]> = {
  accepted: [],
  sent: ['accepted'],
  delivered: ['accepted', 'sent'],
  undelivered: ['accepted', 'sent'],
  failed: ['accepted', 'sent'],
}

/** A status of a provider's message, in whatever order, however often, and even before we know whose message that is. It only moves forward. */
export async function hearStatus(tx: Tx, id: string, fate: Fate, errorCode: number | null): Promise<void> {
  await tx.insert(providerMessages).values({ id }).onConflictDoNothing()
  const [known] = await tx.select().from(providerMessages).where(eq(providerMessages.id, id)).for('update')
  if (RANK[fate] <= (known!.status ? RANK[known!.status as Fate] : 0)) return
  await tx.update(providerMessages).set({ status: fate, error_code: errorCode }).where(eq(providerMessages.id, id))
  const { dojo_id, message_id } = known!
  if (dojo_id && message_id) await insideDojo(tx, dojo_id, (inside) => followFate(inside, dojo_id, message_id, id, fate, errorCode))
}

/** Moves our text to where the provider's message stands, if that is further on. */
export async function followFate(
  tx: Tx,
  dojoId: string,
  messageId: string,
  providerId: string,
  fate: Fate,
  errorCode: number | null,
): Promise<void> {
  if (BEFORE[fate].length === 0) return
  const isBad = fate === 'undelivered' || fate === 'failed'
  const [moved] = await tx
    .update(messages)
    .set({
      state: fate,
      updated_at: nowIso(),
      ...(isBad && { reason: wordsFor(errorCode), error_code: errorCode }),
      ...(fate !== 'sent' && { due_at: null, claim: null }),
    })
    .where(and(eq(messages.id, messageId), eq(messages.provider_id, providerId), inArray(messages.state, BEFORE[fate])))
    .returning()
  if (!moved || !isBad) return
  await heed(tx, { dojo_id: dojoId, phone: moved.phone!, student_id: moved.student_id }, errorCode)
  if (errorCode === OPTED_OUT) await giveBack(tx, moved.allowance_day!, wordsFor(errorCode))
}
