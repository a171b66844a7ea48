import type { Database } from './database.ts'
import { isUnavailable } from './database-errors.ts'

/** Transactions that only read, and whose answer may be some moments old. */
export type Replica = Pick<Database, 'inDojo' | 'withoutDojo'>

/** For this long a standby that was away is not asked again. */
const AWAY_MS = 5_000

/**
 * Reads from the standby. Whatever fails there is done again on the primary, which has the last word: a standby may be away, cancel what
 * stands in the way of its replay, or not know yet what was just created.
 */
export function preferStandby(primary: Database, standby: Database | undefined): Replica {
  if (!standby) return primary
  let awayUntil = -Infinity
  async function read<T>(query: (database: Database) => Promise<T>): Promise<T> {
    if (performance.now() < awayUntil) return query(primary)
    try {
      return await query(standby!)
    } catch (error) {
      if (isUnavailable(error)) awayUntil = performance.now() + AWAY_MS
      return query(primary)
    }
  }
  return {
    inDojo: (dojoId, work) => read((database) => database.inDojo(dojoId, work)),
    withoutDojo: (work) => read((database) => database.withoutDojo(work)),
  }
}
