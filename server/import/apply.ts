import { toCents } from '@tatami/contract/lib/money'
import { endRightsIfAdult } from '../families/adulthood.ts'
import { hadBirthday } from '../guardians/ages.ts'
import { ADULT_AGE } from '@tatami/contract/guardians/guardians'
import type { DoneImport } from '@tatami/contract/import/import'
import type { ImportedPerson } from '@tatami/contract/import/rows'
import { isVacationOn } from '@tatami/contract/students/student-page'
import { sql } from 'drizzle-orm'
import { auditAction } from '../audit/audit.ts'
import { addNamedClasses } from '../classes/classes.ts'
import { recordStartingRanks } from '../belts/student-belt.ts'
import { inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import {
  type Actor,
  addGuardianWithAccount,
  insertGuardians,
} from '../guardians/guardian-records.ts'
import { linkGuardian, linkGuardiansOfNewStudents } from '../guardians/guardianships.ts'
import { inviteAll } from '../families/log-in-invitations.ts'
import { endLostAccess } from '../guardians/lost-access.ts'
import { nowIso } from '../lib/clock.ts'
import type { Email } from '../lib/mail.ts'
import { addEnrolments } from '../students/enrolments.ts'
import { insertStudents } from '../students/students.ts'
import { enrolments, studentNotes, students } from '../students/tables.ts'
import { recordImportedOptOuts } from '../texting/consents.ts'
import type { GuardianInPlan } from './guardians.ts'
import { asDone } from './imports.ts'
import { classMarks, guardianMarks, studentMarks } from './marks.ts'
import type { Plan, PlannedStudent } from './plan.ts'
import { pick, pluck } from '../lib/rows.ts'
import { type ImportDetails, studentImports } from './tables.ts'

/** Imports the planned rows. The caller sends the mails after the commit. */
export async function applyImport(
  tx: Tx,
  caller: Actor,
  plan: Plan,
  publicUrl: string,
): Promise<{ done: DoneImport | null; mails: Email[] }> {
  const madeAt = nowIso()
  if (plan.students.length === 0) return { done: null, mails: [] }
  const newStudents = plan.students.filter(({ known }) => known === null)
  const mergedStudents = plan.students.filter(({ known }) => known !== null)
  const newClasses = plan.classes.added()
  await addNamedClasses(tx, newClasses)
  await insertStudents(
    tx,
    newStudents.map((student) => rowOf(student, plan)),
  )
  await recordStartingRanks(
    tx,
    caller,
    plan.today,
    newStudents.map(({ id, person }) => ({ id, belt_level: person.belt_level ?? 'white' })),
  )
  await addGuardians(tx, plan.guardians)
  await linkGuardiansOfNewStudents(
    tx,
    caller,
    newStudents.flatMap((student) =>
      linksOf(student, plan).map((link) => ({ ...link, student_id: student.id })),
    ),
  )
  const filledStudents = await fillIn(tx, caller, mergedStudents, plan)
  await addEnrolments(
    tx,
    newStudents.flatMap(({ id: student_id, classes }) =>
      classes.map(({ id: class_id }) => ({ student_id, class_id })),
    ),
  )
  await addNotes(tx, caller, newStudents, plan)
  const mails = await inviteAll(tx, caller, plan.invitees, publicUrl)
  const newGuardians = plan.guardians.filter(({ isNew }) => isNew).map(({ id }) => id)
  const marks = await studentMarks(tx, pluck(plan.students, 'id'))
  const markedStudent = (id: string) => ({ id, mark: marks.get(id)! })
  const consents = await recordImportedOptOuts(tx, plan.optOuts, caller.id)
  const details: ImportDetails = {
    students: newStudents.map(({ id }) => markedStudent(id)),
    merged: filledStudents.map((student) => ({ ...student, ...markedStudent(student.id) })),
    guardians: await guardianMarks(tx, newGuardians),
    classes: await classMarks(tx, pluck(newClasses, 'id')),
    consents,
  }
  const [storedImport] = await tx
    .insert(studentImports)
    .values({ actor_id: caller.id, created_at: madeAt, details })
    .returning({ id: studentImports.id })
  const figures = {
    students: newStudents.length,
    merged: plan.merged,
    guardians: newGuardians.length,
    classes: newClasses.length,
  }
  await auditAction(tx, caller, 'students imported', {
    subject_id: storedImport!.id,
    details: figures,
  })
  return { done: asDone(storedImport!.id, madeAt, details), mails }
}

/** What the sheet does not say is empty; without a belt it is white. */
function rowOf(
  { id, person, classes }: PlannedStudent,
  { today }: Plan,
): typeof students.$inferInsert {
  const vacation = { vacation_from: person.on_vacation ? today : null, vacation_until: null }
  return {
    id,
    name: person.name,
    email: null,
    phone_number: person.phone_number,
    belt_level: person.belt_level ?? 'white',
    ...pick(person, 'date_of_birth', 'gender', 'emergency_contact_name'),
    emergency_contact_phone: person.emergency_contact_phone,
    class_preferences: classes.map((row) => row.id),
    is_trial: person.is_trial,
    monthly_payment_amount: person.monthly_payment_amount,
    ...vacation,
    on_vacation: isVacationOn(today, vacation),
    payment_method: person.payment_method,
  }
}

async function addGuardians(tx: Tx, guardians: GuardianInPlan[]): Promise<void> {
  const newGuardians = guardians.filter(({ isNew }) => isNew)
  const rows = newGuardians
    .filter(({ hasAccount }) => !hasAccount)
    .map(({ id, name, phone, email }) => ({ id, name, phone, email }))
  await insertGuardians(tx, rows)
  for (const { id, phone } of newGuardians.filter(({ hasAccount }) => hasAccount))
    await addGuardianWithAccount(tx, id, { phone })
}

/** The first guardian pays. A parent does not see an adult's page only because of a sheet. */
function linksOf({ person, guardians, payerId, known }: PlannedStudent, { today }: Plan) {
  const isAdult = hadBirthday(known?.date_of_birth ?? person.date_of_birth, ADULT_AGE, today, {
    unknown: false,
  })
  return guardians.map(({ id, relation }) => ({
    guardian_id: id,
    rights: {
      relation: relation ?? undefined,
      pays: id === payerId && !known?.payer,
      picks_up: true,
      ...(isAdult && { sees: false }),
    },
  }))
}

const FILLED_FIELDS = [
  'phone_number',
  'date_of_birth',
  'gender',
  'emergency_contact_name',
  'emergency_contact_phone',
  'monthly_payment_amount',
  'payment_method',
] as const satisfies (keyof ImportedPerson)[]

type FilledStudent = Omit<ImportDetails['merged'][number], 'mark'>

async function fillIn(
  tx: Tx,
  caller: Actor,
  mergedStudents: PlannedStudent[],
  plan: Plan,
): Promise<FilledStudent[]> {
  const changes = mergedStudents.map(({ id, known, person }) => ({
    id,
    values: Object.fromEntries(
      FILLED_FIELDS.filter((field) => known!.student[field] === null && person[field] !== null).map(
        (field) => [field, person[field]],
      ),
    ),
  }))
  const changedRows = changes
    .filter(({ values }) => Object.keys(values).length > 0)
    .map(({ id, values }) => ({ ...values, id, ...inCents(values) }))
  const fields = sql.join(
    FILLED_FIELDS.map((field) => sql.raw(`${field} = coalesce(s.${field}, r.${field})`)),
    sql`, `,
  )
  if (changedRows.length > 0)
    await tx.execute(sql`update ${students} s set ${fields}
      from jsonb_to_recordset(${JSON.stringify(changedRows)}::jsonb) as r(id uuid,
        phone_number text, date_of_birth date, gender text, emergency_contact_name text,
        emergency_contact_phone text, monthly_payment_amount integer, payment_method text)
      where s.id = r.id`)
  await applyDatesOfBirth(tx, caller, changedRows, plan.today)
  const existingEnrolments = await enrolmentsOf(tx, mergedStudents)
  const result: FilledStudent[] = []
  for (const [index, student] of mergedStudents.entries()) {
    const { id, classes } = student
    const links = linksOf(student, plan).filter(
      ({ guardian_id }) => !plan.dojo.isLinked.has(`${guardian_id} ${id}`),
    )
    for (const { guardian_id, rights } of links)
      await linkGuardian(tx, caller, guardian_id, id, rights)
    const class_ids = classes
      .map((row) => row.id)
      .filter((class_id) => !existingEnrolments.has(`${id} ${class_id}`))
    const notes = (['allergies', 'medical_note', 'private_notes'] as const).filter(
      (note) => student.person[note] && !plan.dojo.notes.get(id)?.[note],
    )
    result.push({
      id,
      fields: Object.keys(changes[index]!.values),
      notes,
      class_ids,
      guardian_ids: pluck(links, 'guardian_id'),
    })
  }
  await addEnrolments(
    tx,
    result.flatMap(({ id: student_id, class_ids }) =>
      class_ids.map((class_id) => ({ student_id, class_id })),
    ),
  )
  const byId = new Map(mergedStudents.map((student) => [student.id, student.person]))
  await writeNotes(
    tx,
    caller,
    result.flatMap(({ id, notes }) => {
      const noteTexts = Object.fromEntries(
        notes.map((note) => [note, byId.get(id)![note as 'allergies']]),
      )
      return notes.length > 0 ? [{ student_id: id, ...noteTexts }] : []
    }),
  )
  return result
}

/** A new date of birth may be that of an adult, or of a child under 13. */
async function applyDatesOfBirth(
  tx: Tx,
  { dojoId }: Actor,
  filledStudents: { id: string; date_of_birth?: unknown }[],
  today: string,
): Promise<void> {
  const ids = filledStudents.filter((student) => student.date_of_birth).map(({ id }) => id)
  if (ids.length === 0) return
  await endRightsIfAdult(tx, dojoId, today, ids)
  await endLostAccess(tx, dojoId, ids)
}

const inCents = ({ monthly_payment_amount: amount }: { monthly_payment_amount?: unknown }) =>
  typeof amount === 'number' ? { monthly_payment_amount: toCents(amount) } : {}

async function enrolmentsOf(tx: Tx, mergedStudents: PlannedStudent[]): Promise<Set<string>> {
  const ids = pluck(mergedStudents, 'id')
  const rows = await tx
    .select({ student_id: enrolments.student_id, class_id: enrolments.class_id })
    .from(enrolments)
    .where(sql`${enrolments.student_id} = any(${sql.param(ids)})`)
  return new Set(rows.map(({ student_id, class_id }) => `${student_id} ${class_id}`))
}

/** An email that becomes no login goes into the notes. */
async function addNotes(
  tx: Tx,
  caller: Actor,
  newStudents: PlannedStudent[],
  { invitees }: Plan,
): Promise<void> {
  const invitedEmails = new Set(pluck(invitees, 'email'))
  const rows = newStudents.map(({ id, person, guardians, keptEmails }) => {
    const { email, allergies, medical_note, private_notes } = person
    const hasPlace =
      email === null ||
      invitedEmails.has(email) ||
      guardians.some((guardian) => guardian.email === email)
    const emails = hasPlace ? keptEmails : [email, ...keptEmails]
    const lines = [private_notes, ...emails.map((address) => `Email: ${address}`)]
    const notes = lines.filter((line) => line !== null).join('\n') || null
    return { student_id: id, allergies, medical_note, private_notes: notes }
  })
  await writeNotes(
    tx,
    caller,
    rows.filter(
      (row) => row.allergies !== null || row.medical_note !== null || row.private_notes !== null,
    ),
  )
}

type Notes = {
  student_id: string
  allergies?: string | null
  medical_note?: string | null
  private_notes?: string | null
}

async function writeNotes(tx: Tx, { id: changed_by }: Actor, rows: Notes[]): Promise<void> {
  const changed_at = nowIso()
  const keepStored = (field: string) =>
    sql.raw(`coalesce(student_notes.${field}, excluded.${field})`)
  await inChunks(rows, (chunk) =>
    tx
      .insert(studentNotes)
      .values(chunk.map((row) => ({ ...row, changed_at, changed_by })))
      .onConflictDoUpdate({
        target: [studentNotes.dojo_id, studentNotes.student_id],
        set: {
          allergies: keepStored('allergies'),
          medical_note: keepStored('medical_note'),
          private_notes: keepStored('private_notes'),
          changed_at,
          changed_by,
        },
      }),
  )
}
