import { formatDecimal, toDollars } from '@tatami/contract/lib/money'
import { type Month, monthKey } from '@tatami/contract/lib/calendar-day'
import { monthStateOf } from '@tatami/contract/ledger/payment-records'
import type { Right } from '@tatami/contract/rights'
import { Readable } from 'node:stream'
import type { ParsedInput } from '@tatami/contract/lib/endpoint'
import type { exportsApi } from '@tatami/contract/exports/exports'
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import { charges, ledgerLines, paymentRecords, recordsOf } from '../ledger/tables.ts'
import { type Due, monthDues } from '../dues/month-dues.ts'
import { students } from '../students/tables.ts'
import { type ExportSource } from './blocks.ts'
import { DELETED_STUDENT } from './bookkeeping.ts'
import { writeCsvBlocks, type CsvRow } from './csv.ts'
import { readNames } from './names.ts'
import { listVisibleColumns, readStudentRows } from './students-csv.ts'

type Api = typeof exportsApi
type StudentsBody = ParsedInput<Api['students']>['body']
type AttendanceBody = ParsedInput<Api['attendance']>['body']
type PaymentsBody = ParsedInput<Api['payments']>['body']

const BLOCK_ROWS = 1000

const streamCsv = (columns: readonly string[], blocks: AsyncIterable<CsvRow[]>) =>
  Readable.from(writeCsvBlocks(columns, blocks), { objectMode: false })

export const streamStudentsCsv = (
  source: ExportSource,
  rights: ReadonlySet<Right>,
  { student_ids }: StudentsBody,
): Readable =>
  streamCsv(listVisibleColumns(rights), readStudentRows(source, { studentIds: student_ids }))

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

export const streamAttendanceCsv = (source: ExportSource, filter: AttendanceBody): Readable =>
  streamCsv(ATTENDANCE_CSV, readAttendanceRows(source, filter))

async function* readAttendanceRows(
  { tx, signal }: ExportSource,
  { student_id, class_id, class_date }: AttendanceBody,
): AsyncGenerator<CsvRow[]> {
  const names = await readNames(tx)
  const { id: rowId, class_date: day } = attendance
  let lastRow: { class_date: string; id: string } | undefined
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
          lastRow && sql`(${day}, ${rowId}) < (${lastRow.class_date}, ${lastRow.id})`,
        ),
      )
      .orderBy(desc(day), desc(rowId))
      .limit(BLOCK_ROWS)
    yield rows.map((row) => ({
      ...row,
      student_name: names.get(row.student_id),
      marked_at: row.created_at,
    }))
    lastRow = rows.length === BLOCK_ROWS ? rows.at(-1) : undefined
  } while (lastRow)
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

/** If `of` is set, the list has only that month. */
export const streamPaymentsCsv = (source: ExportSource, { of: month }: PaymentsBody): Readable =>
  streamCsv(
    PAYMENTS_CSV,
    month ? readPaymentRowsOfMonth(source, month) : readAllPaymentRows(source),
  )

const toPaymentColumns = ({
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

async function findMonthsWithPayments(tx: ExportSource['tx']): Promise<Month[]> {
  const { rows } = await tx.execute<Month>(sql`
    select payment_year as year, payment_month as month from ${paymentRecords}
    union select c.year, c.month from ${charges} c where c.kind = 'month'
      and exists (select from ${ledgerLines} l
        where l.charge_id = c.id and l.kind in ('payment', 'credit'))
    order by year, month`)
  return rows
}

async function* readAllPaymentRows(source: ExportSource): AsyncGenerator<CsvRow[]> {
  for (const month of await findMonthsWithPayments(source.tx)) {
    source.signal.throwIfAborted()
    yield await readMonthRows(source, month, (record, due) => record !== null || due.received > 0)
  }
}

type MonthRow = {
  id: string
  name: string
  fee: number | null
  is_trial: boolean
  record: typeof paymentRecords.$inferSelect | null
}

/** Returns the full price of the month, or undefined if there is no fee, record or price. */
const formatMonthPrice = ({ fee, record }: MonthRow, due: Due | undefined) =>
  fee === null && !record && !due?.price ? undefined : formatDecimal(toDollars(due?.price ?? 0))

/** Returns the status that the Payment Center shows. The amount of an unpaid month is what was
 *  received. */
function toStatusColumns({ record }: MonthRow, due: Due | undefined) {
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

const NOTHING_RECEIVED = { received: 0 }

async function* readPaymentRowsOfMonth(
  source: ExportSource,
  { month, year, student_ids }: NonNullable<PaymentsBody['of']>,
): AsyncGenerator<CsvRow[]> {
  yield await readMonthRows(source, { month, year }, () => true, student_ids)
}

async function readMonthRows(
  { tx, dojoId }: ExportSource,
  month: Month,
  isListed: (record: MonthRow['record'], due: Pick<Due, 'received'>) => boolean,
  studentIds?: string[],
): Promise<CsvRow[]> {
  const rows: MonthRow[] = await tx
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
  const listedRows = rows.filter(({ id, record }) =>
    isListed(record, dues.get(id) ?? NOTHING_RECEIVED),
  )
  const rowsOfStudents = listedRows.map((student) => ({
    month: monthKey(month),
    ...(student.record && toPaymentColumns(student.record)),
    ...toStatusColumns(student, dues.get(student.id)),
    student_name: student.name,
    monthly_fee: formatMonthPrice(student, dues.get(student.id)),
    type: student.is_trial ? 'trial' : 'regular',
    student_id: student.id,
  }))
  return studentIds
    ? rowsOfStudents
    : [...rowsOfStudents, ...(await readDeletedStudentRows(tx, month))]
}

type DeletedStudentRow = { cost: number; received: number }

/** Reads payments of deleted students, whose names the ledger does not keep. */
async function readDeletedStudentRows(
  tx: ExportSource['tx'],
  { month, year }: Month,
): Promise<CsvRow[]> {
  const { rows } = await tx.execute<DeletedStudentRow>(sql`
    select sum(l.amount) filter (where l.kind in ('charge', 'write_off'))::float8 as cost,
      -sum(l.amount) filter (where l.kind in ('payment', 'credit', 'refund'))::float8 as received
    from ${charges} c join ${ledgerLines} l on l.dojo_id = c.dojo_id and l.charge_id = c.id
    where c.student_id is null and c.kind = 'month' and c.year = ${year} and c.month = ${month}
    group by c.id, c.charged_on
    having sum(l.amount) filter (where l.kind in ('payment', 'credit', 'refund')) <> 0
    order by c.charged_on, c.id`)
  return rows.map(({ cost, received }) => ({
    month: monthKey({ month, year }),
    student_name: DELETED_STUDENT,
    monthly_fee: formatDecimal(toDollars(cost)),
    payment_status: 'paid',
    amount: formatDecimal(toDollars(received)),
  }))
}
