import { fold } from '@tatami/contract/import-values'
import { and, gt, isNull } from 'drizzle-orm'
import { accountsByEmail } from '../accounts/accounts.ts'
import { classes } from '../classes/tables.ts'

import type { Tx } from '../db/database.ts'
import { isLive } from '../families/guardians.ts'
import { guardians, guardianships, logInInvitations } from '../families/tables.ts'
import { nowIso } from '../lib/clock.ts'
import { validPhone } from '../lib/phone.ts'
import { studentNotes, students } from '../students/tables.ts'
import { type Identity, personFinder } from './duplicates.ts'

export type StudentRow = typeof students.$inferSelect
export type KnownStudent = Identity & {
  id: string
  student: StudentRow
  hasLogIn: boolean
  isInvited: boolean
  payer: boolean
}
export type GuardianRow = typeof guardians.$inferSelect

/** All of the dojo that a sheet is compared with. `emails` are the sheet's. */
export async function knownOfDojo(tx: Tx, id: string, emails: string[]) {
  const studentRows = await tx.select().from(students)
  const guardianRows = await tx.select().from(guardians)
  const links = await tx
    .select({
      guardian_id: guardianships.guardian_id,
      student_id: guardianships.student_id,
      pays: guardianships.pays,
    })
    .from(guardianships)
    .where(isLive)
  const invitations = await tx
    .select({
      student_id: logInInvitations.student_id,
      guardian_id: logInInvitations.guardian_id,
      email: logInInvitations.email,
    })
    .from(logInInvitations)
    .where(and(isNull(logInInvitations.accepted_at), gt(logInInvitations.expires_at, nowIso())))
  const notes = await tx
    .select({
      id: studentNotes.student_id,
      allergies: studentNotes.allergies,
      medical_note: studentNotes.medical_note,
    })
    .from(studentNotes)
  const emailOfInvited = new Map(
    invitations.map(({ student_id, guardian_id, email }) => [student_id ?? guardian_id, email]),
  )
  const payers = new Set(links.filter(({ pays }) => pays).map(({ student_id }) => student_id))
  const guardianById = new Map(guardianRows.map((row) => [row.id, row]))
  const finder = personFinder<KnownStudent>()
  for (const student of studentRows)
    finder.add({
      id: student.id,
      name: student.name,
      email: student.email ?? emailOfInvited.get(student.id) ?? null,
      phone: student.phone_number,
      date_of_birth: student.date_of_birth,
      student,
      hasLogIn: student.email !== null,
      isInvited: emailOfInvited.has(student.id),
      payer: payers.has(student.id),
    })
  return {
    id,
    findStudent: finder.find,
    birthdays: new Map(studentRows.map((row) => [row.id, row.date_of_birth])),
    guardianById,
    guardianByEmail: new Map(
      guardianRows.flatMap((row) => (row.email ? [[row.email, row] as const] : [])),
    ),
    guardianByPhone: new Map(
      guardianRows.flatMap((row) =>
        phoneKey(row.phone, row.name) ? [[phoneKey(row.phone, row.name)!, row] as const] : [],
      ),
    ),
    guardiansOf: Map.groupBy(
      links.flatMap(({ guardian_id, student_id }) => ({
        student_id,
        guardian: guardianById.get(guardian_id)!,
      })),
      ({ student_id }) => student_id,
    ),
    isLinked: new Set(links.map(({ guardian_id, student_id }) => `${guardian_id} ${student_id}`)),
    notes: new Map(notes.map((one) => [one.id, one])),
    classes: await tx
      .select({ id: classes.id, class_name: classes.class_name })
      .from(classes)
      .orderBy(classes.created_at, classes.id),
    invitedEmails: new Set(invitations.map(({ email }) => email)),
    accountByEmail: new Map(
      (await accountsByEmail(tx, emails)).map((account) => [account.email, account]),
    ),
  }
}
export type KnownDojo = Awaited<ReturnType<typeof knownOfDojo>>

/** A family's number is one guardian's only together with the name. */
export function phoneKey(phone: string | null, name: string): string | null {
  const number = validPhone(phone)
  return number && `${number} ${fold(name)}`
}
