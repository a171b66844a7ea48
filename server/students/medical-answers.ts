import type { GivenAnswer } from '@tatami/contract/documents/document-texts'
import { MAX_MEDICAL_NOTE } from '@tatami/contract/students/student-page'
import { eq } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { readSignature } from '../documents/signatures.ts'
import type { DojoCaller } from '../http/serve.ts'
import { Refusal } from '../lib/refusal.ts'
import { changeNotes } from './notes.ts'
import { studentNotes } from './tables.ts'

const LABEL_OF_ANSWER: Record<string, string> = { yes: 'Yes', no: 'No' }

/** Such as "Does your child have asthma? Yes". */
const toNoteLine = ({ label, value }: GivenAnswer) => `${label} ${LABEL_OF_ANSWER[value] ?? value}`

/** Copies the medical answers of a signature to the student's medical note. Skips answers that the
 *  note already contains. Throws 409 if there are no answers, or if the note would be too long. */
export async function addMedicalAnswers(
  tx: Tx,
  caller: DojoCaller,
  signatureId: string,
): Promise<{ medical_note: string }> {
  const { student_id, medical_answers } = await readSignature(tx, signatureId)
  if (student_id === null || medical_answers.length === 0)
    throw new Refusal(409, 'This signature has no medical answers for a student')
  const [storedNotes] = await tx
    .select({ medical_note: studentNotes.medical_note })
    .from(studentNotes)
    .where(eq(studentNotes.student_id, student_id))
    .for('update')
  const lines = storedNotes?.medical_note?.split('\n') ?? []
  const newLines = medical_answers.map(toNoteLine).filter((line) => !lines.includes(line))
  const medical_note = [...lines, ...newLines].join('\n')
  if (newLines.length === 0) return { medical_note }
  if (medical_note.length > MAX_MEDICAL_NOTE)
    throw new Refusal(409, 'The medical note has no room for these answers. Please shorten it.')
  await changeNotes(tx, caller, student_id, { medical_note })
  return { medical_note }
}
