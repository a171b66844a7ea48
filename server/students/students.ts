import { firstDayOf, type Month } from '@tatami/contract/month'
import { BORN_AFTER_TODAY, isFallback, type NewStudent, type Student, type StudentUpdate } from '@tatami/contract/students'
import { count, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { changeEmail, createAccount, deleteAccount } from '../accounts/accounts.ts'
import { attendance } from '../attendance/tables.ts'
import { audit } from '../audit/audit.ts'
import { newId } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import { dollars, jsonObject } from '../db/json.ts'
import { prepared } from '../db/prepared.ts'
import { monthIn, todayIn } from '../dojos/calendar.ts'
import { currentMonthOf, dojoById } from '../dojos/dojos.ts'
import { dojos } from '../dojos/tables.ts'
import { removeStudentFromStoredReplies } from '../http/idempotency.ts'
import type { Member } from '../http/serve.ts'
import { notFound, Refusal } from '../lib/refusal.ts'
import { welcomeStudent } from '../texting/compose.ts'
import { NOTIFICATIONS_CHANGED, notify } from '../notifications/notify.ts'
import { paymentRecords, recordsOf } from '../payments/tables.ts'
import { requireOwnPreferences, setEnrolments } from './enrolments.ts'
import { departures, enrolments, students } from './tables.ts'

// The order of the database depends on its locale, and without one puts Émile after Zoe.
const alphabet = new Intl.Collator('en', { sensitivity: 'base' })

const { dojo_id: _, created_at: __, ...columns } = getTableColumns(students)
const value = sql.placeholder

const paidStudents = sql`select ${paymentRecords.student_id} from ${paymentRecords}
  where ${recordsOf({ month: value('month'), year: value('year') })} and ${paymentRecords.payment_status} = 'paid'`

const studentAsJson = jsonObject({
  ...columns,
  monthly_payment_amount: dollars(students.monthly_payment_amount),
  enrolled_classes: sql`coalesce(enrolled.classes, '{}')`,
  current_month_paid: sql`${students.id} in (${paidStudents})`,
  is_instructor: sql`false`,
  is_super_admin: sql`false`,
  dojo_name: dojos.name,
  contact_number: students.phone_number,
  city: dojos.city,
  state: dojos.state,
} satisfies Record<keyof Student, SQL | PgColumn>)

const selectStudents = sql`select ${students.name}, ${studentAsJson} as json from ${students}
  join ${dojos} on ${dojos.id} = ${students.dojo_id}
  left join (
    select student_id, array_agg(class_id order by created_at, class_id) as classes from ${enrolments} group by student_id
  ) enrolled on enrolled.student_id = ${students.id}`

type StudentRow = { name: string; json: string }
const findStudents = prepared<Month, StudentRow>('find_students', sql`${selectStudents} order by ${students.id}`)
const findStudent = prepared<Month & { id: string }, StudentRow>(
  'find_student',
  sql`${selectStudents} where ${students.id} = ${value('id')}`,
)

/** The dojo's students by name, as the JSON of a list of `Student`. */
export async function allStudents(tx: Tx, dojoId: string): Promise<string> {
  const rows = await findStudents(tx, await currentMonthOf(tx, dojoId))
  const byName = rows.toSorted((a, b) => alphabet.compare(a.name, b.name))
  return `[${byName.map(({ json }) => json).join(',')}]`
}

export async function studentById(tx: Tx, dojoId: string, id: string): Promise<Student> {
  const [found] = await findStudent(tx, { ...(await currentMonthOf(tx, dojoId)), id })
  if (!found) throw notFound('Student')
  return JSON.parse(found.json) as Student
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
