import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import {
  RECENT_BATCH_DAYS,
  MAX_RECENT_BATCHES,
  type PromotionBatch,
} from '@tatami/contract/belts/promotions'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { now } from '../lib/clock.ts'
import { instructors } from '../sensei/tables.ts'
import { students } from '../students/tables.ts'
import { toHeldRank } from './current-ranks.ts'
import { listStyles, findLadders, type LadderWithRanks, indexRanksById } from './styles.ts'
import { beltChanges } from './tables.ts'

type PromotionRow = {
  act_id: string
  changed_at: string
  given_by: string | null
  student_id: string
  name: string
  rank_id: string
  stripes: number
  is_corrected: boolean
}

export async function listRecentBatches(tx: Tx): Promise<PromotionBatch[]> {
  const earliest = new Date(now().getTime() - RECENT_BATCH_DAYS * DAY_MS).toISOString()
  const rows = await findPromotionRows(tx, earliest)
  const ladders: LadderWithRanks[] = []
  for (const style of await listStyles(tx)) ladders.push(...(await findLadders(tx, style.id)))
  const ranks = indexRanksById(ladders)
  const batches = new Map<string, PromotionBatch>()
  for (const { act_id, changed_at, given_by, ...row } of rows) {
    const rank = ranks.get(row.rank_id)
    if (!rank) continue
    const batch = batches.get(act_id) ?? {
      act_id,
      changed_at: new Date(changed_at).toISOString(),
      given_by,
      students: [],
    }
    batch.students.push({
      student_id: row.student_id,
      name: row.name,
      rank: toHeldRank({ rank, stripes: row.stripes }),
      is_corrected: row.is_corrected,
    })
    batches.set(act_id, batch)
  }
  return [...batches.values()]
}

async function findPromotionRows(tx: Tx, earliest: string): Promise<PromotionRow[]> {
  const { rows } = await tx.execute<PromotionRow>(sql`
    with batch as (
      select c.act_id, max(c.changed_at) as changed_at from ${beltChanges} c
      where c.act_id is not null and c.rank_id is not null and c.undoes is null
        and c.changed_at >= ${earliest}::timestamptz
      group by c.act_id order by max(c.changed_at) desc limit ${MAX_RECENT_BATCHES}
    )
    select batch.act_id, batch.changed_at, i.name as given_by, c.student_id, s.name,
      c.rank_id, c.stripes,
      exists (select from ${beltChanges} u where u.undoes = c.id) as is_corrected
    from batch
      join ${beltChanges} c
        on c.act_id = batch.act_id and c.rank_id is not null and c.undoes is null
      join ${students} s on s.id = c.student_id left join ${instructors} i on i.id = c.changed_by
    order by batch.changed_at desc, batch.act_id, s.name, c.id`)
  return rows
}
