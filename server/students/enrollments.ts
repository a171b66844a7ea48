import { and, eq, notInArray } from 'drizzle-orm'
import { findUnknownClasses } from '../classes/classes.ts'
import { inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { isForeignKeyViolation } from '../db/database-errors.ts'
import { requireCurrent } from '../guardians/guardianships.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { enrollments, students } from './tables.ts'

const INVALID_CLASS = 'Class is not valid'

export async function enrollInClass(tx: Tx, student_id: string, class_id: string): Promise<void> {
  const [student] = await tx
    .select({ name: students.name, left_on: students.left_on })
    .from(students)
    .where(eq(students.id, student_id))
  if (!student) throw notFound('Student')
  requireCurrent(student)
  await insertEnrollments(tx, student_id, [class_id], notFound('Class'))
}

/** Replaces the student's classes. */
export async function setEnrollments(
  tx: Tx,
  student_id: string,
  class_ids: string[],
): Promise<void> {
  await tx
    .delete(enrollments)
    .where(and(eq(enrollments.student_id, student_id), notInArray(enrollments.class_id, class_ids)))
  await insertEnrollments(
    tx,
    student_id,
    class_ids,
    new Refusal(422, INVALID_CLASS, {
      errors: [{ field: 'enrolled_classes', message: INVALID_CLASS }],
    }),
  )
}

/** Throws `refusal` if a class does not exist. */
async function insertEnrollments(
  tx: Tx,
  student_id: string,
  class_ids: string[],
  refusal: Refusal,
) {
  await addEnrollments(
    tx,
    class_ids.map((class_id) => ({ student_id, class_id })),
  ).catch((error: unknown) => {
    throw isForeignKeyViolation(error) ? refusal : error
  })
}

/** Ignores enrollments that already exist. */
export const addEnrollments = (
  tx: Tx,
  newEnrollments: { student_id: string; class_id: string }[],
): Promise<void> =>
  inChunks(newEnrollments, (chunk) => tx.insert(enrollments).values(chunk).onConflictDoNothing())

/** Throws 422 if a class does not exist in this dojo. */
export async function requireKnownClasses(tx: Tx, classIds: string[]): Promise<void> {
  if (classIds.length === 0) return
  if ((await findUnknownClasses(tx, classIds)).length > 0)
    throw new Refusal(422, INVALID_CLASS, {
      errors: [{ field: 'class_preferences', message: INVALID_CLASS }],
    })
}
