import { and, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { isActiveLink } from '../guardians/guardian-records.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { validPhone } from '../lib/phone.ts'
import { students } from '../students/tables.ts'

/** Finds the guardian's number, to which the school replies. Returns null until a child is
 *  approved, because until then the school does not know who entered the number. */
export async function findReplyPhone(tx: Tx, guardianId: string): Promise<string | null> {
  const [guardian] = await tx
    .select({ phone: guardians.phone })
    .from(guardians)
    .innerJoin(guardianships, eq(guardianships.guardian_id, guardians.id))
    .innerJoin(students, eq(students.id, guardianships.student_id))
    .where(and(eq(guardians.id, guardianId), isActiveLink, eq(students.awaits_approval, false)))
    .limit(1)
  return validPhone(guardian?.phone ?? null)
}
