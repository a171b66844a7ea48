import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import { ALL_RIGHTS } from '@tatami/contract/rights'
import type { StaffPerson } from '@tatami/contract/staff/staff'
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { accounts } from '../accounts/tables.ts'
import { byName } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { hasReachedAge } from '../guardians/ages.ts'
import { guardians } from '../guardians/tables.ts'
import { notFound } from '../lib/refusal.ts'
import { pick } from '../lib/rows.ts'
import { instructors } from '../sensei/tables.ts'
import { students } from '../students/tables.ts'
import { staffMembers } from './tables.ts'

/** Owners come first, then the others by name. */
export async function listStaff(tx: Tx, dojoId: string) {
  const staff = await readStaff(tx, dojoId)
  return {
    people: staff.filter(({ ended_at }) => ended_at === null),
    former_people: staff.filter(({ ended_at }) => ended_at !== null),
  }
}

export async function readStaffPerson(tx: Tx, dojoId: string, id: string): Promise<StaffPerson> {
  const [person] = await readStaff(tx, dojoId, eq(staffMembers.instructor_id, id))
  if (!person) throw notFound('Member of the staff')
  return person
}

const agreedGuardians = alias(guardians, 'agreed_guardians')
const GRANT_FIELDS = ['title', 'preset', 'class_ids', 'starts_on', 'ends_on'] as const

async function readStaff(tx: Tx, dojoId: string, condition?: SQL): Promise<StaffPerson[]> {
  const today = await todayOf(tx, dojoId)
  const rows = await tx
    .select({
      ...pick(instructors, 'id', 'name', 'email'),
      phone: sql<string>`coalesce(${instructors.phone_number}, ${instructors.contact_number})`,
      ...pick(staffMembers, 'is_owner', 'rights', 'ended_at', 'agreed_at', ...GRANT_FIELDS),
      last_seen_on: accounts.last_seen_on,
      student: pick(students, 'id', 'date_of_birth', 'left_on'),
      is_guardian: sql<boolean>`${guardians.id} is not null`,
      agreed_guardian: agreedGuardians.name,
    })
    .from(staffMembers)
    .innerJoin(instructors, eq(instructors.id, staffMembers.instructor_id))
    .innerJoin(accounts, eq(accounts.id, staffMembers.instructor_id))
    .leftJoin(students, eq(students.id, staffMembers.instructor_id))
    .leftJoin(guardians, eq(guardians.id, staffMembers.instructor_id))
    .leftJoin(agreedGuardians, eq(agreedGuardians.id, staffMembers.agreed_guardian_id))
    .where(and(condition))
    .orderBy(desc(staffMembers.is_owner), ...byName(instructors))
  return rows.map(({ student, phone, ...row }) => ({
    ...row,
    phone: phone || null,
    rights: row.is_owner ? ALL_RIGHTS : row.rights,
    is_student: student !== null && student.left_on === null,
    is_minor: student !== null && isMinor(student.date_of_birth, today),
  }))
}

/** A student without a date of birth counts as an adult. */
export const isMinor = (dateOfBirth: string | null, today: string): boolean =>
  !hasReachedAge(dateOfBirth, ADULT_AGE, today, { unknown: true })
