import { firstDayOf, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { toDollars } from '@tatami/contract/lib/money'
import { PAGE_MARKS, PAGE_MONTHS, PAGE_TEXTS } from '@tatami/contract/students/student-page'
import type { BatchKind } from '@tatami/contract/texting/message-types'
import type { StudentPhone } from '@tatami/contract/texting/phones'
import type { Student, StudentPage } from '@tatami/contract/students/students'
import { and, desc, eq, sql } from 'drizzle-orm'
import { attendance, unindexedClassDate } from '../attendance/tables.ts'
import { inMainStyle, isEffective } from '../belts/current-rank-query.ts'
import type { Tx } from '../db/database.ts'
import { listLastMonths, todayIn } from '../dojos/calendar.ts'
import { dojos } from '../dojos/tables.ts'
import { guardianPhones, guardians, guardianships } from '../guardians/tables.ts'
import { readPlanDay } from '../followups/followups.ts'
import type { DojoCaller } from '../http/serve.ts'
import { notFound } from '../lib/refusal.ts'
import { paymentRecords } from '../ledger/tables.ts'
import { instructors } from '../sensei/tables.ts'
import { validPhone } from '../lib/phone.ts'
import { listTextedPhones } from '../texting/conversations/replies.ts'
import { phoneLinks } from '../texting/conversations/tables.ts'
import { hideFeeText, type TextReader } from '../texting/fee-texts.ts'
import { incomingTexts, messageBatches, messages } from '../texting/tables.ts'
import { readStudentById } from './student-list.ts'
import { beltChanges, ranks } from '../belts/tables.ts'
import { studentNotes, students } from './tables.ts'

/** Raw SQL returns timestamps in PostgreSQL's format, but the API uses ISO 8601. */
const toIso = (timestamp: string | Date) => new Date(timestamp).toISOString()

async function findStudentRow(tx: Tx, id: string) {
  const [row] = await tx
    .select({
      time_zone: dojos.time_zone,
      created_at: students.created_at,
      joined_on: students.joined_on,
      vacation_from: students.vacation_from,
      vacation_until: students.vacation_until,
      left_note: students.left_note,
      left_classes: students.left_classes,
      allergies: studentNotes.allergies,
      medical_note: studentNotes.medical_note,
      private_notes: studentNotes.private_notes,
      notes_changed_at: studentNotes.changed_at,
      notes_changed_by: instructors.name,
    })
    .from(students)
    .innerJoin(dojos, eq(dojos.id, students.dojo_id))
    .leftJoin(studentNotes, eq(studentNotes.student_id, students.id))
    .leftJoin(instructors, eq(instructors.id, studentNotes.changed_by))
    .where(eq(students.id, id))
  return row
}

type AttendanceDay = StudentPage['attendance_days'][number]

async function findAttendanceDays(
  tx: Tx,
  id: string,
  firstMonth: string,
): Promise<AttendanceDay[]> {
  const { rows } = await tx.execute<AttendanceDay>(
    sql`select class_date::text as day, (count(*) filter (where present))::int as present,
        (count(*) filter (where not present))::int as absent
      from ${attendance}
      where student_id = ${id} and ${unindexedClassDate} >= ${firstMonth}::date
      group by class_date order by class_date`,
  )
  return rows
}

function sumAttendance(
  month: string,
  days: readonly AttendanceDay[],
): StudentPage['attendance'][number] {
  const counts = { month, present: 0, absent: 0 }
  for (const { day, present, absent } of days) {
    if (firstDayOf(monthOfDate(day)) !== month) continue
    counts.present += present
    counts.absent += absent
  }
  return counts
}

const findMarks = (tx: Tx, id: string) =>
  tx
    .select({
      id: attendance.id,
      class_id: attendance.class_id,
      class_name: attendance.class_name,
      class_date: attendance.class_date,
      present: attendance.present,
    })
    .from(attendance)
    .where(eq(attendance.student_id, id))
    .orderBy(desc(attendance.class_date), desc(attendance.id))
    .limit(PAGE_MARKS)

type PaymentRow = Pick<StudentPage['payments'][number], 'payment_status'> & {
  month: string
  cents: number
  marked_at: string
}
async function findPaymentRows(tx: Tx, id: string, months: string[]): Promise<PaymentRow[]> {
  const { rows } = await tx.execute<PaymentRow>(
    sql`select month::text, payment_status, amount as cents, marked_at
      from unnest(${sql.param(months)}::date[]) as months(month)
      join ${paymentRecords} on payment_year = extract(year from month)::smallint
        and payment_month = extract(month from month)::smallint - 1
        and student_id = ${id}`,
  )
  return rows
}

/** Returns all phone numbers of the student and the guardians, as they were typed. */
async function findPhones(tx: Tx, id: string): Promise<(string | null)[]> {
  const { rows } = await tx.execute<{ phone: string | null }>(
    sql`select phone_number as phone from ${students} where id = ${id}
      union select guardian.phone from ${guardianships} link
        join ${guardians} guardian on guardian.id = link.guardian_id
        where link.student_id = ${id} and link.ended_at is null
      union select guardian_phone.phone from ${guardianships} link
        join ${guardianPhones} guardian_phone on guardian_phone.guardian_id = link.guardian_id
        where link.student_id = ${id} and link.ended_at is null
      union select phone from ${phoneLinks} where student_id = ${id}`,
  )
  return rows.map(({ phone }) => phone)
}

type PageText = StudentPage['texts'][number]
type TextRow = PageText & { kind: BatchKind | null }

/** Without `materialized`, PostgreSQL would scan all texts backward from the newest. */
async function findTexts(tx: Tx, id: string, phones: string[]): Promise<TextRow[]> {
  const { rows } = await tx.execute<TextRow>(
    sql`with texts as materialized (
        select id, false as is_reply, text, state, coalesce(sent_at, updated_at) as at, batch_id
          from ${messages} where student_id = ${id} and state <> 'skipped'
        union all
        (select id, true, text, null, received_at, null::uuid
            from ${incomingTexts} where student_id = ${id}
          union select id, true, text, null, received_at, null
            from ${incomingTexts} where phone = any(${sql.param(phones)}))
      ) select latest.id, is_reply, latest.text, state, at, batch.kind
      from (select * from texts order by at desc, id desc limit ${PAGE_TEXTS}) latest
      left join ${messageBatches} batch on batch.id = latest.batch_id
      order by at desc, latest.id desc`,
  )
  return rows
}

type BeltChange = StudentPage['belt_changes'][number]

/** Leaves out stripes, starting belts and undone changes. */
async function findBeltChanges(tx: Tx, id: string): Promise<BeltChange[]> {
  const { rows } = await tx.execute<BeltChange>(
    sql`select c.id, c.belt_level, c.previous_belt, c.changed_at, i.name as changed_by,
        case when r.id is not null then json_build_object('id', r.id, 'name', r.name,
          'colours', r.colours, 'pattern', r.pattern, 'tags_count', r.tags_count,
          'tags_colour', r.tags_colour, 'stripes', c.stripes) end as rank
      from ${beltChanges} c
      left join ${instructors} i on i.id = c.changed_by
      left join ${ranks} r on r.id = c.rank_id
      where c.student_id = ${id} and c.kind not in ('start', 'stripe')
        and ${isEffective} and ${inMainStyle}
      order by c.given_on desc, c.changed_at desc, c.id desc`,
  )
  return rows.map((row) => ({ ...row, changed_at: toIso(row.changed_at) }))
}

async function findFirstBeltDay(tx: Tx, id: string): Promise<string | undefined> {
  const [startingBelt] = await tx
    .select({ given_on: beltChanges.given_on })
    .from(beltChanges)
    .where(and(eq(beltChanges.student_id, id), eq(beltChanges.kind, 'start')))
    .orderBy(beltChanges.id)
    .limit(1)
  return startingBelt?.given_on
}

async function readTexts(tx: Tx, reader: TextReader, id: string): Promise<PageText[]> {
  const phones = (await findPhones(tx, id)).map(validPhone).filter((phone) => phone !== null)
  const rows = await findTexts(tx, id, phones)
  return rows.map(({ kind, text, at, ...row }) => ({
    ...row,
    text: hideFeeText(reader, kind, text),
    at: toIso(at),
  }))
}

export async function readStudentPage(
  tx: Tx,
  caller: DojoCaller,
  id: string,
): Promise<StudentPage> {
  const row = await findStudentRow(tx, id)
  if (!row) throw notFound('Student')
  const { time_zone, created_at, joined_on, ...pageFields } = row
  const enrolled_on = todayIn(time_zone, new Date(created_at))
  const months = listLastMonths(time_zone, PAGE_MONTHS)
  const first_belt_since = (await findFirstBeltDay(tx, id)) ?? enrolled_on
  const [student, attendanceDays, marks, paymentRows, texts, beltHistory, phones] =
    await Promise.all([
      readStudentById(tx, caller.dojoId, id),
      findAttendanceDays(tx, id, months[0]!),
      findMarks(tx, id),
      findPaymentRows(tx, id, months),
      readTexts(tx, caller, id),
      findBeltChanges(tx, id),
      listTextedPhones(tx, id),
    ])
  return {
    ...pageFields,
    student,
    enrolled_on,
    joined_on: joined_on ?? enrolled_on,
    first_belt_since,
    phones,
    fee_phones: await listFeePhones(tx, student, phones),
    attendance: months.map((month) => sumAttendance(month, attendanceDays)),
    attendance_days: attendanceDays,
    recent_marks: marks,
    plan_day: await readPlanDay(tx, id, todayIn(time_zone)),
    payments: months.map((month) => toMonthPayment(month, paymentRows)),
    texts,
    belt_changes: beltHistory,
  }
}

/** Lists phones of a payer that get only texts about fees. */
async function listFeePhones(
  tx: Tx,
  student: Student,
  phones: StudentPhone[],
): Promise<StudentPhone[]> {
  const getsOnlyFeeTexts = student.guardians.some(({ pays, gets_texts }) => pays && !gets_texts)
  if (!getsOnlyFeeTexts) return []
  const phonesForFees = await listTextedPhones(tx, student.id, 'dues')
  const otherNumbers = new Set(phones.map(({ phone_number }) => phone_number))
  return phonesForFees.filter(({ phone_number }) => !otherNumbers.has(phone_number))
}

function toMonthPayment(month: string, paymentRows: PaymentRow[]): StudentPage['payments'][number] {
  const payment = paymentRows.find((row) => row.month === month)
  if (!payment)
    return { month, payment_status: 'unpaid', monthly_payment_amount: null, marked_at: null }
  return {
    month,
    payment_status: payment.payment_status,
    monthly_payment_amount: toDollars(payment.cents),
    marked_at: toIso(payment.marked_at),
  }
}
