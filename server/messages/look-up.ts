import type { Database } from '../kernel/database.ts'
import type { Claimed } from './claim.ts'
import type { Provider, SendFailure } from './provider.ts'
import { putBack, recordDoubt, recordSent, recordUncertain } from './record.ts'
import { outgoing } from './send.ts'

const MARGIN_MS = 60_000
/** A request that was cut off may still arrive; what is not there is asked for once more. */
const ASK_AGAIN_SECONDS = 5,
  MISSES = 2
const UNANSWERED_SECONDS = 1.5,
  UNANSWERED = 6

/** Asks the provider whether a text in doubt was sent (product.md, section 6). */
export async function lookUp(db: Database, provider: Provider, text: Claimed): Promise<void> {
  const since = new Date(Date.parse(text.claimed_at) - MARGIN_MS)
  const found = await provider.find(outgoing(text), since).catch((failure: SendFailure) => failure)
  await db.inDojo(text.dojo_id, async (tx) => {
    if (!Array.isArray(found)) {
      // Being asked too fast is no answer, and no refusal either.
      const unanswered = text.unanswered + (found.outcome === 'slow-down' ? 0 : 1)
      return unanswered < UNANSWERED
        ? void (await recordDoubt(tx, text, UNANSWERED_SECONDS, { missed: text.missed, unanswered }))
        : recordUncertain(tx, text)
    }
    for (const standing of found) if (await recordSent(tx, text, standing, provider.calls)) return
    if (text.missed + 1 < MISSES) await recordDoubt(tx, text, ASK_AGAIN_SECONDS, { missed: text.missed + 1 })
    else await putBack(tx, text, 0)
  })
}
