import { senseiEmail, type SignInStep } from '@tatami/contract/accounts/accounts'
import type { OneDayClasses } from '@tatami/contract/calendar/timetable'
import type { Role } from '@tatami/contract/lib/endpoint'
import { ALL_RIGHTS, type Right } from '@tatami/contract/rights'
import { and, eq, isNull } from 'drizzle-orm'
import { insideDojo, type Tx } from '../db/database.ts'
import { dojoById, todayIn } from '../dojos/dojos.ts'
import type { Caller, StaffScope } from '../http/serve.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { classDates } from '../calendar/timetable/tables.ts'
import { invalid } from '../lib/refusal.ts'
import { pluck } from '../lib/rows.ts'
import { guardians } from '../guardians/tables.ts'
import { staffMembers } from '../staff/tables.ts'
import { students } from '../students/tables.ts'
import { hasSecondFactor, isSecondFactorRequired } from './requirements.ts'
import { findSchoolFactorDate } from './staff-rules.ts'
import type { RightsPreview } from './tables.ts'

/** Owners have all rights. */
export const OWNER_SCOPE: StaffScope = {
  isOwner: true,
  rights: new Set(ALL_RIGHTS),
  classIds: null,
  oneDayClasses: null,
  previewedPerson: null,
}

type StaffSession = {
  caller: Caller
  openedAt: string
  isInFamilyView: boolean
  rightsPreview: RightsPreview | null
}
type StaffMember = typeof staffMembers.$inferSelect

/** Loads what the caller may do today. Returns null for somebody who is not on the staff today and
 *  is neither a student nor a guardian. `timeZone` is set if the caller's rights depend on the
 *  day. */
export async function loadStaffCaller(
  tx: Tx,
  { caller, openedAt, isInFamilyView, rightsPreview }: StaffSession,
): Promise<{ caller: Caller; timeZone: string | null } | null> {
  const { scope, timeZone } = await findStaffScope(tx, caller)
  const familyCaller = isInFamilyView || !scope ? await toFamilyCaller(tx, caller) : null
  if (familyCaller) return { caller: familyCaller, timeZone }
  if (!scope) return null
  const staff = rightsPreview && scope.isOwner ? toPreviewScope(rightsPreview) : scope
  const step = caller.step ?? (await findStaffStep(tx, caller.id, scope, openedAt))
  return { caller: { ...caller, staff, step }, timeZone }
}

/** Sessions that were opened before the school required a second factor are not interrupted. */
async function findStaffStep(
  tx: Tx,
  id: string,
  scope: StaffScope,
  openedAt: string,
): Promise<SignInStep | null> {
  const requiredSince = await findSchoolFactorDate(tx, scope)
  const isRequired = requiredSince !== null && requiredSince <= openedAt
  return isRequired && !(await hasSecondFactor(tx, id)) ? 'set-up-second-factor' : null
}

/** True if the server's rules or the school's rules for staff require a second factor. */
export async function mustHaveSecondFactor(
  tx: Tx,
  { id, role, dojoId }: Pick<Caller, 'id' | 'role' | 'dojoId'>,
): Promise<boolean> {
  if (await isSecondFactorRequired(tx, role)) return true
  if (dojoId === null) return false
  return insideDojo(tx, dojoId, async (dojoTx) => {
    const { scope } = await findStaffScope(dojoTx, { id, dojoId })
    return scope !== null && (await findSchoolFactorDate(dojoTx, scope)) !== null
  })
}

type CurrentScope = {
  /** Null before the first day and after the last day. */
  scope: StaffScope | null
  /** The first day, if it is in the future. */
  startsOn: string | null
  timeZone: string | null
  hasRegistered: boolean
}
const NO_SCOPE: CurrentScope = {
  scope: null,
  startsOn: null,
  timeZone: null,
  hasRegistered: false,
}

/** Finds what a staff member may do today. */
export async function findStaffScope(
  tx: Tx,
  { id, dojoId }: Pick<Caller, 'id' | 'dojoId'>,
): Promise<CurrentScope> {
  const [member] = await tx
    .select()
    .from(staffMembers)
    .where(and(eq(staffMembers.instructor_id, id), isNull(staffMembers.ended_at)))
  if (!member) return NO_SCOPE
  const { starts_on, ends_on, class_ids } = member
  const hasRegistered = isRegistered(member)
  if (starts_on === null && ends_on === null && class_ids === null)
    return { scope: toScope(member, null), startsOn: null, timeZone: null, hasRegistered }
  const { time_zone: timeZone } = await dojoById(tx, mustExist(dojoId, 'The dojo'))
  const today = todayIn(timeZone)
  const oneDayClasses = class_ids && (await findSubstituteClasses(tx, id, today, class_ids))
  return {
    scope: isEmployedOn(member, today) ? toScope(member, oneDayClasses) : null,
    startsOn: starts_on !== null && starts_on > today ? starts_on : null,
    timeZone,
    hasRegistered,
  }
}

/** All staff were invited, except the sensei who registered the school. */
const isRegistered = ({ invited_by }: Pick<StaffMember, 'invited_by'>) => invited_by === null

/** True for the sensei who registered the school. */
async function hasRegisteredSchool(tx: Tx, id: string): Promise<boolean> {
  const [member] = await tx
    .select({ invited_by: staffMembers.invited_by })
    .from(staffMembers)
    .where(eq(staffMembers.instructor_id, id))
  return member !== undefined && isRegistered(member)
}

/** Throws 422 if the sensei who registered the school chooses an email that does not end with
 *  .com. */
export async function requireAllowedEmail(tx: Tx, id: string, email: string): Promise<void> {
  const { error } = senseiEmail.safeParse(email)
  const message = error?.issues[0]?.message
  if (message && (await hasRegisteredSchool(tx, id))) throw invalid('email', message)
}

/** True for staff, even before their first day. */
export const isOnStaff = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.$count(
    staffMembers,
    and(eq(staffMembers.instructor_id, id), isNull(staffMembers.ended_at)),
  )) > 0

const isEmployedOn = ({ starts_on, ends_on }: StaffMember, day: string): boolean =>
  (starts_on === null || starts_on <= day) && (ends_on === null || day <= ends_on)

/** Finds other classes in which the person is the substitute today. Null if there are none. */
async function findSubstituteClasses(
  tx: Tx,
  id: string,
  today: string,
  ownClassIds: readonly string[],
): Promise<OneDayClasses | null> {
  const rows = await tx
    .select({ class_id: classDates.class_id })
    .from(classDates)
    .where(
      and(
        eq(classDates.substitute_id, id),
        eq(classDates.held_on, today),
        eq(classDates.is_cancelled, false),
      ),
    )
  const classIds = pluck(rows, 'class_id').filter((classId) => !ownClassIds.includes(classId))
  return classIds.length === 0 ? null : { day: today, classIds }
}

const toScope = (
  { is_owner, rights, class_ids }: StaffMember,
  oneDayClasses: OneDayClasses | null,
): StaffScope =>
  is_owner
    ? OWNER_SCOPE
    : {
        isOwner: false,
        rights: new Set(rights),
        classIds: class_ids && [...class_ids, ...(oneDayClasses?.classIds ?? [])],
        oneDayClasses,
        previewedPerson: null,
      }

export const toPreviewScope = ({ name, rights, class_ids }: RightsPreview): StaffScope => ({
  isOwner: false,
  rights: new Set<Right>(rights),
  classIds: class_ids,
  oneDayClasses: null,
  previewedPerson: name,
})

/** A person who trains has the role of a student, even if they are also a guardian. */
export async function findFamilyRole(tx: Tx, id: string): Promise<'student' | 'guardian' | null> {
  const isGuardian = (await tx.$count(guardians, eq(guardians.account_id, id))) > 0
  const [student] = await tx
    .select({ left_on: students.left_on })
    .from(students)
    .where(eq(students.id, id))
  const isFormerStudent = student !== undefined && student.left_on !== null
  if (student && !(isFormerStudent && isGuardian)) return 'student'
  return isGuardian ? 'guardian' : null
}

/** Before their first day and after their last, staff can only use the family view. */
export async function findRoleToday(
  tx: Tx,
  { id, role, dojoId }: Pick<Caller, 'id' | 'role' | 'dojoId'>,
): Promise<Role> {
  if (role !== 'instructor') return role
  const { scope } = await findStaffScope(tx, { id, dojoId })
  return scope ? role : ((await findFamilyRole(tx, id)) ?? role)
}

async function toFamilyCaller(tx: Tx, caller: Caller): Promise<Caller | null> {
  const role = await findFamilyRole(tx, caller.id)
  return role && { ...caller, role, staff: null }
}
