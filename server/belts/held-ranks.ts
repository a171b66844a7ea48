import type { Belt, HeldRank, PromotionKind } from '@tatami/contract/lib/ranks'
import { type SQL, sql } from 'drizzle-orm'
import { inStyle, lastChanges } from './last-change.ts'
import { ladderForAge, rankOfLevel } from './rank-of-level.ts'
import type { Tx } from '../db/database.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojos } from '../dojos/tables.ts'
import { pick } from '../lib/rows.ts'
import { students } from '../students/tables.ts'
import { laddersOf, type RankRow, ranksById } from './styles.ts'

type Style = { id: string; is_main: boolean }

/** The rank that somebody has in a style. `since` is the day on which it was given, or that of the enrolment; `classes_before` are those in the
 *  rank that were never marked here; `promotion_id` is the row of the history that gave it, null where there is none. */
export type CurrentRank = {
  student_id: string
  rank: RankRow
  /** How the rank was given; null where there is no row. */
  kind: PromotionKind | null
  stripes: number
  since: string
  classes_before: number
  promotion_id: string | null
}

type CurrentRankRow = Omit<CurrentRank, 'rank'> & {
  rank_id: string | null
  belt_level: Belt
  date_of_birth: string | null
  time_zone: string
}

/** The ranks that these students, or all of the dojo, have in a style. Everybody has one in the main style; in another one only who was given
 *  one. Where a row names no rank, because it is of the time before, the belt says it. */
export async function heldRanks(
  tx: Tx,
  style: Style,
  studentIds: string[] | null,
): Promise<Map<string, CurrentRank>> {
  const [rows, ladders] = await Promise.all([
    findHeld(tx, style, studentIds),
    laddersOf(tx, style.id),
  ])
  const byId = ranksById(ladders)
  const currentRanks = rows.map(
    ({ rank_id, belt_level, date_of_birth, time_zone, ...row }): CurrentRank | undefined => {
      const byLevel = () =>
        rankOfLevel(
          ladderForAge(ladders, todayIn(time_zone), date_of_birth)?.ranks ?? [],
          belt_level,
        )
      const rank = (rank_id === null ? undefined : byId.get(rank_id)) ?? byLevel()
      return rank && { ...row, rank }
    },
  )
  return new Map(
    currentRanks.filter((entry) => entry !== undefined).map((entry) => [entry.student_id, entry]),
  )
}

async function findHeld(
  tx: Tx,
  { id, is_main }: Style,
  studentIds: string[] | null,
): Promise<CurrentRankRow[]> {
  const isOne = (student: SQL) =>
    studentIds === null ? sql`true` : sql`${student} = any(${sql.param(studentIds)}::uuid[])`
  const { rows } = await tx.execute<CurrentRankRow>(sql`
    with head as materialized (${lastChanges(isOne(sql`c.student_id`), inStyle(sql`${id}::uuid`, is_main))})
    select s.id as student_id, head.rank_id, head.kind, coalesce(head.belt_level, s.belt_level) as belt_level, s.date_of_birth::text, d.time_zone,
      coalesce(head.stripes, 0) as stripes, coalesce(head.classes_before, 0) as classes_before, head.id as promotion_id,
      coalesce(head.given_on, (s.created_at at time zone d.time_zone)::date)::text as since
    from ${students} s join ${dojos} d on d.id = s.dojo_id left join head on head.student_id = s.id
    where ${isOne(sql`s.id`)} ${is_main ? sql`` : sql`and head.id is not null`}`)
  return rows
}

/** As it is shown and sent. */
export const heldRankOf = ({ rank, stripes }: Pick<CurrentRank, 'rank' | 'stripes'>): HeldRank => ({
  ...shownRankOf(rank),
  stripes,
})

export const shownRankOf = (rank: RankRow) =>
  pick(rank, 'id', 'name', 'colours', 'pattern', 'tags_count', 'tags_colour')
