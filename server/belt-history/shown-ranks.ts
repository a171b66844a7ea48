import type { Belt, HeldRank, RankColour, RankPattern } from '@tatami/contract/ranks'
import { type SQL, sql } from 'drizzle-orm'
import { ladders, ranks } from '../belts/tables.ts'
import type { Tx } from '../db/database.ts'
import { prepared } from '../db/prepared.ts'
import { idsIn, numberOrNull, readTextRows, textOrNull, textRows } from '../db/text-rows.ts'
import { todayIn } from '../dojos/calendar.ts'
import { dojos } from '../dojos/tables.ts'
import { students } from '../students/tables.ts'
import { inMainStyle, joinLastChanges, mainStyleId } from './last-change.ts'
import { ladderForAge, rankOfLevel } from './rank-of-level.ts'

const heldColumns = {
  student_id: sql`s.id`,
  rank_id: sql`head.rank_id`,
  belt_level: sql`s.belt_level`,
  date_of_birth: sql`s.date_of_birth`,
  stripes: sql`coalesce(stripe.stripes, head.stripes, 0)`,
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

/** Two columns for a statement about students, read by `readShownRanks`: who holds which rank, of those students `s` whom `which` names, and the
 *  ranks. Both are null where the dojo has no styles, and nothing is looked up. */
export const shownRanksOf = (which: SQL): SQL => sql`
  case when ${mainStyleId} is not null then (select ${textRows(heldColumns)} from ${students} s
    ${joinLastChanges(inMainStyle)} where ${which}) end as held,
  case when ${mainStyleId} is not null then (select ${textRows(rankColumns, sql`${ladders.created_at}, ${ladders.id}, ${ranks.place}`)}
    from ${ladders} join ${ranks} on ${ranks.ladder_id} = ${ladders.id} where ${ladders.style_id} = ${mainStyleId}) end as drawn`

export type FoundRanks = { held: string | null; drawn: string | null }
export const NO_RANKS: FoundRanks = { held: null, drawn: null }

/** The ranks held in the main style by student, on the dojo's today; empty where the dojo has no styles. */
export function readShownRanks({ held, drawn }: FoundRanks, today: string): Map<string, HeldRank> {
  const all = readTextRows(rankColumns, drawn, rankIn)
  const byId = new Map(all.map((rank) => [rank.id, rank]))
  const laddersOldestFirst = [...Map.groupBy(all, ({ ladder }) => ladder.id).values()].map((its) => ({ ...its[0]!.ladder, ranks: its }))
  const found = readTextRows(heldColumns, held, (row, at): [string, HeldRank | undefined] => {
    const ladder = () => ladderForAge(laddersOldestFirst, today, textOrNull(row[at.date_of_birth]))
    const rank = byId.get(row[at.rank_id]!) ?? rankOfLevel(ladder()?.ranks ?? [], row[at.belt_level] as Belt)
    return [row[at.student_id]!, rank && { ...rank.shown, stripes: Number(row[at.stripes]) }]
  })
  return new Map(found.filter((one): one is [string, HeldRank] => one[1] !== undefined))
}

const rankIn = (row: string[], at: Record<keyof typeof rankColumns, number>) => ({
  id: row[at.id]!,
  belt_level: row[at.belt_level] as Belt,
  retired_at: textOrNull(row[at.retired_at]),
  ladder: {
    id: row[at.ladder_id]!,
    min_age: numberOrNull(row[at.min_age]),
    max_age: numberOrNull(row[at.max_age]),
    age_counts: row[at.age_counts] as 'birthday' | 'calendar_year',
    retired_at: textOrNull(row[at.ladder_retired]),
  },
  shown: {
    id: row[at.id]!,
    name: row[at.name]!,
    colours: idsIn(row[at.colours]) as RankColour[],
    pattern: row[at.pattern] as RankPattern,
    tags_count: Number(row[at.tags_count]),
    tags_colour: textOrNull(row[at.tags_colour]) as RankColour | null,
  },
})

type Found = FoundRanks & { time_zone: string }
const dojosOwn = sql`(select d.time_zone from ${dojos} d where d.id = current_setting('app.dojo_id')::uuid) as time_zone`
const findOfAll = prepared<Record<string, never>, Found>('find_shown_ranks', sql`select ${shownRanksOf(sql`true`)}, ${dojosOwn}`)
const findOfSome = prepared<{ ids: string[] }, Found>(
  'find_shown_ranks_of',
  sql`select ${shownRanksOf(sql`s.id = any(${sql.placeholder('ids')}::uuid[])`)}, ${dojosOwn}`,
)

/** The rank that each of these students, or everybody, is shown with: the one of the main style. Empty where the dojo has no styles. */
export async function shownRanks(tx: Tx, studentIds: string[] | null): Promise<Map<string, HeldRank>> {
  const [found] = studentIds === null ? await findOfAll(tx, {}) : await findOfSome(tx, { ids: studentIds })
  return readShownRanks(found!, todayIn(found!.time_zone))
}
