import { type HeldRank, shownRank } from '@tatami/contract/lib/ranks'
import { eq, sql } from 'drizzle-orm'
import { ladders, ranks } from './tables.ts'
import { sharedColumns } from '../db/columns.ts'
import type { Tx } from '../db/database.ts'
import type { students } from '../students/tables.ts'
import { inMainStyle, lastChanges, mainStyleId } from './last-change.ts'
import { ladderForAge, rankOfLevel } from './rank-of-level.ts'

type RankRow = Awaited<ReturnType<typeof findMainRanks>>[number]
type LastChange = { student_id: string; rank_id: string | null; stripes: number }
type Person = Pick<typeof students.$inferSelect, 'id' | 'belt_level' | 'date_of_birth'>
type RankOf = (person: Person) => HeldRank | null

/** Reads what these students, or all, hold in the main style. The function that comes back says with which rank a student is shown on the
 *  dojo's today; null where the dojo has no styles. */
export async function readShownRanks(
  tx: Tx,
  today: string,
  studentIds?: readonly string[],
): Promise<RankOf> {
  const mainRanks = await findMainRanks(tx)
  if (mainRanks.length === 0) return () => null
  const rankById = new Map(mainRanks.map((rank) => [rank.shown.id, rank]))
  const laddersOldestFirst = groupByLadder(mainRanks)
  const lastChangeByStudent = await findLastChanges(tx, studentIds)
  return ({ id, belt_level, date_of_birth }) => {
    const lastChange = lastChangeByStudent.get(id)
    const ladder = ladderForAge(laddersOldestFirst, today, date_of_birth)
    const rank =
      rankById.get(lastChange?.rank_id ?? '') ?? rankOfLevel(ladder?.ranks ?? [], belt_level)
    return rank ? { ...rank.shown, stripes: lastChange?.stripes ?? 0 } : null
  }
}

/** The ranks of the main style, those of the oldest ladder first. */
const findMainRanks = (tx: Tx) =>
  tx
    .select({
      shown: sharedColumns(ranks, shownRank),
      belt_level: ranks.belt_level,
      retired_at: ranks.retired_at,
      ladder: ladders,
    })
    .from(ladders)
    .innerJoin(ranks, eq(ranks.ladder_id, ladders.id))
    .where(eq(ladders.style_id, mainStyleId))
    .orderBy(ladders.created_at, ladders.id, ranks.place)

const groupByLadder = (mainRanks: RankRow[]) =>
  [...Map.groupBy(mainRanks, ({ ladder }) => ladder.id).values()].flatMap((ladderRanks) =>
    ladderRanks.slice(0, 1).map(({ ladder }) => ({ ...ladder, ranks: ladderRanks })),
  )

async function findLastChanges(
  tx: Tx,
  studentIds: readonly string[] | undefined,
): Promise<Map<string, LastChange>> {
  const isAsked = studentIds ? sql`c.student_id = any(${sql.param(studentIds)}::uuid[])` : sql`true`
  const { rows } = await tx.execute<LastChange>(
    sql`select student_id, rank_id, stripes from (${lastChanges(isAsked, inMainStyle)}) held`,
  )
  return new Map(rows.map((lastChange) => [lastChange.student_id, lastChange]))
}
