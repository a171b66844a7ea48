import { and, eq } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { validPhone } from '../lib/phone.ts'
import { students } from '../students/tables.ts'
import { isActiveLink } from './guardian-records.ts'
import { pick } from '../lib/rows.ts'
import { guardianPhones, guardians, guardianships } from './tables.ts'

export type HiddenPhones = { phone_number: boolean; emergency_contact: boolean }

const normalizeNumber = (typedNumber: string | null) => validPhone(typedNumber) ?? typedNumber

/** Finds the phones of other guardians, which a guardian must not see on a student's page. */
export async function findHiddenPhones(
  tx: Tx,
  guardianId: string,
  studentIds: string[],
): Promise<Map<string, HiddenPhones>> {
  const rows = await tx
    .select({
      ...pick(students, 'id', 'phone_number', 'emergency_contact_phone'),
      guardian_id: guardians.id,
      guardian_phone: guardians.phone,
      additional_phone: guardianPhones.phone,
    })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .innerJoin(students, eq(students.id, guardianships.student_id))
    .leftJoin(guardianPhones, eq(guardianPhones.guardian_id, guardians.id))
    .where(and(equalsAny(guardianships.student_id, studentIds), isActiveLink))
  const ownNumbers = new Set<string | null>()
  /** Student id → the numbers of the other guardians. */
  const otherNumbersByStudent = new Map<string, Set<string | null>>()
  for (const { id, guardian_id, guardian_phone, additional_phone } of rows) {
    const numbers = [normalizeNumber(guardian_phone), additional_phone]
    if (guardian_id === guardianId) for (const number of numbers) ownNumbers.add(number)
    else
      otherNumbersByStudent.set(id, new Set([...(otherNumbersByStudent.get(id) ?? []), ...numbers]))
  }
  const isHidden = (id: string, typedNumber: string | null) =>
    typedNumber !== null &&
    !ownNumbers.has(normalizeNumber(typedNumber)) &&
    (otherNumbersByStudent.get(id)?.has(normalizeNumber(typedNumber)) ?? false)
  return new Map(
    rows.map(({ id, phone_number, emergency_contact_phone }) => [
      id,
      {
        phone_number: isHidden(id, phone_number),
        emergency_contact: isHidden(id, emergency_contact_phone),
      },
    ]),
  )
}
