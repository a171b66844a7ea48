import { and, isNull, or } from 'drizzle-orm'
import { equalsAny, inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { type PublishedDocument, listPublishedDocuments } from '../documents/documents.ts'
import { recordImportedSignatures } from '../documents/imported-signatures.ts'
import { signatures } from '../documents/tables.ts'
import type { Actor } from '../guardians/guardian-records.ts'
import type { Plan, PlannedStudent } from './plan.ts'

/** Only if there is exactly one waiver, it is clear which one the sheet means. */
export async function findOnlyWaiver(tx: Tx): Promise<PublishedDocument | null> {
  const waivers = (await listPublishedDocuments(tx)).filter(({ kind }) => kind === 'waiver')
  const [waiver] = waivers
  return waivers.length === 1 && waiver ? waiver : null
}

/** Writes the days of the column "waiver signed on" into the private notes. */
export const noteWaiverDays = (plan: Plan): Plan => ({
  ...plan,
  students: plan.students.map(noteWaiverDay),
})

function noteWaiverDay(student: PlannedStudent): PlannedStudent {
  const { waiver_signed_on, private_notes } = student.person
  if (waiver_signed_on === null) return student
  const lines = [private_notes, `Waiver signed on: ${waiver_signed_on}`]
  const notes = lines.filter((line) => line !== null).join('\n')
  return { ...student, person: { ...student.person, private_notes: notes } }
}

/** Records a signature on paper for each student with a day. Returns the ids of the signatures. */
export async function recordWaivers(
  tx: Tx,
  caller: Actor,
  plan: Plan,
  waiver: PublishedDocument,
): Promise<string[]> {
  const signedDays = plan.students.flatMap(({ id, person: { waiver_signed_on } }) =>
    waiver_signed_on === null ? [] : [{ student_id: id, signed_on: waiver_signed_on }],
  )
  return recordImportedSignatures(tx, caller, waiver, signedDays)
}

/** Students who stay in the school keep their signature, unless the import only filled them in. */
export const deleteImportedWaivers = (tx: Tx, signatureIds: string[], filledIds: string[]) =>
  inChunks(signatureIds, (chunk) =>
    tx
      .delete(signatures)
      .where(
        and(
          equalsAny(signatures.id, chunk),
          or(isNull(signatures.student_id), equalsAny(signatures.student_id, filledIds)),
        ),
      ),
  )
