import type { PhoneOfStudent } from '@tatami/contract/student-consents'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { guardianPhones, guardians, guardianships } from '../families/tables.ts'
import { validPhone } from '../lib/phone.ts'
import { notFound } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'
import { phoneLinks } from './conversations/tables.ts'

type Phone = Pick<PhoneOfStudent, 'phone_number' | 'holder' | 'holder_name'>

/** Every phone that is the student's or a guardian's, or that an instructor has linked, each once, the guardians' first: whether texts go
 *  there or not. 404 for another dojo's student. */
export async function everyPhoneOf(tx: Tx, studentId: string): Promise<Phone[]> {
  const [student] = await tx
    .select({ typed: students.phone_number })
    .from(students)
    .where(eq(students.id, studentId))
  if (!student) throw notFound('Student')
  const ofGuardians = await tx
    .select({ typed: guardians.phone, holder_name: guardians.name })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(and(eq(guardianships.student_id, studentId), isNull(guardianships.ended_at)))
    .orderBy(asc(sql`lower(${guardians.name})`), asc(guardians.id))
  const linkedToGuardians = await tx
    .select({ typed: guardianPhones.phone, holder_name: guardians.name })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .innerJoin(guardianPhones, eq(guardianPhones.guardian_id, guardians.id))
    .where(and(eq(guardianships.student_id, studentId), isNull(guardianships.ended_at)))
    .orderBy(asc(guardianPhones.created_at), asc(guardianPhones.phone))
  const linked = await tx
    .select({ typed: phoneLinks.phone, holder_name: phoneLinks.holder_name })
    .from(phoneLinks)
    .where(eq(phoneLinks.student_id, studentId))
    .orderBy(asc(phoneLinks.created_at))
  const all = [
    ...[...ofGuardians, ...linkedToGuardians].map((one) => ({
      ...one,
      holder: 'guardian' as const,
    })),
    { ...student, holder: 'student' as const, holder_name: null },
    ...linked.map((one) => ({ ...one, holder: 'linked' as const })),
  ]
  const found = all.flatMap(({ typed, ...one }) => {
    const phone_number = validPhone(typed)
    return phone_number === null ? [] : [{ phone_number, ...one }]
  })
  return found.filter(
    (one, index) =>
      found.findIndex(({ phone_number }) => phone_number === one.phone_number) === index,
  )
}

type OtherPhone = { phone_number: string; holder_name: string | null }

/** The phones of guardians, and those that an instructor has linked to a guardian or a student, by student. */
export async function otherPhones(tx: Tx): Promise<Map<string, OtherPhone[]>> {
  const ofGuardians = tx
    .select({
      student_id: guardianships.student_id,
      typed: guardians.phone,
      holder_name: sql<string | null>`${guardians.name}`,
    })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(isNull(guardianships.ended_at))
  const linkedToGuardians = tx
    .select({
      student_id: guardianships.student_id,
      typed: guardianPhones.phone,
      holder_name: sql<string | null>`${guardians.name}`,
    })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .innerJoin(guardianPhones, eq(guardianPhones.guardian_id, guardians.id))
    .where(isNull(guardianships.ended_at))
  const linked = tx
    .select({
      student_id: phoneLinks.student_id,
      typed: phoneLinks.phone,
      holder_name: phoneLinks.holder_name,
    })
    .from(phoneLinks)
  const rows = [...(await ofGuardians), ...(await linkedToGuardians), ...(await linked)].flatMap(
    ({ typed, ...one }) => {
      const phone_number = validPhone(typed)
      return phone_number === null ? [] : [{ ...one, phone_number }]
    },
  )
  const byStudent = Map.groupBy(rows, ({ student_id }) => student_id)
  return new Map(
    [...byStudent].map(([id, phones]) => [
      id,
      phones.toSorted((one, other) => one.phone_number.localeCompare(other.phone_number)),
    ]),
  )
}
