import type { MentionedStudent } from '@tatami/contract/texting/message-types'
import { and, inArray, or } from 'drizzle-orm'
import { findUnknownClasses } from '../../classes/classes.ts'
import { currentMonthOf } from '../../dojos/dojos.ts'
import { byName } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import { notFound } from '../../lib/refusal.ts'
import { unpaidIn } from '../../ledger/tables.ts'
import { amountsLeftToPay } from '../../dues/amounts.ts'
import { enrollments, isCurrentStudent, isPayingStudent, students } from '../../students/tables.ts'

export type Reader = MentionedStudent & { id: string }
const readerColumns = { id: students.id, name: students.name }

type Selection = {
  class_ids?: string[] | null | undefined
  student_ids?: string[] | null | undefined
}
const nullIfEmpty = (ids: string[] | null | undefined) => (ids && ids.length > 0 ? ids : null)

/** Returns the selected students, or all students if nothing is selected. */
export async function selectStudents(
  tx: Tx,
  { class_ids, student_ids }: Selection,
): Promise<Reader[]> {
  const classIds = nullIfEmpty(class_ids)
  const studentIds = nullIfEmpty(student_ids)
  if (classIds && (await findUnknownClasses(tx, classIds)).length > 0) throw notFound('Class')
  if (studentIds) await refuseUnknownStudents(tx, studentIds)
  const enrolledIds = tx
    .select({ id: enrollments.student_id })
    .from(enrollments)
    .where(inArray(enrollments.class_id, classIds ?? []))
  const whereSelected = or(
    classIds ? inArray(students.id, enrolledIds) : undefined,
    studentIds ? inArray(students.id, studentIds) : undefined,
  )
  return tx.select(readerColumns).from(students).where(and(isCurrentStudent, whereSelected))
}

async function refuseUnknownStudents(tx: Tx, ids: string[]) {
  const knownStudents = await tx
    .select({ id: students.id })
    .from(students)
    .where(and(inArray(students.id, ids), isCurrentStudent))
  if (knownStudents.length < new Set(ids).size) throw notFound('Student')
}

export async function findUnpaidStudents(tx: Tx, dojoId: string): Promise<Reader[]> {
  const month = await currentMonthOf(tx, dojoId)
  const unpaidStudents = await tx
    .select(readerColumns)
    .from(students)
    .where(and(isPayingStudent, unpaidIn(month)))
    .orderBy(...byName(students))
  const amounts = await amountsLeftToPay(tx, dojoId, month)
  return unpaidStudents
    .filter(({ id }) => amounts.has(id))
    .map((student) => ({ ...student, amount: amounts.get(student.id) }))
}
