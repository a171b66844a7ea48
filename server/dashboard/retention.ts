import type { Analytics } from '@tatami/contract/dashboard/dashboard'
import { BELTS } from '@tatami/contract/lib/ranks'
import { type SQL, sql } from 'drizzle-orm'
import { inMainStyle, isEffective } from '../belts/current-rank-query.ts'
import type { Tx } from '../db/database.ts'
import { beltChanges, ranks } from '../belts/tables.ts'
import { departures, students } from '../students/tables.ts'
import { toCountedRanks, findOwnLadders } from './students-by-belt.ts'

const getEnrolledMonth = (timeZone: string) =>
  sql`date_trunc('month',
    coalesce(${students.joined_on}, ${students.created_at} at time zone ${timeZone}))::date`

const monthBeforeReturn = sql`date_trunc('month', ${students.previously_left_on})::date`

/** SQL condition: the student left in one month and returned in a later month. It is null for a
 *  student who never returned. */
export const wasAway = sql`(${monthBeforeReturn} < date_trunc('month', ${students.returned_on}))`

/** A student who returns in a later month counts as joining again. */
const getJoinedMonth = (timeZone: string) =>
  sql`case when ${wasAway} then date_trunc('month', ${students.returned_on})::date
    else ${getEnrolledMonth(timeZone)} end`

const departedMonth = sql`date_trunc('month', ${students.left_on})::date`

/** Deleted students are counted from `departures`. If the month in which they joined is unknown,
 *  they count as students from the first month. */
export async function readMovements(
  tx: Tx,
  months: string[],
  timeZone: string,
): Promise<Analytics['movements']> {
  const countPeople = (condition: SQL) => sql`(select count(*)::int from people where ${condition})`
  const hadJoined = sql`coalesce(joined < months.month, true)`
  const { rows } = await tx.execute<Analytics['movements'][number]>(sql`
    with people as (
      select ${getJoinedMonth(timeZone)} as joined, ${departedMonth} as departed from ${students}
      union all select ${getEnrolledMonth(timeZone)}, ${monthBeforeReturn} from ${students}
        where ${wasAway}
      union all select departure.joined_month, departure.month from ${departures} departure
    )
    select months.month::text, ${countPeople(sql`joined = months.month`)} as enrolled,
      ${countPeople(sql`departed = months.month`)} as departed,
      ${countPeople(sql`${hadJoined} and coalesce(departed >= months.month, true)`)} as at_start,
      ${countPeople(sql`${hadJoined} and coalesce(departed > months.month, true)`)} as stayed
    from unnest(${sql.param(months)}::date[]) as months(month) order by months.month`)
  return rows
}

export async function readMovementsByBelt(
  tx: Tx,
  months: string[],
  timeZone: string,
): Promise<Analytics['belt_movements']> {
  const firstMonth = sql`${months[0]}::date`
  const { rows } = await tx.execute<Analytics['belt_movements'][number]>(sql`
    select label, count(*) filter (where kind = 'joined')::int as joined,
      count(*) filter (where kind = 'left')::int as left,
      count(*) filter (where kind = 'stayed')::int as stayed
    from (
      select ${students.belt_level} as label, case
        when ${students.left_on} is not null then 'left'
        when ${getJoinedMonth(timeZone)} < ${firstMonth} then 'stayed' else 'joined' end as kind
      from ${students}
      where coalesce(${departedMonth} >= ${firstMonth}, true)
      union all select ${students.belt_level}, 'left' from ${students}
        where ${wasAway} and ${monthBeforeReturn} >= ${firstMonth}
      union all select coalesce(departure.belt_level, 'not known'), 'left'
      from ${departures} departure where departure.month >= ${firstMonth}
    ) people
    group by label`)
  const noMovements = { joined: 0, left: 0, stayed: 0 }
  const movements = [...BELTS, 'not known'].map(
    (label) => rows.find((row) => row.label === label) ?? { label, ...noMovements },
  )
  return movements.filter(({ label, left }) => label !== 'not known' || left > 0)
}

export async function readTimeToNextBelt(
  tx: Tx,
  timeZone: string,
): Promise<Analytics['next_belts']> {
  const mainStyle = await findOwnLadders(tx)
  if (!mainStyle) return readTimeToNextOfSevenBelts(tx, timeZone)
  return toCountedRanks(mainStyle.ladders, await readTimeToNextRank(tx))
}

/** The time at the lowest rank begins when the student starts. Conversions and corrections do not
 *  end the time at a rank. */
async function readTimeToNextRank(
  tx: Tx,
): Promise<Map<string, { days: number; students: number }>> {
  const { rows } = await tx.execute<{ rank_id: string; days: number; students: number }>(sql`
    with history as (
      select c.*, max(case when c.kind = 'start' then c.given_on end) over oldest_first as started,
        max(case when c.kind not in ('start', 'conversion', 'correction') then c.given_on end)
          over oldest_first as given
      from ${beltChanges} c where c.kind <> 'stripe' and ${inMainStyle} and ${isEffective}
      window oldest_first as (
        partition by c.student_id order by c.kind <> 'start', c.given_on, c.changed_at, c.id)
    ), steps as (
      select kind, given_on, rank_id, lag(rank_id) over oldest_first as before,
        lag(given) over oldest_first as given_before, lag(started) over oldest_first as started,
        lead(rank_id) over oldest_first as after
      from history
      window oldest_first as (
        partition by student_id order by kind <> 'start', given_on, changed_at, id)
    )
    select rank_id, count(*)::int as students, round(avg(given_on - since))::int as days
    from (
      select s.before as rank_id, s.given_on,
        coalesce(s.given_before, case when lower_rank.place = 0 then s.started end) as since
      from steps s
      join ${ranks} lower_rank on lower_rank.id = s.before
      join ${ranks} higher_rank
        on higher_rank.id = s.rank_id and higher_rank.ladder_id = lower_rank.ladder_id
      where higher_rank.place > lower_rank.place and s.after is distinct from s.before
        and s.kind not in ('start', 'correction', 'conversion')
    ) given
    where since <= given_on group by rank_id`)
  return new Map(rows.map(({ rank_id, ...count }) => [rank_id, count]))
}

/** The time with the white belt begins at enrollment. */
async function readTimeToNextOfSevenBelts(
  tx: Tx,
  timeZone: string,
): Promise<Analytics['next_belts']> {
  const getBeltPosition = (belt: string) =>
    sql`array_position(${sql.param([...BELTS])}::text[], ${sql.raw(belt)})`
  const oldestFirst = sql`(partition by student_id order by given_on, changed_at, id)`
  const { rows } = await tx.execute<{ label: string; days: number; students: number }>(sql`
    with history as (
      select c.*, lag(c.belt_level) over ${oldestFirst} as before
      from ${beltChanges} c
      where c.kind not in ('start', 'stripe') and ${inMainStyle} and ${isEffective}
    ), belts as (
      select student_id, kind, belt_level, given_on, lag(given_on) over ${oldestFirst} as since,
        coalesce(before, previous_belt) as previous_belt,
        lead(belt_level) over ${oldestFirst} as next_belt
      from history where belt_level is distinct from before
    )
    select previous_belt as label, count(*)::int as students,
      round(avg(given_on - since))::int as days
    from (
      select b.previous_belt, b.given_on, coalesce(b.since, case when b.previous_belt = 'white'
        then coalesce(s.joined_on, (s.created_at at time zone ${timeZone})::date) end) as since
      from belts b join ${students} s on s.id = b.student_id
      where ${getBeltPosition('b.belt_level')} > ${getBeltPosition('b.previous_belt')}
        and b.next_belt is distinct from b.previous_belt
        and b.kind not in ('correction', 'conversion')
    ) given
    where since <= given_on group by previous_belt`)
  return BELTS.slice(0, -1).map((belt) => {
    const { days = null, students: count = 0 } = rows.find(({ label }) => label === belt) ?? {}
    return { label: belt, days, students: count, belt_level: belt, rank: null }
  })
}
