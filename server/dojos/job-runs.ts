import { and, eq, notExists, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { equalsAny } from '../db/bulk.ts'
import { dojos, jobRuns } from './tables.ts'

/** Finds dojos in these time zones where no server has started the job on `day` yet. */
export async function findDueDojos(
  overseerTx: Tx,
  job: string,
  day: string,
  timeZones: string[],
  condition: SQL = sql`true`,
): Promise<string[]> {
  const runsOfDay = overseerTx
    .select({ one: sql`1` })
    .from(jobRuns)
    .where(and(eq(jobRuns.dojo_id, dojos.id), eq(jobRuns.job, job), eq(jobRuns.day, day)))
  const dueDojos = await overseerTx
    .select({ id: dojos.id })
    .from(dojos)
    .where(and(equalsAny(dojos.time_zone, timeZones), notExists(runsOfDay), condition))
  return dueDojos.map(({ id }) => id)
}

/** Records that the job runs on this day. Returns false if another server has already claimed
 *  it. */
export async function claimJobRun(tx: Tx, job: string, day: string): Promise<boolean> {
  const claimedRuns = await tx
    .insert(jobRuns)
    .values({ job, day })
    .onConflictDoNothing()
    .returning({ day: jobRuns.day })
  return claimedRuns.length > 0
}

export async function hasJobRun(
  tx: Tx,
  job: string,
  day: string,
  dojoId?: string,
): Promise<boolean> {
  const runs = await tx
    .select({ day: jobRuns.day })
    .from(jobRuns)
    .where(
      and(
        eq(jobRuns.job, job),
        eq(jobRuns.day, day),
        dojoId ? eq(jobRuns.dojo_id, dojoId) : undefined,
      ),
    )
  return runs.length > 0
}
