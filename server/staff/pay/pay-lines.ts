import type { PayUnit } from '@tatami/contract/staff/pay'
import { asc, eq, sql } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'
import { toDollars } from '@tatami/contract/lib/money'
import { pick } from '../../lib/rows.ts'
import { instructors } from '../../sensei/tables.ts'
import { staffHours } from '../hours/tables.ts'
import { payLines, payRates } from './tables.ts'

/** What a period pays for an entry of hours. A correction pays the difference from what earlier
 *  periods paid. */
export type PeriodLine = {
  hours_id: string
  person_id: string
  person_name: string
  day: string
  task: string
  class_name: string | null
  minutes: number
  pay: number
  rate: number | null
  unit: PayUnit | null
  is_correction: boolean
}

export type PeriodDays = { from: string; until: string }

/** Approved hours, with the rate on that day. Rounds half a cent up. The part of a class after
 *  midnight is not paid as another class. */
const approvedHours = (firstPaidDay: string, lastDay: string) => sql`
  select hours.id as hours_id, hours.person_id, hours.day, hours.task, hours.class_name,
    hours.minutes, pay_rate.amount as rate, pay_rate.unit,
    case when pay_rate.unit = 'hour' then (hours.minutes::bigint * pay_rate.amount * 2 + 60) / 120
      when pay_rate.unit = 'class' and not hours.is_continuation then pay_rate.amount
      else 0 end as pay
  from ${staffHours} hours
    left join lateral (
      select pay_rate.amount, pay_rate.unit from ${payRates} pay_rate
      where pay_rate.dojo_id = hours.dojo_id and pay_rate.person_id = hours.person_id
        and lower(pay_rate.task) = lower(hours.task) and pay_rate.starts_on <= hours.day
      order by pay_rate.starts_on desc limit 1) pay_rate on true
  where hours.approved_at is not null and hours.day between ${firstPaidDay} and ${lastDay}`

/** What closed periods paid for each entry, with the day and task of the last payment. */
const PAID_HOURS = sql`
  select line.hours_id, line.person_id, sum(line.minutes)::int as minutes,
    sum(line.pay)::bigint as pay,
    (array_agg(line.day order by period.last_day desc))[1] as day,
    (array_agg(line.task order by period.last_day desc))[1] as task,
    (array_agg(line.class_name order by period.last_day desc))[1] as class_name
  from ${payLines} line
    join pay_periods period on period.dojo_id = line.dojo_id and period.id = line.period_id
  group by line.hours_id, line.person_id`

type LineRow = Omit<PeriodLine, 'pay' | 'rate'> & { pay: string; rate: number | null }

/** Computes the lines of an open period. Hours before `firstPaidDay`, when the first period began,
 *  are never paid. */
export async function computeLines(
  tx: Tx,
  { from, until }: PeriodDays,
  firstPaidDay: string,
): Promise<PeriodLine[]> {
  const { rows } = await tx.execute<LineRow>(sql`
    with owed as (${approvedHours(firstPaidDay, until)}), paid as (${PAID_HOURS}),
    lines as (
      select hours_id, coalesce(owed.person_id, paid.person_id) as person_id,
        coalesce(owed.day, paid.day) as day, coalesce(owed.task, paid.task) as task,
        coalesce(owed.class_name, paid.class_name) as class_name, owed.rate, owed.unit,
        coalesce(owed.minutes, 0) - coalesce(paid.minutes, 0) as minutes,
        coalesce(owed.pay, 0) - coalesce(paid.pay, 0) as pay,
        coalesce(paid.minutes, 0) <> 0 or coalesce(paid.pay, 0) <> 0
          or coalesce(owed.day, paid.day) < ${from}::date as is_correction
      from owed full join paid using (hours_id))
    select line.*, line.day::text, person.name as person_name
    from lines line join ${instructors} person on person.id = line.person_id
    where line.minutes <> 0 or line.pay <> 0
    order by line.day, lower(person.name), line.hours_id`)
  return rows.map(({ pay, rate, ...row }) => ({
    ...row,
    pay: toDollars(Number(pay)),
    rate: rate === null ? null : toDollars(rate),
  }))
}

/** Reads the lines of a closed period. */
export async function readStoredLines(tx: Tx, periodId: string): Promise<PeriodLine[]> {
  return tx
    .select({
      ...pick(payLines, 'hours_id', 'person_id', 'day', 'task', 'class_name', 'minutes', 'pay'),
      ...pick(payLines, 'rate', 'unit', 'is_correction'),
      person_name: instructors.name,
    })
    .from(payLines)
    .innerJoin(instructors, eq(instructors.id, payLines.person_id))
    .where(eq(payLines.period_id, periodId))
    .orderBy(asc(payLines.day), sql`lower(${instructors.name})`, asc(payLines.hours_id))
}
