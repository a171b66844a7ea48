import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import {
  RECENT_ACT_DAYS,
  MAX_RECENT_ACTS,
  type PromotionAct,
} from '@tatami/contract/belts/promotions'
import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import { now } from '../lib/clock.ts'
import { instructors } from '../sensei/tables.ts'
import { students } from '../students/tables.ts'
import { toHeldRank } from './current-ranks.ts'
import { listStyles, findLadders, type LadderWithRanks, indexRanksById } from './styles.ts'
import { beltChanges } from './tables.ts'

type ActRow = {
  act_id: string
  changed_at: string
  given_by: string | null
  student_id: string
  name: string
  rank_id: string
  stripes: number
  is_corrected: boolean
}

export async function listRecentActs(tx: Tx): Promise<PromotionAct[]> {
  const earliest = new Date(now().getTime() - RECENT_ACT_DAYS * DAY_MS).toISOString()
  const rows = await findActRows(tx, earliest)
  const ladders: LadderWithRanks[] = []
  for (const style of await listStyles(tx)) ladders.push(...(await findLadders(tx, style.id)))
  const ranks = indexRanksById(ladders)
  const acts = new Map<string, PromotionAct>()
  for (const { act_id, changed_at, given_by, ...row } of rows) {
    const rank = ranks.get(row.rank_id)
    if (!rank) continue
    const act = acts.get(act_id) ?? {
      act_id,
      changed_at: new Date(changed_at).toISOString(),
      given_by,
      students: [],
    }
    act.students.push({
      student_id: row.student_id,
      name: row.name,
      rank: toHeldRank({ rank, stripes: row.stripes }),
      is_corrected: row.is_corrected,
    })
    acts.set(act_id, act)
  }
  return [...acts.values()]
}

async function findActRows(tx: Tx, earliest: string): Promise<ActRow[]> {
  const { rows } = await tx.execute<ActRow>(sql`
    with act as (
      select c.act_id, max(c.changed_at) as changed_at from ${beltChanges} c
      where c.act_id is not null and c.rank_id is not null and c.undoes is null
        and c.changed_at >= ${earliest}::timestamptz
      group by c.act_id order by max(c.changed_at) desc limit ${MAX_RECENT_ACTS}
    )
    select act.act_id, act.changed_at, i.name as given_by, c.student_id, s.name,
      c.rank_id, c.stripes,
      exists (select from ${beltChanges} u where u.undoes = c.id) as is_corrected
    from act
      join ${beltChanges} c
        on c.act_id = act.act_id and c.rank_id is not null and c.undoes is null
      join ${students} s on s.id = c.student_id left join ${instructors} i on i.id = c.changed_by
    order by act.changed_at desc, act.act_id, s.name, c.id`)
  return rows
}
