import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { and, eq, gte, isNull, sql } from 'drizzle-orm'
import type { Account } from '../accounts/accounts.ts'
import type { EndAccess, NewLogIns } from '../accounts/suspect-access.ts'
import { accounts } from '../accounts/tables.ts'
import { auditAction } from '../audit/audit.ts'
import { calendarFeeds } from '../calendar/feeds/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import { insideDojo, type Tx } from '../db/database.ts'
import { studentsSeenBy } from '../guardians/readers.ts'
import { guardians, logInInvitations } from '../guardians/tables.ts'
import { checkInCodes, checkInPins, kiosks } from '../kiosk/tables.ts'
import { nowIso } from '../lib/clock.ts'
import { notify } from '../notifications/notify.ts'
import { students } from '../students/tables.ts'

/** A thief may have prepared access before changing the email or password. */
const HEAD_START_MS = DAY_MS

/** Access created after `since` counts as a stranger's. */
type Owner = { id: string; role: Account['role']; dojoId: string; since: string }

/** Ends all access to a dojo that a stranger may have gained since `changedAt`, apart from sessions
 *  and second factors: kiosks, links, login invitations, PINs, check-in code and calendar address.
 *  Notifies the owner. */
export const endAccessSince: EndAccess = async (tx, account, changedAt, title) => {
  const { id, role, dojo_id: dojoId } = account
  if (!dojoId) return { guardians: [], students: [] }
  const startedAt = new Date(Date.parse(changedAt) - HEAD_START_MS).toISOString()
  const owner: Owner = { id, role, dojoId, since: startedAt }
  return insideDojo(tx, dojoId, async (dojoTx) => {
    const endedAccess = [
      countWords(await endCalendar(dojoTx, owner), 'calendar address', 'calendar addresses'),
      countWords(await endKiosks(dojoTx, owner), 'kiosk or kiosk link', 'kiosks and kiosk links'),
      countWords(await endInvitations(dojoTx, owner), 'login invitation', 'login invitations'),
      countWords(await endPins(dojoTx, owner), 'check-in PIN', 'check-in PINs'),
      countWords(await renewCode(dojoTx, owner), 'check-in code', 'check-in codes'),
    ].filter((words) => words !== null)
    const newLogIns = await namesOfNewLogIns(dojoTx, owner)
    const sentences = [
      ...(endedAccess.length > 0
        ? [
            `To be safe, we turned off: ${endedAccess.join(', ')}. ` +
              'Please set up again what you need.',
          ]
        : []),
      ...logInsMade(newLogIns),
    ]
    if (sentences.length > 0)
      await notify(dojoTx, dojoId, [id], { title, message: sentences.join(' ') })
    return newLogIns
  })
}

/** New logins by invitation, enrollment or the dojo's link. They stay, because families may have
 *  made them; the owner decides. */
async function namesOfNewLogIns(tx: Tx, owner: Owner): Promise<NewLogIns> {
  if (owner.role !== 'instructor') return { guardians: [], students: [] }
  const isNew = gte(accounts.created_at, owner.since)
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
  return {
    guardians: guardianRows.map(({ name }) => name),
    students: studentRows.map(({ name }) => name),
  }
}

const MAX_NAMED = 20

function logInsMade(newLogIns: NewLogIns): string[] {
  const sentences: string[] = []
  if (newLogIns.guardians.length > 0)
    sentences.push(`${logInWords(newLogIns.guardians, 'guardian')} under Families.`)
  if (newLogIns.students.length > 0)
    sentences.push(
      `${logInWords(newLogIns.students, 'student')} in the Student Center: a student’s ` +
        'page can end the login.',
    )
  return sentences
}

/** "2 student logins were added meanwhile: Ken Adams, Mia Ruiz. Check them" */
function logInWords(names: string[], role: 'guardian' | 'student'): string {
  const isOne = names.length === 1
  const count = isOne ? `1 ${role} login was` : `${names.length} ${role} logins were`
  const unnamedCount = names.length - MAX_NAMED
  const shownNames = names.slice(0, MAX_NAMED).join(', ')
  const remainder = unnamedCount > 0 ? ` and ${unnamedCount} more` : ''
  return `${count} added meanwhile: ${shownNames}${remainder}. Check ${isOne ? 'it' : 'them'}`
}

const countWords = (count: number, singular: string, several: string): string | null => {
  if (count === 0) return null
  return `${count} ${count === 1 ? singular : several}`
}

async function endCalendar(tx: Tx, owner: Owner): Promise<number> {
  const endedFeeds = await tx
    .delete(calendarFeeds)
    .where(eq(calendarFeeds.account_id, owner.id))
    .returning({ id: calendarFeeds.account_id })
  if (endedFeeds.length > 0) await auditAction(tx, owner, 'calendar address ended')
  return endedFeeds.length
}

async function endKiosks(tx: Tx, owner: Owner): Promise<number> {
  const endedKiosks = await tx
    .update(kiosks)
    .set({ token_hash: null, link_hash: null, link_expires_at: null, ended_at: nowIso() })
    .where(
      and(
        eq(kiosks.created_by, owner.id),
        gte(kiosks.created_at, owner.since),
        isNull(kiosks.ended_at),
      ),
    )
    .returning({ name: kiosks.name })
  for (const { name } of endedKiosks)
    await auditAction(tx, owner, 'kiosk ended', { details: { kiosk: name } })
  return endedKiosks.length
}

/** Unaccepted links were shown to their maker. */
async function endInvitations(tx: Tx, owner: Owner): Promise<number> {
  if (owner.role !== 'instructor') return 0
  const endedInvitations = await tx
    .delete(logInInvitations)
    .where(and(isNull(logInInvitations.accepted_at), gte(logInInvitations.created_at, owner.since)))
    .returning({ id: logInInvitations.token_hash })
  return endedInvitations.length
}

/** PINs are visible to those who ask for them. */
async function endPins(tx: Tx, owner: Owner): Promise<number> {
  const isSeen =
    owner.role === 'instructor'
      ? undefined
      : equalsAny(checkInPins.student_id, await studentsSeenBy(tx, owner))
  const endedPins = await tx
    .delete(checkInPins)
    .where(and(gte(checkInPins.changed_at, owner.since), isSeen))
    .returning({ student_id: checkInPins.student_id })
  for (const { student_id } of endedPins)
    await auditAction(tx, owner, 'check-in PIN changed', {
      subject_id: student_id,
      details: { removed: true },
    })
  return endedPins.length
}

/** Somebody may have photographed the code. Instructors have none. */
async function renewCode(tx: Tx, owner: Owner): Promise<number> {
  if (owner.role === 'instructor') return 0
  if ((await tx.$count(students, equalsAny(students.id, await studentsSeenBy(tx, owner)))) === 0)
    return 0
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
