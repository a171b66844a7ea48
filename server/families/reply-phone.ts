import { and, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { isLive } from '../guardians/guardian-records.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { validPhone } from '../lib/phone.ts'
import { students } from '../students/tables.ts'

/** The guardian's number, to which the school replies. Null until one of their children has been
 *  approved, because until then nobody at the school knows who entered the number. */
export async function findReplyPhone(tx: Tx, guardianId: string): Promise<string | null> {
  const [guardian] = await tx
    .select({ phone: guardians.phone })
    .from(guardians)
    .innerJoin(guardianships, eq(guardianships.guardian_id, guardians.id))
    .innerJoin(students, eq(students.id, guardianships.student_id))
    .where(and(eq(guardians.id, guardianId), isLive, eq(students.awaits_approval, false)))
    .limit(1)
  return validPhone(guardian?.phone ?? null)
}
