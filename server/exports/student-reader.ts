import { and, eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { isActiveLink, isLinkBetween } from '../guardians/guardian-records.ts'
import { findHiddenPhones } from '../guardians/hidden-phones.ts'
import { findStudentsOfGuardian } from '../guardians/readers.ts'
import { guardianPhones, guardians, guardianships } from '../guardians/tables.ts'
import { validPhone } from '../lib/phone.ts'
import { notFound } from '../lib/refusal.ts'
import { students } from '../students/tables.ts'

/** The person who downloads a student's file, and what the file shows to this person. */
export type FileReader = {
  kind: 'instructor' | 'student' | 'guardian'
  seesFees: boolean
  /** True if the file says why a price is reduced, which reveals siblings. */
  seesPriceReasons: boolean
  seesContact: boolean
  seesEmergencyContact: boolean
  /** The phones (in E.164 format) whose texts the reader may see, or null for all. */
  phones: string[] | null
  /** The students that a text may be about, or null for all. */
  studentIds: string[] | null
  /** The students that a text with an amount or about fees may be about, or null for all. */
  feeStudentIds: string[] | null
}

/** The school, which may read everything. */
export const SCHOOL_READER: FileReader = {
  kind: 'instructor',
  seesFees: true,
  seesPriceReasons: true,
  seesContact: true,
  seesEmergencyContact: true,
  phones: null,
  studentIds: null,
  feeStudentIds: null,
}

/** Finds what the student, or a guardian who sees the student, may read. Throws 404 for other
 *  people. */
export async function findReader(tx: Tx, studentId: string, readerId: string): Promise<FileReader> {
  return studentId === readerId
    ? findStudentReader(tx, studentId)
    : findGuardianReader(tx, studentId, readerId)
}

const listValidPhones = (typedPhones: (string | null)[]) =>
  typedPhones.map(validPhone).filter((phone) => phone !== null)

const isGuardian = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.$count(guardians, eq(guardians.id, id))) > 0

/** Leaves out texts about the fees of siblings, because a family may share one phone. */
async function findStudentReader(tx: Tx, id: string): Promise<FileReader> {
  const [student] = await tx
    .select({ phone: students.phone_number })
    .from(students)
    .where(eq(students.id, id))
  if (!student) throw notFound('Student')
  return {
    kind: 'student',
    seesFees: true,
    seesPriceReasons: false,
    seesContact: true,
    seesEmergencyContact: true,
    phones: listValidPhones([student.phone]),
    studentIds: (await isGuardian(tx, id)) ? [id, ...(await findStudentsOfGuardian(tx, id))] : null,
    feeStudentIds: [id, ...(await findStudentsOfGuardian(tx, id, { fees: true }))],
  }
}

/** Guardians see what their link allows, and nothing about other guardians. */
async function findGuardianReader(tx: Tx, studentId: string, id: string): Promise<FileReader> {
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
    seesFees: sees_fees,
    seesPriceReasons: sees_fees && pays,
    seesContact: may_edit && !hiddenFields?.phone_number,
    seesEmergencyContact: may_edit && !hiddenFields?.emergency_contact,
    phones: listValidPhones([link.phone, ...otherPhones.map(({ phone }) => phone)]),
    studentIds: await findStudentsOfGuardian(tx, id),
    feeStudentIds: await findStudentsOfGuardian(tx, id, { fees: true }),
  }
}
