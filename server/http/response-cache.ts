import { createCache } from '../db/cache.ts'
import { DOJO_CHANGED, type Tx } from '../db/database.ts'
import { now } from '../lib/clock.ts'
import type { App } from './serve.ts'

const MAX_DOJOS = 50
/** A calendar day begins somewhere on earth every quarter of an hour, and may change the response. */
const QUARTER_HOUR_MS = 15 * 60_000

/**
 * Caches in memory a response that is the same for everyone in a dojo, until a row of that dojo changes, on whichever server or in raw SQL.
 * `make` may read only tables with the trigger publish_dojo_change (decision 11); attendance and messages, for example, have none.
 */
export function cachePerDojo<T extends object>({ db, pubsub }: App, make: (tx: Tx, dojoId: string) => Promise<T>) {
  const cache = createCache<{ dojoId: string; response: T }>(pubsub, MAX_DOJOS)
  pubsub.subscribe(DOJO_CHANGED, (changed) => cache.invalidate(({ dojoId }) => dojoId === changed))
  return async (dojoId: string): Promise<T> => {
    const load = () => db.inDojo(dojoId, async (tx) => ({ dojoId, response: await make(tx, dojoId) }))
    return (await cache.get(`${dojoId} ${Math.floor(now().getTime() / QUARTER_HOUR_MS)}`, load))!.response
  }
}
