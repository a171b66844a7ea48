import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import { and, eq, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { hasReachedAge } from '../guardians/ages.ts'
import { isActiveLink } from '../guardians/guardian-records.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { isCurrentStudent, students } from '../students/tables.ts'

/** Somebody who is told about the plans of a student. */
export type PlanReader = {
  student_id: string
  /** Null without a login. */
  account_id: string | null
  email: string | null
  seesSums: boolean
}

/**
 * By student id: whoever pays for the student, which may be the student, and adult students for whom
 * somebody else pays. Those read no sums. Former students are left out.
 */
export async function findPlanReaders(
  tx: Tx,
  studentIds: string[],
  today: string,
): Promise<Map<string, PlanReader[]>> {
  const rows = await tx
    .select({
      student_id: students.id,
      date_of_birth: students.date_of_birth,
      email: students.email,
      payer: sql<Omit<PlanReader, 'student_id' | 'seesSums'> | null>`case
        when ${guardians.id} is not null then json_build_object(
          'account_id', ${guardians.account_id}, 'email', ${guardians.email}) end`,
    })
    .from(students)
    .leftJoin(
      guardianships,
      and(eq(guardianships.student_id, students.id), eq(guardianships.pays, true), isActiveLink),
    )
    .leftJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(and(equalsAny(students.id, studentIds), isCurrentStudent))
  const readers = rows.flatMap(({ student_id, date_of_birth, email, payer }): PlanReader[] => {
    const account_id = email === null ? null : student_id
    const student = { student_id, account_id, email }
    if (!payer) return [{ ...student, seesSums: true }]
    const isAdult = hasReachedAge(date_of_birth, ADULT_AGE, today, { unknown: false })
    return [
      { ...payer, student_id, seesSums: true },
      ...(isAdult ? [{ ...student, seesSums: false }] : []),
    ]
  })
  return Map.groupBy(readers, ({ student_id }) => student_id)
}
