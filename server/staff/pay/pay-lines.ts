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
  select h.id as hours_id, h.person_id, h.day, h.task, h.class_name, h.minutes,
    r.amount as rate, r.unit,
    case when r.unit = 'hour' then (h.minutes::bigint * r.amount * 2 + 60) / 120
      when r.unit = 'class' and not h.is_continuation then r.amount
      else 0 end as pay
  from ${staffHours} h
    left join lateral (
      select r.amount, r.unit from ${payRates} r
      where r.dojo_id = h.dojo_id and r.person_id = h.person_id
        and lower(r.task) = lower(h.task) and r.starts_on <= h.day
      order by r.starts_on desc limit 1) r on true
  where h.approved_at is not null and h.day between ${firstPaidDay} and ${lastDay}`

/** What closed periods paid for each entry, with the day and task of the last payment. */
const PAID_HOURS = sql`
  select l.hours_id, l.person_id, sum(l.minutes)::int as minutes, sum(l.pay)::bigint as pay,
    (array_agg(l.day order by p.last_day desc))[1] as day,
    (array_agg(l.task order by p.last_day desc))[1] as task,
    (array_agg(l.class_name order by p.last_day desc))[1] as class_name
  from ${payLines} l join pay_periods p on p.dojo_id = l.dojo_id and p.id = l.period_id
  group by l.hours_id, l.person_id`

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
    select l.*, l.day::text, i.name as person_name
    from lines l join ${instructors} i on i.id = l.person_id
    where l.minutes <> 0 or l.pay <> 0
    order by l.day, lower(i.name), l.hours_id`)
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
