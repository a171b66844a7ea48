import { NOT_A_STUDENT, type SignedInUser } from '@tatami/contract/accounts/users'
import { asc, eq, sql } from 'drizzle-orm'
import { requireAccount } from '../accounts/accounts.ts'
import { findFamilyRole, findStaffScope } from '../accounts/staff-caller.ts'
import { dojoById } from '../dojos/dojos.ts'
import { readShownRanks } from '../belts/current-ranks.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { readDojoLook } from '../pictures/pictures.ts'
import { findStudentsOfGuardian } from '../guardians/readers.ts'
import { guardians } from '../guardians/tables.ts'
import type { Caller, StaffScope } from '../http/serve.ts'
import { instructors } from '../sensei/tables.ts'
import { readStudentById } from '../students/student-list.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { students } from '../students/tables.ts'

const NO_DOJO = {
  dojo_name: null,
  contact_number: null,
  city: null,
  state: null,
  phone_number: null,
  time_zone: null,
  belt_test_name: null,
  dojo_logo: null,
  dojo_color: null,
} as const

/** `step` is a step that the session must complete first (`SIGN_IN_STEPS`). */
type Identity = Pick<Caller, 'id' | 'role' | 'dojoId'> & Partial<Pick<Caller, 'step' | 'staff'>>

type RoleFields = 'is_guardian' | 'students' | 'staff' | 'has_family_view' | 'is_in_family_view'
type User = Omit<SignedInUser, RoleFields | 'sign_in_step'>

const NO_ROLE_FIELDS: Pick<SignedInUser, RoleFields> = {
  is_guardian: false,
  students: [],
  staff: null,
  has_family_view: false,
  is_in_family_view: false,
}

/** Returns the fields of section 3 of the specification. The fields of other roles are null. */
export async function loadUser(tx: Tx, identity: Identity): Promise<SignedInUser> {
  const { step: sign_in_step = null } = identity
  if (identity.role === 'super-admin')
    return { ...(await loadSuperAdminUser(tx, identity)), ...NO_ROLE_FIELDS, sign_in_step }
  const user = await USER_LOADERS[identity.role](tx, identity)
  const [guardian] = await tx
    .select({ id: guardians.id })
    .from(guardians)
    .where(eq(guardians.id, identity.id))
  const ownStudents = guardian ? await listOwnStudents(tx, identity) : []
  return {
    ...user,
    is_guardian: guardian !== undefined,
    students: ownStudents,
    ...(await readStaffFields(tx, { ...identity, staff: await findScope(tx, identity) })),
    sign_in_step,
  }
}

/** Looks up the scope if the identity has none, as during sign-in. */
async function findScope(
  tx: Tx,
  { id, role, dojoId, staff }: Identity,
): Promise<StaffScope | null> {
  if (staff || role !== 'instructor') return staff ?? null
  return (await findStaffScope(tx, { id, dojoId })).scope
}

/** Says what staff may do, and whether they can switch to the family view. */
async function readStaffFields(tx: Tx, { id, role, dojoId, staff }: Identity) {
  const { scope, hasRegistered } = await findStaffScope(tx, { id, dojoId })
  return {
    staff: staff ? { ...describeScope(staff), has_registered: hasRegistered } : null,
    has_family_view: scope !== null && (await findFamilyRole(tx, id)) !== null,
    is_in_family_view: scope !== null && role !== 'instructor',
  }
}

const describeScope = ({ isOwner, rights, classIds, previewedPerson }: StaffScope) => ({
  is_owner: isOwner,
  rights: [...rights],
  class_ids: classIds,
  seen_as: previewedPerson,
})

const USER_LOADERS = {
  student: loadStudentUser,
  instructor: loadInstructorUser,
  guardian: loadGuardianUser,
}

const findDojo = (tx: Tx, dojoId: string | null) => dojoById(tx, mustExist(dojoId, 'The dojo'))

async function listOwnStudents(tx: Tx, { id }: Identity) {
  const studentIds = await findStudentsOfGuardian(tx, id)
  const rows = await tx
    .select({
      id: students.id,
      name: students.name,
      belt_level: students.belt_level,
      is_trial: students.is_trial,
    })
    .from(students)
    .where(equalsAny(students.id, studentIds))
    .orderBy(asc(sql`lower(${students.name})`), asc(students.id))
  const shownRanks = await readShownRanks(tx, studentIds)
  return rows.map((row) => ({ ...row, rank: shownRanks.get(row.id) ?? null }))
}

async function loadStudentUser(tx: Tx, { id, dojoId }: Identity): Promise<User> {
  const { time_zone, belt_test_name } = await findDojo(tx, dojoId)
  const student = await readStudentById(tx, mustExist(dojoId, 'The dojo'), id)
  return {
    ...student,
    email: mustExist(student.email, 'The email'),
    time_zone,
    belt_test_name,
    ...(await readDojoLook(tx)),
  }
}

async function loadGuardianUser(tx: Tx, { id, dojoId }: Identity): Promise<User> {
  const [guardian] = await tx.select().from(guardians).where(eq(guardians.id, id))
  const { name: dojo_name, city, state, time_zone, belt_test_name } = await findDojo(tx, dojoId)
  const { name, email, phone: phone_number } = mustExist(guardian, 'The guardian')
  return {
    ...NOT_A_STUDENT,
    id,
    name,
    email: mustExist(email, 'The email'),
    is_instructor: false,
    is_super_admin: false,
    dojo_name,
    contact_number: phone_number,
    city,
    state,
    phone_number,
    time_zone,
    belt_test_name,
    ...(await readDojoLook(tx)),
  }
}

async function loadInstructorUser(tx: Tx, { id, dojoId }: Identity): Promise<User> {
  const [instructor] = await tx.select().from(instructors).where(eq(instructors.id, id))
  const dojo = await findDojo(tx, dojoId)
  const { name, email, contact_number, phone_number } = mustExist(instructor, 'The instructor')
  return {
    ...NOT_A_STUDENT,
    id,
    name,
    email,
    is_instructor: true,
    is_super_admin: false,
    dojo_name: dojo.name,
    contact_number,
    city: dojo.city,
    state: dojo.state,
    phone_number,
    time_zone: dojo.time_zone,
    belt_test_name: dojo.belt_test_name,
    ...(await readDojoLook(tx)),
  }
}

async function loadSuperAdminUser(tx: Tx, { id }: Identity): Promise<User> {
  const { email } = await requireAccount(tx, id)
  return {
    ...NOT_A_STUDENT,
    ...NO_DOJO,
    id,
    name: 'Super Admin',
    email,
    is_instructor: false,
    is_super_admin: true,
  }
}
