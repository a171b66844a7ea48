import type { PhoneHolder } from '@tatami/contract/texting/phones'
import type { PhoneWithConsents } from '@tatami/contract/texting/student-consents'
import { OWN_LOGIN_AGE } from '@tatami/contract/guardians/guardians'
import { and, asc, eq, or, type SQL, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import { byName } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { dojos } from '../dojos/tables.ts'
import {
  isActiveLink,
  findTextedPhones,
  type TextedPhone,
  requireStudent,
  type TextedGuardian,
  type Topic,
} from '../guardians/guardians.ts'
import {
  guardianPhones,
  guardianPhoneEnding,
  guardians,
  guardianships,
} from '../guardians/tables.ts'
import { nowIso } from '../lib/clock.ts'
import { validPhone } from '../lib/phone.ts'
import { isCurrentStudent, phoneEnding, students } from '../students/tables.ts'
import { phoneLinks } from './conversations/tables.ts'

export const isUnderAge = () => sql<boolean>`coalesce(
  ${students.date_of_birth} + ${OWN_LOGIN_AGE} * interval '1 year'
    > ${nowIso()}::timestamptz at time zone (
      select d.time_zone from ${dojos} d where d.id = current_setting('app.dojo_id')::uuid),
  false)`

/** Finds the guardians who get texts or pay. Without `studentIds`, finds those of all students. */
export async function findTextedGuardians(
  tx: Tx,
  studentIds?: readonly string[],
): Promise<Map<string, TextedGuardian[]>> {
  const rows = await tx
    .select({
      student_id: guardianships.student_id,
      name: guardians.name,
      typedPhone: guardians.phone,
      gets_texts: guardianships.gets_texts,
      pays: guardianships.pays,
    })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(
      and(
        isActiveLink,
        or(eq(guardianships.gets_texts, true), eq(guardianships.pays, true)),
        studentIds && equalsAny(guardianships.student_id, [...studentIds]),
      ),
    )
    .orderBy(...byName(guardians))
  return Map.groupBy(rows, ({ student_id }) => student_id)
}

export async function findPhonesOfStudents(
  tx: Tx,
  topic: Topic,
  studentIds: readonly string[],
): Promise<Map<string, TextedPhone[]>> {
  const rows = await tx
    .select({ id: students.id, typedPhone: students.phone_number, isUnderAge: isUnderAge() })
    .from(students)
    .where(equalsAny(students.id, [...studentIds]))
  const guardiansByStudent = await findTextedGuardians(tx, studentIds)
  return new Map(
    rows.map(({ id, ...student }) => [
      id,
      findTextedPhones(topic, { ...student, guardians: guardiansByStudent.get(id) ?? [] }),
    ]),
  )
}

const ENDING_DIGITS = 7

/** Phones are stored as typed, so the indexed `ending` finds candidates for `validPhone`. */
export const wherePhoneEnding = (ending: SQL, phones: readonly string[]): SQL =>
  sql`${ending} = any(${sql.param(phones.map((phone) => phone.slice(-ENDING_DIGITS)))})`

type HolderOptions = {
  /** Leaves out former students, and guardians who may not see the student in the app. */
  mustSeeStudent?: boolean
}
type PhoneFilter = HolderOptions & { phones?: readonly string[]; studentId?: string }

/** Guardians' phones come first, then students' own, then linked ones. A guardian's phone is
 *  returned once for each of their students. */
export async function readPhones(
  tx: Tx,
  { phones, studentId, mustSeeStudent }: PhoneFilter = {},
): Promise<(PhoneHolder & { phone: string })[]> {
  const studentColumns = { student_id: students.id, name: students.name }
  const whereStudent = and(
    studentId ? eq(students.id, studentId) : undefined,
    mustSeeStudent ? isCurrentStudent : undefined,
  )
  const whereGuardianship = and(
    whereStudent,
    isActiveLink,
    mustSeeStudent ? eq(guardianships.sees, true) : undefined,
  )
  const guardiansOwnPhones = await tx
    .select({ ...studentColumns, typedPhone: guardians.phone, holder_name: guardians.name })
    .from(guardians)
    .innerJoin(guardianships, eq(guardianships.guardian_id, guardians.id))
    .innerJoin(students, eq(students.id, guardianships.student_id))
    .where(and(whereGuardianship, phones && wherePhoneEnding(guardianPhoneEnding, phones)))
    .orderBy(...byName(students), ...byName(guardians))
  const guardiansOtherPhones = await tx
    .select({ ...studentColumns, typedPhone: guardianPhones.phone, holder_name: guardians.name })
    .from(guardianPhones)
    .innerJoin(guardians, eq(guardians.id, guardianPhones.guardian_id))
    .innerJoin(guardianships, eq(guardianships.guardian_id, guardians.id))
    .innerJoin(students, eq(students.id, guardianships.student_id))
    .where(and(whereGuardianship, phones && equalsAny(guardianPhones.phone, [...phones])))
    .orderBy(...byName(students), asc(guardianPhones.created_at), asc(guardianPhones.phone))
  const studentsOwnPhones = await tx
    .select({ ...studentColumns, typedPhone: students.phone_number })
    .from(students)
    .where(and(whereStudent, phones && wherePhoneEnding(phoneEnding, phones)))
    .orderBy(...byName(students))
  const linkedPhones = await tx
    .select({
      ...studentColumns,
      typedPhone: phoneLinks.phone,
      holder_name: phoneLinks.holder_name,
    })
    .from(phoneLinks)
    .innerJoin(students, eq(students.id, phoneLinks.student_id))
    .where(and(whereStudent, phones && equalsAny(phoneLinks.phone, [...phones])))
    .orderBy(...byName(students), asc(phoneLinks.created_at))
  const guardianRows = [...guardiansOwnPhones, ...guardiansOtherPhones]
  return [
    ...guardianRows.map((row) => ({ ...row, holder: 'guardian' as const })),
    ...studentsOwnPhones.map((row) => ({ ...row, holder: 'student' as const, holder_name: null })),
    ...linkedPhones.map((row) => ({ ...row, holder: 'linked' as const })),
  ].flatMap(({ typedPhone, ...holder }) => {
    const phone = validPhone(typedPhone)
    const isWanted = phone !== null && (phones === undefined || phones.includes(phone))
    return isWanted ? [{ ...holder, phone }] : []
  })
}

export async function findHolders(
  tx: Tx,
  phones: readonly string[],
  options: HolderOptions = {},
): Promise<Map<string, PhoneHolder[]>> {
  const holders = new Map<string, PhoneHolder[]>()
  for (const { phone, ...holder } of await readPhones(tx, { ...options, phones })) {
    const phoneHolders = holders.get(phone) ?? []
    if (!phoneHolders.some(({ student_id }) => student_id === holder.student_id))
      holders.set(phone, [...phoneHolders, holder])
  }
  return holders
}

export const findHoldersOfPhone = async (
  tx: Tx,
  phone: string,
  options: HolderOptions = {},
): Promise<PhoneHolder[]> => (await findHolders(tx, [phone], options)).get(phone) ?? []

type Phone = Pick<PhoneWithConsents, 'phone_number' | 'holder' | 'holder_name'>

/** All phones of a student and of the guardians, whether they get texts or not. */
export async function listStudentPhones(tx: Tx, studentId: string): Promise<Phone[]> {
  await requireStudent(tx, studentId)
  const phones = new Map<string, Phone>()
  for (const { phone, holder, holder_name } of await readPhones(tx, { studentId }))
    if (!phones.has(phone)) phones.set(phone, { phone_number: phone, holder, holder_name })
  return [...phones.values()]
}
