import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import { refusalWithout, type Right, RIGHTS } from '@tatami/contract/rights'
import { HELPER_AGE, HELPER_RIGHTS, type StaffGrantForm } from '@tatami/contract/staff/staff-grants'
import { and, eq } from 'drizzle-orm'
import { classes } from '../classes/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { hasReachedAge } from '../guardians/ages.ts'
import { isActiveLink, isLinkBetween } from '../guardians/guardian-records.ts'
import { guardianships } from '../guardians/tables.ts'
import type { DojoCaller } from '../http/serve.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { invalid, notFound, Refusal } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'
import { isMinor } from './staff-list.ts'
import type { staffMembers } from './tables.ts'

export type StaffRow = typeof staffMembers.$inferSelect
type Grant = Pick<StaffRow, 'rights' | 'class_ids' | 'starts_on' | 'ends_on'>

const requireStaffScope = ({ staff }: DojoCaller) =>
  mustExist(staff, 'The staff scope of the caller')

export const requireOwner = (caller: DojoCaller): void => {
  if (!requireStaffScope(caller).isOwner) throw new Refusal(403, 'Only an owner can do this.')
}

/** Refuses with 403 if the caller lacks a right that they want to give to a new person. */
export const requireMayGive = (caller: DojoCaller, rights: readonly Right[]): void =>
  requireRights(caller, rights)

/** Refuses with 403 if the caller changes a right that they lack, or raises their own rights. */
export function requireMayChange(
  caller: DojoCaller,
  member: StaffRow,
  grant: StaffGrantForm,
): void {
  requireRights(caller, listChangedRights(member.rights, grant.rights))
  // With more classes, every right covers more.
  if (hasNewClass(member, grant)) requireRights(caller, grant.rights)
  if (member.instructor_id === caller.id && isRaised(member, grant))
    throw new Refusal(403, 'You can’t give yourself more permissions. Please ask an owner.')
}

/** Refuses with 403 if the caller lacks a right of the person whose work they want to end. */
export const requireMayEnd = (caller: DojoCaller, { rights }: Pick<Grant, 'rights'>): void =>
  requireRights(caller, rights)

function requireRights(caller: DojoCaller, rights: readonly Right[]): void {
  const { rights: callerRights } = requireStaffScope(caller)
  const missingRight = rights.find((right) => !callerRights.has(right))
  if (missingRight) throw new Refusal(403, refusalWithout(missingRight))
}

/** Returns the rights that are in only one of the two lists. */
export const listChangedRights = (
  oldRights: readonly Right[],
  newRights: readonly Right[],
): Right[] =>
  [...oldRights, ...newRights].filter(
    (right) => !(oldRights.includes(right) && newRights.includes(right)),
  )

function isRaised(oldGrant: Grant, newGrant: StaffGrantForm): boolean {
  const hasNewRight = newGrant.rights.some((right) => !oldGrant.rights.includes(right))
  const { ends_on: oldLastDay } = oldGrant
  const { ends_on: newLastDay = null } = newGrant
  const isLonger = oldLastDay !== null && (newLastDay === null || newLastDay > oldLastDay)
  return hasNewRight || hasNewClass(oldGrant, newGrant) || isLonger
}

const hasNewClass = (
  { class_ids: oldClasses }: Pick<Grant, 'class_ids'>,
  { class_ids: newClasses = null }: Pick<StaffGrantForm, 'class_ids'>,
): boolean =>
  oldClasses !== null && (newClasses === null || newClasses.some((id) => !oldClasses.includes(id)))

/** Refuses classes of another dojo with 422. */
export async function requireClassesOfDojo(tx: Tx, classIds: readonly string[] | null | undefined) {
  if (!classIds) return
  const uniqueIds = [...new Set(classIds)]
  const count = await tx.$count(classes, equalsAny(classes.id, uniqueIds))
  if (count < uniqueIds.length) throw invalid('class_ids', 'Class not found')
}

/** Students under 18 can only be helpers, if they are 14 or older and a guardian agrees. */
export async function requireMayHelp(
  tx: Tx,
  dojoId: string,
  studentId: string,
  rights: readonly Right[],
  guardianId: string | null | undefined,
): Promise<void> {
  const [student] = await tx
    .select({ dateOfBirth: students.date_of_birth })
    .from(students)
    .where(eq(students.id, studentId))
  if (!student) throw notFound('Student')
  const today = await todayOf(tx, dojoId)
  if (!isMinor(student.dateOfBirth, today)) return
  if (!hasReachedAge(student.dateOfBirth, HELPER_AGE, today, { unknown: false }))
    throw new Refusal(422, `Students must be ${HELPER_AGE} or older to help`)
  const helperRights: readonly Right[] = HELPER_RIGHTS
  const adultRight = rights.find((right) => !helperRights.includes(right))
  if (adultRight)
    throw invalid('rights', `Students under ${ADULT_AGE} can’t ${RIGHTS[adultRight].allows}`)
  if (!guardianId || !(await isGuardianOf(tx, guardianId, studentId)))
    throw invalid(
      'guardian_id',
      `Choose the guardian who agreed. Students under ${ADULT_AGE} need one`,
    )
}

const isGuardianOf = async (tx: Tx, guardianId: string, studentId: string): Promise<boolean> =>
  (await tx.$count(guardianships, and(isLinkBetween(guardianId, studentId), isActiveLink))) > 0
