import { birthdayOf, OWN_LOG_IN_AGE } from '@tatami/contract/guardians'
import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { guardianships } from '../families/tables.ts'
import { students } from '../students/tables.ts'

/** A child under 13 needs a parent's verifiable consent before an online service may know them (COPPA, 16 CFR 312.5). */
async function hasGuardianConsent(tx: Tx, studentId: string): Promise<boolean> {
  const consents = await tx.$count(
    guardianships,
    and(
      eq(guardianships.student_id, studentId),
      isNull(guardianships.ended_at),
      eq(guardianships.sees, true),
      eq(guardianships.allows_log_in, true),
    ),
  )
  return consents > 0
}

/** Whether a student may have a log-in: from 13 on, or once a guardian who sees their page has consented. Without a date of birth
 *  no age is known, and nothing is refused. */
export async function mayHaveLogIn(tx: Tx, dojoId: string, studentId: string): Promise<boolean> {
  const [student] = await tx
    .select({ dateOfBirth: students.date_of_birth })
    .from(students)
    .where(eq(students.id, studentId))
  if (!student?.dateOfBirth) return true
  const isOldEnough = birthdayOf(student.dateOfBirth, OWN_LOG_IN_AGE) <= (await todayOf(tx, dojoId))
  return isOldEnough || hasGuardianConsent(tx, studentId)
}
