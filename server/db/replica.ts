import type { Database } from './database.ts'
import { isUnavailable } from './database-errors.ts'

/** Runs read-only transactions. Their data may be a little older than on the primary. */
export type Replica = Pick<Database, 'inDojo' | 'withoutDojo'>

/** After a failure, the standby is not used for this long. */
const PAUSE_MS = 5_000

/** Reads from the standby or, if this fails, from the primary. The standby may be down, cancel a
 *  conflicting query or lack a new row. */
export function preferStandby(primary: Database, standby: Database | undefined): Replica {
  if (!standby) return primary
  let pausedUntil = -Infinity
  const read = async <Result>(query: (database: Database) => Promise<Result>): Promise<Result> => {
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
