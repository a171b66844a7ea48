import { formatDecimal, toDollars } from '@tatami/contract/lib/money'
import { type Month, monthKey } from '@tatami/contract/lib/calendar-day'
import { monthStateOf } from '@tatami/contract/ledger/payment-records'
import { Readable } from 'node:stream'
import type { ParsedInput } from '@tatami/contract/lib/endpoint'
import type { exportsApi } from '@tatami/contract/exports/exports'
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import { charges, ledgerLines, paymentRecords, recordsOf } from '../ledger/tables.ts'
import { type Due, monthDues } from '../dues/month-dues.ts'
import { students } from '../students/tables.ts'
import { type Source } from './blocks.ts'
import { FORMER_STUDENT } from './bookkeeping.ts'
import { csvOf, type CsvRow } from './csv.ts'
import { namesOf } from './names.ts'
import { STUDENTS_CSV, studentRows } from './students-csv.ts'

type Api = typeof exportsApi
type StudentsBody = ParsedInput<Api['students']>['body']
type AttendanceBody = ParsedInput<Api['attendance']>['body']
type PaymentsBody = ParsedInput<Api['payments']>['body']

const BLOCK_ROWS = 1000

const streamOf = (columns: readonly string[], blocks: AsyncIterable<CsvRow[]>) =>
  Readable.from(csvOf(columns, blocks), { objectMode: false })

export const studentsCsv = (source: Source, { student_ids }: StudentsBody): Readable =>
  streamOf(STUDENTS_CSV, studentRows(source, student_ids))

const ATTENDANCE_CSV = [
  'class_date',
  'class_name',
  'class_time',
  'class_location',
  'student_name',
  'present',
  'marked_at',
  'student_id',
  'class_id',
]

export const attendanceCsv = (source: Source, filter: AttendanceBody): Readable =>
  streamOf(ATTENDANCE_CSV, attendanceRows(source, filter))

async function* attendanceRows(
  { tx, signal }: Source,
  { student_id, class_id, class_date }: AttendanceBody,
): AsyncGenerator<CsvRow[]> {
  const names = await namesOf(tx)
  const { id: rowId, class_date: day } = attendance
  let last: { class_date: string; id: string } | undefined
  do {
    signal.throwIfAborted()
    const rows = await tx
      .select()
      .from(attendance)
      .where(
        and(
          student_id ? eq(attendance.student_id, student_id) : undefined,
          class_id ? eq(attendance.class_id, class_id) : undefined,
          class_date ? eq(day, class_date) : undefined,
          last && sql`(${day}, ${rowId}) < (${last.class_date}, ${last.id})`,
        ),
      )
      .orderBy(desc(day), desc(rowId))
      .limit(BLOCK_ROWS)
    yield rows.map((row) => ({
      ...row,
      student_name: names.get(row.student_id),
      marked_at: row.created_at,
    }))
    last = rows.length === BLOCK_ROWS ? rows.at(-1) : undefined
  } while (last)
}

const PAYMENTS_CSV = [
  'month',
  'student_name',
  'monthly_fee',
  'type',
  'payment_status',
  'amount',
  'price_reason',
  'marked_at',
  'student_id',
]

export const paymentsCsv = (source: Source, { of }: PaymentsBody): Readable =>
  streamOf(PAYMENTS_CSV, of ? monthRows(source, of) : recordRows(source))

const paymentColumns = ({
  amount,
  price_reason,
  marked_at,
  payment_status,
  payment_year,
  payment_month,
}: typeof paymentRecords.$inferSelect) => ({
  month: monthKey({ month: payment_month, year: payment_year }),
  payment_status,
  amount: formatDecimal(amount),
  price_reason,
  marked_at,
})

async function monthsWithPayments(tx: Source['tx']): Promise<Month[]> {
  const { rows } = await tx.execute<Month>(sql`
    select payment_year as year, payment_month as month from ${paymentRecords}
    union select c.year, c.month from ${charges} c where c.kind = 'month'
      and exists (select from ${ledgerLines} l
        where l.charge_id = c.id and l.kind in ('payment', 'credit'))
    order by year, month`)
  return rows
}

async function* recordRows(source: Source): AsyncGenerator<CsvRow[]> {
  for (const month of await monthsWithPayments(source.tx)) {
    source.signal.throwIfAborted()
    yield await rowsOfMonth(source, month, (record, due) => record !== null || due.received > 0)
  }
}

type StudentRow = {
  id: string
  name: string
  fee: number | null
  is_trial: boolean
  record: typeof paymentRecords.$inferSelect | null
}

/** What the month costs in all; empty without a fee, record or price. */
const priceOfMonth = ({ fee, record }: StudentRow, due: Due | undefined) =>
  fee === null && !record && !due?.price ? undefined : formatDecimal(toDollars(due?.price ?? 0))

/** The states of the Payment Center; a part payment is the amount of an unpaid month. */
function stateColumns({ record }: StudentRow, due: Due | undefined) {
  const payment_status = monthStateOf(
    record ? { ...record, monthly_payment_amount: record.amount } : undefined,
    due,
  )
  if (payment_status === 'paid') return { payment_status }
  const receivedCents = due?.received ?? 0
  return {
    payment_status,
    amount: receivedCents > 0 ? formatDecimal(toDollars(receivedCents)) : undefined,
    price_reason: due?.reason,
  }
}

const NO_DUE = { received: 0 }

async function* monthRows(
  source: Source,
  { month, year, student_ids }: NonNullable<PaymentsBody['of']>,
): AsyncGenerator<CsvRow[]> {
  yield await rowsOfMonth(source, { month, year }, () => true, student_ids)
}

/** The amounts of all students add up to the month's revenue. */
async function rowsOfMonth(
  { tx, dojoId }: Source,
  month: Month,
  isListed: (record: StudentRow['record'], due: Pick<Due, 'received'>) => boolean,
  studentIds?: string[],
): Promise<CsvRow[]> {
  const rows: StudentRow[] = await tx
    .select({
      id: students.id,
      name: students.name,
      fee: students.monthly_payment_amount,
      is_trial: students.is_trial,
      record: paymentRecords,
    })
    .from(students)
    .leftJoin(paymentRecords, and(eq(paymentRecords.student_id, students.id), recordsOf(month)))
    .where(studentIds && equalsAny(students.id, studentIds))
    .orderBy(asc(sql`lower(${students.name})`), asc(students.id))
  const dues = await monthDues(tx, dojoId, month)
  const listedRows = rows.filter(({ id, record }) => isListed(record, dues.get(id) ?? NO_DUE))
  const rowsOfStudents = listedRows.map((student) => ({
    month: monthKey(month),
    ...(student.record && paymentColumns(student.record)),
    ...stateColumns(student, dues.get(student.id)),
    student_name: student.name,
    monthly_fee: priceOfMonth(student, dues.get(student.id)),
    type: student.is_trial ? 'trial' : 'regular',
    student_id: student.id,
  }))
  return studentIds ? rowsOfStudents : [...rowsOfStudents, ...(await formerStudentRows(tx, month))]
}

type FormerStudentRow = { cost: number; received: number }

/** Payments of deleted students, of whom the ledger has no names. */
async function formerStudentRows(tx: Source['tx'], { month, year }: Month): Promise<CsvRow[]> {
  const { rows } = await tx.execute<FormerStudentRow>(sql`
    select sum(l.amount) filter (where l.kind in ('charge', 'write_off'))::float8 as cost,
      -sum(l.amount) filter (where l.kind in ('payment', 'credit', 'refund'))::float8 as received
    from ${charges} c join ${ledgerLines} l on l.dojo_id = c.dojo_id and l.charge_id = c.id
    where c.student_id is null and c.kind = 'month' and c.year = ${year} and c.month = ${month}
    group by c.id, c.charged_on
    having sum(l.amount) filter (where l.kind in ('payment', 'credit', 'refund')) <> 0
    order by c.charged_on, c.id`)
  return rows.map(({ cost, received }) => ({
    month: monthKey({ month, year }),
    student_name: FORMER_STUDENT,
    monthly_fee: formatDecimal(toDollars(cost)),
    payment_status: 'paid',
    amount: formatDecimal(toDollars(received)),
  }))
}
