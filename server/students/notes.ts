import { refusalWithout } from '@tatami/contract/rights'
import type { StudentNotes } from '@tatami/contract/students/student-page'
import { eq } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { nowIso } from '../lib/clock.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { firstRow, pick } from '../lib/rows.ts'
import { studentNotes, students } from './tables.ts'

const { allergies, medical_note, private_notes } = studentNotes
type StoredNotes = { [Field in keyof Required<StudentNotes>]: string | null }

/** Drops the notes that the caller may not see. Refuses callers who may see none with 403. */
function pickVisibleNotes(
  { staff }: Partial<Pick<DojoCaller, 'staff'>>,
  notes: StudentNotes,
): StudentNotes {
  const seesMedical = !staff || staff.rights.has('medical')
  const seesPrivate = !staff || staff.rights.has('notes')
  if (!seesMedical && !seesPrivate) throw new Refusal(403, refusalWithout('notes'))
  return {
    ...(seesMedical && pickPresent(notes, 'allergies', 'medical_note')),
    ...(seesPrivate && pickPresent(notes, 'private_notes')),
  }
}

const pickPresent = (notes: StudentNotes, ...fields: (keyof StudentNotes)[]): StudentNotes =>
  pick(notes, ...fields.filter((field) => field in notes))

export async function changeNotes(
  tx: Tx,
  caller: Pick<DojoCaller, 'id' | 'dojoId'> & Partial<Pick<DojoCaller, 'staff'>>,
  student_id: string,
  form: StudentNotes,
): Promise<StoredNotes> {
  const notes = pickVisibleNotes(caller, form)
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
