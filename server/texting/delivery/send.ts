import type { Database, Tx } from '../../db/database.ts'
import type { Breaker } from './breaker.ts'
import { type Claimed, SEND_WITHIN_MS } from './claim.ts'
import { OPTED_OUT, wordsFor } from '../providers/error-codes.ts'
import { type Outgoing, type Provider, SendFailure, type Standing } from '../providers/provider.ts'
import { holdBack, slowDown } from './rate-limit.ts'
import { putBack, recordDoubt, recordRefused, recordSent } from './record.ts'
import { tellStopped } from './tell.ts'
import { lineUpAgain } from './queue.ts'

const LATER_SECONDS = 5,
  STOP_SECONDS = 30

export const outgoing = ({ dojo_id, id, phone, text }: Claimed): Outgoing => ({ dojoId: dojo_id, messageId: id, to: phone, text })

type Sender = { db: Database; provider: Provider; perSecond: number; trouble: Breaker }

/** Sends a text that has been claimed and committed as such, and records what became of it. `claimedAt` is by performance.now(). */
export async function sendText({ db, provider, perSecond, trouble }: Sender, text: Claimed, claimedAt: number): Promise<void> {
  const inDojo = <T>(work: Parameters<typeof db.inDojo<T>>[1]) => db.inDojo(text.dojo_id, work)
  // Known already, and not by the provider's word: nothing more is to be heeded.
  if (text.opted_out) return inDojo((tx) => recordRefused(tx, text, null, wordsFor(OPTED_OUT)))
  // A server that was held up may no longer have the claim when the text leaves.
  if (performance.now() - claimedAt > SEND_WITHIN_MS) return inDojo((tx) => putBack(tx, text, 0))
  const answer = await provider
    .send(outgoing(text))
    .catch((failure: unknown) => (failure instanceof SendFailure ? failure : new SendFailure('unknown', 'broken', { cause: failure })))
  const pauseSeconds = trouble(answer instanceof SendFailure ? answer.outcome : null)
  if (answer instanceof SendFailure) return inDojo((tx) => recordFailure(tx, text, answer, { perSecond, pauseSeconds }))
  // Held by a twin whose own sending was in doubt: that text is sent now, and what the twin's own call left may be there for this one.
  await inDojo(async (tx) => (await recordSent(tx, text, answer satisfies Standing, provider.calls)) || recordDoubt(tx, text, 0))
}

type Pacing = { perSecond: number; pauseSeconds: number }

async function recordFailure(tx: Tx, text: Claimed, failure: SendFailure, { perSecond, pauseSeconds }: Pacing): Promise<void> {
  const { outcome, code, message, retryAfterSeconds } = failure
  switch (outcome) {
    case 'unknown':
      await recordDoubt(tx, text, 0)
      if (pauseSeconds > 0) await holdBack(tx, pauseSeconds)
      return
    case 'later':
      return putBack(tx, text, LATER_SECONDS)
    case 'refused':
      return recordRefused(tx, text, code, code === null ? message : undefined)
    case 'slow-down': {
      await putBack(tx, text, 0)
      await lineUpAgain(tx, [text.dojo_id])
      await slowDown(tx, perSecond)
      const seconds = Math.max(pauseSeconds, retryAfterSeconds)
      if (seconds > 0) await holdBack(tx, seconds)
      return
    }
    case 'stop':
      await putBack(tx, text, STOP_SECONDS)
      await holdBack(tx, STOP_SECONDS)
      return tellStopped(tx, text.dojo_id, message)
  }
}
