import { and, inArray, or } from 'drizzle-orm'
import { unknownClasses } from '../classes/classes.ts'
import { currentMonthOf } from '../dojos/dojos.ts'
import type { Tx } from '../db/database.ts'
import { notFound } from '../lib/refusal.ts'
import { unpaidIn } from '../payments/tables.ts'
import { enrolments, isPayingStudent, students } from '../students/tables.ts'

type Chosen = { class_ids?: string[] | null | undefined; student_ids?: string[] | null | undefined }
const some = (ids: string[] | null | undefined) => (ids && ids.length > 0 ? ids : null)

/** The ids of all students (both lists empty), or of those in one of the classes or named one by one; 404 for anything of another dojo. */
export async function chosenStudents(tx: Tx, { class_ids, student_ids }: Chosen): Promise<string[]> {
  const classIds = some(class_ids),
    studentIds = some(student_ids)
  const inClasses = classIds && tx.select({ id: enrolments.student_id }).from(enrolments).where(inArray(enrolments.class_id, classIds))
  const chosen = or(inClasses ? inArray(students.id, inClasses) : undefined, studentIds ? inArray(students.id, studentIds) : undefined)
  if (classIds && (await unknownClasses(tx, classIds)).length > 0) throw notFound('Class')
  if (studentIds) await refuseUnknownStudents(tx, studentIds)
  return (await tx.select({ id: students.id }).from(students).where(chosen)).map(({ id }) => id)
}

async function refuseUnknownStudents(tx: Tx, ids: string[]) {
  const ours = await tx.select({ id: students.id }).from(students).where(inArray(students.id, ids))
  if (ours.length < new Set(ids).size) throw notFound('Student')
}

/** Paying students without a paid record of the dojo's current month. */
export async function studentsYetToPay(tx: Tx, dojoId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: students.id })
    .from(students)
    .where(and(isPayingStudent, unpaidIn(await currentMonthOf(tx, dojoId))))
  return rows.map(({ id }) => id)
}
