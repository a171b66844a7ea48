import type { Right } from '@tatami/contract/rights'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { validPhone } from '../lib/phone.ts'
import { pick, pluck } from '../lib/rows.ts'
import { instructors } from '../sensei/tables.ts'
import { staffMembers } from '../staff/tables.ts'

/** Lists the ids of the staff who have a right for the whole school. Staff who see only their own
 *  classes are left out. */
export async function listStaffWithRight(tx: Tx, right: Right): Promise<string[]> {
  const hasRight = sql`(${staffMembers.is_owner} or ${right} = any (${staffMembers.rights}))`
  const rows = await tx
    .select({ id: staffMembers.instructor_id })
    .from(staffMembers)
    .where(and(isNull(staffMembers.ended_at), isNull(staffMembers.class_ids), hasRight))
  return pluck(rows, 'id')
}

export async function findInstructorName(tx: Tx, id: string): Promise<string> {
  const [instructor] = await tx
    .select({ name: instructors.name })
    .from(instructors)
    .where(eq(instructors.id, id))
  return instructor?.name ?? ''
}

/** Returns null if the instructor's number is not valid. */
export async function findInstructorPhone(tx: Tx, id: string): Promise<string | null> {
  const [instructor] = await tx
    .select(pick(instructors, 'phone_number', 'contact_number'))
    .from(instructors)
    .where(eq(instructors.id, id))
  return validPhone(instructor?.phone_number ?? instructor?.contact_number ?? null)
}
