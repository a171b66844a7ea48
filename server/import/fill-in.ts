import { toCents } from '@tatami/contract/lib/money'
import type { ImportedPerson } from '@tatami/contract/import/rows'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { endAccessToAdults } from '../families/adulthood.ts'
import type { Actor } from '../guardians/guardian-records.ts'
import { linkGuardian } from '../guardians/guardianships.ts'
import { endLostAccess } from '../guardians/lost-access.ts'
import { pick, pluck } from '../lib/rows.ts'
import { addEnrollments } from '../students/enrollments.ts'
import { returnToSchool } from '../students/leaving.ts'
import { enrollments, students } from '../students/tables.ts'
import { NOTE_FIELDS, writeMissingNotes } from './import-notes.ts'
import type { MergedStudent, Plan } from './plan.ts'
import { planLinks } from './planned-links.ts'
import type { ImportDetails } from './tables.ts'

const FILLED_FIELDS = [
  'phone_number',
  'joined_on',
  'date_of_birth',
  'gender',
  'emergency_contact_name',
  'emergency_contact_phone',
  'monthly_payment_amount',
  'payment_method',
] as const satisfies (keyof ImportedPerson)[]

/** What the import added to an existing student. Undo removes it. */
type FilledStudent = Omit<ImportDetails['merged'][number], 'mark'>

/** Fills in empty fields of students who were in the dojo before the import, and overwrites
 *  nothing. Former students become current students again. */
export async function fillInStudents(
  tx: Tx,
  caller: Actor,
  mergedStudents: MergedStudent[],
  plan: Plan,
): Promise<FilledStudent[]> {
  for (const { id, existing } of mergedStudents)
    if (existing.student.left_on !== null) await returnToSchool(tx, caller, id)
  await updateMissingFields(tx, mergedStudents)
  await applyNewBirthdays(tx, caller, mergedStudents, plan.today)
  const enrollmentKeys = await findEnrollmentKeys(tx, pluck(mergedStudents, 'id'))
  const filledStudents: FilledStudent[] = []
  for (const student of mergedStudents) {
    const classIds = pluck(student.classes, 'id')
    filledStudents.push({
      id: student.id,
      fields: missingFields(student),
      notes: missingNotes(student, plan),
      class_ids: classIds.filter((class_id) => !enrollmentKeys.has(`${student.id} ${class_id}`)),
      guardian_ids: await linkMissingGuardians(tx, caller, student, plan),
      ...pickDeparture(student),
    })
  }
  await addEnrollments(
    tx,
    filledStudents.flatMap(({ id: student_id, class_ids }) =>
      class_ids.map((class_id) => ({ student_id, class_id })),
    ),
  )
  const noteRows = mergedStudents.flatMap((student) => {
    const fields = missingNotes(student, plan)
    return fields.length > 0 ? [{ student_id: student.id, ...pick(student.person, ...fields) }] : []
  })
  await writeMissingNotes(tx, caller, noteRows)
  return filledStudents
}

function pickDeparture({ existing: { student } }: MergedStudent): Pick<FilledStudent, 'left'> {
  const { left_on, left_reason } = student
  return left_on && left_reason ? { left: { left_on, reason: left_reason } } : {}
}

const missingFields = ({ existing, person }: MergedStudent) =>
  FILLED_FIELDS.filter((field) => existing.student[field] === null && person[field] !== null)

const missingNotes = ({ id, person }: MergedStudent, { dojo }: Plan) =>
  NOTE_FIELDS.filter((field) => person[field] && !dojo.notes.get(id)?.[field])

async function updateMissingFields(tx: Tx, mergedStudents: MergedStudent[]): Promise<void> {
  const rows = mergedStudents
    .filter((student) => missingFields(student).length > 0)
    .map((student) => {
      const values: Partial<ImportedPerson> = pick(student.person, ...missingFields(student))
      const fee = values.monthly_payment_amount
      return {
        ...values,
        id: student.id,
        monthly_payment_amount: typeof fee === 'number' ? toCents(fee) : null,
      }
    })
  if (rows.length === 0) return
  const assignments = sql.join(
    FILLED_FIELDS.map((field) => sql.raw(`${field} = coalesce(s.${field}, r.${field})`)),
    sql`, `,
  )
  await tx.execute(sql`update ${students} s set ${assignments}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid,
      phone_number text, joined_on date, date_of_birth date, gender text,
      emergency_contact_name text, emergency_contact_phone text,
      monthly_payment_amount integer, payment_method text)
    where s.id = r.id`)
}

/** A new birthday can show that the student is an adult, or is too young for their own login. */
async function applyNewBirthdays(
  tx: Tx,
  { dojoId }: Actor,
  mergedStudents: MergedStudent[],
  today: string,
): Promise<void> {
  const ids = mergedStudents
    .filter((student) => missingFields(student).includes('date_of_birth'))
    .map(({ id }) => id)
  if (ids.length === 0) return
  await endAccessToAdults(tx, dojoId, today, ids)
  await endLostAccess(tx, dojoId, ids)
}

async function linkMissingGuardians(
  tx: Tx,
  caller: Actor,
  student: MergedStudent,
  plan: Plan,
): Promise<string[]> {
  const links = planLinks(student, plan).filter(
    ({ guardian_id }) => !plan.dojo.linkKeys.has(`${guardian_id} ${student.id}`),
  )
  for (const { guardian_id, rights } of links)
    await linkGuardian(tx, caller, guardian_id, student.id, rights)
  return pluck(links, 'guardian_id')
}

async function findEnrollmentKeys(tx: Tx, studentIds: string[]): Promise<Set<string>> {
  const rows = await tx
    .select({ student_id: enrollments.student_id, class_id: enrollments.class_id })
    .from(enrollments)
    .where(sql`${enrollments.student_id} = any(${sql.param(studentIds)})`)
  return new Set(rows.map(({ student_id, class_id }) => `${student_id} ${class_id}`))
}
