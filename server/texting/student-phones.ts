import type { PhoneOfStudent } from '@tatami/contract/texting/student-consents'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { isLive, requireStudent } from '../guardians/guardians.ts'
import { guardianPhones, guardians, guardianships } from '../guardians/tables.ts'
import { validPhone } from '../lib/phone.ts'
import { pick } from '../lib/rows.ts'
import { phoneLinks } from './conversations/tables.ts'

type Phone = Pick<PhoneOfStudent, 'phone_number' | 'holder' | 'holder_name'>

async function phonesOfOthers(tx: Tx, studentId?: string) {
  const { student_id } = guardianships
  const holder_name = sql<string | null>`${guardians.name}`
  const isLinked = and(isLive, studentId ? eq(student_id, studentId) : undefined)
  const ownPhones = await tx
    .select({ student_id, holder_name, typed: guardians.phone })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(isLinked)
    .orderBy(asc(sql`lower(${guardians.name})`), asc(guardians.id))
  const further = await tx
    .select({ student_id, holder_name, typed: guardianPhones.phone })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .innerJoin(guardianPhones, eq(guardianPhones.guardian_id, guardians.id))
    .where(isLinked)
    .orderBy(asc(guardianPhones.created_at), asc(guardianPhones.phone))
  const linkedPhones = await tx
    .select({ ...pick(phoneLinks, 'student_id', 'holder_name'), typed: phoneLinks.phone })
    .from(phoneLinks)
    .where(studentId ? eq(phoneLinks.student_id, studentId) : undefined)
    .orderBy(asc(phoneLinks.created_at))
  return { ofGuardians: [...ownPhones, ...further], linked: linkedPhones }
}

/** The guardians' phones first, whether they get texts or not. */
export async function everyPhoneOf(tx: Tx, studentId: string): Promise<Phone[]> {
  const student = await requireStudent(tx, studentId)
  const { ofGuardians, linked } = await phonesOfOthers(tx, studentId)
  const typedPhones = [
    ...ofGuardians.map((phone) => ({ ...phone, holder: 'guardian' as const })),
    { typed: student.phone_number, holder: 'student' as const, holder_name: null },
    ...linked.map((phone) => ({ ...phone, holder: 'linked' as const })),
  ]
  const phones = new Map<string, Phone>()
  for (const { typed, holder, holder_name } of typedPhones) {
    const phone_number = validPhone(typed)
    if (phone_number !== null && !phones.has(phone_number))
      phones.set(phone_number, { phone_number, holder, holder_name })
  }
  return [...phones.values()]
}

type OtherPhone = { phone_number: string; holder_name: string | null }

export async function otherPhones(tx: Tx): Promise<Map<string, OtherPhone[]>> {
  const { ofGuardians, linked } = await phonesOfOthers(tx)
  const rows = [...ofGuardians, ...linked].flatMap(({ typed, ...holder }) => {
    const phone_number = validPhone(typed)
    return phone_number === null ? [] : [{ ...holder, phone_number }]
  })
  const byStudent = Map.groupBy(rows, ({ student_id }) => student_id)
  return new Map(
    [...byStudent].map(([id, phones]) => [
      id,
      phones.toSorted((first, second) => first.phone_number.localeCompare(second.phone_number)),
    ]),
  )
}
