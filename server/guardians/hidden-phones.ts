import { and, eq } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { validPhone } from '../lib/phone.ts'
import { students } from '../students/tables.ts'
import { isLive } from './guardian-records.ts'
import { pick } from '../lib/rows.ts'
import { guardianPhones, guardians, guardianships } from './tables.ts'

export type HiddenPhones = { phone_number: boolean; emergency_contact: boolean }

const number = (typedNumber: string | null) => validPhone(typedNumber) ?? typedNumber

/** Which of the students' phones belong to another guardian, who must stay unknown. */
export async function phonesHiddenFrom(
  tx: Tx,
  guardianId: string,
  studentIds: string[],
): Promise<Map<string, HiddenPhones>> {
  const rows = await tx
    .select({
      ...pick(students, 'id', 'phone_number', 'emergency_contact_phone'),
      guardian_id: guardians.id,
      typed: guardians.phone,
      further: guardianPhones.phone,
    })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .innerJoin(students, eq(students.id, guardianships.student_id))
    .leftJoin(guardianPhones, eq(guardianPhones.guardian_id, guardians.id))
    .where(and(equalsAny(guardianships.student_id, studentIds), isLive))
  const [ownNumbers, otherNumbers] = [
    new Set<string | null>(),
    new Map<string, Set<string | null>>(),
  ]
  for (const { id, guardian_id, typed, further } of rows) {
    const numbers = guardian_id === guardianId ? ownNumbers : (otherNumbers.get(id) ?? new Set())
    numbers.add(number(typed)).add(further)
    if (numbers !== ownNumbers) otherNumbers.set(id, numbers)
  }
  const isHidden = (id: string, typedNumber: string | null) =>
    typedNumber !== null &&
    !ownNumbers.has(number(typedNumber)) &&
    (otherNumbers.get(id)?.has(number(typedNumber)) ?? false)
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
