import type { Belt, HeldRank, PromotionKind } from '@tatami/contract/lib/ranks'
import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojos } from '../dojos/tables.ts'
import { pick, pluck } from '../lib/rows.ts'
import { isCurrentStudent, students } from '../students/tables.ts'
import { inStyle, selectCurrentRankChanges } from './current-rank-query.ts'
import { findLadderForAge, findRankForBelt } from './rank-for-belt.ts'
import {
  findMainStyle,
  findLadders,
  type RankRow,
  indexRanksById,
  type StyleRow,
} from './styles.ts'

type Style = Pick<StyleRow, 'id' | 'is_main'>

export type CurrentRank = {
  student_id: string
  rank: RankRow
  kind: PromotionKind | null
  stripes: number
  since: string
  /** Classes in this rank before the school used Tatami. */
  classes_before: number
  promotion_id: string | null
}

type CurrentRankRow = Omit<CurrentRank, 'rank'> & {
  rank_id: string | null
  belt_level: Belt
  date_of_birth: string | null
  time_zone: string
}

/** Returns the current rank of each student, or of all students if `studentIds` is null. A student
 *  without a rank in the history gets one in the main style, which fits their belt and age. In
 *  other styles, such a student has no rank. */
export async function findCurrentRanks(
  tx: Tx,
  style: Style,
  studentIds: readonly string[] | null,
): Promise<Map<string, CurrentRank>> {
  const [rows, ladders] = await Promise.all([
    findRankRows(tx, style, studentIds),
    findLadders(tx, style.id),
  ])
  const ranks = indexRanksById(ladders)
  const currentRanks = new Map<string, CurrentRank>()
  for (const { rank_id, belt_level, date_of_birth, time_zone, ...row } of rows) {
    const findRankFromBelt = () => {
      const ladder = findLadderForAge(ladders, todayIn(time_zone), date_of_birth)
      return findRankForBelt(ladder?.ranks ?? [], belt_level)
    }
    const rank = ranks.get(rank_id ?? '') ?? findRankFromBelt()
    if (rank) currentRanks.set(row.student_id, { ...row, rank })
  }
  return currentRanks
}

async function findRankRows(
  tx: Tx,
  { id, is_main }: Style,
  studentIds: readonly string[] | null,
): Promise<CurrentRankRow[]> {
  const isRequestedStudent = (studentId: SQL) =>
    studentIds === null ? sql`true` : sql`${studentId} = any(${sql.param(studentIds)}::uuid[])`
  const { rows } = await tx.execute<CurrentRankRow>(sql`
    with current as materialized (
      ${selectCurrentRankChanges(isRequestedStudent(sql`c.student_id`), inStyle(sql`${id}::uuid`, is_main))}
    )
    select s.id as student_id, current.rank_id, current.kind, current.id as promotion_id,
      coalesce(current.belt_level, s.belt_level) as belt_level, s.date_of_birth::text, d.time_zone,
      coalesce(current.stripes, 0) as stripes,
      coalesce(current.classes_before, 0) as classes_before,
      coalesce(current.given_on, (s.created_at at time zone d.time_zone)::date)::text as since
    from ${students} s
    join ${dojos} d on d.id = s.dojo_id
    left join current on current.student_id = s.id
    where ${isRequestedStudent(sql`s.id`)} ${is_main ? sql`` : sql`and current.id is not null`}`)
  return rows
}

/** Leaves out former students, because lists and counts do not show them. */
export async function findRanksOfCurrentStudents(
  tx: Tx,
  style: Style,
): Promise<Map<string, CurrentRank>> {
  const rows = await tx.select({ id: students.id }).from(students).where(isCurrentStudent)
  return findCurrentRanks(tx, style, pluck(rows, 'id'))
}

/** Reads the ranks of the main style, which screens show. Empty if the dojo never changed its
 *  belts. */
export async function readShownRanks(
  tx: Tx,
  studentIds: readonly string[] | null,
): Promise<Map<string, HeldRank>> {
  const mainStyle = await findMainStyle(tx)
  const currentRanks = mainStyle ? await findCurrentRanks(tx, mainStyle, studentIds) : []
  return new Map([...currentRanks].map(([id, currentRank]) => [id, toHeldRank(currentRank)]))
}

export const toHeldRank = ({ rank, stripes }: Pick<CurrentRank, 'rank' | 'stripes'>): HeldRank => ({
  ...toShownRank(rank),
  stripes,
})

export const toShownRank = (rank: RankRow) =>
  pick(rank, 'id', 'name', 'colours', 'pattern', 'tags_count', 'tags_colour')
