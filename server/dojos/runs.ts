import { and, eq } from 'drizzle-orm'
import type { Tx } from '../kernel/database.ts'
import { timetableRuns } from './tables.ts'

/** Claims a job of the transaction's dojo for a day; false when it has been done, by whichever server. */
export async function claimRun(tx: Tx, job: string, day: string): Promise<boolean> {
  const claimed = await tx.insert(timetableRuns).values({ job, day }).onConflictDoNothing().returning({ day: timetableRuns.day })
  return claimed.length > 0
}

/** Whether a job of the transaction's dojo has been done for a day. */
export async function hasRun(tx: Tx, job: string, day: string): Promise<boolean> {
  const done = await tx
    .select({ day: timetableRuns.day })
    .from(timetableRuns)
    .where(and(eq(timetableRuns.job, job), eq(timetableRuns.day, day)))
  return done.length > 0
}
