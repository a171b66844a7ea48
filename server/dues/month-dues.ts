import { toCents, toDollars } from '@tatami/contract/lib/money'
import { firstDayOf, type Month, monthOfDate } from '@tatami/contract/lib/calendar-day'
import type { MonthDue } from '@tatami/contract/ledger/payment-records'
import type { PriceInMonth } from '@tatami/contract/dues/prices'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojoById } from '../dojos/dojos.ts'
import { charges, ledgerLines, openMonths, paymentRecords } from '../ledger/tables.ts'
import { pastVacationsOf, students } from '../students/tables.ts'
import { dueDaysOf } from './due-days.ts'
import { reducedPricesIn } from './prices/prices.ts'
import { owesMonth, type Payer, paysToday } from './who-pays.ts'

/** A student's month in cents. */
export type Due = {
  /** What Mark Paid takes in all, asked for or not. */
  price: number
  /** Why the price is less than the fee; null for the fee itself and for a month that was charged. */
  reason: string | null
  /** What is asked for it in all; 0 where nothing is due. */
  cost: number
  received: number
  owed: number
  /** The day since when it is owed. */
  since: string
  isCharged: boolean
}

type Row = Payer & {
  id: string
  fee: number | null
  charged_on: string | null
  charged: number
  owed: number
  received: number
  /** What the record of a paid month says. */
  recorded: number | null
}

const findRows = ({ month, year }: Month, studentIds: readonly string[] | undefined) => sql`
  select s.id, s.is_trial, s.awaits_approval, s.on_vacation, s.vacation_from::text, s.vacation_until::text, s.created_at, s.pays_since::text,
    ${pastVacationsOf(sql`s`)} as past_vacations,
    s.monthly_payment_amount as fee, c.charged_on::text,
    coalesce(l.charged, 0)::float8 as charged, coalesce(l.owed, 0)::float8 as owed, coalesce(l.received, 0)::float8 as received,
    p.amount as recorded
  from ${students} s
  left join ${charges} c on c.dojo_id = s.dojo_id and c.student_id = s.id and c.kind = 'month' and c.year = ${year} and c.month = ${month}
  left join lateral (
    select sum(amount) as owed, sum(amount) filter (where kind = 'charge') as charged,
      -sum(amount) filter (where kind in ('payment', 'credit', 'refund')) as received
    from ${ledgerLines} where charge_id = c.id
  ) l on true
  left join ${paymentRecords} p on p.dojo_id = s.dojo_id and p.student_id = s.id and p.payment_year = ${year}
    and p.payment_month = ${month} and p.payment_status = 'paid'
  where ${studentIds ? sql`s.id = any(${sql.param(studentIds)}::uuid[])` : sql`true`}`

/** Whether a month without a charge is asked for: it is charged when it ends, and if it has ended nothing is to pay. */
async function askedMonth(tx: Tx, dojoId: string, month: Month) {
  const { time_zone } = await dojoById(tx, dojoId)
  const today = todayIn(time_zone)
  const first = firstDayOf(month)
  const current = firstDayOf(monthOfDate(today))
  const [open] = await tx.select({ month: openMonths.month }).from(openMonths)
  const hasBeenCharged = first < (open?.month ?? current)
  return (student: Payer) => {
    if (hasBeenCharged) return false
    return first === current ? paysToday(student, today) : owesMonth(student, month, time_zone)
  }
}

function dueOf(row: Row, reduced: PriceInMonth | undefined, isAsked: boolean, dueDay: string): Due {
  const { charged_on, charged, received, recorded } = row
  // A month that was paid in advance was charged before a vacation over its first was known.
  const since = charged_on !== null && charged_on > dueDay ? charged_on : dueDay
  const reducedCents = reduced && toCents(reduced.amount)
  if (charged > 0) {
    const cost = row.owed + received
    const reason = charged === reducedCents ? reduced!.reason : null
    return { cost, received, owed: row.owed, price: cost, reason, since, isCharged: true }
  }
  if (recorded !== null) {
    const cost = recorded
    return { cost, received: cost, owed: 0, price: cost, reason: null, since, isCharged: false }
  }
  const price = reducedCents ?? row.fee ?? 0
  const cost = isAsked ? price : 0
  const reason = reduced?.reason ?? null
  return { cost, received: 0, owed: cost, price, reason, since, isCharged: false }
}

/**
 * What a month costs each student, what has come for it and what is still owed: the one answer to "who has yet to
 * pay" for tiles, filters, texts, late fees and families. Of these students or of all.
 */
export async function monthDues(
  tx: Tx,
  dojoId: string,
  month: Month,
  studentIds?: readonly string[],
): Promise<Map<string, Due>> {
  const { rows } = await tx.execute<Row>(findRows(month, studentIds))
  const [reduced = []] = await reducedPricesIn(tx, dojoId, [month])
  const reducedPrices = new Map(reduced.map((price) => [price.student_id, price]))
  const isAsked = await askedMonth(tx, dojoId, month)
  const monthOf = ({ id: student_id }: Row) => ({ student_id, ...month })
  const dueDayOf = await dueDaysOf(tx, rows.map(monthOf))
  return new Map(
    rows.map((row) => [
      row.id,
      dueOf(row, reducedPrices.get(row.id), isAsked(row), dueDayOf(monthOf(row))),
    ]),
  )
}

/** The same in dollars, of those for whom something is to pay or has come. */
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
