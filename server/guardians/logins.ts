import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { UNDO_DAYS } from '@tatami/contract/guardians/guardians'
import { and, eq, isNotNull, isNull, lte, notExists, or, type SQL, sql } from 'drizzle-orm'
import { deleteAccount } from '../accounts/accounts.ts'
import { hasSignedIn } from '../accounts/move-account.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { accounts } from '../accounts/tables.ts'
import { auditAction } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { now, nowIso } from '../lib/clock.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { staffMembers } from '../staff/tables.ts'
import { adultOn, students } from '../students/tables.ts'
import { isActiveLink, isLinkBetween } from './guardian-records.ts'
import { guardianships } from './tables.ts'

/** Closes the students' logins that the guardian's login replaces, once the guardian has logged in.
 *  Students who are adults or on the staff keep their logins. */
export async function closePendingLogins(
  tx: Tx,
  sessions: Pick<Sessions, 'endSessionsOfAccount'>,
  dojoId: string,
  guardianId: string,
) {
  const isPending = and(
    eq(guardianships.guardian_id, guardianId),
    eq(guardianships.closes_log_in, true),
    eq(guardianships.sees, true),
    isActiveLink,
  )
  const [pendingLink] = await tx
    .select({ id: guardianships.student_id })
    .from(guardianships)
    .where(isPending)
    .limit(1)
  if (!pendingLink || !(await hasSignedIn(tx, guardianId))) return
  const adultStudent = tx
    .select({ id: students.id })
    .from(students)
    .where(
      and(
        eq(students.id, guardianships.student_id),
        sql`${adultOn} <= ${await todayOf(tx, dojoId)}::date`,
      ),
    )
  const studentOnStaff = tx
    .select({ id: staffMembers.instructor_id })
    .from(staffMembers)
    .where(
      and(eq(staffMembers.instructor_id, guardianships.student_id), isNull(staffMembers.ended_at)),
    )
  const closedLinks = await tx
    .update(guardianships)
    .set({ closes_log_in: false, log_in_closed_at: nowIso() })
    .where(and(isPending, notExists(adultStudent), notExists(studentOnStaff)))
    .returning({ id: guardianships.student_id })
  for (const { id } of closedLinks) {
    await tx.update(accounts).set({ is_active: false }).where(eq(accounts.id, id))
    await sessions.endSessionsOfAccount(tx, id)
    await auditAction(tx, { id: guardianId, dojoId }, 'student log-in closed', { subject_id: id })
  }
}

export async function reopenLogin(tx: Tx, guardianId: string, studentId: string): Promise<void> {
  const isLink = isLinkBetween(guardianId, studentId)
  const [closedLink] = await tx
    .select({ closed_at: guardianships.log_in_closed_at })
    .from(guardianships)
    .where(and(isLink, isNotNull(guardianships.log_in_closed_at)))
  await tx.update(guardianships).set({ closes_log_in: false, log_in_closed_at: null }).where(isLink)
  if (closedLink)
    await tx.update(accounts).set({ is_active: true }).where(eq(accounts.id, studentId))
}

export async function reopenLoginOfStudent(
  tx: Tx,
  caller: Pick<DojoCaller, 'id' | 'dojoId'>,
  id: string,
): Promise<void> {
  if ((await tx.$count(students, eq(students.id, id))) === 0) throw notFound('Student')
  const isClosedOrPending = or(
    eq(guardianships.closes_log_in, true),
    isNotNull(guardianships.log_in_closed_at),
  )
  const links = await tx
    .select({ guardian_id: guardianships.guardian_id })
    .from(guardianships)
    .where(and(eq(guardianships.student_id, id), isClosedOrPending))
  if (links.length === 0) throw new Refusal(409, 'This login isn’t closed')
  for (const { guardian_id } of links) await reopenLogin(tx, guardian_id, id)
  await auditAction(tx, caller, 'student log-in opened again', { subject_id: id })
}

/** Reopens the students' logins when the guardian loses their login. They close again if the
 *  guardian gets a new login. */
export async function reopenLoginsOfGuardian(tx: Tx, guardianId: string): Promise<void> {
  const closedLinks = await tx
    .update(guardianships)
    .set({ closes_log_in: true, log_in_closed_at: null })
    .where(
      and(eq(guardianships.guardian_id, guardianId), isNotNull(guardianships.log_in_closed_at)),
    )
    .returning({ id: guardianships.student_id })
  const ids = closedLinks.map(({ id }) => id)
  await tx.update(accounts).set({ is_active: true }).where(equalsAny(accounts.id, ids))
}

const isPastUndoDeadline = () =>
  lte(guardianships.log_in_closed_at, new Date(now().getTime() - UNDO_DAYS * DAY_MS).toISOString())

export const findDojosWithClosedLogins = (): SQL =>
  sql`select dojo_id from ${guardianships} where ${isPastUndoDeadline()}`

export async function deleteClosedLogins(tx: Tx): Promise<void> {
  const closedLinks = await tx
    .update(guardianships)
    .set({ log_in_closed_at: null })
    .where(isPastUndoDeadline())
    .returning({ id: guardianships.student_id })
  const ids = closedLinks.map(({ id }) => id)
  const inactiveAccounts = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(equalsAny(accounts.id, ids), eq(accounts.is_active, false)))
  for (const { id } of inactiveAccounts) {
    // A foreign key would delete the student with the account, so the student's email is cleared.
    await tx.update(students).set({ email: null }).where(eq(students.id, id))
    await deleteAccount(tx, id)
  }
}
