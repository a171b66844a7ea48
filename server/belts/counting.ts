import { daysBetween } from '@tatami/contract/lib/calendar-day'
import { PACE_WEEKS } from '@tatami/contract/belts/readiness'
import { type SQL, sql } from 'drizzle-orm'
import { attendance } from '../attendance/tables.ts'
import type { Tx } from '../db/database.ts'
import { candidates } from '../gradings/tables.ts'
import { charges, ledgerLines } from '../ledger/tables.ts'
import { pluck } from '../lib/rows.ts'
import { approvals, classStyles, skillChecks, skills } from './tables.ts'

export type RankHolder = {
  student_id: string
  /** The day on which the student got the current rank. */
  since: string
  next_rank_id: string | null
  max_classes_a_day: number | null
}

export type ClassCounts = {
  student_id: string
  /** Classes since the student got the current rank. */
  classes: number
  /** Classes in the last `PACE_WEEKS`, on which forecasts are based. */
  recent_classes: number
}

const DAYS_PER_WEEK = 7
const PACE_DAYS = DAYS_PER_WEEK * PACE_WEEKS

/** Counts the classes of each student up to `day`. Classes without a style and deleted classes
 *  count for every style. `class_date + 0` makes PostgreSQL use the index attendance_of_student
 *  instead of reading all marks by date. */
export async function countClasses(
  tx: Tx,
  styleId: string,
  rankHolders: readonly RankHolder[],
  day: string,
): Promise<Map<string, ClassCounts>> {
  const otherClassIds = await findClassesOfOtherStyles(tx, styleId)
  const recentFrom = sql`(${day}::date - ${sql.raw(String(PACE_DAYS))})`
  const styleCondition =
    otherClassIds.length === 0
      ? sql``
      : sql`and (a.class_id is null or a.class_id <> all(${sql.param(otherClassIds)}::uuid[]))`
  const marksOfHolder = sql`
    from ${attendance} a
    where a.student_id = c.student_id and a.present
      and a.class_date > least(c.since, ${recentFrom}) and a.class_date + 0 <= ${day}::date
      ${styleCondition}`
  const isLimited = rankHolders.some(({ max_classes_a_day }) => max_classes_a_day !== null)
  const days = isLimited
    ? sql`select a.class_date, least(count(*), c.a_day) as classes ${marksOfHolder} group by a.class_date`
    : sql`select a.class_date ${marksOfHolder}`
  const total = isLimited ? sql`sum(days.classes)` : sql`count(*)`
  const countAfter = (date: SQL) =>
    sql`coalesce(${total} filter (where days.class_date > ${date}), 0)::int`
  const { rows } = await tx.execute<ClassCounts>(sql`
    select c.student_id, counts.classes, counts.recent_classes from ${buildRankHolderRows(rankHolders)}
    cross join lateral (
      select ${countAfter(sql`c.since`)} as classes, ${countAfter(recentFrom)} as recent_classes
      from (${days}) days
    ) counts`)
  return new Map(rows.map((row) => [row.student_id, row]))
}

async function findClassesOfOtherStyles(tx: Tx, styleId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: classStyles.class_id })
    .from(classStyles)
    .groupBy(classStyles.class_id)
    .having(sql`bool_and(${classStyles.style_id} <> ${styleId})`)
  return pluck(rows, 'id')
}

/** Returns how many classes a student will have on `day` at the present pace. */
export function projectClasses(counts: ClassCounts, today: string, day: string): number {
  const daysAhead = Math.max(0, daysBetween(today, day))
  return counts.classes + Math.floor((counts.recent_classes * daysAhead) / PACE_DAYS)
}

export type MetRequirements = {
  student_id: string
  checked_skills: string[]
  is_approved: boolean
  has_paid: boolean
}

/** Reads which requirements of the next rank students have met. The fee counts as paid if it was
 *  waived, or if nothing is owed for a belt test that was charged since the promotion. A charge
 *  that was undone does not count: its lines of kind `charge` add up to zero. */
export async function findMetRequirements(
  tx: Tx,
  rankHolders: readonly RankHolder[],
): Promise<Map<string, MetRequirements>> {
  const sumLines = (condition: SQL) => sql`(
    select coalesce(sum(l.amount), 0) from ${ledgerLines} l
    where l.charge_id = charge.id ${condition})`
  const nextSkills = sql`(select s.id from ${skills} s where s.rank_id = c.next_rank_id)`
  const { rows } = await tx.execute<MetRequirements>(sql`
    select c.student_id,
      array(
        select latest.skill_id from (
          select distinct on (k.skill_id) k.skill_id, k.is_checked from ${skillChecks} k
          where k.student_id = c.student_id and k.skill_id in ${nextSkills}
          order by k.skill_id, k.id desc
        ) latest where latest.is_checked
      )::text[] as checked_skills,
      exists (
        select from ${approvals} a where a.student_id = c.student_id
          and a.rank_id = c.next_rank_id and a.withdrawn_at is null
      ) as is_approved,
      exists (
        select from ${candidates} candidate where candidate.student_id = c.student_id
          and candidate.to_rank_id = c.next_rank_id and candidate.is_fee_waived
      ) or exists (
        select from ${charges} charge where charge.student_id = c.student_id
          and charge.kind = 'grading' and charge.charged_on > c.since
          and ${sumLines(sql``)} <= 0 and ${sumLines(sql`and l.kind = 'charge'`)} > 0
      ) as has_paid
    from ${buildRankHolderRows(rankHolders)} where c.next_rank_id is not null`)
  return new Map(rows.map((row) => [row.student_id, row]))
}

function buildRankHolderRows(rankHolders: readonly RankHolder[]): SQL {
  const column = (name: keyof RankHolder) => sql.param(pluck(rankHolders, name))
  return sql`unnest(${column('student_id')}::uuid[], ${column('since')}::date[],
    ${column('next_rank_id')}::uuid[], ${column('max_classes_a_day')}::int[])
    as c (student_id, since, next_rank_id, a_day)`
}
