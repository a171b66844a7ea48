import type { Database } from '../../db/database.ts'
import type { Claimed } from './claim.ts'
import type { Provider, SendFailure } from '../providers/provider.ts'
import { putBack, recordDoubt, recordSent, recordUncertain } from './record.ts'
import { outgoing } from './send.ts'

const MARGIN_MS = 60_000
/** The provider may take in a text up to 30 s after its call was cut, a call is cut after 10 s (twilio.ts), and it begins within 2 s of
 *  the claim (claim.ts): what the provider still does not know 60 s after the claim was not sent. */
export const NOT_SENT_AFTER_SECONDS = 60
const ASK_AGAIN_SECONDS = 5
const UNANSWERED_SECONDS = 1.5,
  UNANSWERED = 6

/** Asks the provider whether a text in doubt was sent (product.md, section 6). */
export async function lookUp(db: Database, provider: Provider, text: Claimed, notSentAfterSeconds: number): Promise<void> {
  const since = new Date(Date.parse(text.claimed_at) - MARGIN_MS)
  const found = await provider.find(outgoing(text), since).catch((failure: SendFailure) => failure)
  await db.inDojo(text.dojo_id, async (tx) => {
    if (!Array.isArray(found)) {
      // Being asked too fast is no answer, and no refusal either.
      const unanswered = text.unanswered + (found.outcome === 'slow-down' ? 0 : 1)
      return unanswered < UNANSWERED ? void (await recordDoubt(tx, text, UNANSWERED_SECONDS, unanswered)) : recordUncertain(tx, text)
    }
    for (const standing of found) if (await recordSent(tx, text, standing, provider.calls)) return
    const age = text.claimed_seconds_ago
    if (age < notSentAfterSeconds) await recordDoubt(tx, text, secondsUntilNextLookUp(age, notSentAfterSeconds))
    else await putBack(tx, text, 0)
  })
}

/** Less and less often, and once more when the time is up. */
export const secondsUntilNextLookUp = (age: number, notSentAfterSeconds: number): number =>
  Math.min(Math.max(ASK_AGAIN_SECONDS, age), notSentAfterSeconds - age)
