import type { StaffInvitation, StaffInvitationForm } from '@tatami/contract/staff/staff-grants'
import { STAFF_INVITATION_PATH } from '@tatami/contract/staff/staff-invitations'
import { desc, eq } from 'drizzle-orm'
import { findAccountByEmail } from '../accounts/accounts.ts'
import { createInvitation } from '../accounts/invitations.ts'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import { lockGuardian } from '../guardians/guardian-records.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { firstRow, pick } from '../lib/rows.ts'
import { sha256 } from '../lib/secrets.ts'
import { instructors } from '../sensei/tables.ts'
import { students } from '../students/tables.ts'
import { requireClassesOfDojo, requireMayGive, requireMayHelp } from './grant-rules.ts'
import { grantColumns } from './membership.ts'
import { staffInvitations, staffMembers } from './tables.ts'

export type StaffInvitationRow = typeof staffInvitations.$inferSelect
/** Only the link contains the secret. */
export type NewInvitation = { invitation: StaffInvitation; link: string }

const GRANT_FIELDS = ['title', 'preset', 'rights', 'class_ids', 'starts_on', 'ends_on'] as const

export async function listInvitations(tx: Tx, id?: string): Promise<StaffInvitation[]> {
  const rows = await tx
    .select({
      ...pick(staffInvitations, 'id', 'name', 'email', 'student_id', ...GRANT_FIELDS),
      ...pick(staffInvitations, 'created_at', 'expires_at'),
      invited_by: instructors.name,
    })
    .from(staffInvitations)
    .leftJoin(instructors, eq(instructors.id, staffInvitations.invited_by))
    .where(id === undefined ? undefined : eq(staffInvitations.id, id))
    .orderBy(desc(staffInvitations.id))
  return rows.map((row) => ({ ...row, is_expired: row.expires_at <= nowIso() }))
}

const EMAIL_USED_ELSEWHERE =
  'An account with this email already exists in another dojo. A login belongs to one dojo, so ' +
  'please enter another email.'
const ALREADY_STAFF = 'They are already on the staff.'
const FORMER_STAFF = 'They used to be on the staff. Rehire them from the list of former staff.'

async function refuseTakenEmail(tx: Tx, dojoId: string, email: string): Promise<void> {
  const account = await findAccountByEmail(tx, email)
  if (!account) return
  if (account.dojo_id !== dojoId) throw new Refusal(409, EMAIL_USED_ELSEWHERE)
  await refuseStaffMember(tx, account.id)
}

async function refuseStaffMember(tx: Tx, id: string): Promise<void> {
  const [member] = await tx
    .select({ ended_at: staffMembers.ended_at })
    .from(staffMembers)
    .where(eq(staffMembers.instructor_id, id))
  if (member) throw new Refusal(409, member.ended_at === null ? ALREADY_STAFF : FORMER_STAFF)
}

/** Refuses with 409 if the person is on the staff or has a login in another dojo. */
export async function inviteToStaff(
  tx: Tx,
  caller: DojoCaller,
  form: StaffInvitationForm,
  publicUrl: string,
): Promise<NewInvitation> {
  const { name, student_id = null, guardian_id = null, class_ids, rights } = form
  requireMayGive(caller, rights)
  await requireClassesOfDojo(tx, class_ids)
  if (guardian_id) await lockGuardian(tx, guardian_id)
  const email = student_id ? await findStudentEmail(tx, student_id, form.email) : form.email
  if (email) await refuseTakenEmail(tx, caller.dojoId, email)
  if (student_id) {
    await refuseStaffMember(tx, student_id)
    await requireMayHelp(tx, caller.dojoId, student_id, rights, guardian_id)
  }
  await deleteEarlierInvitations(tx, { email: email ?? null, student_id })
  const { secret, expires_at } = createInvitation(caller.dojoId)
  const rows = await tx
    .insert(staffInvitations)
    .values({
      ...grantColumns(form),
      name,
      email: email ?? null,
      student_id,
      agreed_guardian_id: student_id && guardian_id,
      token_hash: sha256(secret),
      invited_by: caller.id,
      expires_at,
    })
    .returning({ id: staffInvitations.id })
  await auditAction(tx, caller, 'staff invited', student_id ? { subject_id: student_id } : {})
  return readNewInvitation(tx, firstRow(rows).id, secret, publicUrl)
}

/** Returns the email of the student's login, or the entered one if there is no login. */
async function findStudentEmail(tx: Tx, id: string, enteredEmail: string | null | undefined) {
  const [student] = await tx
    .select({ email: students.email })
    .from(students)
    .where(eq(students.id, id))
  if (!student) throw notFound('Student')
  return student.email ?? enteredEmail
}

async function deleteEarlierInvitations(
  tx: Tx,
  { email, student_id }: Pick<StaffInvitationRow, 'email' | 'student_id'>,
): Promise<void> {
  if (email) await tx.delete(staffInvitations).where(eq(staffInvitations.email, email))
  if (student_id)
    await tx.delete(staffInvitations).where(eq(staffInvitations.student_id, student_id))
}

async function readNewInvitation(
  tx: Tx,
  id: string,
  secret: string,
  publicUrl: string,
): Promise<NewInvitation> {
  const invitation = firstRow(await listInvitations(tx, id))
  return { invitation, link: `${publicUrl}${STAFF_INVITATION_PATH}#${secret}` }
}

/** The caller must be allowed to give the rights of the invitation. */
export async function renewInvitation(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  publicUrl: string,
): Promise<NewInvitation> {
  const invitation = await lockInvitation(tx, id)
  requireMayGive(caller, invitation.rights)
  const { secret, expires_at } = createInvitation(caller.dojoId)
  await tx
    .update(staffInvitations)
    .set({ token_hash: sha256(secret), expires_at, invited_by: caller.id })
    .where(eq(staffInvitations.id, id))
  await auditAction(tx, caller, 'staff invited')
  return readNewInvitation(tx, id, secret, publicUrl)
}

export async function cancelInvitation(tx: Tx, caller: DojoCaller, id: string): Promise<void> {
  await lockInvitation(tx, id)
  await tx.delete(staffInvitations).where(eq(staffInvitations.id, id))
  await auditAction(tx, caller, 'staff invitation canceled')
}

async function lockInvitation(tx: Tx, id: string): Promise<StaffInvitationRow> {
  const [invitation] = await tx
    .select()
    .from(staffInvitations)
    .where(eq(staffInvitations.id, id))
    .for('update')
  if (!invitation) throw notFound('Invitation')
  return invitation
}
