import type { Analytics } from '@tatami/contract/dashboard'
import { BELTS } from '@tatami/contract/ranks'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { beltChanges } from '../belts/tables.ts'
import { departures, students } from '../students/tables.ts'

/** In which month somebody joined, by the dojo's calendar. */
const joinedMonth = (timeZone: string) => sql`date_trunc('month', ${students.created_at} at time zone ${timeZone})::date`

/**
 * Who joined and left in each month, and of those who were there at its beginning how many stayed until its end, or until today. Of those who
 * left before that was kept it is not known when they had joined: they count as there before, and in no month as joined.
 */
export async function movementsIn(tx: Tx, months: string[], timeZone: string): Promise<Analytics['movements']> {
  const { rows } = await tx.execute<Analytics['movements'][number]>(sql`
    with people as (
      select ${joinedMonth(timeZone)} as joined, null::date as departed from ${students}
      union all select d.joined_month, d.month from ${departures} d)
    select m.month::text,
      (select count(*)::int from people where joined = m.month) as enrolled,
      (select count(*)::int from people where departed = m.month) as departed,
      (select count(*)::int from people where coalesce(joined < m.month, true) and coalesce(departed >= m.month, true)) as at_start,
      (select count(*)::int from people where coalesce(joined < m.month, true) and coalesce(departed > m.month, true)) as stayed
    from unnest(${sql.param(months)}::date[]) as m(month) order by m.month`)
  return rows
}

/** The same from the first of these months on by belt, everyone counted once: by the belt they have, or had when they left. */
export async function movementsByBelt(tx: Tx, months: string[], timeZone: string): Promise<Analytics['belt_movements']> {
  const first = months[0]!
  const { rows } = await tx.execute<Analytics['belt_movements'][number]>(sql`
    select label, count(*) filter (where kind = 'joined')::int as joined, count(*) filter (where kind = 'left')::int as left,
      count(*) filter (where kind = 'stayed')::int as stayed
    from (
      select ${students.belt_level} as label, case when ${joinedMonth(timeZone)} < ${first} then 'stayed' else 'joined' end as kind from ${students}
      union all select coalesce(d.belt_level, 'not known'), 'left' from ${departures} d where d.month >= ${first}) people
    group by label`)
  const none = { joined: 0, left: 0, stayed: 0 }
  return [...BELTS, 'not known']
    .map((label) => rows.find((row) => row.label === label) ?? { label, ...none })
    .filter(({ label, left }) => label !== 'not known' || left > 0)
}

/** How long students wore each belt before a higher one, on average. A belt counts from the change that gave it; the white one also from the
 *  enrolment. A change that was taken back counts as none. */
export async function timeToNextBelt(tx: Tx): Promise<Analytics['next_belts']> {
  const rank = (belt: string) => sql`array_position(${sql.param([...BELTS])}::text[], ${sql.raw(belt)})`
  const { rows } = await tx.execute<{ label: string; days: number; students: number }>(sql`
    select previous_belt as label, count(*)::int as students, round(avg(extract(epoch from changed_at - given_at)) / 86400)::int as days
    from (
      select c.previous_belt, c.changed_at, coalesce(lag(c.changed_at) over (partition by c.student_id order by c.changed_at, c.id),
        case when c.previous_belt = 'white' then s.created_at end) as given_at
      from (select *, lead(belt_level) over (partition by student_id order by changed_at, id) as next_belt from ${beltChanges}) c
        join ${students} s on s.id = c.student_id
      where ${rank('c.belt_level')} > ${rank('c.previous_belt')} and c.next_belt is distinct from c.previous_belt) given
    where given_at is not null group by previous_belt`)
  // Nobody goes on from the last one.
  return BELTS.slice(0, -1).map((label) => rows.find((row) => row.label === label) ?? { label, days: null, students: 0 })
}
