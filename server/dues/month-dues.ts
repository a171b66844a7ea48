import { toCents, toDollars } from '@tatami/contract/lib/money'
import { firstDayOf, type Month, monthOfDate } from '@tatami/contract/lib/calendar-day'
import type { MonthDue } from '@tatami/contract/ledger/payment-records'
import type { PriceInMonth } from '@tatami/contract/dues/prices'
import { type SalesTax, withAddedTax } from '@tatami/contract/ledger/sales-tax'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayOf } from '../dojos/dojos.ts'
import { openMonthOf } from '../ledger/ledger.ts'
import { monthTaxOf } from '../ledger/sales-taxes.ts'
import { charges, ledgerLines, paymentRecords } from '../ledger/tables.ts'
import { enrolledOn, pastVacationDays, students } from '../students/tables.ts'
import { withBasePlans } from '../plans/plans.ts'
import { reducedPricesIn } from './prices/prices.ts'
import { dueDay, isChargedForMonth, type BillingRow, paysToday } from './who-pays.ts'

export type Due = {
  /** What Mark Paid would take in total, with an added sales tax, even if nothing is due. */
  price: number
  /** Why the price is lower than the fee. Null if it is not, or if another price was charged. */
  reason: string | null
  /** What the month costs in total, or 0 if nothing is due. */
  cost: number
  received: number
  owed: number
  /** The day on which the month is due. */
  since: string
  isCharged: boolean
}
/** By student id. */
export type Dues = ReadonlyMap<string, Due>

type DueRow = Omit<BillingRow, 'base_plans'> & {
  id: string
  has_subscription: boolean
  fee: number | null
  charged_on: string | null
  charged: number
  owed: number
  received: number
  recorded: number | null
}

const findDueRows = ({ month, year }: Month, studentIds: readonly string[] | undefined) => sql`
  select students.id, students.is_trial, students.awaits_approval, students.on_vacation,
    students.vacation_from::text, students.vacation_until::text, students.pays_since::text,
    students.left_on::text, students.paid_through::text, students.has_subscription,
    ${enrolledOn}::text as enrolled_on, ${pastVacationDays} as past_vacations,
    students.monthly_payment_amount as fee, c.charged_on::text, p.amount as recorded,
    coalesce(l.charged, 0)::float8 as charged, coalesce(l.owed, 0)::float8 as owed,
    coalesce(l.received, 0)::float8 as received
  from ${students}
  left join ${charges} c on c.dojo_id = students.dojo_id and c.student_id = students.id
    and c.kind = 'month' and c.year = ${year} and c.month = ${month}
  left join lateral (
    select sum(amount) as owed, sum(amount) filter (where kind = 'charge') as charged,
      -sum(amount) filter (where kind in ('payment', 'credit', 'refund')) as received
    from ${ledgerLines} where charge_id = c.id
  ) l on true
  left join ${paymentRecords} p on p.dojo_id = students.dojo_id and p.student_id = students.id
    and p.payment_year = ${year} and p.payment_month = ${month} and p.payment_status = 'paid'
  where ${studentIds ? sql`students.id = any(${sql.param(studentIds)}::uuid[])` : sql`true`}`

/** A month that ended without a charge is not owed. */
async function createOwingCheck(tx: Tx, dojoId: string, month: Month) {
  const today = await todayOf(tx, dojoId)
  const firstDay = firstDayOf(month)
  const isOver = firstDay < (await openMonthOf(tx)).month
  const isCurrent = firstDay === firstDayOf(monthOfDate(today))
  return (student: BillingRow) => {
    if (isOver) return false
    return isCurrent ? paysToday(student, today) : isChargedForMonth(student, month)
  }
}

function describeDue(
  row: DueRow & BillingRow,
  month: Month,
  reducedPrice: PriceInMonth | undefined,
  isOwing: boolean,
  tax: SalesTax | undefined,
): Due {
  const { charged_on, charged, received, recorded } = row
  const dueOn = dueDay(row, month)
  // The charge may be older than a vacation, which makes the month due later.
  const owedSince = charged_on !== null && charged_on > dueOn ? charged_on : dueOn
  const timing = { since: owedSince, isCharged: charged > 0 }
  const reducedCents = reducedPrice && withAddedTax(toCents(reducedPrice.amount), tax)
  const reducedReason = reducedPrice?.reason ?? null
  if (charged > 0) {
    const cost = row.owed + received
    const reason = charged === reducedCents ? reducedReason : null
    return { ...timing, cost, received, owed: row.owed, price: cost, reason }
  }
  if (recorded !== null) {
    const cost = recorded
    return { ...timing, cost, received: cost, owed: 0, price: cost, reason: null }
  }
  const price = reducedCents ?? withAddedTax(row.fee ?? 0, tax)
  const cost = isOwing ? price : 0
  return { ...timing, cost, received: 0, owed: cost, price, reason: reducedReason }
}

/** By student id. Tiles, filters, texts, late fees and families use this, so they agree. */
export async function monthDues(
  tx: Tx,
  dojoId: string,
  month: Month,
  studentIds?: readonly string[],
): Promise<Map<string, Due>> {
  const dueRows = await tx.execute<DueRow>(findDueRows(month, studentIds))
  const rows = await withBasePlans(tx, dueRows.rows)
  const [reducedPrices = []] = await reducedPricesIn(tx, dojoId, [month], undefined, {
    studentIds,
    studentsWithPlans: rows
      .filter(({ has_subscription }) => has_subscription)
      .map(({ id, fee, base_plans }) => ({
        ...{ id, base_plans },
        monthly_payment_amount: fee === null ? null : toDollars(fee),
      })),
  })
  const priceByStudent = new Map(reducedPrices.map((price) => [price.student_id, price]))
  const isOwing = await createOwingCheck(tx, dojoId, month)
  const tax = await monthTaxOf(tx, month)
  return new Map(
    rows.map((row) => [
      row.id,
      describeDue(row, month, priceByStudent.get(row.id), isOwing(row), tax),
    ]),
  )
}

export async function listMonthDues(tx: Tx, dojoId: string, month: Month): Promise<MonthDue[]> {
  const dues = [...(await monthDues(tx, dojoId, month))]
  return dues
    .filter(([, { cost, received }]) => cost > 0 || received > 0)
    .map(([student_id, { cost, received, owed, since }]) => ({
      student_id,
      cost: toDollars(cost),
      received: toDollars(received),
      owed: toDollars(owed),
      since,
    }))
}
