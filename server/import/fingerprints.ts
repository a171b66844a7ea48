import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { beltChanges } from '../belts/tables.ts'
import { classes } from '../classes/tables.ts'
import type { Tx } from '../db/database.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { enrollments, studentNotes, students } from '../students/tables.ts'

/** `mark` is a hash of the row, as in `ImportDetails`. */
type FingerprintRow = { id: string; mark: string }

const joinStudentRows = (table: PgTable, order: SQL) => sql`(
  select string_agg(t::text, ' ' order by ${order}) from ${table} t
  where t.dojo_id = s.dojo_id and t.student_id = s.id)`

/** Student id → a hash of everything that an import writes about the student. Undo compares hashes
 *  to find students who were changed after the import. */
export async function hashStudents(tx: Tx, ids: string[]): Promise<Map<string, string>> {
  const { rows } = await tx.execute<FingerprintRow>(sql`
    select s.id, md5(concat_ws(' ', s::text,
      ${joinStudentRows(enrollments, sql`t.class_id`)},
      ${joinStudentRows(guardianships, sql`t.guardian_id`)},
      ${joinStudentRows(studentNotes, sql`t.student_id`)},
      ${joinStudentRows(beltChanges, sql`t.id`)})) as mark
    from ${students} s where s.id = any(${sql.param(ids)})`)
  return new Map(rows.map(({ id, mark }) => [id, mark]))
}

export const hashGuardians = (tx: Tx, ids: string[]): Promise<FingerprintRow[]> =>
  hashRows(tx, guardians, ids)
export const hashClasses = (tx: Tx, ids: string[]): Promise<FingerprintRow[]> =>
  hashRows(tx, classes, ids)

async function hashRows(tx: Tx, table: PgTable, ids: string[]): Promise<FingerprintRow[]> {
  const { rows } = await tx.execute<FingerprintRow>(
    sql`select t.id, md5(t::text) as mark from ${table} t where t.id = any(${sql.param(ids)})`,
  )
  return rows
}
