import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { beltChanges } from '../belts/tables.ts'
import { classes } from '../classes/tables.ts'
import type { Tx } from '../db/database.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { enrolments, studentNotes, students } from '../students/tables.ts'

type MarkedRow = { id: string; mark: string }

const rowsOf = (table: PgTable, order: SQL) => sql`(
  select string_agg(t::text, ' ' order by ${order}) from ${table} t
  where t.dojo_id = s.dojo_id and t.student_id = s.id)`

/** Hashes of everything that an import writes about a student. A later change makes another. */
export async function studentMarks(tx: Tx, ids: string[]): Promise<Map<string, string>> {
  const { rows } = await tx.execute<MarkedRow>(sql`
    select s.id, md5(concat_ws(' ', s::text, ${rowsOf(enrolments, sql`t.class_id`)},
      ${rowsOf(guardianships, sql`t.guardian_id`)}, ${rowsOf(studentNotes, sql`t.student_id`)},
      ${rowsOf(beltChanges, sql`t.id`)})) as mark
    from ${students} s where s.id = any(${sql.param(ids)})`)
  return new Map(rows.map(({ id, mark }) => [id, mark]))
}

export const guardianMarks = (tx: Tx, ids: string[]): Promise<MarkedRow[]> =>
  marksOf(tx, guardians, ids)
export const classMarks = (tx: Tx, ids: string[]): Promise<MarkedRow[]> => marksOf(tx, classes, ids)

async function marksOf(tx: Tx, table: PgTable, ids: string[]): Promise<MarkedRow[]> {
  const { rows } = await tx.execute<MarkedRow>(
    sql`select t.id, md5(t::text) as mark from ${table} t where t.id = any(${sql.param(ids)})`,
  )
  return rows
}
