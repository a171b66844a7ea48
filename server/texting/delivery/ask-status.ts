import { eq, sql } from 'drizzle-orm'
import { DAY_MS, now } from '../../lib/clock.ts'
import type { Database } from '../../db/database.ts'
import type { Claimed } from './claim.ts'
import type { Provider } from '../providers/provider.ts'
import { outgoing } from './send.ts'
import { hearStatus } from './statuses.ts'
import { messages } from '../tables.ts'

const SOONEST_SECONDS = 2,
  LATEST_SECONDS = 600

/** Asks how a text stands at the provider, less and less often, until it is final or a day old; a few times only where statuses come
 *  by themselves. */
export async function askStatus(db: Database, provider: Provider, text: Claimed): Promise<void> {
  const standing = await provider.standingOf(outgoing(text), text.provider_id!).catch(() => null)
  const ageMs = now().getTime() - Date.parse(text.updated_at)
  const seconds = Math.min(provider.calls ? Infinity : LATEST_SECONDS, Math.max(SOONEST_SECONDS, ageMs / 1000))
  await db.inDojo(text.dojo_id, async (tx) => {
    const due_at = ageMs > DAY_MS ? null : sql`clock_timestamp() + ${seconds} * interval '1 second'`
    await tx.update(messages).set({ due_at, claim: null }).where(eq(messages.id, text.id))
    if (standing) await hearStatus(tx, standing.id, standing.fate, standing.errorCode)
  })
}
