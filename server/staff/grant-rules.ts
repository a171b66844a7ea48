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

const staffScopeOf = ({ staff }: DojoCaller) => mustExist(staff, 'The staff scope of the caller')

export const requireOwner = (caller: DojoCaller): void => {
  if (!staffScopeOf(caller).isOwner) throw new Refusal(403, 'Only an owner can do this.')
}

/** 403 if the caller lacks one of the rights that they would give to somebody new. */
export const requireMayGive = (caller: DojoCaller, rights: readonly Right[]): void =>
  requireRights(caller, rights)

/** 403 if the caller would give or take a right that they lack, or raise their own rights. */
export function requireMayChange(
  caller: DojoCaller,
  member: StaffRow,
  grant: StaffGrantForm,
): void {
  requireRights(caller, rightsThatDiffer(member.rights, grant.rights))
  // More classes are more of each right.
  if (hasNewClass(member, grant)) requireRights(caller, grant.rights)
  if (member.instructor_id === caller.id && isRaised(member, grant))
    throw new Refusal(403, 'You can’t give yourself more than you have. Ask the owner.')
}

/** 403 if the caller lacks a right of somebody whose work they would end. */
export const requireMayEnd = (caller: DojoCaller, { rights }: Pick<Grant, 'rights'>): void =>
  requireRights(caller, rights)

function requireRights(caller: DojoCaller, rights: readonly Right[]): void {
  const { rights: callerRights } = staffScopeOf(caller)
  const lackedRight = rights.find((right) => !callerRights.has(right))
  if (lackedRight) throw new Refusal(403, refusalWithout(lackedRight))
}

/** The rights that are in only one of the two lists. */
export const rightsThatDiffer = (current: readonly Right[], next: readonly Right[]): Right[] =>
  [...current, ...next].filter((right) => !(current.includes(right) && next.includes(right)))

function isRaised(current: Grant, next: StaffGrantForm): boolean {
  const hasNewRight = next.rights.some((right) => !current.rights.includes(right))
  const { ends_on: lastDay } = current
  const { ends_on: nextLastDay = null } = next
  const isLonger = lastDay !== null && (nextLastDay === null || nextLastDay > lastDay)
  return hasNewRight || hasNewClass(current, next) || isLonger
}

const hasNewClass = (
  { class_ids: currentClasses }: Pick<Grant, 'class_ids'>,
  { class_ids: nextClasses = null }: Pick<StaffGrantForm, 'class_ids'>,
): boolean =>
  currentClasses !== null &&
  (nextClasses === null || nextClasses.some((id) => !currentClasses.includes(id)))

/** 422 for a class of another dojo. */
export async function requireClassesOfDojo(tx: Tx, classIds: readonly string[] | null | undefined) {
  if (!classIds) return
  const uniqueIds = [...new Set(classIds)]
  const count = await tx.$count(classes, equalsAny(classes.id, uniqueIds))
  if (count < uniqueIds.length) throw invalid('class_ids', 'Class not found')
}

/** Students under 18 can only be helpers, from the age of 14 and with a guardian's consent. */
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
    throw new Refusal(422, `Students can help from the age of ${HELPER_AGE}`)
  const helperRights: readonly Right[] = HELPER_RIGHTS
  const adultRight = rights.find((right) => !helperRights.includes(right))
  if (adultRight)
    throw invalid('rights', `Nobody under ${ADULT_AGE} may ${RIGHTS[adultRight].allows}`)
  if (!guardianId || !(await isGuardianOf(tx, guardianId, studentId)))
    throw invalid('guardian_id', `Under ${ADULT_AGE}, a guardian has to agree. Choose who did`)
}

const isGuardianOf = async (tx: Tx, guardianId: string, studentId: string): Promise<boolean> =>
  (await tx.$count(guardianships, and(isLinkBetween(guardianId, studentId), isActiveLink))) > 0
