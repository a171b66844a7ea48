import { sumCents, toDollars } from '@tatami/contract/lib/money'
import { firstDayOf, monthOfDate } from '@tatami/contract/lib/calendar-day'
import type {
  Statement,
  StatementLine,
  StatementQuery,
} from '@tatami/contract/bookkeeping/statements'
import { describeTax } from '@tatami/contract/ledger/sales-tax'
import { and, asc, eq, gte, lt, ne, sql } from 'drizzle-orm'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { dojoById, todayOf } from '../dojos/dojos.ts'
import { isActiveLink } from '../guardians/guardian-records.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { notFound } from '../lib/refusal.ts'
import { currentPrices } from '../dues/balances.ts'
import { isFromBank, readOnlineLines, sumOnlineCents } from '../dues/money-on-its-way.ts'
import { monthTaxOf } from '../ledger/sales-taxes.ts'
import { charges, ledgerLines } from '../ledger/tables.ts'
import { students } from '../students/tables.ts'

type NamedPerson = { id: string; name: string }
type StatementAccount = { name: string; students: NamedPerson[]; payer: NamedPerson | null }
type StatementMovement = Omit<StatementLine, 'amount' | 'balance'> & { cents: number }

export async function readStatement(
  tx: Tx,
  dojoId: string,
  { year, student_id, payer_id }: StatementQuery,
): Promise<Statement> {
  const account =
    student_id === undefined
      ? await findAccountsOfPayer(tx, payer_id!)
      : await findAccountOfStudent(tx, student_id)
  const ids = account.students.map(({ id }) => id)
  const balances = await readOpeningBalances(tx, ids, year)
  const opening = sumCents([...balances.values()])
  const movements = [
    ...(await readMovements(tx, ids, year)),
    ...(await computeUnchargedMonth(tx, dojoId, ids, year)),
  ]
  let balance = opening
  const lines = movements
    .toSorted((first, second) => first.date.localeCompare(second.date))
    .map(({ cents, ...movement }) => {
      balance += cents
      balances.set(movement.student_id, (balances.get(movement.student_id) ?? 0) + cents)
      return { ...movement, amount: toDollars(cents), balance: toDollars(balance) }
    })
  const { name: dojo_name } = await dojoById(tx, dojoId)
  return {
    year,
    dojo_name,
    ...account,
    opening: toDollars(opening),
    lines,
    paid: sumPaidByMonth(movements),
    closing: toDollars(balance),
    owed: toDollars(sumCents([...balances.values()].filter((cents) => cents > 0))),
    credit: toDollars(0 - sumCents([...balances.values()].filter((cents) => cents < 0))),
    on_its_way: toDollars(sumOnlineCents((await readOnlineLines(tx, ids)).filter(isFromBank))),
  }
}

async function findAccountOfStudent(tx: Tx, id: string): Promise<StatementAccount> {
  const [student] = await tx
    .select({ id: students.id, name: students.name })
    .from(students)
    .where(eq(students.id, id))
  if (!student) throw notFound('Student')
  const [payer] = await tx
    .select({ id: guardians.id, name: guardians.name })
    .from(guardianships)
    .innerJoin(guardians, eq(guardians.id, guardianships.guardian_id))
    .where(and(eq(guardianships.student_id, id), eq(guardianships.pays, true), isActiveLink))
  return { name: student.name, students: [student], payer: payer ?? null }
}

async function findAccountsOfPayer(tx: Tx, id: string): Promise<StatementAccount> {
  const [payer] = await tx
    .select({ name: guardians.name })
    .from(guardians)
    .where(eq(guardians.id, id))
  if (!payer) throw notFound('Payer')
  const payerStudents = await tx
    .select({ id: students.id, name: students.name })
    .from(guardianships)
    .innerJoin(students, eq(students.id, guardianships.student_id))
    .where(and(eq(guardianships.guardian_id, id), eq(guardianships.pays, true), isActiveLink))
    .orderBy(asc(sql`lower(${students.name})`), asc(students.id))
  return { name: payer.name, students: payerStudents, payer: null }
}

const getFirstDayOfYear = (year: number) => `${year}-01-01`
const affectsBalance = ne(ledgerLines.kind, 'credit')

async function readOpeningBalances(
  tx: Tx,
  ids: string[],
  year: number,
): Promise<Map<string, number>> {
  const rows = await tx
    .select({
      id: sql<string>`${ledgerLines.student_id}`,
      cents: sql<number>`sum(${ledgerLines.amount})::float8`,
    })
    .from(ledgerLines)
    .where(
      and(
        equalsAny(ledgerLines.student_id, ids),
        affectsBalance,
        lt(ledgerLines.made_on, getFirstDayOfYear(year)),
      ),
    )
    .groupBy(ledgerLines.student_id)
  return new Map(rows.map(({ id, cents }) => [id, cents]))
}

async function readMovements(tx: Tx, ids: string[], year: number): Promise<StatementMovement[]> {
  const rows = await tx
    .select({
      date: ledgerLines.made_on,
      student_id: sql<string>`${ledgerLines.student_id}`,
      line: ledgerLines.kind,
      kind: charges.kind,
      month: charges.month,
      year: charges.year,
      note: sql<string | null>`coalesce(${charges.note}, ${ledgerLines.note})`,
      method: ledgerLines.method,
      cents: sql<number>`${ledgerLines.amount}::float8`,
      reverses: ledgerLines.reverses,
      tax: ledgerLines.tax,
      tax_percent: ledgerLines.tax_percent,
    })
    .from(ledgerLines)
    .leftJoin(charges, eq(charges.id, ledgerLines.charge_id))
    .where(
      and(
        equalsAny(ledgerLines.student_id, ids),
        affectsBalance,
        gte(ledgerLines.made_on, getFirstDayOfYear(year)),
        lt(ledgerLines.made_on, getFirstDayOfYear(year + 1)),
      ),
    )
    .orderBy(asc(ledgerLines.made_on), asc(ledgerLines.id))
  return rows.map(({ reverses, ...row }) => ({
    ...row,
    takes_back: reverses !== null,
    in_progress: false,
  }))
}

/** Computes lines for the current month, which is not charged yet. */
async function computeUnchargedMonth(
  tx: Tx,
  dojoId: string,
  ids: string[],
  year: number,
): Promise<StatementMovement[]> {
  const today = await todayOf(tx, dojoId)
  const month = monthOfDate(today)
  if (month.year !== year) return []
  const prices = await currentPrices(tx, dojoId, today, ids)
  const tax = await monthTaxOf(tx, month)
  const monthFields = {
    line: 'charge',
    kind: 'month',
    ...month,
    note: null,
    method: null,
    takes_back: false,
    in_progress: true,
  } as const
  return ids.flatMap((student_id) => {
    const price = prices.get(student_id)
    if (!price) return []
    const { cents } = price
    const taxFields = describeTax(cents, tax?.percent)
    return [{ date: firstDayOf(month), student_id, ...monthFields, ...taxFields, cents }]
  })
}

function sumPaidByMonth(movements: readonly StatementMovement[]): Statement['paid'] {
  const sums = new Map<string, number>()
  for (const { date, line, cents } of movements)
    if (line === 'payment' || line === 'refund') {
      const month = firstDayOf(monthOfDate(date))
      sums.set(month, (sums.get(month) ?? 0) - cents)
    }
  return [...sums]
    .map(([month, cents]) => ({ month, amount: toDollars(cents) }))
    .toSorted((first, second) => (first.month < second.month ? -1 : 1))
}
