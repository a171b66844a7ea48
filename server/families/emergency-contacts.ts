import { and, eq, ne } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { validPhone } from '../lib/phone.ts'
import { students } from '../students/tables.ts'
import { isLive } from './guardians.ts'
import { guardians, guardianships } from './tables.ts'

/** Of these students those whose emergency contact has the number of a guardian other than this one, who must not learn of them. */
export async function contactsOfOtherGuardians(tx: Tx, guardianId: string, studentIds: string[]): Promise<Set<string>> {
  const rows = await tx
    .select({ id: students.id, contact: students.emergency_contact_phone, phone: guardians.phone })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .innerJoin(students, eq(students.id, guardianships.student_id))
    .where(and(equalsAny(guardianships.student_id, studentIds), ne(guardianships.guardian_id, guardianId), isLive))
  const number = (typed: string | null) => validPhone(typed) ?? typed
  return new Set(rows.flatMap(({ id, contact, phone }) => (contact !== null && number(contact) === number(phone) ? [id] : [])))
}
