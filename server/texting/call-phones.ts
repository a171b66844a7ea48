import { and, asc, desc, eq, isNull } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import { byName } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { validPhone } from '../lib/phone.ts'
import { students } from '../students/tables.ts'

/** Finds a phone to call for each student: the first valid one of the guardians, the student and
 *  the emergency contact. If none is valid, returns the emergency number, which is better than
 *  nothing. */
export async function findPhonesToCall(tx: Tx, studentIds: string[]): Promise<Map<string, string>> {
  if (studentIds.length === 0) return new Map()
  const studentRows = await tx
    .select({
      id: students.id,
      ownPhone: students.phone_number,
      emergencyPhone: students.emergency_contact_phone,
    })
    .from(students)
    .where(equalsAny(students.id, studentIds))
  const guardianRows = await tx
    .select({ student_id: guardianships.student_id, phone: guardians.phone })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(and(equalsAny(guardianships.student_id, studentIds), isNull(guardianships.ended_at)))
    .orderBy(
      asc(guardianships.emergency_rank),
      desc(guardianships.gets_texts),
      ...byName(guardians),
    )
  const guardiansByStudent = Map.groupBy(guardianRows, ({ student_id }) => student_id)
  const phoneByStudent = new Map<string, string>()
  for (const { id, ownPhone, emergencyPhone } of studentRows) {
    const guardianPhones = (guardiansByStudent.get(id) ?? []).map(({ phone }) => phone)
    const [firstValidPhone] = [...guardianPhones, ownPhone, emergencyPhone].flatMap(
      (phone) => validPhone(phone) ?? [],
    )
    const phone = firstValidPhone ?? emergencyPhone
    if (phone) phoneByStudent.set(id, phone)
  }
  return phoneByStudent
}
