import { ALL_RIGHTS, type Right } from '@tatami/contract/rights'
import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { dojoById, todayIn } from '../dojos/dojos.ts'
import type { Caller, StaffScope } from '../http/serve.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { guardians } from '../guardians/tables.ts'
import { staffMembers } from '../staff/tables.ts'
import { students } from '../students/tables.ts'
import type { SeenAs } from './tables.ts'

/** What an owner may do: everything. */
export const OWNER_SCOPE: StaffScope = {
  isOwner: true,
  rights: new Set(ALL_RIGHTS),
  classIds: null,
  seenAs: null,
}

type StaffSession = { caller: Caller; isInFamilyView: boolean; seenAs: SeenAs | null }
type StaffMember = typeof staffMembers.$inferSelect

/** The caller with what they may do today, or null if they are not staff any more. `timeZone` is
 *  set if that depends on the day. */
export async function loadStaffCaller(
  tx: Tx,
  { caller, isInFamilyView, seenAs }: StaffSession,
): Promise<{ caller: Caller; timeZone: string | null } | null> {
  if (isInFamilyView) return { caller: await inFamilyView(tx, caller), timeZone: null }
  const staff = await findStaffScope(tx, caller)
  if (!staff) return null
  const { timeZone, ...ownScope } = staff
  const scope = seenAs && ownScope.isOwner ? previewScope(seenAs) : ownScope
  return { caller: { ...caller, staff: scope }, timeZone }
}

/** What a member of staff may do today. Null before their first day, and after they have ended. */
export async function findStaffScope(
  tx: Tx,
  { id, dojoId }: Pick<Caller, 'id' | 'dojoId'>,
): Promise<(StaffScope & { timeZone: string | null }) | null> {
  const [member] = await tx
    .select()
    .from(staffMembers)
    .where(and(eq(staffMembers.instructor_id, id), isNull(staffMembers.ended_at)))
  if (!member) return null
  const { time_zone } = await dojoById(tx, mustExist(dojoId, 'The dojo'))
  if (!isEmployedOn(member, todayIn(time_zone))) return null
  const dependsOnDay = member.starts_on !== null || member.ends_on !== null
  return { ...scopeOf(member), timeZone: dependsOnDay ? time_zone : null }
}

const isEmployedOn = ({ starts_on, ends_on }: StaffMember, day: string): boolean =>
  (starts_on === null || starts_on <= day) && (ends_on === null || day <= ends_on)

const scopeOf = ({ is_owner, rights, class_ids }: StaffMember): StaffScope =>
  is_owner
    ? OWNER_SCOPE
    : { isOwner: false, rights: new Set(rights), classIds: class_ids, seenAs: null }

const previewScope = ({ name, rights, class_ids }: SeenAs): StaffScope => ({
  isOwner: false,
  rights: new Set<Right>(rights),
  classIds: class_ids,
  seenAs: name,
})

/** A person who also trains is a student, and otherwise a guardian. */
async function inFamilyView(tx: Tx, caller: Caller): Promise<Caller> {
  const [student] = await tx
    .select({ id: students.id })
    .from(students)
    .where(eq(students.id, caller.id))
  if (student) return { ...caller, role: 'student' }
  const [guardian] = await tx
    .select({ id: guardians.id })
    .from(guardians)
    .where(eq(guardians.id, caller.id))
  return { ...caller, role: guardian ? 'guardian' : caller.role }
}
