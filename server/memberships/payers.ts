import { and, eq, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { isActiveLink } from '../guardians/guardian-records.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { isCurrentStudent, students } from '../students/tables.ts'

/** Whoever pays for a student: the payer, or else the student. */
export type Payer = {
  student_id: string
  student_name: string
  /** Null without a login. */
  account_id: string | null
  email: string | null
}

/** By student id. Former students are left out. */
export async function findPayers(tx: Tx, studentIds: string[]): Promise<Map<string, Payer>> {
  const ownAccount = sql<string | null>`case when ${students.email} is not null
    then ${students.id} end`
  const hasPayer = sql`${guardians.id} is not null`
  const rows = await tx
    .select({
      student_id: students.id,
      student_name: students.name,
      account_id: sql<string | null>`case when ${hasPayer} then ${guardians.account_id}
        else ${ownAccount} end`,
      email: sql<string | null>`case when ${hasPayer} then ${guardians.email}
        else ${students.email} end`,
    })
    .from(students)
    .leftJoin(
      guardianships,
      and(eq(guardianships.student_id, students.id), eq(guardianships.pays, true), isActiveLink),
    )
    .leftJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(and(equalsAny(students.id, studentIds), isCurrentStudent))
  return new Map(rows.map((row) => [row.student_id, row]))
}
