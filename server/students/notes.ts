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

/** Drops the notes that the caller may not see. Throws 403 if the caller may not see any. */
function pickVisibleNotes(
  { staff }: Partial<Pick<DojoCaller, 'staff'>>,
  notes: StudentNotes,
): StudentNotes {
  const maySeeMedicalNotes = !staff || staff.rights.has('medical')
  const maySeePrivateNotes = !staff || staff.rights.has('notes')
  if (!maySeeMedicalNotes && !maySeePrivateNotes) throw new Refusal(403, refusalWithout('notes'))
  return {
    ...(maySeeMedicalNotes && pickSentFields(notes, 'allergies', 'medical_note')),
    ...(maySeePrivateNotes && pickSentFields(notes, 'private_notes')),
  }
}

const pickSentFields = (notes: StudentNotes, ...fields: (keyof StudentNotes)[]): StudentNotes =>
  pick(notes, ...fields.filter((field) => field in notes))

/** Changes the notes that the form contains. The others stay unchanged. */
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
  const columns = { ...notes, changed_at: nowIso(), changed_by: caller.id }
  const storedNotes = await tx
    .insert(studentNotes)
    .values({ student_id, ...columns })
    .onConflictDoUpdate({ target: [studentNotes.dojo_id, studentNotes.student_id], set: columns })
    .returning({ allergies, medical_note, private_notes })
  await auditAction(tx, caller, 'student notes changed', {
    subject_id: student_id,
    details: Object.fromEntries(Object.keys(notes).map((field) => [field, true])),
  })
  return firstRow(storedNotes)
}
