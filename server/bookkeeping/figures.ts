import { firstDayOf, monthOfDate, monthsFrom } from '@tatami/contract/lib/calendar-day'
import { splitCents, sumCents, toDollars } from '@tatami/contract/lib/money'
import { PAYMENT_METHODS, type PaymentMethod } from '@tatami/contract/ledger/ledger'
import type { FiguresQuery, PaymentFigures } from '@tatami/contract/dues/payment-figures'
import { asc, eq, sql } from 'drizzle-orm'
import { classes } from '../classes/tables.ts'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { debtsOf, currentPrices } from '../dues/balances.ts'
import { charges, ledgerLines } from '../ledger/tables.ts'
import { enrollments } from '../students/tables.ts'

/** Sums in cents. A charge counts in the month of its `charged_on` day. */
type ChargedSum = {
  month: string
  student_id: string | null
  expected: number
  written_off: number
}
type ReceivedSum = {
  month: string
  student_id: string | null
  method: PaymentMethod | null
  received: number
}

export async function readPaymentFigures(
  tx: Tx,
  dojoId: string,
  { from, to }: FiguresQuery,
): Promise<PaymentFigures> {
  const months = monthsFrom(monthOfDate(from), monthOfDate(to)).map(firstDayOf)
  const chargedSums = [
    ...(await readChargedSums(tx, months)),
    ...(await computeExpectedThisMonth(tx, dojoId, months)),
  ]
  const receivedSums = await readReceivedSums(tx, months)
  const owedSums = await sumOwedByMonth(tx, dojoId)
  return {
    months: months.map((month) => {
      const chargedInMonth = chargedSums.filter((sum) => sum.month === month)
      return {
        month,
        expected: sumInDollars(chargedInMonth, 'expected'),
        received: sumInDollars(
          receivedSums.filter((sum) => sum.month === month),
          'received',
        ),
        owed: toDollars(owedSums.get(month) ?? 0),
        written_off: sumInDollars(chargedInMonth, 'written_off'),
      }
    }),
    sales_tax: await readSalesTax(tx, months),
    methods: sumByMethod(receivedSums),
    classes: await splitByClass(tx, chargedSums, receivedSums),
  }
}

function sumByMethod(receivedSums: ReceivedSum[]): PaymentFigures['methods'] {
  const sumsByMethod = Map.groupBy(receivedSums, ({ method }) => method)
  const methods = [...PAYMENT_METHODS, null].filter((method) => sumsByMethod.has(method))
  return methods.map((method) => ({
    method,
    received: sumInDollars(sumsByMethod.get(method) ?? [], 'received'),
  }))
}

const sumInDollars = <Column extends string>(
  rows: readonly Record<Column, number>[],
  column: Column,
): number => toDollars(sumCents(rows.map((row) => row[column])))

const isWithinMonths = (
  column: typeof charges.charged_on | typeof ledgerLines.made_on,
  months: string[],
) =>
  sql`${column} >= ${months[0]!}::date and ${column} < ${months.at(-1)!}::date + interval '1 month'`

async function readChargedSums(tx: Tx, months: string[]): Promise<ChargedSum[]> {
  const { rows } = await tx.execute<ChargedSum>(sql`
    select to_char(${charges.charged_on}, 'YYYY-MM-01') as month, ${charges.student_id},
      coalesce(sum(l.amount) filter (where l.kind = 'charge'), 0)::float8 as expected,
      coalesce(-sum(l.amount) filter (where l.kind = 'write_off'), 0)::float8 as written_off
    from ${charges} join ${ledgerLines} l on l.charge_id = ${charges.id}
    where ${isWithinMonths(charges.charged_on, months)}
    group by 1, 2`)
  return rows
}

/** Computes what students will be charged for the current month, if `months` includes it. */
async function computeExpectedThisMonth(
  tx: Tx,
  dojoId: string,
  months: string[],
): Promise<ChargedSum[]> {
  const today = await todayOf(tx, dojoId)
  const month = firstDayOf(monthOfDate(today))
  if (!months.includes(month)) return []
  const prices = await currentPrices(tx, dojoId, today)
  return [...prices].map(([student_id, { cents }]) => ({
    month,
    student_id,
    expected: cents,
    written_off: 0,
  }))
}

async function sumOwedByMonth(tx: Tx, dojoId: string): Promise<Map<string, number>> {
  const sums = new Map<string, number>()
  for (const debt of (await debtsOf(tx, dojoId)).values())
    for (const { charged_on, owed } of debt.charges) {
      const month = firstDayOf(monthOfDate(charged_on))
      sums.set(month, (sums.get(month) ?? 0) + owed)
    }
  return sums
}

async function readReceivedSums(tx: Tx, months: string[]): Promise<ReceivedSum[]> {
  const { rows } = await tx.execute<ReceivedSum>(sql`
    select to_char(made_on, 'YYYY-MM-01') as month, student_id, method,
      -sum(amount)::float8 as received
    from ${ledgerLines}
    where kind in ('payment', 'refund') and ${isWithinMonths(ledgerLines.made_on, months)}
    group by 1, 2, 3`)
  return rows
}

type TaxFigures = PaymentFigures['sales_tax'][number]

/** Credit is taxed on the day on which it pays a charge. */
async function readSalesTax(tx: Tx, months: string[]): Promise<TaxFigures[]> {
  const { rows } = await tx.execute<Omit<TaxFigures, 'collected'> & { cents: number }>(sql`
    select to_char(made_on, 'YYYY-MM-01') as month, tax_percent::float8 as percent,
      -sum(tax)::float8 as cents
    from ${ledgerLines}
    where tax_percent is not null and kind in ('payment', 'credit', 'refund')
      and ${isWithinMonths(ledgerLines.made_on, months)}
    group by 1, 2 having sum(tax) <> 0 order by 1, 2`)
  return rows.map(({ cents, ...figures }) => ({ ...figures, collected: toDollars(cents) }))
}

type ClassFigures = PaymentFigures['classes'][number]

/** Splits each student's sums evenly between the student's current classes. */
async function splitByClass(
  tx: Tx,
  chargedSums: ChargedSum[],
  receivedSums: ReceivedSum[],
): Promise<ClassFigures[]> {
  const enrollmentRows = await tx
    .select({
      student_id: enrollments.student_id,
      class_id: classes.id,
      class_name: classes.class_name,
    })
    .from(enrollments)
    .innerJoin(classes, eq(classes.id, enrollments.class_id))
    .orderBy(asc(enrollments.created_at), asc(classes.id))
  const enrollmentsByStudent = Map.groupBy(enrollmentRows, ({ student_id }) => student_id)
  const findClassIds = (studentId: string | null): (string | null)[] =>
    enrollmentsByStudent.get(studentId ?? '')?.map(({ class_id }) => class_id) ?? [null]
  const names = new Map(enrollmentRows.map(({ class_id, class_name }) => [class_id, class_name]))
  const sums = new Map<string | null, { expected: number; received: number }>()
  const addShares = (kind: 'expected' | 'received', sumsByStudent: Map<string | null, number>) => {
    for (const [studentId, cents] of sumsByStudent) {
      const classIds = findClassIds(studentId)
      const shares = splitCents(cents, classIds.length)
      for (const [index, classId] of classIds.entries()) {
        const sum = sums.get(classId) ?? { expected: 0, received: 0 }
        sum[kind] += shares[index] ?? 0
        sums.set(classId, sum)
      }
    }
  }
  addShares('expected', sumPerStudent(chargedSums, 'expected'))
  addShares('received', sumPerStudent(receivedSums, 'received'))
  const figures = [...sums].map(([class_id, sum]) => ({
    class_id,
    class_name: class_id === null ? null : names.get(class_id)!,
    expected: toDollars(sum.expected),
    received: toDollars(sum.received),
  }))
  return figures.toSorted(compareFigures)
}

const compareFigures = (first: ClassFigures, second: ClassFigures): number =>
  second.expected - first.expected ||
  second.received - first.received ||
  (first.class_name ?? '').localeCompare(second.class_name ?? '')

function sumPerStudent<Column extends string>(
  rows: readonly ({ student_id: string | null } & Record<Column, number>)[],
  column: Column,
): Map<string | null, number> {
  const sums = new Map<string | null, number>()
  for (const row of rows) sums.set(row.student_id, (sums.get(row.student_id) ?? 0) + row[column])
  return sums
}
