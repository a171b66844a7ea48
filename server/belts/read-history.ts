import type { Belt } from '@tatami/contract/lib/ranks'
import type { StudentBelts } from '@tatami/contract/belts/readiness'
import { sql } from 'drizzle-orm'
import { inStyle, newestFirst } from './current-rank-query.ts'
import { findLadderForAge, findRankForBelt } from './rank-for-belt.ts'
import type { Tx } from '../db/database.ts'
import { pick } from '../lib/rows.ts'
import { instructors } from '../sensei/tables.ts'
import { toHeldRank } from './current-ranks.ts'
import { SEVEN_BELTS_ID } from './ladder-templates.ts'
import type { StudentProgress } from './student-progress.ts'
import { findLadders, type LadderWithRanks, type RankRow, type StyleRow } from './styles.ts'
import { beltChanges } from './tables.ts'

export type HistoryRow = StudentBelts['styles'][number]['history'][number]
type Change = Omit<HistoryRow, 'rank' | 'is_corrected' | 'may_undo'> & {
  student_id: string
  rank_id: string | null
  belt_level: Belt
  stripes: number
  is_undone: boolean
}

export async function readHistories(
  tx: Tx,
  style: StyleRow,
  progressRows: readonly StudentProgress[],
  today: string,
): Promise<Map<string, HistoryRow[]>> {
  const changes = await findChanges(tx, style, progressRows)
  const ladders = await findLadders(tx, style.id)
  const changesByStudent = Map.groupBy(changes, ({ student_id }) => student_id)
  const histories = new Map<string, HistoryRow[]>()
  for (const progress of progressRows) {
    const { id } = progress.student
    const studentChanges = changesByStudent.get(id) ?? []
    const newestChange = studentChanges.find(({ is_undone }) => !is_undone)
    const historyRows = studentChanges.map((change) => ({
      ...pick(change, 'id', 'kind', 'given_on', 'examiner', 'act_id', 'given_by', 'waived', 'note'),
      rank: toHeldRank({
        rank: findRankOfChange(change, progress, ladders, today),
        stripes: change.stripes,
      }),
      is_corrected: change.is_undone,
      may_undo: change === newestChange && change.kind !== 'start',
    }))
    histories.set(id, historyRows)
  }
  return histories
}

async function findChanges(
  tx: Tx,
  { id, is_main }: StyleRow,
  progressRows: readonly StudentProgress[],
): Promise<Change[]> {
  const ids = progressRows.map(({ student }) => student.id)
  const { rows } = await tx.execute<Change>(sql`
    select c.id, c.student_id, c.kind, c.rank_id, c.belt_level, c.stripes, c.given_on::text,
      c.examiner, c.act_id, i.name as given_by, c.waived, c.note,
      exists (select from ${beltChanges} u where u.undoes = c.id) as is_undone
    from ${beltChanges} c left join ${instructors} i on i.id = c.changed_by
    where c.student_id = any(${sql.param(ids)}::uuid[]) and c.undoes is null
      and ${inStyle(sql`${id}::uuid`, is_main)}
    order by ${newestFirst}`)
  return rows
}

/** A change without a `rank_id` gave one of the seven belts. */
function findRankOfChange(
  { id, rank_id, belt_level }: Change,
  { currentRank, student }: StudentProgress,
  ladders: LadderWithRanks[],
  today: string,
): RankRow {
  if (id === currentRank.promotion_id) return currentRank.rank
  const rank = ladders.flatMap(({ ranks }) => ranks).find((ladderRank) => ladderRank.id === rank_id)
  if (rank) return rank
  const sevenBelts = ladders.find(({ template }) => template === SEVEN_BELTS_ID)
  const ladder = sevenBelts ?? findLadderForAge(ladders, today, student.date_of_birth)
  return findRankForBelt(ladder?.ranks ?? [], belt_level) ?? currentRank.rank
}
