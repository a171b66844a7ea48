import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { DAY_MS, now, nowIso } from '../../lib/clock.ts'
import type { Tx } from '../../db/database.ts'
import { giveBack } from '../allowance.ts'
import type { Claimed } from './claim.ts'
import { wordsFor } from '../providers/error-codes.ts'
import { heed } from './heed.ts'
import { followFate } from './statuses.ts'
import type { Fate, Standing } from '../providers/provider.ts'
import { messages, providerMessages } from '../tables.ts'

const GIVE_UP_MS = DAY_MS
const ASK_FIRST_SECONDS = 2
/** Where statuses come by themselves, one may still get lost on the way. */
const ASK_AFTER_ALL_SECONDS = 600

const inSeconds = (seconds: number) => sql`clock_timestamp() + ${seconds} * interval '1 second'`
const stillOurs = ({ id, claim }: Claimed) => and(eq(messages.id, id), eq(messages.claim, claim))

/**
 * The provider has it, under this id. False when another text holds the id: two texts with the same phone and words are told apart by
 * nothing else, and each id stands for one of them.
 */
export async function recordSent(
  tx: Tx,
  { id, dojo_id }: Pick<Claimed, 'id' | 'dojo_id'>,
  standing: Standing,
  statusesCome: boolean,
): Promise<boolean> {
  const [held] = await tx
    .insert(providerMessages)
    .values({ id: standing.id, dojo_id, message_id: id })
    .onConflictDoUpdate({ target: providerMessages.id, set: { dojo_id, message_id: id }, setWhere: isNull(providerMessages.message_id) })
    .returning()
  if (!held) {
    const [ours] = await tx
      .select({ id: messages.id })
      .from(messages)
      .where(and(eq(messages.id, id), eq(messages.provider_id, standing.id)))
    return ours !== undefined
  }
  await tx
    .update(messages)
    .set({
      state: 'accepted',
      provider_id: standing.id,
      reason: null,
      claim: null,
      sent_at: nowIso(),
      updated_at: nowIso(),
      due_at: inSeconds(statusesCome ? ASK_AFTER_ALL_SECONDS : ASK_FIRST_SECONDS),
    })
    .where(and(eq(messages.id, id), inArray(messages.state, ['queued', 'sending', 'in_doubt', 'uncertain'])))
  for (const known of [standing, { fate: held.status as Fate | null, errorCode: held.error_code }]) {
    if (known.fate) await followFate(tx, dojo_id, id, standing.id, known.fate, known.errorCode)
  }
  return true
}

/** It was not sent and never will be: its allowance is given back. */
export async function recordRefused(tx: Tx, text: Claimed, code: number | null, reason = wordsFor(code)): Promise<void> {
  const [refused] = await tx
    .update(messages)
    .set({ state: 'failed', reason, error_code: code, claim: null, due_at: null, updated_at: nowIso() })
    .where(stillOurs(text))
    .returning({ id: messages.id })
  if (!refused) return
  await giveBack(tx, text.allowance_day, reason)
  await heed(tx, text, code)
}

/** It was not sent, and is tried again; after a day of that nobody would want it any more. */
export async function putBack(tx: Tx, text: Claimed, seconds: number): Promise<void> {
  if (now().getTime() - Date.parse(text.updated_at) > GIVE_UP_MS)
    return recordRefused(tx, text, null, 'The text service could not be reached for a day')
  await tx
    .update(messages)
    .set({ state: 'queued', claim: null, due_at: inSeconds(seconds) })
    .where(stillOurs(text))
}

/** It may have been sent; the provider is asked in so many seconds. */
export const recordDoubt = (tx: Tx, text: Claimed, seconds: number, unanswered = 0) =>
  tx
    .update(messages)
    .set({ state: 'in_doubt', claim: null, unanswered, due_at: inSeconds(seconds) })
    .where(stillOurs(text))

/** Nobody can say whether it was sent, so it is not sent again by itself. */
export async function recordUncertain(tx: Tx, text: Claimed): Promise<void> {
  await tx
    .update(messages)
    .set({
      state: 'uncertain',
      reason: 'The text service does not say whether it was sent',
      claim: null,
      due_at: null,
      updated_at: nowIso(),
    })
    .where(stillOurs(text))
}
