import { birthdayOf } from '@tatami/contract/lib/calendar-day'
import { OWN_LOG_IN_AGE } from '@tatami/contract/guardians/guardians'
import { and, eq, exists, isNotNull, isNull, notExists } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { guardianships } from '../guardians/tables.ts'
import { students } from '../students/tables.ts'

/** Guardians who see the student's page and agree that the student has a log-in. */
const consents = (tx: Tx) =>
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

/**
 * Those of the students who are under 13, and whose guardians have not agreed to a log-in. A child
 * under 13 needs a parent's verifiable consent before an online service may know them (COPPA,
 * 16 CFR 312.5). A student without a date of birth is not among them, because no age is known.
 */
export async function childrenWithoutConsent(
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
        notExists(consents(tx)),
      ),
    )
  if (rows.length === 0) return []
  const today = await todayOf(tx, dojoId)
  const isChild = (dateOfBirth: string | null) =>
    dateOfBirth !== null && birthdayOf(dateOfBirth, OWN_LOG_IN_AGE) > today
  return rows.filter(({ dateOfBirth }) => isChild(dateOfBirth)).map(({ id }) => id)
}

/** Whether a student may have a log-in: from 13 on, or once a guardian who sees their page has agreed. */
export async function mayHaveLogIn(tx: Tx, dojoId: string, studentId: string): Promise<boolean> {
  const children = await childrenWithoutConsent(tx, dojoId, [studentId])
  return children.length === 0
}

/**
 * Whether the date of birth has to be entered before the student is invited to a log-in: somebody
 * with a guardian may be a child, and no guardian has agreed.
 */
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
      notExists(consents(tx)),
    ),
  )
  return count > 0
}
