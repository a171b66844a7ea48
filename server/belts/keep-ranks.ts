import type { Belt } from '@tatami/contract/lib/ranks'
import { equalsAny, inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import type { Member } from '../http/serve.ts'
import { students } from '../students/tables.ts'
import { type CurrentRank, heldRanks } from './held-ranks.ts'
import { writeBeltLevels } from './history.ts'
import { laddersOf, type RankRow, ranksById, type StyleRow } from './styles.ts'
import { beltChanges } from './tables.ts'
import { pick, pluck } from '../lib/rows.ts'

/** Runs `work`, which changes the ladders of a style, and keeps everybody's rank. A student who
 *  had a rank only by their belt, and would now get another, gets a row of history that names
 *  it. */
export async function keepRanks<T>(
  tx: Tx,
  caller: Pick<Member, 'id'>,
  style: StyleRow,
  work: (held: Map<string, CurrentRank>) => Promise<T>,
): Promise<T> {
  const ranksBefore = await heldRanks(tx, style, null)
  const result = await work(ranksBefore)
  const ranksAfter = await heldRanks(tx, style, null)
  const drawnRanks = ranksById(await laddersOf(tx, style.id))
  const keptRanks = [...ranksBefore.values()].flatMap((currentRank) => {
    const rank = drawnRanks.get(currentRank.rank.id)
    return rank ? [{ ...currentRank, rank, before: currentRank.rank }] : []
  })
  const conversions = keptRanks.filter(
    ({ student_id, rank }) => ranksAfter.get(student_id)?.rank.id !== rank.id,
  )
  await writeConversions(tx, caller, style, conversions, null)
  const relevelledRanks = keptRanks.filter(
    (keptRank) => keptRank.rank.belt_level !== keptRank.before.belt_level,
  )
  const ids = [...conversions, ...relevelledRanks].map(({ student_id }) => student_id)
  if (style.is_main && ids.length > 0) await writeBeltLevels(tx, ids)
  return result
}

type Conversion = CurrentRank & { before: RankRow }

/** Students keep the day, their classes and as many stripes as the new rank may have. */
export async function writeConversions(
  tx: Tx,
  caller: Pick<Member, 'id'>,
  style: StyleRow,
  conversions: Conversion[],
  act_id: string | null,
): Promise<void> {
  const belts = style.is_main ? await beltLevelsOf(tx, conversions) : new Map<string, Belt>()
  const rows = conversions.map(({ student_id, rank, before, since, stripes, classes_before }) => ({
    student_id,
    act_id,
    classes_before,
    given_on: since,
    style_id: style.id,
    rank_id: rank.id,
    kind: 'conversion' as const,
    belt_level: rank.belt_level,
    previous_belt: belts.get(student_id) ?? before.belt_level,
    changed_by: caller.id,
    stripes: Math.min(stripes, rank.stripes),
  }))
  await inChunks(rows, (chunk) => tx.insert(beltChanges).values(chunk))
}

async function beltLevelsOf(tx: Tx, currentRanks: CurrentRank[]): Promise<Map<string, Belt>> {
  const ids = pluck(currentRanks, 'student_id')
  const rows = await tx
    .select(pick(students, 'id', 'belt_level'))
    .from(students)
    .where(equalsAny(students.id, ids))
  return new Map(rows.map(({ id, belt_level }) => [id, belt_level]))
}
