import { and, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { isLive, linkOf } from '../guardians/guardian-records.ts'
import { phonesHiddenFrom } from '../guardians/hidden-phones.ts'
import { studentsOfGuardian } from '../guardians/readers.ts'
import { guardianPhones, guardians, guardianships } from '../guardians/tables.ts'
import { validPhone } from '../lib/phone.ts'
import { notFound } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'

/** Who may see what in a student's file (docs/modules/exports.md). */
export type Reader = {
  kind: 'instructor' | 'student' | 'guardian'
  fees: boolean
  /** Why a price is reduced, which reveals siblings. */
  priceReasons: boolean
  contact: boolean
  emergencyContact: boolean
  /** The phones (E.164) whose texts they may read; null for all. */
  phones: string[] | null
  /** The students whom a text may be about; null for all. */
  students: string[] | null
  /** The students whom a text about fees, or with a sum, may be about; null for all. */
  feeStudents: string[] | null
}

export const INSTRUCTOR: Reader = {
  kind: 'instructor',
  fees: true,
  priceReasons: true,
  contact: true,
  emergencyContact: true,
  phones: null,
  students: null,
  feeStudents: null,
}

/** The student or a guardian who sees the student; 404 for anybody else. */
export async function readerOf(tx: Tx, studentId: string, readerId: string): Promise<Reader> {
  return studentId === readerId
    ? studentAsReader(tx, studentId)
    : guardianAsReader(tx, studentId, readerId)
}

const valid = (typedPhones: (string | null)[]) =>
  typedPhones.map(validPhone).filter((phone) => phone !== null)

const isGuardian = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.$count(guardians, eq(guardians.id, id))) > 0

/** The phone may be the family's, so texts about fees of siblings must be left out. */
async function studentAsReader(tx: Tx, id: string): Promise<Reader> {
  const [student] = await tx
    .select({ phone: students.phone_number })
    .from(students)
    .where(eq(students.id, id))
  if (!student) throw notFound('Student')
  return {
    kind: 'student',
    fees: true,
    priceReasons: false,
    contact: true,
    emergencyContact: true,
    phones: valid([student.phone]),
    students: (await isGuardian(tx, id)) ? [id, ...(await studentsOfGuardian(tx, id))] : null,
    feeStudents: [id, ...(await studentsOfGuardian(tx, id, { fees: true }))],
  }
}

/** A guardian sees what the link allows, and nothing of another guardian. */
async function guardianAsReader(tx: Tx, studentId: string, id: string): Promise<Reader> {
  const [link] = await tx
    .select({ rights: guardianships, phone: guardians.phone })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(and(linkOf(id, studentId), isLive, eq(guardianships.sees, true)))
  if (!link) throw notFound('Student')
  const { sees_fees, pays, may_edit } = link.rights
  const further = await tx
    .select({ phone: guardianPhones.phone })
    .from(guardianPhones)
    .where(eq(guardianPhones.guardian_id, id))
  const hiddenFields = (await phonesHiddenFrom(tx, id, [studentId])).get(studentId)
  return {
    kind: 'guardian',
    fees: sees_fees,
    priceReasons: sees_fees && pays,
    contact: may_edit && !hiddenFields?.phone_number,
    emergencyContact: may_edit && !hiddenFields?.emergency_contact,
    phones: valid([link.phone, ...further.map(({ phone }) => phone)]),
    students: await studentsOfGuardian(tx, id),
    feeStudents: await studentsOfGuardian(tx, id, { fees: true }),
  }
}
