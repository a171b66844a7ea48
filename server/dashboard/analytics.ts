import { sumCents, toCents, toDollars } from '@tatami/contract/lib/money'
import { firstDayOf, type Month, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { AGE_BANDS, findAgeBand, type Analytics } from '@tatami/contract/dashboard/dashboard'
import { GENDERS } from '@tatami/contract/accounts/users'
import { and, count, eq, gte, sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import { classes } from '../classes/tables.ts'
import { listLastMonths, todayIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import type { Tx } from '../db/database.ts'
import { charges, ledgerLines, paymentRecords } from '../ledger/tables.ts'
import { reducedPricesIn } from '../dues/prices/prices.ts'
import { isCurrentStudent, isPayingStudent, students } from '../students/tables.ts'
import { readMovementsByBelt, readMovements, readTimeToNextBelt } from './retention.ts'
import { countStudentsByBelt } from './students-by-belt.ts'
import { pick, pluck } from '../lib/rows.ts'

const CHART_MONTHS = 12
/** The attendance rate covers the last weeks. */
const ATTENDANCE_WEEKS = 8

const countValues = (labels: readonly string[], values: string[]) =>
  labels.map((label) => ({ label, students: values.filter((value) => value === label).length }))

export async function readAnalytics(tx: Tx, dojoId: string): Promise<Analytics> {
  const { time_zone } = await dojoById(tx, dojoId)
  const today = todayIn(time_zone)
  const months = listLastMonths(time_zone, CHART_MONTHS)
  const studentRows = await tx
    .select(pick(students, 'belt_level', 'date_of_birth', 'gender'))
    .from(students)
    .where(isCurrentStudent)
  const ageBands = studentRows.map(({ date_of_birth }) => findAgeBand(date_of_birth, today))
  const genders = studentRows.map(({ gender }) => gender ?? 'not known')
  return {
    belts: await countStudentsByBelt(tx, pluck(studentRows, 'belt_level')),
    age_bands: countValues(AGE_BANDS, ageBands),
    genders: countValues([...GENDERS, 'not known'], genders),
    movements: await readMovements(tx, months, time_zone),
    belt_movements: await readMovementsByBelt(tx, months, time_zone),
    next_belts: await readTimeToNextBelt(tx, time_zone),
    payments: await readPayments(tx, dojoId, months, time_zone),
    attendance: await readAttendanceRates(tx, today),
  }
}

/** `expected` is the money received, plus the unpaid fees of students who had already joined, minus
 *  their reductions. The payments of deleted students are only in the ledger. */
async function readPayments(
  tx: Tx,
  dojoId: string,
  months: string[],
  timeZone: string,
): Promise<Analytics['payments']> {
  const receivedKinds = sql`('payment', 'credit', 'refund')`
  const monthLines = sql`
    from ${charges} charge join ${ledgerLines} line
      on line.dojo_id = charge.dojo_id and line.charge_id = charge.id
        and line.kind in ${receivedKinds}
    where charge.kind = 'month' and make_date(charge.year, charge.month + 1, 1) = months.month`
  const isPaidMonth = sql`payment.payment_status = 'paid'
    and make_date(payment.payment_year, payment.payment_month + 1, 1) = months.month`
  const { rows } = await tx.execute<{
    month: string
    paid: number
    partly_paid: number
    deleted: number
    unpaid: number
    unpaid_ids: string[]
  }>(sql`
    select months.month::text,
      (select coalesce(sum(payment.amount), 0)::float8 from ${paymentRecords} payment
        where ${isPaidMonth}) as paid,
      (select coalesce(-sum(line.amount), 0)::float8 ${monthLines} and charge.student_id is not null
        and not exists (select from ${paymentRecords} payment where payment.dojo_id = charge.dojo_id
          and payment.student_id = charge.student_id and ${isPaidMonth})) as partly_paid,
      (select coalesce(-sum(line.amount), 0)::float8 ${monthLines}
        and charge.student_id is null) as deleted,
      unpaid_students.fees as unpaid, unpaid_students.ids as unpaid_ids
    from unnest(${sql.param(months)}::date[]) as months(month) cross join lateral (
      select coalesce(sum(${students.monthly_payment_amount}), 0)::float8 as fees,
        coalesce(array_agg(${students.id}), '{}') as ids from ${students}
      where ${isPayingStudent}
        and ${students.created_at} at time zone ${timeZone} < months.month + interval '1 month'
        and coalesce(${students.paid_through} < months.month, true)
        and not exists (select from ${paymentRecords} payment
          where payment.dojo_id = ${students.dojo_id} and payment.student_id = ${students.id}
            and ${isPaidMonth})
    ) unpaid_students order by months.month`)
  const reductions = await findReductions(
    tx,
    dojoId,
    new Map(rows.map(({ month, unpaid_ids }) => [month, new Set(unpaid_ids)])),
  )
  return rows.map(({ month, paid, partly_paid, deleted, unpaid }, index) => ({
    month,
    expected: toDollars(paid + deleted + unpaid - (reductions[index] ?? 0)),
    received: toDollars(paid + deleted + partly_paid),
  }))
}

/** In cents: by how much the prices of these students are lower than their fees, by month. */
async function findReductions(
  tx: Tx,
  dojoId: string,
  studentIdsByMonth: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<number[]> {
  const neededIdsIn = (month: Month): ReadonlySet<string> =>
    studentIdsByMonth.get(firstDayOf(month)) ?? new Set()
  const months = [...studentIdsByMonth.keys()].map(monthOfDate)
  const pricesByMonth = await reducedPricesIn(tx, dojoId, months, undefined, { neededIdsIn })
  return [...studentIdsByMonth.values()].map((studentIds, index) =>
    sumCents(
      (pricesByMonth[index] ?? [])
        .filter(({ student_id }) => studentIds.has(student_id))
        .map(({ list_fee, amount }) => toCents(list_fee - amount)),
    ),
  )
}

async function readAttendanceRates(tx: Tx, today: string): Promise<Analytics['attendance']> {
  const isRecent = and(
    eq(attendance.class_id, classes.id),
    gte(attendance.class_date, sql`${today}::date - ${ATTENDANCE_WEEKS * 7}::int`),
  )
  const rows = await tx
    .select({
      class_id: classes.id,
      class_name: classes.class_name,
      marks: count(attendance.id),
      present: count(sql`case when ${attendance.present} then 1 end`),
    })
    .from(classes)
    .leftJoin(attendance, isRecent)
    .groupBy(classes.id, classes.class_name, classes.created_at)
    .orderBy(classes.created_at)
  return rows.map(({ present, ...row }) => ({
    ...row,
    rate: row.marks > 0 ? present / row.marks : null,
  }))
}
