import { daysBetween } from '@tatami/contract/lib/calendar-day'
import { PACE_WEEKS } from '@tatami/contract/belts/readiness'
import { type SQL, sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import type { Tx } from '../db/database.ts'
import { candidates } from '../gradings/tables.ts'
import { charges, ledgerLines } from '../ledger/tables.ts'
import { pluck } from '../lib/rows.ts'
import { approvals, classStyles, skillChecks, skills } from './tables.ts'

export type Climber = {
  student_id: string
  since: string
  next_rank_id: string | null
  max_classes_a_day: number | null
}

/** `lately` are the classes of the last weeks, from which forecasts take the pace. */
export type ClassCounts = { student_id: string; classes: number; lately: number }

const PACE_DAYS = 7 * PACE_WEEKS

/** Counts the classes of a style since each student's promotion, up to `day`, in one statement.
 *  Classes without a style, and deleted ones, count for every style. `class_date + 0` makes
 *  PostgreSQL use the index attendance_of_student: with two plain limits on the date it may read
 *  all marks of the dojo by day. */
export async function countClasses(
  tx: Tx,
  styleId: string,
  climbers: readonly Climber[],
  day: string,
): Promise<Map<string, ClassCounts>> {
  const otherClassIds = await classesOfOtherStyles(tx, styleId)
  const paceFrom = sql`(${day}::date - ${sql.raw(String(PACE_DAYS))})`
  const isCounted =
    otherClassIds.length === 0
      ? sql``
      : sql`and (a.class_id is null or a.class_id <> all(${sql.param(otherClassIds)}::uuid[]))`
  const marks = sql`
    from ${attendance} a
    where a.student_id = c.student_id and a.present
      and a.class_date > least(c.since, ${paceFrom}) and a.class_date + 0 <= ${day}::date
      ${isCounted}`
  const isLimited = climbers.some(({ max_classes_a_day }) => max_classes_a_day !== null)
  const days = isLimited
    ? sql`select a.class_date, least(count(*), c.a_day) as classes ${marks} group by a.class_date`
    : sql`select a.class_date ${marks}`
  const sum = isLimited ? sql`sum(days.classes)` : sql`count(*)`
  const sumSince = (first: SQL) =>
    sql`coalesce(${sum} filter (where days.class_date > ${first}), 0)::int`
  const { rows } = await tx.execute<ClassCounts>(sql`
    select c.student_id, counted.classes, counted.lately from ${climbersAs(climbers)}
    cross join lateral (
      select ${sumSince(sql`c.since`)} as classes, ${sumSince(paceFrom)} as lately
      from (${days}) days
    ) counted`)
  return new Map(rows.map((row) => [row.student_id, row]))
}

async function classesOfOtherStyles(tx: Tx, styleId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: classStyles.class_id })
    .from(classStyles)
    .groupBy(classStyles.class_id)
    .having(sql`bool_and(${classStyles.style_id} <> ${styleId})`)
  return pluck(rows, 'id')
}

export const projectClasses = (
  { classes, lately }: Pick<ClassCounts, 'classes' | 'lately'>,
  today: string,
  day: string,
): number => classes + Math.floor((lately * Math.max(0, daysBetween(today, day))) / PACE_DAYS)

export type MetRequirements = {
  student_id: string
  checked_skills: string[]
  is_approved: boolean
  has_paid: boolean
}

/** The checked skills, the approval, and whether the test is paid. It is paid if a charge for a
 *  test since the promotion is settled or its fee is waived. An undone charge does not count. */
export async function findMetRequirements(
  tx: Tx,
  climbers: readonly Climber[],
): Promise<Map<string, MetRequirements>> {
  const sumOf = (condition: SQL) => sql`(
    select coalesce(sum(l.amount), 0) from ${ledgerLines} l where l.charge_id = g.id ${condition})`
  const nextSkills = sql`(select s.id from ${skills} s where s.rank_id = c.next_rank_id)`
  const { rows } = await tx.execute<MetRequirements>(sql`
    select c.student_id,
      array(
        select last.skill_id from (
          select distinct on (k.skill_id) k.skill_id, k.is_checked from ${skillChecks} k
          where k.student_id = c.student_id and k.skill_id in ${nextSkills}
          order by k.skill_id, k.id desc
        ) last where last.is_checked
      )::text[] as checked_skills,
      exists (
        select from ${approvals} a where a.student_id = c.student_id
          and a.rank_id = c.next_rank_id and a.withdrawn_at is null
      ) as is_approved,
      exists (
        select from ${candidates} k where k.student_id = c.student_id
          and k.to_rank_id = c.next_rank_id and k.is_fee_waived
      ) or exists (
        select from ${charges} g
        where g.student_id = c.student_id and g.kind = 'grading' and g.charged_on > c.since
          and ${sumOf(sql``)} <= 0 and ${sumOf(sql`and l.kind = 'charge'`)} > 0
      ) as has_paid
    from ${climbersAs(climbers)} where c.next_rank_id is not null`)
  return new Map(rows.map((row) => [row.student_id, row]))
}

function climbersAs(climbers: readonly Climber[]): SQL {
  const column = (name: keyof Climber) => sql.param(pluck(climbers, name))
  return sql`unnest(${column('student_id')}::uuid[], ${column('since')}::date[],
    ${column('next_rank_id')}::uuid[], ${column('max_classes_a_day')}::int[])
    as c (student_id, since, next_rank_id, a_day)`
}
