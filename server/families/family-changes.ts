import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import type { FamilyChange, FamilyForm } from '@tatami/contract/families/families'
import { ADULT_AGE, UNDO_DAYS } from '@tatami/contract/guardians/guardians'
import { and, desc, eq, gt, inArray, isNull, type SQL } from 'drizzle-orm'
import { moveAccount } from '../accounts/move-account.ts'
import { accounts } from '../accounts/tables.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { auditAction } from '../audit/audit.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import type { DojoCaller } from '../http/serve.ts'
import { now, nowIso } from '../lib/clock.ts'
import { firstRow, pick, pluck } from '../lib/rows.ts'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { NOTIFICATIONS_CHANGED } from '../notifications/notify.ts'
import { students } from '../students/tables.ts'
import { hasReachedAge } from '../guardians/ages.ts'
import {
  deleteGuardian,
  readGuardianById,
  insertGuardian,
  isActiveLink,
  isLinkBetween,
  lockGuardian,
} from '../guardians/guardian-records.ts'
import { sortByStudentId, linkGuardian, lockStudent } from '../guardians/guardianships.ts'
import { closePendingLogins, reopenLogin, reopenLoginsOfGuardian } from '../guardians/logins.ts'
import { endLostAccess } from '../guardians/lost-access.ts'
import {
  type FamilyChangeDetails,
  familyChanges,
  guardians,
  guardianships,
} from '../guardians/tables.ts'
import { movePayer } from './moved-payer.ts'

type FamilyMember = FamilyForm['students'][number]
type MemberChange = FamilyChangeDetails['students'][number]

/** Links students to a guardian, and moves or closes the students' logins as the form says. */
export async function makeFamily(tx: Tx, sessions: Sessions, caller: DojoCaller, form: FamilyForm) {
  const guardianId = await findOrInsertGuardian(tx, form)
  const { account_id, email: guardian_email } = await lockGuardian(tx, guardianId)
  if (account_id && form.students.some(({ log_in }) => log_in === 'move'))
    throw new Refusal(409, 'This guardian already has a login')
  const memberChanges: MemberChange[] = []
  for (const member of sortByStudentId(form.students))
    memberChanges.push(await addToFamily(tx, caller, guardianId, member, form))
  const movedLogin = memberChanges.find(({ log_in }) => log_in === 'move')
  if (movedLogin) await moveLogin(tx, sessions, caller, movedLogin.student_id, guardianId)
  await closePendingLogins(tx, sessions, caller.dojoId, guardianId)
  const storedChanges = await tx
    .insert(familyChanges)
    .values({
      guardian_id: guardianId,
      actor_id: caller.id,
      details: {
        is_new_guardian: form.guardian_id === undefined,
        guardian_email,
        students: memberChanges,
      },
    })
    .returning({ id: familyChanges.id })
  await auditAction(tx, caller, 'family made', {
    subject_id: guardianId,
    details: countMemberChanges(memberChanges),
  })
  const changes = await readFamilyChanges(tx, eq(familyChanges.id, firstRow(storedChanges).id))
  return { guardian: await readGuardianById(tx, guardianId), change: firstRow(changes) }
}

function findOrInsertGuardian(tx: Tx, { guardian_id, guardian }: FamilyForm) {
  if (guardian_id) return Promise.resolve(guardian_id)
  if (!guardian) throw notFound('Guardian')
  return insertGuardian(tx, guardian)
}

const countMemberChanges = (changes: MemberChange[]) => ({
  students: changes.length,
  log_ins_moved: changes.filter(({ log_in }) => log_in === 'move').length,
  log_ins_closed: changes.filter(({ log_in }) => log_in === 'close').length,
})

async function addToFamily(
  tx: Tx,
  caller: DojoCaller,
  guardianId: string,
  { student_id, relation, log_in = 'keep' }: FamilyMember,
  { pays = true, gets_texts }: FamilyForm,
): Promise<MemberChange> {
  const student = await lockStudent(tx, student_id)
  if (log_in !== 'keep') await requireChildLogin(tx, caller, student)
  const [link] = await tx.select().from(guardianships).where(isLinkBetween(guardianId, student_id))
  const [payer] = await tx
    .select({ id: guardianships.guardian_id })
    .from(guardianships)
    .where(
      and(eq(guardianships.student_id, student_id), eq(guardianships.pays, true), isActiveLink),
    )
  const previousLink = link?.ended_at === null ? link : null
  const maySeeStudent =
    previousLink === null || (previousLink.sees && previousLink.adulthood_reached_at === null)
  await linkGuardian(tx, caller, guardianId, student_id, {
    relation,
    gets_texts,
    ...(pays &&
      !previousLink?.pays && {
        pays,
        // A new payer sees the fees unless they may not see the student's page.
        sees_fees: maySeeStudent ? true : undefined,
      }),
  })
  if (log_in === 'close')
    await tx
      .update(guardianships)
      .set({ closes_log_in: true })
      .where(isLinkBetween(guardianId, student_id))
  const newLink = firstRow(
    await tx.select().from(guardianships).where(isLinkBetween(guardianId, student_id)),
  )
  return {
    student_id,
    log_in,
    before: previousLink && pickLinkColumns(previousLink),
    after: pickLinkColumns(newLink),
    payer_id: payer?.id ?? null,
  }
}

const LINK_COLUMNS = ['relation', 'sees', 'sees_fees', 'gets_texts', 'pays'] as const
const pickLinkColumns = (link: typeof guardianships.$inferSelect) => pick(link, ...LINK_COLUMNS)

async function requireChildLogin(
  tx: Tx,
  { dojoId }: DojoCaller,
  { id, name, email, date_of_birth }: typeof students.$inferSelect,
) {
  if (hasReachedAge(date_of_birth, ADULT_AGE, await todayOf(tx, dojoId), { unknown: false }))
    throw invalid('students', `${name} is ${ADULT_AGE} or older and keeps the login`)
  if (email === null) throw invalid('students', `${name} has no login`)
  if ((await tx.$count(guardians, eq(guardians.id, id))) > 0)
    throw invalid('students', `${name} is also a guardian with this login`)
}

/** Gives the student's login to the guardian, with autopay if there is any. Attendance and texts do
 *  not move. */
async function moveLogin(
  tx: Tx,
  sessions: Sessions,
  { dojoId }: DojoCaller,
  studentId: string,
  guardianId: string,
): Promise<void> {
  // A foreign key would delete the student with the account, so the student's email is cleared.
  await tx.update(students).set({ email: null }).where(eq(students.id, studentId))
  const email = await moveAccount(tx, studentId, { id: guardianId, role: 'guardian' })
  await tx
    .update(guardians)
    .set({ account_id: guardianId, email })
    .where(eq(guardians.id, guardianId))
  await movePayer(tx, { student_id: studentId }, { guardian_id: guardianId })
  await sessions.publishAccountChange(tx, studentId)
  await tx.publish(NOTIFICATIONS_CHANGED, dojoId)
}

type MovedLogin = { studentId: string; guardianId: string; guardianEmail: string | null }

/** Gives the login back to the student, unless the student has a new login. */
async function moveLoginBack(
  tx: Tx,
  sessions: Sessions,
  { dojoId }: DojoCaller,
  { studentId, guardianId, guardianEmail }: MovedLogin,
): Promise<void> {
  if ((await tx.$count(accounts, eq(accounts.id, studentId))) > 0) return
  await tx
    .update(guardians)
    .set({ account_id: null, email: guardianEmail })
    .where(eq(guardians.id, guardianId))
  await reopenLoginsOfGuardian(tx, guardianId)
  const email = await moveAccount(tx, guardianId, { id: studentId, role: 'student' })
  await tx.update(students).set({ email }).where(eq(students.id, studentId))
  await movePayer(tx, { guardian_id: guardianId }, { student_id: studentId })
  await sessions.publishAccountChange(tx, guardianId)
  await tx.publish(NOTIFICATIONS_CHANGED, dojoId)
}

/** Changes made before this time can no longer be undone. */
const getUndoCutoff = () => new Date(now().getTime() - UNDO_DAYS * DAY_MS).toISOString()

async function readFamilyChanges(tx: Tx, ...conditions: SQL[]): Promise<FamilyChange[]> {
  const rows = await tx
    .select({
      id: familyChanges.id,
      guardian_id: familyChanges.guardian_id,
      guardian_name: guardians.name,
      details: familyChanges.details,
      made_at: familyChanges.created_at,
    })
    .from(familyChanges)
    .innerJoin(guardians, eq(guardians.id, familyChanges.guardian_id))
    .where(and(...conditions))
    .orderBy(desc(familyChanges.id))
  const ids = [...new Set(rows.flatMap(({ details }) => pluck(details.students, 'student_id')))]
  const studentRows = await tx
    .select({ id: students.id, name: students.name })
    .from(students)
    .where(equalsAny(students.id, ids))
  const names = new Map(studentRows.map(({ id, name }) => [id, name]))
  return rows.map(({ details, ...row }) => ({
    ...row,
    is_new_guardian: details.is_new_guardian,
    students: details.students.flatMap(({ student_id, log_in }) => {
      const name = names.get(student_id)
      return name === undefined ? [] : [{ student_id, name, log_in }]
    }),
    undo_until: new Date(Date.parse(row.made_at) + UNDO_DAYS * DAY_MS).toISOString(),
  }))
}

export const listFamilyChanges = (tx: Tx): Promise<FamilyChange[]> =>
  readFamilyChanges(
    tx,
    isNull(familyChanges.undone_at),
    gt(familyChanges.created_at, getUndoCutoff()),
  )

/** Undoes a family, but keeps later changes and passwords. If the guardian was new, deletes the
 *  guardian and returns their phones. Throws 409 after `UNDO_DAYS`, or if the family was already
 *  undone. */
export async function undoFamily(
  tx: Tx,
  sessions: Sessions,
  caller: DojoCaller,
  id: string,
): Promise<string[]> {
  const [change] = await tx
    .select()
    .from(familyChanges)
    .where(eq(familyChanges.id, id))
    .for('update')
  if (!change) throw notFound('Family')
  if (change.undone_at !== null) throw new Refusal(409, 'This has already been undone')
  if (change.created_at <= getUndoCutoff())
    throw new Refusal(409, `Families can only be undone for ${UNDO_DAYS} days`)
  const { account_id } = await lockGuardian(tx, change.guardian_id)
  const remainingMembers = await lockRemainingStudents(tx, change.details.students)
  for (const member of remainingMembers) {
    // If the undo ends the link, a login that a later family closed is reopened too.
    if (member.log_in === 'close' || member.before === null)
      await reopenLogin(tx, change.guardian_id, member.student_id)
    if (member.log_in === 'move' && account_id) {
      await moveLoginBack(tx, sessions, caller, {
        studentId: member.student_id,
        guardianId: change.guardian_id,
        guardianEmail: change.details.guardian_email,
      })
    }
    await restoreLink(tx, change.guardian_id, member)
  }
  await endLostAccess(tx, caller.dojoId, pluck(remainingMembers, 'student_id'))
  await tx.update(familyChanges).set({ undone_at: nowIso() }).where(eq(familyChanges.id, id))
  await auditAction(tx, caller, 'family undone', { subject_id: change.guardian_id })
  const linkCount = await tx.$count(
    guardianships,
    eq(guardianships.guardian_id, change.guardian_id),
  )
  const isGuardianDeleted = change.details.is_new_guardian && linkCount === 0
  return isGuardianDeleted ? deleteGuardian(tx, sessions, caller, change.guardian_id) : []
}

async function lockRemainingStudents(tx: Tx, members: MemberChange[]): Promise<MemberChange[]> {
  const ids = pluck(members, 'student_id').toSorted()
  const rows = await tx
    .select({ id: students.id })
    .from(students)
    .where(inArray(students.id, ids))
    .orderBy(students.id)
    .for('no key update')
  const remainingIds = new Set(pluck(rows, 'id'))
  return members.filter(({ student_id }) => remainingIds.has(student_id))
}

/** Restores rights that were not changed again later. Guardians of adults do not get access back.
 *  */
async function restoreLink(
  tx: Tx,
  guardianId: string,
  { student_id, before, after, payer_id }: MemberChange,
): Promise<void> {
  const [link] = await tx.select().from(guardianships).where(isLinkBetween(guardianId, student_id))
  if (!link) return
  if (before) {
    const changedColumns = LINK_COLUMNS.filter(
      (column) => before[column] !== after[column] && link[column] === after[column],
    )
    const isAdult = link.adulthood_reached_at !== null
    const restoredColumns = changedColumns.filter((column) => {
      const isAccess = column !== 'pays' && before[column] === true
      return !(isAdult && isAccess)
    })
    if (restoredColumns.length > 0)
      await tx
        .update(guardianships)
        .set(Object.fromEntries(restoredColumns.map((column) => [column, before[column]])))
        .where(isLinkBetween(guardianId, student_id))
  } else await tx.delete(guardianships).where(isLinkBetween(guardianId, student_id))
  const isPayer = link.pays && link.ended_at === null
  if (payer_id && payer_id !== guardianId && isPayer)
    await tx
      .update(guardianships)
      .set({ pays: true })
      .where(and(isLinkBetween(payer_id, student_id), isActiveLink))
}
