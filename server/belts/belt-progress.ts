import { sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import { inMainStyle, selectCurrentRankChanges } from './current-rank-query.ts'
import type { Tx } from '../db/database.ts'

type BeltProgress = { since: string; classes: number }

/** Returns the day on which each student got their rank in the main style, and the number of
 *  classes since then. Leaves out students whose belt was never changed in Tatami. */
export async function findBeltProgress(tx: Tx, ids: string[]): Promise<Map<string, BeltProgress>> {
  const isRequestedStudent = sql`c.student_id = any(${sql.param(ids)}::uuid[])`
  const { rows } = await tx.execute<BeltProgress & { student_id: string }>(sql`
    with current as materialized (${selectCurrentRankChanges(isRequestedStudent, inMainStyle)})
    select current.student_id, current.given_on::text as since, current.classes_before + (
      select count(*)::int from ${attendance} a
      where a.student_id = current.student_id and a.present and a.class_date > current.given_on
    ) as classes
    from current where current.kind <> 'start'`)
  return new Map(rows.map(({ student_id, ...progress }) => [student_id, progress]))
}
