import { firstDayOf } from '@tatami/contract/month'
import { BORN_AFTER_TODAY, isFallback, type NewStudent, type Student, type StudentUpdate } from '@tatami/contract/students'
import { and, asc, count, eq, getTableColumns, sql } from 'drizzle-orm'
import { changeEmail, createAccount, deleteAccount } from '../accounts/accounts.ts'
import { attendance } from '../attendance/tables.ts'
import { audit } from '../audit/audit.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { monthIn, todayIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import { removeStudentFromStoredReplies } from '../http/idempotency.ts'
import type { Member } from '../http/serve.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { welcomeStudent } from '../texting/compose.ts'
import { NOTIFICATIONS_CHANGED, notify } from '../notifications/notify.ts'
import { paymentRecords } from '../payments/tables.ts'
import { requireOwnPreferences, setEnrolments } from './enrolments.ts'
import { departures, enrolments, students } from './tables.ts'

const { dojo_id: _, ...columns } = getTableColumns(students)

// The order of the database depends on its locale, and without one puts Émile after Zoe.
const alphabet = new Intl.Collator('en', { sensitivity: 'base' })

/** The dojo's students by name, or only the one with `id`. */
async function readStudents(tx: Tx, dojoId: string, id?: string): Promise<Student[]> {
  const dojo = await dojoById(tx, dojoId)
  const { month, year } = monthIn(dojo.time_zone)
  const paid = and(
    eq(paymentRecords.student_id, students.id),
    eq(paymentRecords.payment_year, year),
    eq(paymentRecords.payment_month, month),
    eq(paymentRecords.payment_status, 'paid'),
  )
  const rows = await tx
    .select({
      ...columns,
      enrolled_classes: sql<string[]>`array(select e.class_id::text from ${enrolments} e
      where e.dojo_id = ${students.dojo_id} and e.student_id = ${students.id} order by e.created_at, e.class_id)`,
      current_month_paid: sql<boolean>`exists (select from ${paymentRecords} where ${paid})`,
    })
    .from(students)
    .where(id ? eq(students.id, id) : undefined)
    .orderBy(asc(students.id))
  return rows
    .toSorted((a, b) => alphabet.compare(a.name, b.name))
    .map((row) => ({
      ...row,
      is_instructor: false,
      is_super_admin: false,
      dojo_name: dojo.name,
      contact_number: row.phone_number,
      city: dojo.city,
      state: dojo.state,
    }))
}

export const allStudents = (tx: Tx, dojoId: string) => readStudents(tx, dojoId)

export async function studentById(tx: Tx, dojoId: string, id: string): Promise<Student> {
  const [student] = await readStudents(tx, dojoId, id)
  if (!student) throw notFound('Student')
  return student
}

/** Creates the account and the student under one id; 409 for a taken e-mail, 422 for a class of another dojo. */
export async function addStudent(tx: Tx, dojo_id: string, { password: _, ...form }: NewStudent, password_hash: string): Promise<Student> {
  await refuseBornAfterToday(tx, dojo_id, form.date_of_birth)
  const id = newId()
  await createAccount(tx, { id, email: form.email, password_hash, role: 'student', dojo_id, is_active: true })
  await writeClasses(tx, id, form, () => tx.insert(students).values({ ...form, id }))
  await welcomeStudent(tx, dojo_id, { ...form, id })
  return studentById(tx, dojo_id, id)
}

/** Omitted fields stay unchanged. The e-mail is changed in the account, and the student's follows by foreign key. */
export async function changeStudent(tx: Tx, dojoId: string, id: string, { email, ...form }: StudentUpdate): Promise<Student> {
  await refuseBornAfterToday(tx, dojoId, form.date_of_birth)
  const before = await studentById(tx, dojoId, id)
  if (email !== before.email) await changeEmail(tx, id, email)
  await writeClasses(tx, id, form, () => tx.update(students).set(form).where(eq(students.id, id)))
  if (form.belt_level && form.belt_level !== before.belt_level)
    await notify(tx, dojoId, [id], { title: 'New belt', message: `You now wear the ${form.belt_level} belt.` })
  return studentById(tx, dojoId, id)
}

/** Compares with today in the dojo's time zone: at midnight UTC it is still the evening before in Texas. */
async function refuseBornAfterToday(tx: Tx, dojoId: string, dateOfBirth: string) {
  const { time_zone } = await dojoById(tx, dojoId)
  if (dateOfBirth > todayIn(time_zone))
    throw new Refusal(422, BORN_AFTER_TODAY, { errors: [{ field: 'date_of_birth', message: BORN_AFTER_TODAY }] })
}

type ClassChoice = Pick<NewStudent, 'class_preferences' | 'enrolled_classes'>

async function writeClasses(tx: Tx, id: string, { class_preferences, enrolled_classes }: ClassChoice, write: () => Promise<unknown>) {
  if (class_preferences)
    await requireOwnPreferences(
      tx,
      class_preferences.filter((chosen) => !isFallback(chosen)),
    )
  await write()
  if (enrolled_classes) await setEnrolments(tx, id, enrolled_classes)
}

/** Counts the records that deleting the student would delete. */
export async function countStudentDeletionImpact(tx: Tx, dojoId: string, id: string) {
  await studentById(tx, dojoId, id)
  const [marks] = await tx.select({ n: count() }).from(attendance).where(eq(attendance.student_id, id))
  const [payments] = await tx.select({ n: count() }).from(paymentRecords).where(eq(paymentRecords.student_id, id))
  return { attendance_records: marks!.n, payment_records: payments!.n }
}

/** Deletes all data of the student. What remains is an anonymous departure in this month, and the ids in the audit log. */
export async function deleteStudent(tx: Tx, caller: Member, id: string): Promise<void> {
  const [deleted] = await tx.delete(students).where(eq(students.id, id)).returning({ id: students.id })
  if (!deleted) throw notFound('Student')
  await deleteAccount(tx, id)
  await removeStudentFromStoredReplies(tx, id)
  await tx.publish(NOTIFICATIONS_CHANGED, caller.dojoId)
  const { time_zone } = await dojoById(tx, caller.dojoId)
  await tx.insert(departures).values({ month: firstDayOf(monthIn(time_zone)) })
  await audit(tx, { actor_id: caller.id, dojo_id: caller.dojoId, action: 'student deleted', subject_id: id })
}
