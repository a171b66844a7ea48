import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { and, eq, gte, isNull, sql } from 'drizzle-orm'
import type { Account } from '../accounts/accounts.ts'
import type { EndAccess, NewLogins } from '../accounts/suspect-access.ts'
import { accounts } from '../accounts/tables.ts'
import { auditAction } from '../audit/audit.ts'
import { calendarFeeds } from '../calendar/feeds/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import { insideDojo, type Tx } from '../db/database.ts'
import { findVisibleStudents } from '../guardians/readers.ts'
import { guardians, loginInvitations } from '../guardians/tables.ts'
import { checkInCodes, checkInPins, kiosks } from '../kiosk/tables.ts'
import { nowIso } from '../lib/clock.ts'
import { pluck } from '../lib/rows.ts'
import { notify } from '../notifications/notify.ts'
import { staffInvitations } from '../staff/tables.ts'
import { students } from '../students/tables.ts'

/** A thief may have created other access before they changed the email or password. */
const HEAD_START_MS = DAY_MS

/** The owner of a recovered account. All access that was created since `suspectSince` may be a
 *  thief's. */
type RecoveredOwner = { id: string; role: Account['role']; dojoId: string; suspectSince: string }

/** Ends kiosks and their links, login invitations, PINs, check-in codes and the calendar address,
 *  and notifies the owner. Sessions and second factors are ended elsewhere. */
export const endAccessSince: EndAccess = async (tx, account, changedAt, title) => {
  const { id, role, dojo_id: dojoId } = account
  if (!dojoId) return { guardians: [], students: [] }
  const suspectSince = new Date(Date.parse(changedAt) - HEAD_START_MS).toISOString()
  const owner: RecoveredOwner = { id, role, dojoId, suspectSince }
  return insideDojo(tx, dojoId, async (dojoTx) => {
    const endedAccess = await endAllAccess(dojoTx, owner)
    const newLogins = await findNewLogins(dojoTx, owner)
    const sentences = [
      ...listEndedAccessSentences(endedAccess),
      ...listNewLoginSentences(newLogins),
    ]
    if (sentences.length > 0)
      await notify(dojoTx, dojoId, [id], { title, message: sentences.join(' ') })
    return newLogins
  })
}

async function endAllAccess(tx: Tx, owner: RecoveredOwner): Promise<string[]> {
  const counts: [count: number, singular: string, plural: string][] = [
    [await endCalendarFeed(tx, owner), 'calendar address', 'calendar addresses'],
    [await endKiosks(tx, owner), 'kiosk or kiosk link', 'kiosks and kiosk links'],
    [await endInvitations(tx, owner), 'invitation', 'invitations'],
    [await deletePins(tx, owner), 'check-in PIN', 'check-in PINs'],
    [await renewCheckInCode(tx, owner), 'check-in code', 'check-in codes'],
  ]
  return counts
    .filter(([count]) => count > 0)
    .map(([count, singular, plural]) => `${count} ${count === 1 ? singular : plural}`)
}

const listEndedAccessSentences = (endedAccess: string[]): string[] =>
  endedAccess.length === 0
    ? []
    : [`To be safe, we turned off: ${endedAccess.join(', ')}. Please set up again what you need.`]

/** Real families may have created these logins, so they are only listed for the owner. */
async function findNewLogins(tx: Tx, owner: RecoveredOwner): Promise<NewLogins> {
  if (owner.role !== 'instructor') return { guardians: [], students: [] }
  const isNew = gte(accounts.created_at, owner.suspectSince)
  const guardianRows = await tx
    .select({ name: guardians.name })
    .from(guardians)
    .innerJoin(accounts, eq(accounts.id, guardians.account_id))
    .where(and(eq(accounts.role, 'guardian'), isNew))
    .orderBy(guardians.name)
  const studentRows = await tx
    .select({ name: students.name })
    .from(students)
    .innerJoin(accounts, eq(accounts.id, students.id))
    .where(and(eq(accounts.role, 'student'), isNew))
    .orderBy(students.name)
  return { guardians: pluck(guardianRows, 'name'), students: pluck(studentRows, 'name') }
}

const MAX_LISTED_NAMES = 20

function listNewLoginSentences(newLogins: NewLogins): string[] {
  const sentences: string[] = []
  if (newLogins.guardians.length > 0)
    sentences.push(`${describeNewLogins(newLogins.guardians, 'guardian')} under Families.`)
  if (newLogins.students.length > 0)
    sentences.push(
      `${describeNewLogins(newLogins.students, 'student')} in the Student Center: you can end ` +
        'a login on the student’s page.',
    )
  return sentences
}

/** Such as "2 student logins were added in the meantime: Ken Adams, Mia Ruiz. Check them". */
function describeNewLogins(names: string[], role: 'guardian' | 'student'): string {
  const isSingle = names.length === 1
  const count = isSingle ? `1 ${role} login was` : `${names.length} ${role} logins were`
  const unlistedCount = names.length - MAX_LISTED_NAMES
  const listedNames = names.slice(0, MAX_LISTED_NAMES).join(', ')
  const remainder = unlistedCount > 0 ? ` and ${unlistedCount} more` : ''
  const pronoun = isSingle ? 'it' : 'them'
  return `${count} added in the meantime: ${listedNames}${remainder}. Check ${pronoun}`
}

async function endCalendarFeed(tx: Tx, owner: RecoveredOwner): Promise<number> {
  const endedFeeds = await tx
    .delete(calendarFeeds)
    .where(eq(calendarFeeds.account_id, owner.id))
    .returning({ id: calendarFeeds.account_id })
  if (endedFeeds.length > 0) await auditAction(tx, owner, 'calendar address ended')
  return endedFeeds.length
}

async function endKiosks(tx: Tx, owner: RecoveredOwner): Promise<number> {
  const endedKiosks = await tx
    .update(kiosks)
    .set({ token_hash: null, link_hash: null, link_expires_at: null, ended_at: nowIso() })
    .where(
      and(
        eq(kiosks.created_by, owner.id),
        gte(kiosks.created_at, owner.suspectSince),
        isNull(kiosks.ended_at),
      ),
    )
    .returning({ name: kiosks.name })
  for (const { name } of endedKiosks)
    await auditAction(tx, owner, 'kiosk ended', { details: { kiosk: name } })
  return endedKiosks.length
}

/** Deletes new invitations that are still open, because the thief may have their links. */
async function endInvitations(tx: Tx, owner: RecoveredOwner): Promise<number> {
  if (owner.role !== 'instructor') return 0
  const endedInvitations = await tx
    .delete(loginInvitations)
    .where(
      and(
        isNull(loginInvitations.accepted_at),
        gte(loginInvitations.created_at, owner.suspectSince),
      ),
    )
    .returning({ id: loginInvitations.token_hash })
  const endedStaffInvitations = await tx
    .delete(staffInvitations)
    .where(gte(staffInvitations.created_at, owner.suspectSince))
    .returning({ id: staffInvitations.id })
  return endedInvitations.length + endedStaffInvitations.length
}

/** Deletes new PINs, because the thief may know them. */
async function deletePins(tx: Tx, owner: RecoveredOwner): Promise<number> {
  const isOfVisibleStudent =
    owner.role === 'instructor'
      ? undefined
      : equalsAny(checkInPins.student_id, await findVisibleStudents(tx, owner))
  const endedPins = await tx
    .delete(checkInPins)
    .where(and(gte(checkInPins.changed_at, owner.suspectSince), isOfVisibleStudent))
    .returning({ student_id: checkInPins.student_id })
  for (const { student_id } of endedPins)
    await auditAction(tx, owner, 'check-in PIN changed', {
      subject_id: student_id,
      details: { removed: true },
    })
  return endedPins.length
}

/** Replaces the check-in code, because the thief may have a photo of it. Instructors have no code.
 *  */
async function renewCheckInCode(tx: Tx, owner: RecoveredOwner): Promise<number> {
  if (owner.role === 'instructor') return 0
  const studentIds = await findVisibleStudents(tx, owner)
  const studentCount = await tx.$count(students, equalsAny(students.id, studentIds))
  if (studentCount === 0) return 0
  await tx
    .insert(checkInCodes)
    .values({ account_id: owner.id, renewed: 1 })
    .onConflictDoUpdate({
      target: [checkInCodes.dojo_id, checkInCodes.account_id],
      set: { renewed: sql`${checkInCodes.renewed} + 1` },
    })
  await auditAction(tx, owner, 'check-in code renewed', { subject_id: owner.id })
  return 1
}
