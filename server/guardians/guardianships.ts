import type {
  Guardian,
  GuardianOfStudent,
  GuardianRights,
  NewGuardian,
} from '@tatami/contract/guardians/guardians'
import { and, desc, eq, ne } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { nowIso } from '../lib/clock.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'
import {
  type Actor,
  addGuardianWithAccount,
  omitUndefined,
  readGuardianById,
  insertGuardian,
  isActiveLink,
  isLinkBetween,
  lockGuardian,
} from './guardian-records.ts'
import { reopenLogin } from './logins.ts'
import { endLostAccess } from './lost-access.ts'
import { guardianships } from './tables.ts'

type Link = typeof guardianships.$inferSelect

export async function createGuardian(
  tx: Tx,
  caller: Actor,
  { students: links = [], ...form }: NewGuardian,
): Promise<Guardian> {
  // Throws 404 for an unknown student before anything is written.
  for (const { student_id } of sortByStudentId(links)) await lockStudent(tx, student_id)
  const id = form.account_id
    ? await addGuardianWithAccount(tx, form.account_id, form)
    : await insertGuardian(tx, { ...form, name: form.name ?? '' })
  await auditAction(tx, caller, 'guardian added', { subject_id: id })
  for (const { student_id, ...rights } of links)
    await linkGuardian(tx, caller, id, student_id, rights)
  return readGuardianById(tx, id)
}

const RIGHTS = [
  'relation',
  'sees',
  'sees_fees',
  'gets_texts',
  'pays',
  'may_edit',
  'picks_up',
  'emergency_rank',
  'note',
] as const

/** Columns that clear a consent. The audit log still shows who agreed. */
export const WITHDRAWN_CONSENT = {
  allows_log_in: false,
  log_in_consent_at: null,
  log_in_consent_source: null,
  log_in_consent_wording: null,
} satisfies Partial<Link>

/** Links a guardian to a student, or changes the rights of their link. If the guardian becomes the
 *  payer, the previous payer no longer pays. */
export async function linkGuardian(
  tx: Tx,
  caller: Actor,
  guardian_id: string,
  student_id: string,
  rights: GuardianRights,
): Promise<void> {
  if (guardian_id === student_id)
    throw invalid('student_id', 'Students can’t be their own guardian')
  await lockGuardian(tx, guardian_id)
  await lockStudent(tx, student_id)
  const [previousLink] = await tx
    .select()
    .from(guardianships)
    .where(isLinkBetween(guardian_id, student_id))
  const isNew = !previousLink || previousLink.ended_at !== null
  const definedRights = omitUndefined(rights)
  const values = {
    ...(isNew && createLinkColumns(definedRights)),
    ...definedRights,
    ...(definedRights.sees === false && WITHDRAWN_CONSENT),
  }
  if (values.pays) await removePreviousPayer(tx, caller, student_id, guardian_id)
  if (!previousLink)
    await tx.insert(guardianships).values({ guardian_id, student_id, since: nowIso(), ...values })
  else if (Object.keys(values).length > 0)
    await tx.update(guardianships).set(values).where(isLinkBetween(guardian_id, student_id))
  if (!isNew) await endLostAccess(tx, caller.dojoId, [student_id])
  await auditAction(tx, caller, isNew ? 'guardian linked' : 'guardian rights changed', {
    subject_id: guardian_id,
    details: { student_id, ...describeChangedRights(previousLink, values) },
  })
}

const createLinkColumns = ({ pays = false }: Partial<GuardianRights>): Partial<Link> => ({
  since: nowIso(),
  ended_at: null,
  relation: 'guardian',
  sees: true,
  sees_fees: pays,
  gets_texts: true,
  pays: false,
  may_edit: false,
  picks_up: false,
  emergency_rank: null,
  note: null,
  agreed_at: null,
  agrees_to_fees: true,
  agrees_to_edit: true,
  ...WITHDRAWN_CONSENT,
  closes_log_in: false,
  adulthood_announced_at: null,
  adulthood_reached_at: null,
})

/** Returns the new values of changed rights. For a note, which is private, returns only `true`. */
function describeChangedRights(previousLink: Link | undefined, values: Partial<Link>) {
  const changedFields = RIGHTS.filter(
    (right) => values[right] !== undefined && values[right] !== previousLink?.[right],
  )
  return Object.fromEntries(
    changedFields.map((right) => [right, right === 'note' ? true : (values[right] ?? 'none')]),
  )
}

export const sortByStudentId = <Row extends { student_id: string }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((first, second) => (first.student_id < second.student_id ? -1 : 1))

type StudentRow = typeof students.$inferSelect

export async function requireStudent(tx: Tx, id: string): Promise<StudentRow> {
  const [student] = await tx.select().from(students).where(eq(students.id, id))
  if (!student) throw notFound('Student')
  return student
}

/** Makes concurrent requests wait for each other, so that each request sees the current payer. */
export async function lockStudent(tx: Tx, id: string): Promise<StudentRow> {
  const [student] = await tx.select().from(students).where(eq(students.id, id)).for('no key update')
  if (!student) throw notFound('Student')
  return student
}

/** Throws 409 for a former student. */
export function requireCurrent({ name, left_on }: Pick<StudentRow, 'name' | 'left_on'>): void {
  if (left_on !== null) throw new Refusal(409, `${name} is a former student. Re-enroll them first.`)
}

async function removePreviousPayer(tx: Tx, caller: Actor, student_id: string, newPayerId: string) {
  const previousPayers = await tx
    .update(guardianships)
    .set({ pays: false })
    .where(
      and(
        eq(guardianships.student_id, student_id),
        eq(guardianships.pays, true),
        isActiveLink,
        ne(guardianships.guardian_id, newPayerId),
      ),
    )
    .returning({ id: guardianships.guardian_id })
  const details = { student_id, pays: false }
  for (const { id } of previousPayers)
    await auditAction(tx, caller, 'guardian rights changed', { subject_id: id, details })
}

/** Ends a link. Also deletes notifications about the student, and reopens a login that the
 *  guardian's login replaced. */
export async function unlinkGuardian(
  tx: Tx,
  caller: Actor,
  guardian_id: string,
  student_id: string,
): Promise<void> {
  const [endedLink] = await tx
    .update(guardianships)
    .set({ ended_at: nowIso(), ...WITHDRAWN_CONSENT })
    .where(and(isLinkBetween(guardian_id, student_id), isActiveLink))
    .returning({ id: guardianships.guardian_id })
  if (!endedLink) throw notFound('Guardian')
  await endLostAccess(tx, caller.dojoId, [student_id])
  await reopenLogin(tx, guardian_id, student_id)
  await auditAction(tx, caller, 'guardian link ended', {
    subject_id: guardian_id,
    details: { student_id },
  })
}

/** Links guardians to students who were created in this transaction and have no links yet. */
export async function linkGuardiansOfNewStudents(
  tx: Tx,
  caller: Actor,
  links: { guardian_id: string; student_id: string; rights: GuardianRights }[],
): Promise<void> {
  const rows = links.map(({ guardian_id, student_id, rights }) => {
    const definedRights = omitUndefined(rights)
    return {
      guardian_id,
      student_id,
      since: nowIso(),
      ...createLinkColumns(definedRights),
      ...definedRights,
    }
  })
  await inChunks(rows, (chunk) => tx.insert(guardianships).values(chunk))
  const auditEntries = rows.map(({ guardian_id, student_id, ...values }) => ({
    subject_id: guardian_id,
    details: { student_id, ...describeChangedRights(undefined, values) },
  }))
  await auditAction(tx, caller, 'guardian linked', auditEntries)
}

type GuardiansOfStudent = {
  guardian_ids?: string[] | undefined
  guardian?: GuardianOfStudent | null | undefined
}

/** The first guardian becomes the payer and sees the fees. */
export async function linkGuardiansOfStudent(
  tx: Tx,
  caller: Actor,
  studentId: string,
  { guardian_ids = [], guardian }: GuardiansOfStudent,
): Promise<void> {
  const linkedGuardians = guardian
    ? [{ id: await insertGuardian(tx, guardian), relation: guardian.relation }]
    : []
  for (const id of guardian_ids)
    linkedGuardians.push({ id, relation: await findLatestRelation(tx, id) })
  for (const [index, { id, relation }] of linkedGuardians.entries())
    await linkGuardian(tx, caller, id, studentId, { relation, pays: index === 0, picks_up: true })
}

/** Returns the relation to the guardian's latest child. It is probably the same for the next child.
 *  */
async function findLatestRelation(
  tx: Tx,
  guardian_id: string,
): Promise<Link['relation'] | undefined> {
  const [link] = await tx
    .select({ relation: guardianships.relation })
    .from(guardianships)
    .where(and(eq(guardianships.guardian_id, guardian_id), isActiveLink))
    .orderBy(desc(guardianships.since))
    .limit(1)
  return link?.relation
}
