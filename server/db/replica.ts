import type { Database } from './database.ts'
import { isUnavailable } from './database-errors.ts'

/** Runs read-only transactions, whose data may be a little older than on the primary. */
export type Replica = Pick<Database, 'inDojo' | 'withoutDojo'>

/** After a failure, the standby is not used for this long. */
const PAUSE_MS = 5_000

/** The standby may be down, cancel conflicting queries, or not have a new row yet. */
export function preferStandby(primary: Database, standby: Database | undefined): Replica {
  if (!standby) return primary
  let pausedUntil = -Infinity
  const read = async <T>(query: (database: Database) => Promise<T>): Promise<T> => {
    if (performance.now() < pausedUntil) return query(primary)
    try {
      return await query(standby)
    } catch (error) {
      if (isUnavailable(error)) pausedUntil = performance.now() + PAUSE_MS
      return query(primary)
    }
  }
  return {
    inDojo: (dojoId, work) => read((database) => database.inDojo(dojoId, work)),
    withoutDojo: (work) => read((database) => database.withoutDojo(work)),
  }
}
