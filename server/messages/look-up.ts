import type { Database } from '../kernel/database.ts'
import type { Claimed } from './claim.ts'
import type { Provider, Standing } from './provider.ts'
import { putBack, recordDoubt, recordSent, recordUncertain } from './record.ts'
import { outgoing } from './send.ts'

const MARGIN_MS = 60_000
/** A request that was cut off may still arrive; what is not there is asked for once more. */
const ASK_AGAIN_SECONDS = 5, MISSES = 2
const UNANSWERED_SECONDS = 2, UNANSWERED = 4

/** Asks the provider whether a text in doubt was sent (product.md, section 6). */
export async function lookUp(db: Database, provider: Provider, text: Claimed): Promise<void> {
  const since = new Date(Date.parse(text.claimed_at) - MARGIN_MS)
  const found = await provider.find(outgoing(text), since).catch(() => null)
  await db.inDojo(text.dojo_id, async (tx) => {
    if (!found) return text.unanswered + 1 < UNANSWERED ? void await recordDoubt(tx, text, UNANSWERED_SECONDS, { ...text, unanswered: text.unanswered + 1 }) : recordUncertain(tx, text)
    for (const standing of found satisfies Standing[]) if (await recordSent(tx, text, standing, provider.calls)) return
    if (text.missed + 1 < MISSES) await recordDoubt(tx, text, ASK_AGAIN_SECONDS, { missed: text.missed + 1 })
    else await putBack(tx, text, 0)
  })
}
