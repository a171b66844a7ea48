import { sql } from 'drizzle-orm'
import { inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import type { Actor } from '../guardians/guardian-records.ts'
import { nowIso } from '../lib/clock.ts'
import { pluck } from '../lib/rows.ts'
import { studentNotes } from '../students/tables.ts'
import { buildMembershipNote } from './memberships.ts'
import type { Plan, PlannedStudent } from './plan.ts'

export const NOTE_FIELDS = ['allergies', 'medical_note', 'private_notes'] as const

type StudentNotes = { student_id: string } & Partial<
  Record<(typeof NOTE_FIELDS)[number], string | null>
>

/** Stores the notes of new students, including email addresses that are not invited to log in. */
export async function addNotesOfNewStudents(
  tx: Tx,
  caller: Actor,
  newStudents: PlannedStudent[],
  { invitees, memberships }: Plan,
): Promise<void> {
  const invitedEmails = new Set(pluck(invitees, 'email'))
  const rows = newStudents.map(({ id, person, guardians, emailsForNotes }) => {
    const membership = buildMembershipNote({ id, person }, memberships)
    const { email, allergies, medical_note, private_notes } = person
    const isEmailUsed =
      email === null ||
      invitedEmails.has(email) ||
      guardians.some((guardian) => guardian.email === email)
    const unusedEmails = isEmailUsed ? emailsForNotes : [email, ...emailsForNotes]
    const emailLines = unusedEmails.map((address) => `Email: ${address}`)
    const lines = [private_notes, membership, ...emailLines].filter((line) => line !== null)
    const notes = lines.join('\n') || null
    return { student_id: id, allergies, medical_note, private_notes: notes }
  })
  await writeMissingNotes(
    tx,
    caller,
    rows.filter((row) => NOTE_FIELDS.some((field) => row[field] !== null)),
  )
}

/** Writes only fields that are empty. */
export async function writeMissingNotes(
  tx: Tx,
  { id: changed_by }: Actor,
  rows: StudentNotes[],
): Promise<void> {
  const changed_at = nowIso()
  const preferStored = (field: string) =>
    sql.raw(`coalesce(student_notes.${field}, excluded.${field})`)
  await inChunks(rows, (chunk) =>
    tx
      .insert(studentNotes)
      .values(chunk.map((row) => ({ ...row, changed_at, changed_by })))
      .onConflictDoUpdate({
        target: [studentNotes.dojo_id, studentNotes.student_id],
        set: {
          allergies: preferStored('allergies'),
          medical_note: preferStored('medical_note'),
          private_notes: preferStored('private_notes'),
          changed_at,
          changed_by,
        },
      }),
  )
}
