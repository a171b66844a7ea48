import { and, eq, notExists, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { equalsAny } from '../db/bulk.ts'
import { dojos, timetableRuns } from './tables.ts'

/** Of all dojos in these time zones, for the overseer, those that have not done a job on the day that it is there. */
export async function dojosToRun(over: Tx, job: string, day: string, timeZones: string[], only: SQL = sql`true`): Promise<string[]> {
  const done = over
    .select({ one: sql`1` })
    .from(timetableRuns)
    .where(and(eq(timetableRuns.dojo_id, dojos.id), eq(timetableRuns.job, job), eq(timetableRuns.day, day)))
  const due = await over
    .select({ id: dojos.id })
    .from(dojos)
    .where(and(equalsAny(dojos.time_zone, timeZones), notExists(done), only))
  return due.map(({ id }) => id)
}

/** Claims a job of the transaction's dojo for a day; false when it has been done, by whichever server. */
export async function claimRun(tx: Tx, job: string, day: string): Promise<boolean> {
  const claimed = await tx.insert(timetableRuns).values({ job, day }).onConflictDoNothing().returning({ day: timetableRuns.day })
  return claimed.length > 0
}

/** Whether a job of a dojo, without one the transaction's, has been done for a day. */
export async function hasRun(tx: Tx, job: string, day: string, dojoId?: string): Promise<boolean> {
  const done = await tx
    .select({ day: timetableRuns.day })
    .from(timetableRuns)
    .where(and(eq(timetableRuns.job, job), eq(timetableRuns.day, day), dojoId ? eq(timetableRuns.dojo_id, dojoId) : undefined))
  return done.length > 0
}
