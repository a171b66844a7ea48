import type { StaffPerson } from '@tatami/contract/staff/staff'
import type { StaffGrantForm } from '@tatami/contract/staff/staff-grants'
import { and, eq, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { publishAccountChange, endSessionsOfAccount } from '../accounts/sessions.ts'
import { findFamilyRole } from '../accounts/staff-caller.ts'
import { accounts } from '../accounts/tables.ts'
import { auditAction, NO_ACTOR_ID } from '../audit/audit.ts'
import { calendarFeeds } from '../calendar/feeds/tables.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { pluck } from '../lib/rows.ts'
import { renewPhotoAddresses } from '../pictures/pictures.ts'
import { instructors } from '../sensei/tables.ts'
import { students } from '../students/tables.ts'
import {
  requireClassesOfDojo,
  requireMayChange,
  requireMayEnd,
  requireMayGive,
  requireMayHelp,
  listChangedRights,
  type StaffRow,
} from './grant-rules.ts'
import { deleteWorkPin } from './hours/work-pins.ts'
import { readStaffPerson } from './staff-list.ts'
import { staffInvitations, staffMembers } from './tables.ts'

type Contact = { id: string; name: string; email: string; phone: string | null }
type NewMember = Pick<StaffRow, GrantColumn> &
  Partial<Pick<StaffRow, 'agreed_guardian_id' | 'agreed_at' | 'invited_by'>>
type GrantColumn = 'title' | 'preset' | 'rights' | 'class_ids' | 'starts_on' | 'ends_on'

export const grantColumns = (grant: StaffGrantForm): Pick<StaffRow, GrantColumn> => ({
  title: grant.title ?? null,
  preset: grant.preset ?? null,
  rights: grant.rights,
  class_ids: grant.class_ids ?? null,
  starts_on: grant.starts_on ?? null,
  ends_on: grant.ends_on ?? null,
})

/** Turns the account into a staff account. Rows in `students` and `guardians` are kept. */
export async function joinStaff(
  tx: Tx,
  { id, name, email, phone }: Contact,
  member: NewMember,
): Promise<void> {
  await tx
    .insert(instructors)
    .values({ id, name, email, contact_number: phone ?? '', phone_number: phone })
    .onConflictDoNothing()
  const columns = { ...member, ended_at: null, created_at: nowIso() }
  await tx
    .insert(staffMembers)
    .values({ instructor_id: id, ...columns })
    .onConflictDoUpdate({
      target: [staffMembers.dojo_id, staffMembers.instructor_id],
      set: columns,
    })
  await tx.update(accounts).set({ role: 'instructor' }).where(eq(accounts.id, id))
  await publishAccountChange(tx, id)
}

export async function lockMember(tx: Tx, id: string): Promise<StaffRow> {
  const [member] = await tx
    .select()
    .from(staffMembers)
    .where(eq(staffMembers.instructor_id, id))
    .for('update')
  if (!member) throw notFound('Member of the staff')
  return member
}

const NOT_FOR_OWNERS =
  'Owners have every permission and no last day. Remove them as an owner first.'

export async function changeMember(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  grant: StaffGrantForm,
): Promise<StaffPerson> {
  const member = await lockMember(tx, id)
  await requireClassesOfDojo(tx, grant.class_ids)
  if (member.ended_at !== null) throw new Refusal(409, 'They no longer work here')
  if (member.is_owner) await changeTitleOfOwner(tx, caller, member, grant)
  else {
    requireMayChange(caller, member, grant)
    await requireHelperRights(tx, caller, member, grant)
    await updateMember(tx, id, grantColumns(grant))
    if (canSeeFewerStudents(member, grant)) await renewPhotoAddresses(tx, null)
  }
  await auditAction(tx, caller, 'staff rights changed', {
    subject_id: id,
    details: changedRights(member, grant),
  })
  return readStaffPerson(tx, caller.dojoId, id)
}

const canSeeFewerStudents = (member: StaffRow, { rights, class_ids }: StaffGrantForm): boolean =>
  (member.rights.includes('students.read') && !rights.includes('students.read')) ||
  (Boolean(class_ids) && member.class_ids?.every((id) => class_ids?.includes(id)) !== true)

async function changeTitleOfOwner(
  tx: Tx,
  { staff }: DojoCaller,
  { instructor_id }: StaffRow,
  { title = null, class_ids, starts_on, ends_on }: StaffGrantForm,
): Promise<void> {
  if (!staff?.isOwner) throw new Refusal(403, 'Only an owner can change an owner.')
  if (class_ids || starts_on || ends_on) throw new Refusal(409, NOT_FOR_OWNERS)
  await tx.update(staffMembers).set({ title }).where(isMemberWithId(instructor_id))
}

const isMemberWithId = (id: string) => eq(staffMembers.instructor_id, id)

async function updateMember(tx: Tx, id: string, columns: Partial<StaffRow>): Promise<void> {
  await tx.update(staffMembers).set(columns).where(isMemberWithId(id))
  await publishAccountChange(tx, id)
}

/** Refuses rights that a student under 18 may not have with 422. */
async function requireHelperRights(
  tx: Tx,
  { dojoId }: DojoCaller,
  { instructor_id, agreed_guardian_id }: StaffRow,
  { rights }: StaffGrantForm,
): Promise<void> {
  const isStudent = (await tx.$count(students, eq(students.id, instructor_id))) > 0
  if (isStudent) await requireMayHelp(tx, dojoId, instructor_id, rights, agreed_guardian_id)
}

/** Right → true if it was given, false if it was taken, for the audit log. */
const changedRights = (member: StaffRow, { rights }: StaffGrantForm): Record<string, boolean> => {
  if (member.is_owner) return {}
  const changes = listChangedRights(member.rights, rights)
  return Object.fromEntries(changes.map((right) => [right, rights.includes(right)]))
}

/** Ends the work on the last day, or now if there is none or it is over. */
export async function endMember(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  lastDay: string | null,
): Promise<StaffPerson> {
  const member = await lockMember(tx, id)
  if (member.ended_at !== null) throw new Refusal(409, 'They no longer work here')
  if (member.is_owner) throw new Refusal(409, NOT_FOR_OWNERS)
  requireMayEnd(caller, member)
  const today = await todayOf(tx, caller.dojoId)
  if (lastDay !== null && lastDay >= today) await updateMember(tx, id, { ends_on: lastDay })
  else await endNow(tx, id, today)
  await auditAction(tx, caller, 'staff ended', {
    subject_id: id,
    ...(lastDay !== null && { details: { day: lastDay } }),
  })
  return readStaffPerson(tx, caller.dojoId, id)
}

/** Students and guardians keep their login, and the person's name stays on what they wrote. Ends
 *  their open invitations, calendar address and work PIN, but keeps their hours. */
async function endNow(tx: Tx, id: string, today: string): Promise<void> {
  await tx
    .update(staffMembers)
    .set({ ended_at: nowIso(), ends_on: sql`least(${staffMembers.ends_on}, ${today}::date)` })
    .where(isMemberWithId(id))
  const familyRole = await findFamilyRole(tx, id)
  if (familyRole) await tx.update(accounts).set({ role: familyRole }).where(eq(accounts.id, id))
  await tx.delete(staffInvitations).where(eq(staffInvitations.invited_by, id))
  await deleteWorkPin(tx, id)
  await tx.delete(calendarFeeds).where(eq(calendarFeeds.account_id, id))
  await renewPhotoAddresses(tx, null)
  await endSessionsOfAccount(tx, id, 'staff-ended')
}

export async function rehireMember(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  grant: StaffGrantForm,
): Promise<StaffPerson> {
  const member = await lockMember(tx, id)
  await requireClassesOfDojo(tx, grant.class_ids)
  if (member.ended_at === null) throw new Refusal(409, 'They already work here')
  requireMayGive(caller, grant.rights)
  await requireHelperRights(tx, caller, member, grant)
  const [contact] = await tx.select().from(instructors).where(eq(instructors.id, id))
  if (!contact) throw notFound('Member of the staff')
  await joinStaff(
    tx,
    { ...contact, phone: contact.phone_number },
    { ...grantColumns(grant), invited_by: caller.id },
  )
  await auditAction(tx, caller, 'staff rehired', { subject_id: id })
  return readStaffPerson(tx, caller.dojoId, id)
}

const isPastLastDay = (today: string) =>
  and(
    isNull(staffMembers.ended_at),
    isNotNull(staffMembers.ends_on),
    lt(staffMembers.ends_on, today),
  )

export const findDojosWithEndedStaff = (today: string): SQL =>
  sql`select dojo_id from ${staffMembers} where ${isPastLastDay(today)}`

export async function endMembersPastLastDay(tx: Tx, dojoId: string, today: string): Promise<void> {
  const members = await tx
    .select({ id: staffMembers.instructor_id })
    .from(staffMembers)
    .where(isPastLastDay(today))
    .for('update')
  for (const id of pluck(members, 'id')) {
    await endNow(tx, id, today)
    await auditAction(tx, { id: NO_ACTOR_ID, dojoId }, 'staff ended', { subject_id: id })
  }
}
