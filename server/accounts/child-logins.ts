import { birthdayOf } from '@tatami/contract/lib/calendar-day'
import { OWN_LOGIN_AGE } from '@tatami/contract/guardians/guardians'
import { and, eq, exists, isNotNull, isNull, notExists } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { guardianships } from '../guardians/tables.ts'
import { students } from '../students/tables.ts'

/** The COPPA law (16 CFR 312.5) lets a child under 13 have a login only if a parent consents. */

const selectConsentingGuardians = (tx: Tx) =>
  tx
    .select({ id: guardianships.guardian_id })
    .from(guardianships)
    .where(
      and(
        eq(guardianships.student_id, students.id),
        isNull(guardianships.ended_at),
        eq(guardianships.sees, true),
        eq(guardianships.allows_log_in, true),
      ),
    )

/** Finds students under 13 without a guardian's consent, except students without a birth date. */
export async function findChildrenWithoutConsent(
  tx: Tx,
  dojoId: string,
  studentIds: string[],
): Promise<string[]> {
  const rows = await tx
    .select({ id: students.id, dateOfBirth: students.date_of_birth })
    .from(students)
    .where(
      and(
        equalsAny(students.id, studentIds),
        isNotNull(students.date_of_birth),
        notExists(selectConsentingGuardians(tx)),
      ),
    )
  if (rows.length === 0) return []
  const today = await todayOf(tx, dojoId)
  const isChild = (dateOfBirth: string | null) =>
    dateOfBirth !== null && birthdayOf(dateOfBirth, OWN_LOGIN_AGE) > today
  return rows.filter(({ dateOfBirth }) => isChild(dateOfBirth)).map(({ id }) => id)
}

export const hasLeft = async (tx: Tx, studentId: string): Promise<boolean> =>
  (await tx.$count(students, and(eq(students.id, studentId), isNotNull(students.left_on)))) > 0

/** True if the student is at least 13 or has a guardian's consent. */
export async function mayHaveLogin(tx: Tx, dojoId: string, studentId: string): Promise<boolean> {
  const children = await findChildrenWithoutConsent(tx, dojoId, [studentId])
  return children.length === 0
}

/** True for a student with a guardian but no date of birth, who may be a child without consent. */
export async function needsDateOfBirth(tx: Tx, studentId: string): Promise<boolean> {
  const guardianLinks = tx
    .select({ id: guardianships.guardian_id })
    .from(guardianships)
    .where(and(eq(guardianships.student_id, students.id), isNull(guardianships.ended_at)))
  const count = await tx.$count(
    students,
    and(
      eq(students.id, studentId),
      isNull(students.date_of_birth),
      exists(guardianLinks),
      notExists(selectConsentingGuardians(tx)),
    ),
  )
  return count > 0
}
