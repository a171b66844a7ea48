import { mustExist } from '@tatami/contract/lib/must-exist'
import type {
  NewStaffLogin,
  StaffInvitationDetails,
} from '@tatami/contract/staff/staff-invitations'
import { and, eq, gt } from 'drizzle-orm'
import {
  findAccountByEmail,
  createAccount,
  requireAccount,
  requireActiveDojo,
} from '../accounts/accounts.ts'
import { parseInvitationDojoId, invalidInvitation } from '../accounts/invitations.ts'
import { refuseCommonPassword, refusePersonalPassword } from '../accounts/password-rules.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { findSignInStep, openSession, type Origin } from '../accounts/sessions.ts'
import { findStaffScope, isOnStaff, findRoleToday } from '../accounts/staff-caller.ts'
import { auditAction } from '../audit/audit.ts'
import { classes } from '../classes/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import { newId } from '../db/columns.ts'
import type { Database, Tx } from '../db/database.ts'
import { dojoById } from '../dojos/dojos.ts'
import { guardians } from '../guardians/tables.ts'
import { requesterByAddress } from '../http/fair-queue.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, Refusal } from '../lib/refusal.ts'
import { pick, pluck } from '../lib/rows.ts'
import { sha256 } from '../lib/secrets.ts'
import { notifyStaff } from '../notifications/notify.ts'
import { readDojoLook } from '../pictures/pictures.ts'
import { loadUser } from '../profile/profile.ts'
import { students } from '../students/tables.ts'
import { requireMayHelp } from './grant-rules.ts'
import { joinStaff } from './membership.ts'
import { staffInvitations } from './tables.ts'

type Invitation = typeof staffInvitations.$inferSelect
type Contact = { id: string; name: string; email: string; phone: string | null }

const HAS_LOGIN = 'You already have a login here. Log in with it to join the staff.'

/** Refuses a used, expired or unknown invitation with 400. */
async function lockInvitation(tx: Tx, dojoId: string, secret: string): Promise<Invitation> {
  const isOpen = and(
    eq(staffInvitations.token_hash, sha256(secret)),
    gt(staffInvitations.expires_at, nowIso()),
  )
  const [invitation] = await tx.select().from(staffInvitations).where(isOpen).for('update')
  if (!invitation) throw invalidInvitation()
  await requireActiveDojo(tx, dojoId)
  return invitation
}

export function lookUpInvitation(db: Database, secret: string): Promise<StaffInvitationDetails> {
  const dojoId = parseInvitationDojoId(secret)
  return db.inDojo(dojoId, async (tx) => {
    const invitation = await lockInvitation(tx, dojoId, secret)
    const { email, class_ids } = invitation
    const { name: dojo_name } = await dojoById(tx, dojoId)
    return {
      ...pick(invitation, 'name', 'email', 'title', 'preset', 'rights', 'starts_on', 'ends_on'),
      dojo_name,
      ...(await readDojoLook(tx)),
      class_names: class_ids && (await findClassNames(tx, class_ids)),
      has_login: email !== null && (await findAccountByEmail(tx, email)) !== null,
    }
  })
}

async function findClassNames(tx: Tx, classIds: string[]): Promise<string[]> {
  const rows = await tx
    .select({ name: classes.class_name })
    .from(classes)
    .where(equalsAny(classes.id, classIds))
    .orderBy(classes.class_name)
  return pluck(rows, 'name')
}

export async function acceptInvitation(
  db: Database,
  { invitation: secret, password, ...form }: NewStaffLogin,
  origin: Origin,
) {
  const dojoId = parseInvitationDojoId(secret)
  const { name, email, dojo_name } = await lookUpInvitation(db, secret)
  await refuseCommonPassword(db, 'password', password)
  const password_hash = await hashPassword(password, requesterByAddress(origin.address))
  return db.inDojo(dojoId, async (tx) => {
    const personalTexts = [form.name ?? name, email ?? form.email, dojo_name]
    await refusePersonalPassword(tx, 'password', password, personalTexts)
    const invitation = await lockInvitation(tx, dojoId, secret)
    const person = await findNewPerson(tx, invitation, form)
    const { id } = person
    await createAccount(tx, {
      ...pick(person, 'id', 'email'),
      password_hash,
      role: 'instructor',
      dojo_id: dojoId,
      is_active: true,
    })
    // A student or guardian without a login uses the new one for everything.
    await tx.update(students).set({ email: person.email }).where(eq(students.id, id))
    await tx
      .update(guardians)
      .set({ account_id: id, email: person.email })
      .where(eq(guardians.id, id))
    await enterStaff(tx, dojoId, invitation, person)
    return openFirstSession(tx, { id, dojoId }, origin)
  })
}

/** Refuses with 409 if the person has a login, and with 422 if there is no email. */
async function findNewPerson(
  tx: Tx,
  { student_id, email: invitedEmail, name: invitedName }: Invitation,
  form: Pick<NewStaffLogin, 'name' | 'email'>,
): Promise<Contact> {
  const email = invitedEmail ?? form.email
  if (!email) throw invalid('email', 'Email is required')
  if (await findAccountByEmail(tx, email)) throw new Refusal(409, HAS_LOGIN)
  if (!student_id) return { id: newId(), name: form.name ?? invitedName, email, phone: null }
  const [student] = await tx.select().from(students).where(eq(students.id, student_id))
  if (!student) throw invalidInvitation()
  if (student.email !== null) throw new Refusal(409, HAS_LOGIN)
  return { id: student_id, name: student.name, email, phone: student.phone_number }
}

/** Opens no session before the person's first day. */
async function openFirstSession(
  tx: Tx,
  { id, dojoId }: { id: string; dojoId: string },
  origin: Origin,
) {
  const { scope } = await findStaffScope(tx, { id, dojoId })
  if (!scope) return { token: null, user: null }
  const token = await openSession(tx, id, origin)
  const step = await findSignInStep(tx, token)
  return { token, user: await loadUser(tx, { id, role: 'instructor', dojoId, step }) }
}

async function enterStaff(
  tx: Tx,
  dojoId: string,
  invitation: Invitation,
  person: Contact,
): Promise<void> {
  const { agreed_guardian_id, rights, invited_by } = invitation
  const isStudent = (await tx.$count(students, eq(students.id, person.id))) > 0
  if (isStudent) await requireMayHelp(tx, dojoId, person.id, rights, agreed_guardian_id)
  await joinStaff(tx, person, {
    ...pick(invitation, 'title', 'preset', 'rights', 'class_ids', 'starts_on', 'ends_on'),
    agreed_guardian_id,
    agreed_at: agreed_guardian_id && nowIso(),
    invited_by,
  })
  await tx.delete(staffInvitations).where(eq(staffInvitations.id, invitation.id))
  await auditAction(tx, { id: person.id, dojoId }, 'staff joined', { subject_id: person.id })
  await notifyStaff(tx, dojoId, 'staff', {
    title: 'New on the staff',
    message: `${person.name} has accepted the invitation.`,
    sender_name: person.name,
  })
}

const WRONG_DOJO =
  'This invitation is from another dojo. A login belongs to one dojo, so please log out and ' +
  'create another login.'
const WRONG_PERSON =
  'This invitation is for somebody else. Log in with the email that it was sent to.'
const ALREADY_STAFF = 'You are already on the staff.'

/** Lets a student or guardian work with their existing login. */
export async function joinByInvitation(tx: Tx, caller: DojoCaller, secret: string) {
  const { id, dojoId } = caller
  if (parseInvitationDojoId(secret) !== dojoId) throw new Refusal(409, WRONG_DOJO)
  const invitation = await lockInvitation(tx, dojoId, secret)
  if (await isOnStaff(tx, id)) throw new Refusal(409, ALREADY_STAFF)
  const { email } = await requireAccount(tx, id, 'share')
  const isForSomebodyElse =
    (invitation.email !== null && invitation.email !== email) ||
    (invitation.student_id !== null && invitation.student_id !== id)
  if (isForSomebodyElse) throw new Refusal(403, WRONG_PERSON)
  await enterStaff(tx, dojoId, invitation, { id, email, ...(await findContact(tx, id)) })
  const role = await findRoleToday(tx, { id, dojoId, role: 'instructor' })
  return { user: await loadUser(tx, { ...caller, role }) }
}

/** Only students and guardians join with an existing login. */
async function findContact(tx: Tx, id: string): Promise<Omit<Contact, 'id' | 'email'>> {
  const [student] = await tx
    .select({ name: students.name, phone: students.phone_number })
    .from(students)
    .where(eq(students.id, id))
  const [guardian] = await tx
    .select(pick(guardians, 'name', 'phone'))
    .from(guardians)
    .where(eq(guardians.id, id))
  return mustExist(student ?? guardian, 'The student or guardian')
}
