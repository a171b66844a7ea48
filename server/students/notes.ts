import type { StudentNotes } from '@tatami/contract/students/student-page'
import { eq } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { notFound } from '../lib/refusal.ts'
import { firstRow } from '../lib/rows.ts'
import { studentNotes, students } from './tables.ts'

const { allergies, medical_note, private_notes } = studentNotes
type StoredNotes = { [Field in keyof Required<StudentNotes>]: string | null }

export async function changeNotes(
  tx: Tx,
  caller: Pick<DojoCaller, 'id' | 'dojoId'>,
  student_id: string,
  notes: StudentNotes,
): Promise<StoredNotes> {
  const [student] = await tx
    .select({ id: students.id })
    .from(students)
    .where(eq(students.id, student_id))
  if (!student) throw notFound('Student')
  const change = { ...notes, changed_at: nowIso(), changed_by: caller.id }
  const storedNotes = await tx
    .insert(studentNotes)
    .values({ student_id, ...change })
    .onConflictDoUpdate({ target: [studentNotes.dojo_id, studentNotes.student_id], set: change })
    .returning({ allergies, medical_note, private_notes })
  await auditAction(tx, caller, 'student notes changed', {
    subject_id: student_id,
    details: Object.fromEntries(Object.keys(notes).map((field) => [field, true])),
  })
  return firstRow(storedNotes)
}
