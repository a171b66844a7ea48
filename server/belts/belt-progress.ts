import { sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import { inMainStyle, lastChanges } from './last-change.ts'
import type { Tx } from '../db/database.ts'

/** Since which day, by the dojo's calendar, a student wears the belt, and how many classes they have attended after that day. */
type BeltProgress = { since: string; classes: number }

/** Of each of these students who was given a belt here, or of whom it was noted when they were; of the others it is not known. */
export async function beltProgressOf(tx: Tx, ids: string[]): Promise<Map<string, BeltProgress>> {
  const { rows } = await tx.execute<BeltProgress & { student_id: string }>(sql`
    with head as materialized (${lastChanges(sql`c.student_id = any(${sql.param(ids)}::uuid[])`, inMainStyle)})
    select head.student_id, head.given_on::text as since, head.classes_before + (select count(*)::int from ${attendance} a
      where a.student_id = head.student_id and a.present and a.class_date > head.given_on) as classes
    from head where head.kind <> 'start'`)
  return new Map(rows.map(({ student_id, ...progress }) => [student_id, progress]))
}
