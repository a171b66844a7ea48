import { createCache } from '../db/cache.ts'
import { DOJO_CHANGED, type Tx } from '../db/database.ts'
import { now } from '../lib/clock.ts'
import type { App } from './serve.ts'

/** How much the responses of one endpoint may take, for all dojos together. */
const MAX_BYTES = 64 * 1024 * 1024
/** A calendar day begins somewhere on earth every quarter of an hour, and may change the response. */
const QUARTER_HOUR_MS = 15 * 60_000

type CachedValue<V> = { quarter: number; value: V }

/**
 * Caches in memory what is the same for everyone in a dojo, until a row of that dojo changes, on whichever server or in raw SQL: mostly a
 * response. `make` may read only tables with the trigger publish_dojo_change (decision 11); attendance and messages, for example, have none.
 */
export function cachePerDojo<V extends { maxBytes: number }>(
  { db, pubsub }: Pick<App, 'db' | 'pubsub'>,
  make: (tx: Tx, dojoId: string) => Promise<V>,
  maxBytes = MAX_BYTES,
) {
  // One value for each dojo: under a key for each quarter of an hour, those that are over would stay until the room is needed.
  const cache = createCache<CachedValue<V>>(pubsub, {
    name: 'responses',
    maxBytes,
    bytesOf: ({ value }) => value.maxBytes,
  })
  pubsub.subscribe(DOJO_CHANGED, cache.invalidate)
  return async (dojoId: string): Promise<V> => {
    const quarter = Math.floor(now().getTime() / QUARTER_HOUR_MS)
    const load = async () => ({ quarter, value: await db.inDojo(dojoId, (tx) => make(tx, dojoId)) })
    const cachedValue = (await cache.get(dojoId, load))!
    if (cachedValue.quarter === quarter) return cachedValue.value
    cache.invalidate(dojoId)
    return (await cache.get(dojoId, load))!.value
  }
}
