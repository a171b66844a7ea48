import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import type { SentInvitation } from '@tatami/contract/families/families'
import {
  INVITATION_DAYS,
  INVITATION_PATH,
  OWN_LOG_IN_AGE,
} from '@tatami/contract/guardians/guardians'
import { and, eq, gt, isNull, type SQL } from 'drizzle-orm'
import { accountByEmail, createAccount, requireActiveDojo } from '../accounts/accounts.ts'
import { mayHaveLogIn, needsDateOfBirth } from '../accounts/child-log-ins.ts'
import { openSession, type Origin } from '../accounts/sessions.ts'
import { auditAct } from '../audit/audit.ts'
import { inChunks } from '../db/bulk.ts'
import type { Database, Tx } from '../db/database.ts'
import { dojoById } from '../dojos/dojos.ts'
import type { Member } from '../http/serve.ts'
import { now, nowIso } from '../lib/clock.ts'
import type { Email, Mailer } from '../lib/mail.ts'
import { invalid, Refusal } from '../lib/refusal.ts'
import { newSecret, sha256 } from '../lib/secrets.ts'
import { students } from '../students/tables.ts'
import { type Actor, lockGuardian } from '../guardians/guardian-records.ts'
import { lockStudent } from '../guardians/guardianships.ts'
import { guardians, logInInvitations } from '../guardians/tables.ts'

const HAS_LOG_IN = 'They have a log-in already'
const DATE_OF_BIRTH_FIRST = `Enter the date of birth first: under ${OWN_LOG_IN_AGE}, a parent or guardian has to agree to a log-in`

type Invitee =
  | { guardian_id: string; student_id?: undefined }
  | { student_id: string; guardian_id?: undefined }
export type PreparedInvitation = { reply: SentInvitation; mail: Email | null }
type Sending = { mail: Mailer; publicUrl: string }

/** 409 if the guardian has a login or the email is taken, 422 without an email. */
export async function inviteGuardian(
  tx: Tx,
  caller: Member,
  id: string,
  sending: Sending,
): Promise<PreparedInvitation> {
  const guardian = await lockGuardian(tx, id)
  if (guardian.account_id) throw new Refusal(409, HAS_LOG_IN)
  if (!guardian.email) throw invalid('email', 'Enter the guardian’s email first')
  const isStudent = (await tx.$count(students, eq(students.id, id))) > 0
  return invite(
    tx,
    caller,
    isStudent ? { student_id: id } : { guardian_id: id },
    guardian.email,
    sending,
  )
}

/** 422 for a child under 13 without a guardian's consent. */
export async function inviteStudent(
  tx: Tx,
  caller: Member,
  id: string,
  email: string,
  sending: Sending,
): Promise<PreparedInvitation> {
  const student = await lockStudent(tx, id)
  if (student.email) throw new Refusal(409, HAS_LOG_IN)
  if (await needsDateOfBirth(tx, id)) throw new Refusal(422, DATE_OF_BIRTH_FIRST)
  if (!(await mayHaveLogIn(tx, caller.dojoId, id)))
    throw new Refusal(
      422,
      `A student under ${OWN_LOG_IN_AGE} gets a log-in only after a parent or guardian who sees their page has agreed`,
    )
  return invite(tx, caller, { student_id: id }, email, sending)
}

const EMAIL_OF_THIS_DOJO =
  'An account of your dojo has this email already. If it is their own, make that student or instructor the guardian; else enter another email.'
const EMAIL_OF_ANOTHER =
  'An account with this email already exists, in another dojo perhaps. A log-in belongs to one dojo: enter another email.'

async function invite(
  tx: Tx,
  caller: Member,
  invitee: Invitee,
  email: string,
  { mail, publicUrl }: Sending,
): Promise<PreparedInvitation> {
  const existingAccount = await accountByEmail(tx, email)
  if (existingAccount)
    throw new Refusal(
      409,
      existingAccount.dojo_id === caller.dojoId ? EMAIL_OF_THIS_DOJO : EMAIL_OF_ANOTHER,
    )
  await deleteOpenInvitations(tx, invitee)
  const [invitation] = await insertInvitations(tx, caller, [{ ...invitee, email }], publicUrl)
  const { expires_at, link } = invitation!
  const is_sent = mail.isConfigured
  return {
    reply: { email, expires_at, is_sent, link: is_sent ? null : link },
    mail: is_sent ? invitationEmail(email, (await dojoById(tx, caller.dojoId)).name, link) : null,
  }
}

type ToInvite = Invitee & { email: string }

/** For people without a login or an open invitation. Returns the mails to send after the commit. */
export async function inviteAll(
  tx: Tx,
  caller: Actor,
  people: ToInvite[],
  publicUrl: string,
): Promise<Email[]> {
  const invitations = await insertInvitations(tx, caller, people, publicUrl)
  const { name } = await dojoById(tx, caller.dojoId)
  return invitations.map(({ email, link }) => invitationEmail(email, name, link))
}

async function insertInvitations(tx: Tx, caller: Actor, people: ToInvite[], publicUrl: string) {
  const expires_at = new Date(now().getTime() + INVITATION_DAYS * DAY_MS).toISOString()
  // The secret starts with the dojo's id, by which the invitation is found.
  const invitations = people.map((person) => ({
    ...person,
    expires_at,
    secret: `${caller.dojoId}.${newSecret()}`,
  }))
  await inChunks(invitations, (chunk) =>
    tx
      .insert(logInInvitations)
      .values(chunk.map(({ secret, ...row }) => ({ ...row, token_hash: sha256(secret) }))),
  )
  const auditEntries = invitations.map(({ guardian_id, student_id }) => ({
    subject_id: guardian_id ?? student_id,
  }))
  await auditAct(tx, caller, 'log-in invitation sent', auditEntries)
  return invitations.map(({ email, secret }) => ({
    email,
    expires_at,
    link: `${publicUrl}${INVITATION_PATH}#${secret}`,
  }))
}

const invitationEmail = (address: string, dojoName: string, link: string): Email => ({
  to: address,
  subject: `${dojoName} invites you to Tatami`,
  text: `${dojoName} invites you to Tatami, where you see classes, attendance and announcements. Open this link within ${INVITATION_DAYS} days and choose a password:\n\n${link}\n\nIf you do not know ${dojoName}, you need do nothing.`,
})

const ofInvited = ({ guardian_id, student_id }: Invitee): SQL =>
  guardian_id
    ? eq(logInInvitations.guardian_id, guardian_id)
    : eq(logInInvitations.student_id, student_id!)

const deleteOpenInvitations = (tx: Tx, invitee: Invitee) =>
  tx.delete(logInInvitations).where(and(ofInvited(invitee), isNull(logInInvitations.accepted_at)))

const NOT_VALID = 'This invitation is no longer valid. Please ask your dojo for a new one.'
const SECRET = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]+$/

export function dojoOfInvitation(secret: string): string {
  const dojoId = SECRET.exec(secret)?.[1]
  if (!dojoId) throw new Refusal(400, NOT_VALID)
  return dojoId
}

type Open = { invited: Invitee; name: string; email: string }

/** Locks an invitation. 400 if it is used, expired or unknown, or no longer allowed. */
async function openInvitation(tx: Tx, dojoId: string, secret: string): Promise<Open> {
  const [row] = await tx
    .select()
    .from(logInInvitations)
    .where(
      and(
        eq(logInInvitations.token_hash, sha256(secret)),
        isNull(logInInvitations.accepted_at),
        gt(logInInvitations.expires_at, nowIso()),
      ),
    )
    .for('update')
  if (!row) throw new Refusal(400, NOT_VALID)
  await requireActiveDojo(tx, dojoId)
  const person = row.guardian_id
    ? await guardianWithoutLogIn(tx, row.guardian_id)
    : await studentWithoutLogIn(tx, dojoId, row.student_id!)
  if (!person) throw new Refusal(400, NOT_VALID)
  const invitee = row.guardian_id
    ? { guardian_id: row.guardian_id }
    : { student_id: row.student_id! }
  return { invited: invitee, name: person.name, email: row.email }
}

async function guardianWithoutLogIn(tx: Tx, id: string) {
  const [guardian] = await tx.select().from(guardians).where(eq(guardians.id, id))
  return guardian?.account_id === null ? guardian : null
}

async function studentWithoutLogIn(tx: Tx, dojoId: string, id: string) {
  const [student] = await tx.select().from(students).where(eq(students.id, id))
  if (student?.email !== null || (await needsDateOfBirth(tx, id))) return null
  return (await mayHaveLogIn(tx, dojoId, id)) ? student : null
}

export async function lookUpInvitation(db: Database, secret: string) {
  const dojoId = dojoOfInvitation(secret)
  return db.inDojo(dojoId, async (tx) => {
    const { invited, name, email } = await openInvitation(tx, dojoId, secret)
    return {
      dojo_name: (await dojoById(tx, dojoId)).name,
      name,
      email,
      is_guardian: invited.guardian_id !== undefined,
    }
  })
}

/** Creates the account and logs in. 409 if the email is taken by now. */
export async function acceptInvitation(
  tx: Tx,
  dojoId: string,
  secret: string,
  password_hash: string,
  origin: Origin,
) {
  const { invited, email } = await openInvitation(tx, dojoId, secret)
  const id = invited.guardian_id ?? invited.student_id,
    role = invited.guardian_id ? ('guardian' as const) : ('student' as const)
  await createAccount(tx, { id, email, password_hash, role, dojo_id: dojoId, is_active: true })
  if (role === 'student') await tx.update(students).set({ email }).where(eq(students.id, id))
  // A student who is also a guardian has one login.
  await tx.update(guardians).set({ account_id: id, email }).where(eq(guardians.id, id))
  await tx
    .update(logInInvitations)
    .set({ accepted_at: nowIso() })
    .where(eq(logInInvitations.token_hash, sha256(secret)))
  await deleteOpenInvitations(tx, invited)
  await auditAct(tx, { id, dojoId }, 'log-in made by invitation', { subject_id: id })
  const token = await openSession(tx, id, origin)
  return { token, identity: { id, role, dojoId } }
}
