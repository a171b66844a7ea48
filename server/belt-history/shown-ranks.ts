import type { Belt, HeldRank, RankColour, RankPattern } from '@tatami/contract/ranks'
import { type SQL, sql } from 'drizzle-orm'
import { ladders, ranks } from '../belts/tables.ts'
import { equalsAny } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import { prepared } from '../db/prepared.ts'
import {
  type ReadColumns,
  idsIn,
  numberOrNull,
  readTextRows,
  textColumns,
  textOrNull,
} from '../db/text-columns.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojos } from '../dojos/tables.ts'
import { students } from '../students/tables.ts'
import { inMainStyle, lastChanges, mainStyleId } from './last-change.ts'
import { ladderForAge, rankOfLevel } from './rank-of-level.ts'

const heldColumns = {
  student_id: sql`held.student_id`,
  rank_id: sql`held.rank_id`,
  stripes: sql`held.stripes`,
}
const rankColumns = {
  ladder_id: ladders.id,
  min_age: ladders.min_age,
  max_age: ladders.max_age,
  age_counts: ladders.age_counts,
  ladder_retired: ladders.retired_at,
  id: ranks.id,
  name: ranks.name,
  colours: ranks.colours,
  pattern: ranks.pattern,
  tags_count: ranks.tags_count,
  tags_colour: ranks.tags_colour,
  belt_level: ranks.belt_level,
  retired_at: ranks.retired_at,
}

/** Two columns for a statement about students, read by `readShownRanks`: what is held by those whom `which` names by `c.student_id`, and the ranks.
 *  Both are null where the dojo has no styles, and nothing is looked up. */
export const shownRanksOf = (which: SQL): SQL => sql`
  case when ${mainStyleId} is not null then (select ${textColumns(heldColumns)} from (${lastChanges(which, inMainStyle)}) held) end as held,
  case when ${mainStyleId} is not null then (select ${textColumns(rankColumns, sql`${ladders.created_at}, ${ladders.id}, ${ranks.place}`)}
    from ${ladders} join ${ranks} on ${ranks.ladder_id} = ${ladders.id} where ${ladders.style_id} = ${mainStyleId}) end as drawn`

export type FoundRanks = { held: string | null; drawn: string | null }
export const NO_RANKS: FoundRanks = { held: null, drawn: null }

type Person = { id: string; belt_level: Belt; date_of_birth: string | null }

/** Says the rank that somebody has in the main style, on the dojo's today; null where the dojo has no styles. */
export function readShownRanks(
  { held, drawn }: FoundRanks,
  today: string,
): (person: Person) => HeldRank | null {
  const all = readTextRows(rankColumns, drawn, rankIn)
  const byId = new Map(all.map((rank) => [rank.id, rank]))
  const laddersOldestFirst = [...Map.groupBy(all, ({ ladder }) => ladder.id).values()].map(
    (its) => ({ ...its[0]!.ladder, ranks: its }),
  )
  const heldBy = new Map(
    readTextRows(heldColumns, held, (of, row) => [
      of.student_id[row]!,
      { rank_id: of.rank_id[row]!, stripes: Number(of.stripes[row]) },
    ]),
  )
  return ({ id, belt_level, date_of_birth }) => {
    if (all.length === 0) return null
    const { rank_id = '', stripes = 0 } = heldBy.get(id) ?? {}
    const byLevel = () =>
      rankOfLevel(ladderForAge(laddersOldestFirst, today, date_of_birth)?.ranks ?? [], belt_level)
    const rank = byId.get(rank_id) ?? byLevel()
    return rank ? { ...rank.shown, stripes } : null
  }
}

const rankIn = (of: ReadColumns<typeof rankColumns>, row: number) => ({
  id: of.id[row]!,
  belt_level: of.belt_level[row] as Belt,
  retired_at: textOrNull(of.retired_at[row]),
  ladder: {
    id: of.ladder_id[row]!,
    min_age: numberOrNull(of.min_age[row]),
    max_age: numberOrNull(of.max_age[row]),
    age_counts: of.age_counts[row] as 'birthday' | 'calendar_year',
    retired_at: textOrNull(of.ladder_retired[row]),
  },
  shown: {
    id: of.id[row]!,
    name: of.name[row]!,
    colours: idsIn(of.colours[row]) as RankColour[],
    pattern: of.pattern[row] as RankPattern,
    tags_count: Number(of.tags_count[row]),
    tags_colour: textOrNull(of.tags_colour[row]) as RankColour | null,
  },
})

type Found = FoundRanks & { time_zone: string }
const dojosOwn = sql`(select d.time_zone from ${dojos} d where d.id = current_setting('app.dojo_id')::uuid) as time_zone`
const findRanks = prepared<{ ids: string[] }, Found>(
  'find_shown_ranks',
  sql`select ${shownRanksOf(sql`c.student_id = any(${sql.placeholder('ids')}::uuid[])`)}, ${dojosOwn}`,
)

/** The ranks that these students are shown with, those of the main style. Empty where the dojo has no styles. */
export async function shownRanks(tx: Tx, studentIds: string[]): Promise<Map<string, HeldRank>> {
  const [found] = await findRanks(tx, { ids: studentIds })
  if (found!.drawn === null) return new Map()
  const { id, belt_level, date_of_birth } = students
  const people = await tx
    .select({ id, belt_level, date_of_birth })
    .from(students)
    .where(equalsAny(students.id, studentIds))
  const rankOf = readShownRanks(found!, todayIn(found!.time_zone))
  return new Map(
    people
      .map((person) => [person.id, rankOf(person)] as const)
      .filter((one): one is [string, HeldRank] => one[1] !== null),
  )
}
