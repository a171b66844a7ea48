import { and, eq, inArray } from 'drizzle-orm'
import { nowIso } from '../../lib/clock.ts'
import { insideDojo, type Tx } from '../../db/database.ts'
import { giveBack, takeBack } from '../allowance.ts'
import { OPTED_OUT, wordsFor } from '../providers/error-codes.ts'
import { clearBadPhone, heed } from './heed.ts'
import type { Fate } from '../providers/provider.ts'
import { messages, providerMessages } from '../tables.ts'

/**
 * Every status by how much it says: of several, in whatever order they come, the last in this list holds. Callbacks overtake each other,
 * so that which came first means nothing. `failed` never left the provider; `undelivered` did, and the carrier gave it up; `delivered`
 * is what the phone itself confirmed, which nothing takes back.
 */
const BY_STRENGTH: readonly Fate[] = ['accepted', 'sent', 'failed', 'undelivered', 'delivered']

type Heard = { fate: Fate | null; errorCode: number | null }
const rankOf = ({ fate }: Heard) => (fate === null ? -1 : BY_STRENGTH.indexOf(fate))
/** Whether a status says more than another; of two alike, the one that names an error, or the higher one. */
export const saysMore = (one: Heard, other: Heard): boolean =>
  rankOf(one) === rankOf(other) ? (one.errorCode ?? 0) > (other.errorCode ?? 0) : rankOf(one) > rankOf(other)

/** A status of a provider's message, in whatever order, however often, and even before we know whose message that is. */
export async function hearStatus(tx: Tx, id: string, fate: Fate, errorCode: number | null): Promise<void> {
  await tx.insert(providerMessages).values({ id }).onConflictDoNothing()
  const [known] = await tx.select().from(providerMessages).where(eq(providerMessages.id, id)).for('update')
  if (!saysMore({ fate, errorCode }, { fate: known!.status as Fate | null, errorCode: known!.error_code })) return
  await tx.update(providerMessages).set({ status: fate, error_code: errorCode }).where(eq(providerMessages.id, id))
  const { dojo_id, message_id } = known!
  if (dojo_id && message_id) await insideDojo(tx, dojo_id, (inside) => followFate(inside, dojo_id, message_id, id, fate, errorCode))
}

/** Moves our text to where the provider's message stands, if that says more. */
export async function followFate(
  tx: Tx,
  dojoId: string,
  messageId: string,
  providerId: string,
  fate: Fate,
  errorCode: number | null,
): Promise<void> {
  if (fate === 'accepted') return
  // A text that was sent again has let go of the id.
  const isIt = and(eq(messages.id, messageId), eq(messages.provider_id, providerId), inArray(messages.state, [...BY_STRENGTH]))
  const [text] = await tx.select().from(messages).where(isIt).for('update')
  if (!text || !saysMore({ fate, errorCode }, { fate: text.state as Fate, errorCode: text.error_code })) return
  const isTrouble = fate === 'undelivered' || fate === 'failed'
  await tx
    .update(messages)
    .set({
      state: fate,
      updated_at: nowIso(),
      reason: isTrouble ? wordsFor(errorCode) : null,
      error_code: isTrouble ? errorCode : null,
      ...(fate !== 'sent' && { due_at: null, claim: null }),
    })
    .where(isIt)
  const about = { dojo_id: dojoId, phone: text.phone!, student_id: text.student_id }
  if (isTrouble) await heed(tx, about, errorCode)
  if (fate === 'delivered') await clearBadPhone(tx, about)
  const wasFree = text.error_code === OPTED_OUT,
    isFree = isTrouble && errorCode === OPTED_OUT
  if (isFree && !wasFree) await giveBack(tx, text.allowance_day!, wordsFor(errorCode))
  if (wasFree && !isFree) await takeBack(tx, text.allowance_day!, 'sent after all')
}
