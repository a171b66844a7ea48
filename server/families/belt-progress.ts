import { and, desc, eq, gt, sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { beltChanges } from '../belts/tables.ts'

/** Since which day, by the dojo's calendar, a student wears the belt, and how many classes they have attended after that day. */
export type BeltProgress = { since: string; classes: number }

/** Of each of these students whose belt has been changed here; of the others it is not known. */
export async function beltProgressOf(tx: Tx, ids: string[], timeZone: string): Promise<Map<string, BeltProgress>> {
  const changes = await tx
    .selectDistinctOn([beltChanges.student_id], { student_id: beltChanges.student_id, at: beltChanges.changed_at })
    .from(beltChanges)
    .where(equalsAny(beltChanges.student_id, ids))
    .orderBy(beltChanges.student_id, desc(beltChanges.id))
  const progress = changes.map(async ({ student_id, at }) => {
    const since = todayIn(timeZone, new Date(at))
    const attended = and(eq(attendance.student_id, student_id), gt(attendance.class_date, since), sql`${attendance.present}`)
    return [student_id, { since, classes: await tx.$count(attendance, attended) }] as const
  })
  return new Map(await Promise.all(progress))
}
