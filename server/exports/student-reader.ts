import { and, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { isActiveLink, isLinkBetween } from '../guardians/guardian-records.ts'
import { findHiddenPhones } from '../guardians/hidden-phones.ts'
import { findStudentsOfGuardian } from '../guardians/readers.ts'
import { guardianPhones, guardians, guardianships } from '../guardians/tables.ts'
import { validPhone } from '../lib/phone.ts'
import { notFound } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'

/** The person that a student's file is for, and what it shows them. */
export type FileReader = {
  kind: 'instructor' | 'student' | 'guardian'
  fees: boolean
  /** Whether to show why a price is reduced. That reveals siblings. */
  priceReasons: boolean
  contact: boolean
  emergencyContact: boolean
  /** The phones (in E.164 format) whose texts they may read, or null for all. */
  phones: string[] | null
  /** The students whom a text may be about, or null for all. */
  students: string[] | null
  /** The students whom a text with an amount or about fees may be about, or null for all. */
  feeStudents: string[] | null
}

/** The school itself, which may read everything. */
export const SCHOOL_READER: FileReader = {
  kind: 'instructor',
  fees: true,
  priceReasons: true,
  contact: true,
  emergencyContact: true,
  phones: null,
  students: null,
  feeStudents: null,
}

/** Finds what the student, or a guardian who sees the student, may read. 404 for others. */
export async function findReader(tx: Tx, studentId: string, readerId: string): Promise<FileReader> {
  return studentId === readerId
    ? studentAsReader(tx, studentId)
    : guardianAsReader(tx, studentId, readerId)
}

const validPhones = (typedPhones: (string | null)[]) =>
  typedPhones.map(validPhone).filter((phone) => phone !== null)

const isGuardian = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.$count(guardians, eq(guardians.id, id))) > 0

/** A family may share the phone, so texts about the fees of siblings are left out. */
async function studentAsReader(tx: Tx, id: string): Promise<FileReader> {
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
    phones: validPhones([student.phone]),
    students: (await isGuardian(tx, id)) ? [id, ...(await findStudentsOfGuardian(tx, id))] : null,
    feeStudents: [id, ...(await findStudentsOfGuardian(tx, id, { fees: true }))],
  }
}

/** A guardian sees what their link allows, and nothing about other guardians. */
async function guardianAsReader(tx: Tx, studentId: string, id: string): Promise<FileReader> {
  const [link] = await tx
    .select({ rights: guardianships, phone: guardians.phone })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(and(isLinkBetween(id, studentId), isActiveLink, eq(guardianships.sees, true)))
  if (!link) throw notFound('Student')
  const { sees_fees, pays, may_edit } = link.rights
  const otherPhones = await tx
    .select({ phone: guardianPhones.phone })
    .from(guardianPhones)
    .where(eq(guardianPhones.guardian_id, id))
  const hiddenFields = (await findHiddenPhones(tx, id, [studentId])).get(studentId)
  return {
    kind: 'guardian',
    fees: sees_fees,
    priceReasons: sees_fees && pays,
    contact: may_edit && !hiddenFields?.phone_number,
    emergencyContact: may_edit && !hiddenFields?.emergency_contact,
    phones: validPhones([link.phone, ...otherPhones.map(({ phone }) => phone)]),
    students: await findStudentsOfGuardian(tx, id),
    feeStudents: await findStudentsOfGuardian(tx, id, { fees: true }),
  }
}
