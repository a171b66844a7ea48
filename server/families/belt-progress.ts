import { sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import { inMainStyle, joinLastChanges } from '../belt-history/last-change.ts'
import type { Tx } from '../db/database.ts'
import { students } from '../students/tables.ts'

/** Since which day, by the dojo's calendar, a student wears the belt, and how many classes they have attended after that day. */
export type BeltProgress = { since: string; classes: number }

/** Of each of these students who was given a belt here, or of whom it was noted when they were; of the others it is not known. */
export async function beltProgressOf(tx: Tx, ids: string[]): Promise<Map<string, BeltProgress>> {
  const { rows } = await tx.execute<BeltProgress & { student_id: string }>(sql`
    select s.id as student_id, head.given_on::text as since, head.classes_before + (select count(*)::int from ${attendance} a
      where a.student_id = s.id and a.present and a.class_date > head.given_on) as classes
    from ${students} s ${joinLastChanges(inMainStyle)} where s.id = any(${sql.param(ids)}::uuid[]) and head.kind <> 'start'`)
  return new Map(rows.map(({ student_id, ...progress }) => [student_id, progress]))
}
