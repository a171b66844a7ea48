import { guardianSummary } from '@tatami/contract/guardians/guardians'
import { student as studentSchema, type Student } from '@tatami/contract/students/students'
import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { readShownRanks } from '../belts/current-ranks.ts'
import { sharedColumns } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { monthIn } from '../dojos/calendar.ts'
import { type Dojo, dojoById } from '../dojos/dojos.ts'
import { notFound } from '../lib/refusal.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { readPhotos } from '../pictures/pictures.ts'
import { paymentRecords, isPaidRecord, recordsOf } from '../ledger/tables.ts'
import { enrollments, isCurrentStudent, studentNotes, students } from './tables.ts'

// Sorting in the database would put Émile after Zoe.
const nameCollator = new Intl.Collator('en')

const compareNames = (a: Student, b: Student) =>
  nameCollator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1)

export async function listCurrentStudents(tx: Tx, dojoId: string): Promise<Student[]> {
  const dojo = await dojoById(tx, dojoId)
  return (await readStudents(tx, dojo, isCurrentStudent)).toSorted(compareNames)
}

/** Students who left most recently come first. */
export async function listFormerStudents(tx: Tx, dojoId: string): Promise<Student[]> {
  const dojo = await dojoById(tx, dojoId)
  const rows = await readStudents(tx, dojo, isNotNull(students.left_on))
  return rows.toSorted(
    (a, b) => (b.left_on ?? '').localeCompare(a.left_on ?? '') || compareNames(a, b),
  )
}

export const readStudentById = async (tx: Tx, dojoId: string, id: string): Promise<Student> =>
  readStudentOfDojo(tx, await dojoById(tx, dojoId), id)

export async function readStudentOfDojo(tx: Tx, dojo: Dojo, id: string): Promise<Student> {
  const [student] = await readStudents(tx, dojo, eq(students.id, id), id)
  if (!student) throw notFound('Student')
  return student
}

/** If only one student can match, `id` limits the queries of other tables to that student. */
async function readStudents(tx: Tx, dojo: Dojo, condition: SQL, id?: string): Promise<Student[]> {
  const { name: dojo_name, city, state, time_zone } = dojo
  const [rows, classIdsByStudent, guardiansByStudent, shownRanks, photos] = await Promise.all([
    findStudentRows(tx, time_zone, condition),
    findClassIds(tx, id),
    findGuardians(tx, id),
    readShownRanks(tx, id === undefined ? null : [id]),
    readPhotos(tx, id === undefined ? null : [id]),
  ])
  return rows.map((row) => ({
    ...row,
    is_instructor: false,
    is_super_admin: false,
    dojo_name,
    city,
    state,
    contact_number: row.phone_number,
    enrolled_classes: classIdsByStudent.get(row.id) ?? [],
    guardians: guardiansByStudent.get(row.id) ?? [],
    rank: shownRanks.get(row.id) ?? null,
    photo: photos.get(row.id) ?? null,
  }))
}

function findStudentRows(tx: Tx, timeZone: string, condition: SQL) {
  const studentsPaidThisMonth = tx
    .select({ id: paymentRecords.student_id })
    .from(paymentRecords)
    .where(and(recordsOf(monthIn(timeZone)), isPaidRecord))
  const studentsWithMedicalNote = tx
    .select({ id: studentNotes.student_id })
    .from(studentNotes)
    .where(or(isNotNull(studentNotes.allergies), isNotNull(studentNotes.medical_note)))
  return tx
    .select({
      ...sharedColumns(students, studentSchema),
      current_month_paid: sql<boolean>`${inArray(students.id, studentsPaidThisMonth)}`,
      has_medical_note: sql<boolean>`${inArray(students.id, studentsWithMedicalNote)}`,
    })
    .from(students)
    .where(condition)
}

async function findClassIds(tx: Tx, studentId: string | undefined): Promise<Map<string, string[]>> {
  const rows = await tx
    .select({ student_id: enrollments.student_id, class_id: enrollments.class_id })
    .from(enrollments)
    .where(studentId === undefined ? undefined : eq(enrollments.student_id, studentId))
    .orderBy(enrollments.created_at, enrollments.class_id)
  return groupByStudent(rows.map(({ student_id, class_id }) => [student_id, class_id]))
}

async function findGuardians(
  tx: Tx,
  studentId: string | undefined,
): Promise<Map<string, Student['guardians']>> {
  const rows = await tx
    .select({
      student_id: guardianships.student_id,
      guardian: {
        ...sharedColumns(guardians, guardianSummary),
        ...sharedColumns(guardianships, guardianSummary),
      },
    })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(
      and(
        isNull(guardianships.ended_at),
        studentId === undefined ? undefined : eq(guardianships.student_id, studentId),
      ),
    )
    .orderBy(guardianships.since, guardians.id)
  return groupByStudent(rows.map(({ student_id, guardian }) => [student_id, guardian]))
}

function groupByStudent<Value>(pairs: [studentId: string, value: Value][]): Map<string, Value[]> {
  const valuesByStudent = new Map<string, Value[]>()
  for (const [studentId, value] of pairs) {
    const values = valuesByStudent.get(studentId)
    if (values) values.push(value)
    else valuesByStudent.set(studentId, [value])
  }
  return valuesByStudent
}
