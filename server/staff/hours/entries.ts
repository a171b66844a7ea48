import type { HoursEntry } from '@tatami/contract/staff/hours'
import { and, desc, eq, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Tx } from '../../db/database.ts'
import { dojoById } from '../../dojos/dojos.ts'
import { pick } from '../../lib/rows.ts'
import { instructors } from '../../sensei/tables.ts'
import { wallTime } from './spans.ts'
import { staffHours } from './tables.ts'

export type HoursRow = typeof staffHours.$inferSelect
export type EntryWithName = HoursEntry & { person_name: string }

export const readTimeZone = async (tx: Tx, dojoId: string): Promise<string> =>
  (await dojoById(tx, dojoId)).time_zone

const approvers = alias(instructors, 'approvers')

/** Newest first. */
export async function readEntries(
  tx: Tx,
  timeZone: string,
  condition: SQL | undefined,
  limit?: number,
): Promise<EntryWithName[]> {
  const query = tx
    .select({ entry: staffHours, person_name: instructors.name, approver: approvers.name })
    .from(staffHours)
    .innerJoin(instructors, eq(instructors.id, staffHours.person_id))
    .leftJoin(approvers, eq(approvers.id, staffHours.approved_by))
    .where(and(condition))
    .orderBy(desc(staffHours.day), desc(staffHours.starts_at), desc(staffHours.id))
    .$dynamic()
  const rows = await (limit === undefined ? query : query.limit(limit))
  return rows.map(({ entry, person_name, approver }) => ({
    ...pick(entry, 'id', 'person_id', 'day', 'minutes', 'task', 'class_name', 'source'),
    from: entry.starts_at && wallTime(entry.starts_at, timeZone),
    until: entry.ends_at && wallTime(entry.ends_at, timeZone),
    is_approved: entry.approved_at !== null,
    approved_by: approver,
    person_name,
  }))
}
