import type { GuardianNotices } from '@tatami/contract/families/guardian-calls'
import { and, eq, exists, notExists, or, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { notFound } from '../lib/refusal.ts'
import { notifications, notificationStudents } from '../notifications/tables.ts'
import { instructors } from '../sensei/tables.ts'
import { isActiveLink, isLinkBetween } from '../guardians/guardian-records.ts'
import { guardians, guardianships } from '../guardians/tables.ts'

/** Counts the notifications that a guardian would lose with the link. Throws 404 if there is no
 *  link. */
export async function countGuardianNotices(
  tx: Tx,
  guardianId: string,
  studentId: string,
): Promise<GuardianNotices> {
  const [link] = await tx
    .select({ accountId: guardians.account_id })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(and(isLinkBetween(guardianId, studentId), isActiveLink))
  if (!link) throw notFound('Guardian')
  if (link.accountId === null) return { total: 0, about_fees: 0 }
  const isInstructor = tx
    .select({ id: instructors.id })
    .from(instructors)
    .where(eq(instructors.id, link.accountId))
  const studentMention = tx
    .select({ id: notificationStudents.notification_id })
    .from(notificationStudents)
    .where(
      and(
        eq(notificationStudents.notification_id, notifications.id),
        eq(notificationStudents.student_id, studentId),
      ),
    )
  const [counts] = await tx
    .select({
      total: sql<number>`count(*)::int`,
      about_fees: sql<number>`(count(*) filter (where ${notifications.is_about_fees}))::int`,
    })
    .from(notifications)
    .where(
      and(
        eq(notifications.account_id, link.accountId),
        or(eq(notifications.student_id, studentId), exists(studentMention)),
        // Instructors see all students, so they would not lose anything.
        notExists(isInstructor),
      ),
    )
  return counts ?? { total: 0, about_fees: 0 }
}
