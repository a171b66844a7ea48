import { mustExist } from '@tatami/contract/lib/must-exist'
import type { SentInvitation } from '@tatami/contract/families/logins'
import {
  INVITATION_DAYS,
  INVITATION_PATH,
  OWN_LOGIN_AGE,
} from '@tatami/contract/guardians/guardians'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { findAccountByEmail, createAccount, requireActiveDojo } from '../accounts/accounts.ts'
import { mayHaveLogin, needsDateOfBirth } from '../accounts/child-logins.ts'
import {
  parseInvitationDojoId,
  invalidInvitation,
  createInvitation,
} from '../accounts/invitations.ts'
import { openSession, type Origin } from '../accounts/sessions.ts'
import { auditAction } from '../audit/audit.ts'
import { inChunks } from '../db/bulk.ts'
import type { Database, Tx } from '../db/database.ts'
import { dojoById } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import type { Email, Mailer } from '../lib/mail.ts'
import { invalid, Refusal } from '../lib/refusal.ts'
import { firstRow } from '../lib/rows.ts'
import { readDojoCard, readLetterhead } from '../pictures/pictures.ts'
import { sha256 } from '../lib/secrets.ts'
import { isCurrentStudent, students } from '../students/tables.ts'
import { type Actor, lockGuardian } from '../guardians/guardian-records.ts'
import { lockStudent, requireCurrent } from '../guardians/guardianships.ts'
import { guardians, loginInvitations } from '../guardians/tables.ts'

const ALREADY_HAS_LOGIN = 'They already have a login'

/** Exactly one of the ids is set. */
type Invitee = { guardian_id?: string | null; student_id?: string | null }
export type PreparedInvitation = { reply: SentInvitation; mail: Email | null }
type InvitationDelivery = { mail: Mailer; publicUrl: string }

/** Throws 409 if the guardian has a login or the email is taken, and 422 without an email. */
export async function inviteGuardian(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  delivery: InvitationDelivery,
) {
  const guardian = await lockGuardian(tx, id)
  if (guardian.account_id) throw new Refusal(409, ALREADY_HAS_LOGIN)
  if (!guardian.email) throw invalid('email', 'Enter the guardian’s email first')
  const isStudent = (await tx.$count(students, and(eq(students.id, id), isCurrentStudent))) > 0
  const invitee = isStudent ? { student_id: id } : { guardian_id: id }
  return invite(tx, caller, invitee, guardian.email, delivery)
}

/** Throws 422 for a child under 13 if no guardian has agreed to a login. */
export async function inviteStudent(
  tx: Tx,
  caller: DojoCaller,
  id: string,
  email: string,
  delivery: InvitationDelivery,
) {
  const student = await lockStudent(tx, id)
  requireCurrent(student)
  if (student.email) throw new Refusal(409, ALREADY_HAS_LOGIN)
  if (await needsDateOfBirth(tx, id))
    throw new Refusal(
      422,
      `Enter the date of birth first. Under ${OWN_LOGIN_AGE}, a guardian has to agree to a login`,
    )
  if (!(await mayHaveLogin(tx, caller.dojoId, id)))
    throw new Refusal(
      422,
      `Students under ${OWN_LOGIN_AGE} get a login once a guardian who sees their page agrees`,
    )
  return invite(tx, caller, { student_id: id }, email, delivery)
}

const EMAIL_TAKEN_HERE =
  'An account in your dojo already has this email. If it is theirs, make that student or ' +
  'instructor the guardian. If not, enter another email.'
const EMAIL_TAKEN_ELSEWHERE =
  'An account with this email already exists, maybe in another dojo. ' +
  'A login belongs to one dojo, so please enter another email.'

async function invite(
  tx: Tx,
  { id, dojoId }: DojoCaller,
  invitee: Invitee,
  email: string,
  { mail, publicUrl }: InvitationDelivery,
): Promise<PreparedInvitation> {
  const account = await findAccountByEmail(tx, email)
  if (account)
    throw new Refusal(409, account.dojo_id === dojoId ? EMAIL_TAKEN_HERE : EMAIL_TAKEN_ELSEWHERE)
  await deleteOpenInvitations(tx, invitee)
  const invitees = [{ ...invitee, email }]
  const { expires_at, link } = firstRow(
    await insertInvitations(tx, { id, dojoId }, invitees, publicUrl),
  )
  const is_sent = mail.isConfigured
  return {
    reply: { email, expires_at, is_sent, link: is_sent ? null : link },
    mail: is_sent ? createInvitationEmail(email, await readSchool(tx, dojoId), link) : null,
  }
}

type InviteeWithEmail = Invitee & { email: string }

/** Returns the emails. The caller sends them after the commit. */
export async function inviteAll(
  tx: Tx,
  caller: Actor,
  invitees: InviteeWithEmail[],
  publicUrl: string,
) {
  const invitations = await insertInvitations(tx, caller, invitees, publicUrl)
  const school = await readSchool(tx, caller.dojoId)
  return invitations.map(({ email, link }) => createInvitationEmail(email, school, link))
}

async function insertInvitations(
  tx: Tx,
  caller: Actor,
  invitees: InviteeWithEmail[],
  publicUrl: string,
) {
  const invitations = invitees.map((invitee) => ({
    ...invitee,
    ...createInvitation(caller.dojoId),
  }))
  const rows = invitations.map(({ secret, ...row }) => ({ ...row, token_hash: sha256(secret) }))
  await inChunks(rows, (chunk) => tx.insert(loginInvitations).values(chunk))
  const auditEntries = invitees.map(({ guardian_id, student_id }) => ({
    subject_id: guardian_id ?? student_id ?? undefined,
  }))
  await auditAction(tx, caller, 'log-in invitation sent', auditEntries)
  return invitations.map(({ email, secret, expires_at }) => ({
    email,
    expires_at,
    link: `${publicUrl}${INVITATION_PATH}#${secret}`,
  }))
}

type School = Required<Pick<Email, 'letterhead'>> & { dojoName: string }

const readSchool = async (tx: Tx, dojoId: string): Promise<School> => ({
  dojoName: (await dojoById(tx, dojoId)).name,
  letterhead: await readLetterhead(tx),
})

const createInvitationEmail = (
  address: string,
  { dojoName, letterhead }: School,
  link: string,
): Email => ({
  to: address,
  letterhead,
  subject: `${dojoName} invites you to Tatami`,
  text:
    `${dojoName} invites you to Tatami, where you can see classes, attendance and ` +
    `announcements. Open this link within ${INVITATION_DAYS} days and choose a password:\n\n` +
    `${link}\n\nIf you don’t know ${dojoName}, you can ignore this email.`,
})

const deleteOpenInvitations = (tx: Tx, { guardian_id, student_id }: Invitee) =>
  tx
    .delete(loginInvitations)
    .where(
      and(
        guardian_id
          ? eq(loginInvitations.guardian_id, guardian_id)
          : eq(loginInvitations.student_id, mustExist(student_id, 'The invited student')),
        isNull(loginInvitations.accepted_at),
      ),
    )

/** Throws 400 for a used, expired or unknown invitation, and if the person may not log in. */
async function lockInvitation(tx: Tx, dojoId: string, secret: string) {
  const [invitation] = await tx
    .select()
    .from(loginInvitations)
    .where(
      and(
        eq(loginInvitations.token_hash, sha256(secret)),
        isNull(loginInvitations.accepted_at),
        gt(loginInvitations.expires_at, nowIso()),
      ),
    )
    .for('update')
  if (!invitation) throw invalidInvitation()
  await requireActiveDojo(tx, dojoId)
  const { guardian_id, student_id, email } = invitation
  let person: { id: string; name: string } | null = null
  if (guardian_id) person = await findGuardianWithoutLogin(tx, guardian_id)
  else if (student_id) person = await findStudentWithoutLogin(tx, dojoId, student_id)
  if (!person) throw invalidInvitation()
  return {
    invitee: { guardian_id, student_id },
    id: person.id,
    name: person.name,
    email,
    role: guardian_id ? ('guardian' as const) : ('student' as const),
  }
}

async function findGuardianWithoutLogin(tx: Tx, id: string) {
  const [guardian] = await tx.select().from(guardians).where(eq(guardians.id, id))
  return guardian?.account_id === null ? guardian : null
}

async function findStudentWithoutLogin(tx: Tx, dojoId: string, id: string) {
  const [student] = await tx
    .select()
    .from(students)
    .where(and(eq(students.id, id), isCurrentStudent))
  if (student?.email !== null || (await needsDateOfBirth(tx, id))) return null
  return (await mayHaveLogin(tx, dojoId, id)) ? student : null
}

export async function lookUpInvitation(db: Database, secret: string) {
  const dojoId = parseInvitationDojoId(secret)
  return db.inDojo(dojoId, async (tx) => {
    const { name, email, role } = await lockInvitation(tx, dojoId, secret)
    return { ...(await readDojoCard(tx)), name, email, is_guardian: role === 'guardian' }
  })
}

/** Throws 409 if somebody else has created a login with the email since the invitation. */
export async function acceptInvitation(
  tx: Tx,
  dojoId: string,
  secret: string,
  password_hash: string,
  origin: Origin,
) {
  const { invitee, id, email, role } = await lockInvitation(tx, dojoId, secret)
  await createAccount(tx, { id, email, password_hash, role, dojo_id: dojoId, is_active: true })
  if (role === 'student') await tx.update(students).set({ email }).where(eq(students.id, id))
  // A student who is also a guardian uses one login for both.
  await tx.update(guardians).set({ account_id: id, email }).where(eq(guardians.id, id))
  await tx
    .update(loginInvitations)
    .set({ accepted_at: nowIso() })
    .where(eq(loginInvitations.token_hash, sha256(secret)))
  await deleteOpenInvitations(tx, invitee)
  await auditAction(tx, { id, dojoId }, 'log-in made by invitation', { subject_id: id })
  const token = await openSession(tx, id, origin)
  return { token, identity: { id, role, dojoId } }
}
