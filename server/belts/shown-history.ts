import type { Belt } from '@tatami/contract/lib/ranks'
import type { StudentBelts } from '@tatami/contract/belts/readiness'
import { sql } from 'drizzle-orm'
import { inStyle, newestFirst } from './last-change.ts'
import { ladderForAge, rankOfLevel } from './rank-of-level.ts'
import type { Tx } from '../db/database.ts'
import { instructors } from '../sensei/tables.ts'
import { heldRankOf } from './held-ranks.ts'
import { SEVEN_BELTS } from './ladder-templates.ts'
import type { StudentProgress } from './standings.ts'
import {
  type LadderWithRanks,
  laddersOf,
  type RankRow,
  ranksById,
  type StyleRow,
} from './styles.ts'
import { beltChanges } from './tables.ts'

export type HistoryRow = StudentBelts['styles'][number]['history'][number]
type Change = Omit<HistoryRow, 'rank' | 'is_corrected' | 'may_undo'> & {
  student_id: string
  rank_id: string | null
  belt_level: Belt
  stripes: number
  is_undone: boolean
}

export async function historiesOf(
  tx: Tx,
  style: StyleRow,
  standings: readonly StudentProgress[],
  today: string,
): Promise<Map<string, HistoryRow[]>> {
  const [changes, ladders] = [
    await findChanges(tx, style, standings),
    await laddersOf(tx, style.id),
  ]
  const rankOf = ranksByChange(ladders, today)
  const ofStudent = Map.groupBy(changes, ({ student_id }) => student_id)
  return new Map(
    standings.map((standing) => {
      const ownChanges = ofStudent.get(standing.student.id) ?? []
      const newest = ownChanges.find(({ is_undone }) => !is_undone)
      return [
        standing.student.id,
        ownChanges.map((change) => ({
          ...toHistoryRow(change, rankOf(change, standing)),
          may_undo: change === newest && change.kind !== 'start',
        })),
      ]
    }),
  )
}

const toHistoryRow = (
  { is_undone, stripes, rank_id: _, belt_level: __, student_id: ___, ...row }: Change,
  rank: RankRow,
) => ({
  ...row,
  rank: heldRankOf({ rank, stripes }),
  is_corrected: is_undone,
})

async function findChanges(
  tx: Tx,
  { id, is_main }: StyleRow,
  standings: readonly StudentProgress[],
): Promise<Change[]> {
  const ids = standings.map(({ student }) => student.id)
  const { rows } = await tx.execute<Change>(sql`
    select c.id, c.student_id, c.kind, c.rank_id, c.belt_level, c.stripes, c.given_on::text,
      c.examiner, c.act_id, i.name as given_by, c.waived, c.note, exists (select from ${beltChanges} u where u.undoes = c.id) as is_undone
    from ${beltChanges} c left join ${instructors} i on i.id = c.changed_by
    where c.student_id = any(${sql.param(ids)}::uuid[]) and c.undoes is null
      and ${inStyle(sql`${id}::uuid`, is_main)}
    order by ${newestFirst}`)
  return rows
}

/** A row without a rank is one of the seven belts, even if there is another ladder now. */
function ranksByChange(ladders: LadderWithRanks[], today: string) {
  const byId = ranksById(ladders)
  const sevens = ladders.find(({ template }) => template === SEVEN_BELTS)
  return ({ id, rank_id, belt_level }: Change, { held, student }: StudentProgress): RankRow => {
    if (id === held.promotion_id) return held.rank
    const ladder = sevens ?? ladderForAge(ladders, today, student.date_of_birth)
    return (
      (rank_id === null ? undefined : byId.get(rank_id)) ??
      rankOfLevel(ladder?.ranks ?? [], belt_level) ??
      held.rank
    )
  }
}
