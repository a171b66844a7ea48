import { createCache } from '../db/cache.ts'
import { DOJO_CHANGED, type Tx } from '../db/database.ts'
import { now } from '../lib/clock.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import type { App } from './serve.ts'

const MAX_BYTES = 64 * 1024 * 1024
/** A response may change at midnight. Time zones differ by multiples of 15 minutes. */
const QUARTER_HOUR_MS = 15 * 60_000

type CachedValue<Value> = { quarterHour: number; value: Value }

/** Caches a response until a row of its dojo changes, even by plain SQL. `compute` must read only
 *  tables with the trigger publish_dojo_change (decision 11), so no attendance or messages. */
export function cachePerDojo<Value extends { maxBytes: number }>(
  { db, pubsub }: Pick<App, 'db' | 'pubsub'>,
  compute: (tx: Tx, dojoId: string) => Promise<Value>,
  maxBytes = MAX_BYTES,
) {
  // If the quarter hour were part of the key, the cache would also keep outdated values.
  const cache = createCache<CachedValue<Value>>(pubsub, {
    name: 'responses',
    maxBytes,
    bytesOf: ({ value }) => value.maxBytes,
  })
  pubsub.subscribe(DOJO_CHANGED, cache.invalidate)
  return async (dojoId: string): Promise<Value> => {
    const quarterHour = Math.floor(now().getTime() / QUARTER_HOUR_MS)
    const load = async () => ({
      quarterHour,
      value: await db.inDojo(dojoId, (tx) => compute(tx, dojoId)),
    })
    const cachedValue = mustExist(await cache.get(dojoId, load), 'The response')
    if (cachedValue.quarterHour === quarterHour) return cachedValue.value
    cache.invalidate(dojoId)
    return mustExist(await cache.get(dojoId, load), 'The response').value
  }
}
