import type { Belt } from '@tatami/contract/lib/ranks'
import { equalsAny, inChunks } from '../db/bulk.ts'
import type { Tx } from '../db/database.ts'
import type { DojoCaller } from '../http/serve.ts'
import { students } from '../students/tables.ts'
import { type CurrentRank, findCurrentRanks } from './current-ranks.ts'
import { writeBeltLevels } from './history.ts'
import { findLadders, type RankRow, indexRanksById, type StyleRow } from './styles.ts'
import { beltChanges } from './tables.ts'
import { pick, pluck } from '../lib/rows.ts'

/** Runs `changeLadders`, after which all students still have their ranks. A student without a
 *  history has the rank that fits their belt. If the new ladders would change this rank, the old
 *  one is added to their history. */
export async function preserveRanks<Result>(
  tx: Tx,
  caller: Pick<DojoCaller, 'id'>,
  style: StyleRow,
  changeLadders: (ranksByStudent: Map<string, CurrentRank>) => Promise<Result>,
): Promise<Result> {
  const ranksBefore = await findCurrentRanks(tx, style, null)
  const result = await changeLadders(ranksBefore)
  const ranksAfter = await findCurrentRanks(tx, style, null)
  const ranksById = indexRanksById(await findLadders(tx, style.id))
  const keptRanks: Conversion[] = []
  for (const currentRank of ranksBefore.values()) {
    const oldRank = currentRank.rank
    const rank = ranksById.get(oldRank.id)
    if (rank) keptRanks.push({ ...currentRank, rank, oldRank })
  }
  const conversions = keptRanks.filter(
    ({ student_id, rank }) => ranksAfter.get(student_id)?.rank.id !== rank.id,
  )
  await writeConversions(tx, caller, style, conversions, null)
  const ranksWithNewLevel = keptRanks.filter(
    (keptRank) => keptRank.rank.belt_level !== keptRank.oldRank.belt_level,
  )
  const ids = [...conversions, ...ranksWithNewLevel].map(({ student_id }) => student_id)
  if (style.is_main && ids.length > 0) await writeBeltLevels(tx, ids)
  return result
}

type Conversion = CurrentRank & { oldRank: RankRow }

/** Adds conversions to students' histories. Students keep their promotion day, their classes and as
 *  many stripes as the rank allows. */
export async function writeConversions(
  tx: Tx,
  caller: Pick<DojoCaller, 'id'>,
  style: StyleRow,
  conversions: Conversion[],
  act_id: string | null,
): Promise<void> {
  const belts = style.is_main ? await findBeltLevels(tx, conversions) : new Map<string, Belt>()
  const rows = conversions.map(({ student_id, rank, oldRank, since, stripes, classes_before }) => ({
    student_id,
    act_id,
    classes_before,
    given_on: since,
    style_id: style.id,
    rank_id: rank.id,
    kind: 'conversion' as const,
    belt_level: rank.belt_level,
    previous_belt: belts.get(student_id) ?? oldRank.belt_level,
    changed_by: caller.id,
    stripes: Math.min(stripes, rank.stripes),
  }))
  await inChunks(rows, (chunk) => tx.insert(beltChanges).values(chunk))
}

async function findBeltLevels(tx: Tx, currentRanks: CurrentRank[]): Promise<Map<string, Belt>> {
  const ids = pluck(currentRanks, 'student_id')
  const rows = await tx
    .select(pick(students, 'id', 'belt_level'))
    .from(students)
    .where(equalsAny(students.id, ids))
  return new Map(rows.map(({ id, belt_level }) => [id, belt_level]))
}
