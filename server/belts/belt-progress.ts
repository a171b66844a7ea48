import { sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import { inMainStyle, lastChanges } from './last-change.ts'
import type { Tx } from '../db/database.ts'

type BeltProgress = { since: string; classes: number }

/** Since when students wear their belt, and their classes after that day. A student whose belt
 *  was never changed here is left out. */
export async function beltProgressOf(tx: Tx, ids: string[]): Promise<Map<string, BeltProgress>> {
  const isAsked = sql`c.student_id = any(${sql.param(ids)}::uuid[])`
  const { rows } = await tx.execute<BeltProgress & { student_id: string }>(sql`
    with head as materialized (${lastChanges(isAsked, inMainStyle)})
    select head.student_id, head.given_on::text as since, head.classes_before + (
      select count(*)::int from ${attendance} a
      where a.student_id = head.student_id and a.present and a.class_date > head.given_on
    ) as classes
    from head where head.kind <> 'start'`)
  return new Map(rows.map(({ student_id, ...progress }) => [student_id, progress]))
}
