import type { Guardian, GuardianUpdate, NewGuardian } from '@tatami/contract/guardians/guardians'
import {
  and,
  eq,
  exists,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  max,
  notExists,
  type SQL,
  sql,
} from 'drizzle-orm'
import { findAccountById, changeEmail, deleteAccount } from '../accounts/accounts.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { accounts } from '../accounts/tables.ts'
import { auditAction } from '../audit/audit.ts'
import { equalsAny, inChunks } from '../db/bulk.ts'
import { byName, newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { removePersonFromStoredReplies } from '../http/idempotency.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { pluck } from '../lib/rows.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { instructors } from '../sensei/tables.ts'
import { staffMembers } from '../staff/tables.ts'
import { adultOn, isCurrentStudent, students } from '../students/tables.ts'
import { endLostAccess } from './lost-access.ts'
import { guardianPhones, guardians, guardianships, loginInvitations } from './tables.ts'

export type Actor = Pick<DojoCaller, 'id' | 'dojoId'>
type GuardianRow = typeof guardians.$inferSelect

export const isActiveLink = isNull(guardianships.ended_at)
export const isLinkBetween = (guardianId: string, studentId: string) =>
  and(eq(guardianships.guardian_id, guardianId), eq(guardianships.student_id, studentId))
const isStudent = (tx: Tx) =>
  exists(
    tx
      .select({ id: students.id })
      .from(students)
      .where(and(eq(students.id, guardians.id), isCurrentStudent)),
  )
const isInstructor = (tx: Tx) =>
  exists(
    tx
      .select({ id: staffMembers.instructor_id })
      .from(staffMembers)
      .where(and(eq(staffMembers.instructor_id, guardians.id), isNull(staffMembers.ended_at))),
  )

const { dojo_id: _, ended_at: __, ...linkColumns } = getTableColumns(guardianships)

async function readGuardians(tx: Tx, condition?: SQL): Promise<Guardian[]> {
  const rows = await tx
    .select({
      ...getTableColumns(guardians),
      is_student: isStudent(tx),
      is_instructor: isInstructor(tx),
    })
    .from(guardians)
    .where(condition)
    .orderBy(...byName(guardians))
  const ids = pluck(rows, 'id')
  const links = await tx
    .select({
      ...linkColumns,
      student_name: students.name,
      adult_on: sql<string | null>`${adultOn}::text`,
    })
    .from(guardianships)
    .innerJoin(students, eq(students.id, guardianships.student_id))
    .where(and(isActiveLink, isCurrentStudent, inArray(guardianships.guardian_id, ids)))
    .orderBy(...byName(students))
  const guardiansOfFormerStudents = await findGuardiansOfFormerStudents(tx, ids)
  const invitationEnds = await findInvitationEnds(tx, ids)
  const linksByGuardian = Map.groupBy(links, (link) => link.guardian_id)
  return rows.map((row) => ({
    ...row,
    has_log_in: row.account_id !== null,
    is_student: row.is_student === true,
    is_instructor: row.is_instructor === true,
    invited_until: row.account_id === null ? (invitationEnds.get(row.id) ?? null) : null,
    students: (linksByGuardian.get(row.id) ?? []).map((link) => ({
      ...link,
      student_agreed: link.agreed_at !== null,
      ended_by_age: link.adulthood_reached_at !== null,
    })),
    has_former_students: guardiansOfFormerStudents.has(row.id),
  }))
}

/** Guardian id → the time at which the last open invitation expires. */
async function findInvitationEnds(
  tx: Tx,
  guardianIds: string[],
): Promise<Map<string | null, string | null>> {
  const invitations = await tx
    .select({
      guardian_id: loginInvitations.guardian_id,
      expires_at: max(loginInvitations.expires_at),
    })
    .from(loginInvitations)
    .where(
      and(
        inArray(loginInvitations.guardian_id, guardianIds),
        isNull(loginInvitations.accepted_at),
        gt(loginInvitations.expires_at, nowIso()),
      ),
    )
    .groupBy(loginInvitations.guardian_id)
  return new Map(invitations.map(({ guardian_id, expires_at }) => [guardian_id, expires_at]))
}

async function findGuardiansOfFormerStudents(tx: Tx, guardianIds: string[]): Promise<Set<string>> {
  const rows = await tx
    .selectDistinct({ id: guardianships.guardian_id })
    .from(guardianships)
    .innerJoin(students, eq(students.id, guardianships.student_id))
    .where(
      and(
        isActiveLink,
        isNotNull(students.left_on),
        inArray(guardianships.guardian_id, guardianIds),
      ),
    )
  return new Set(pluck(rows, 'id'))
}

export async function readGuardianById(tx: Tx, id: string): Promise<Guardian> {
  const [guardian] = await readGuardians(tx, eq(guardians.id, id))
  if (!guardian) throw notFound('Guardian')
  return guardian
}

export async function lockGuardian(tx: Tx, id: string): Promise<GuardianRow> {
  const [row] = await tx.select().from(guardians).where(eq(guardians.id, id)).for('no key update')
  if (!row) throw notFound('Guardian')
  return row
}

export async function listFamilies(tx: Tx) {
  const allGuardians = await readGuardians(tx)
  const families = allGuardians.map(({ id, students: links }) => ({
    payer_id: id,
    student_ids: pluck(
      links.filter(({ pays }) => pays),
      'student_id',
    ),
  }))
  return {
    guardians: allGuardians,
    families: families.filter(({ student_ids }) => student_ids.length > 0),
  }
}

type Contact = Pick<NewGuardian, 'phone' | 'email'>

export async function insertGuardian(
  tx: Tx,
  { name, phone, email }: Contact & { name: string },
): Promise<string> {
  const id = newId()
  await insertGuardians(tx, [{ id, name, phone: phone ?? null, email: email ?? null }])
  return id
}

/** A guardian who is also a student must have the student's id, so that they get one login for
 *  both. */
export const insertGuardians = (tx: Tx, rows: (typeof guardians.$inferInsert)[]): Promise<void> =>
  inChunks(rows, (chunk) => tx.insert(guardians).values(chunk))

/** Makes a student or an instructor a guardian. They keep their login. */
export async function addGuardianWithAccount(
  tx: Tx,
  id: string,
  { phone }: Contact,
): Promise<string> {
  const [student] = await tx
    .select()
    .from(students)
    .where(and(eq(students.id, id), isNotNull(students.email), isCurrentStudent))
  const [instructor] = await tx.select().from(instructors).where(eq(instructors.id, id))
  const person = student ?? instructor
  if (!person) throw notFound('Account')
  const { name, email, phone_number } = person
  const insertedRows = await tx
    .insert(guardians)
    .values({
      id,
      account_id: id,
      name,
      email,
      phone: phone ?? phone_number,
    })
    .onConflictDoNothing()
    .returning({ id: guardians.id })
  if (insertedRows.length === 0) throw new Refusal(409, 'They are already a guardian')
  return id
}

export async function updateGuardian(
  tx: Tx,
  caller: Actor,
  id: string,
  { email, ...form }: GuardianUpdate,
): Promise<Guardian> {
  const guardianRow = await lockGuardian(tx, id)
  if (email !== undefined && email !== guardianRow.email) {
    if (guardianRow.account_id === null) {
      await tx.update(guardians).set({ email }).where(eq(guardians.id, id))
      // Somebody else may have the old mailbox, and must not be able to accept the invitation.
      await deleteInvitations(tx, id)
    } else {
      if (email === null) throw invalid('email', 'Email is required while the guardian has a login')
      if ((await findAccountById(tx, id))?.role !== 'guardian')
        throw invalid('email', 'This email belongs to their own page. Please change it there.')
      await changeEmail(tx, id, email)
    }
  }
  await tx
    .update(guardians)
    .set(omitUndefined({ ...form, name: form.name ?? guardianRow.name }))
    .where(eq(guardians.id, id))
  await auditAction(tx, caller, 'guardian changed', { subject_id: id })
  return readGuardianById(tx, id)
}

const deleteInvitations = (tx: Tx, id: string) =>
  tx
    .delete(loginInvitations)
    .where(and(eq(loginInvitations.guardian_id, id), isNull(loginInvitations.accepted_at)))

export const omitUndefined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Field in keyof Fields]: Exclude<Fields[Field], undefined>
  }

/** Reopens student logins that were closed for this guardian. Returns the guardian's phones. */
export async function deleteGuardian(
  tx: Tx,
  sessions: Sessions,
  caller: Actor,
  id: string,
): Promise<string[]> {
  const { account_id, phone } = await lockGuardian(tx, id)
  const additionalPhones = await tx
    .select({ phone: guardianPhones.phone })
    .from(guardianPhones)
    .where(eq(guardianPhones.guardian_id, id))
  const closedLogins = tx
    .select({ id: guardianships.student_id })
    .from(guardianships)
    .where(and(eq(guardianships.guardian_id, id), isNotNull(guardianships.log_in_closed_at)))
  await tx.update(accounts).set({ is_active: true }).where(inArray(accounts.id, closedLogins))
  const links = await tx
    .delete(guardianships)
    .where(eq(guardianships.guardian_id, id))
    .returning({ student_id: guardianships.student_id })
  await tx.delete(guardians).where(eq(guardians.id, id))
  await endLostAccess(tx, caller.dojoId, pluck(links, 'student_id'))
  if (account_id && (await findAccountById(tx, id))?.role === 'guardian') {
    await deleteAccount(tx, id)
    await sessions.endSessionsOfAccount(tx, id)
  }
  await removePersonFromStoredReplies(tx, id)
  await auditAction(tx, caller, 'guardian deleted', { subject_id: id })
  return [phone, ...additionalPhones.map((row) => row.phone)].filter(
    (phoneNumber) => phoneNumber !== null,
  )
}

export async function deleteUnlinkedGuardians(
  tx: Tx,
  caller: Actor,
  ids: string[],
): Promise<number> {
  const links = tx
    .select({ id: guardianships.guardian_id })
    .from(guardianships)
    .where(eq(guardianships.guardian_id, guardians.id))
  const deletedRows = await tx
    .delete(guardians)
    .where(and(equalsAny(guardians.id, ids), notExists(links)))
    .returning({ id: guardians.id })
  const auditEntries = deletedRows.map(({ id }) => ({ subject_id: id }))
  await auditAction(tx, caller, 'guardian deleted', auditEntries)
  return deletedRows.length
}
