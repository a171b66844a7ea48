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

/** Whoever may see only some of the notes changes only those. 403 for whoever sees none. */
function visibleNotes(
  { staff }: Partial<Pick<DojoCaller, 'staff'>>,
  notes: StudentNotes,
): StudentNotes {
  const seesMedical = !staff || staff.rights.has('medical')
  const seesPrivate = !staff || staff.rights.has('notes')
  if (!seesMedical && !seesPrivate) throw new Refusal(403, refusalWithout('notes'))
  return {
    ...(seesMedical && pickGiven(notes, 'allergies', 'medical_note')),
    ...(seesPrivate && pickGiven(notes, 'private_notes')),
  }
}

const pickGiven = (notes: StudentNotes, ...fields: (keyof StudentNotes)[]): StudentNotes =>
  pick(notes, ...fields.filter((field) => field in notes))

export async function changeNotes(
  tx: Tx,
  caller: Pick<DojoCaller, 'id' | 'dojoId'> & Partial<Pick<DojoCaller, 'staff'>>,
  student_id: string,
  form: StudentNotes,
): Promise<StoredNotes> {
  const notes = visibleNotes(caller, form)
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
