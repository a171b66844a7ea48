import { getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { createCache } from '../db/cache.ts'
import { now } from '../lib/clock.ts'
import { WRITTEN, type Tx } from '../db/database.ts'
import type { App } from './serve.ts'

const MAX_DOJOS = 50
/** A calendar day begins somewhere on earth every quarter of an hour, and may change the answer. */
const QUARTER_MS = 15 * 60_000

/**
 * An answer that is the same for whoever in a dojo may ask, kept in memory until one of the tables that it is made of is written
 * in that dojo, by whichever server. What goes out by `on delete` or `on update cascade` alone is not noticed: name the table above as well.
 */
export function cachePerDojo<T extends object>(
  { db, pubsub }: App,
  tables: readonly PgTable[],
  make: (tx: Tx, dojoId: string) => Promise<T>,
) {
  const cache = createCache<{ dojoId: string; answer: T }>(pubsub, MAX_DOJOS)
  const names = new Set(tables.map((table) => getTableName(table)))
  db.watch(tables)
  pubsub.subscribe(WRITTEN, (word) => {
    const [written, list = ''] = word.split(':')
    if (list.split(',').some((name) => names.has(name))) cache.invalidate(({ dojoId }) => dojoId === written)
  })
  return async (dojoId: string): Promise<T> => {
    const load = () => db.inDojo(dojoId, async (tx) => ({ dojoId, answer: await make(tx, dojoId) }))
    return (await cache.get(`${dojoId} ${Math.floor(now().getTime() / QUARTER_MS)}`, load))!.answer
  }
}
