import type { Database } from './database.ts'
import { isUnavailable } from './database-errors.ts'

/** Read-only transactions whose results may lag. */
export type Replica = Pick<Database, 'inDojo' | 'withoutDojo'>

const AWAY_MS = 5_000

/** Reads from the standby, and again from the primary if that fails: the standby may be away,
 *  cancel conflicting queries, or lack a new row. */
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
