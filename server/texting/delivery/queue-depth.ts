import { sql } from 'drizzle-orm'
import type { Tx } from '../../db/database.ts'

const QUEUED_STATES = ['waiting', 'queued', 'sending', 'in_doubt'] as const
export type QueueDepth = {
  state: (typeof QUEUED_STATES)[number]
  texts: number
  overdueSeconds: number
}

/** For the overseer: how many texts of all dojos are not at the provider yet, by state, and for how many seconds the first of them has been
 *  due. Texts that share another's row are not counted. Reads the partial indexes `messages_due` and `messages_waiting` only. */
export async function queueDepth(over: Tx): Promise<QueueDepth[]> {
  const { rows } = await over.execute<{ state: string; texts: number; overdue: number }>(sql`
    select state, count(*)::int as texts, greatest(0, extract(epoch from clock_timestamp() - min(due_at)))::float8 as overdue
      from messages where state in ('queued', 'sending', 'in_doubt') and due_at is not null group by state
    union all select 'waiting', count(*)::int, 0 from messages where state = 'waiting' and sent_with is null`)
  return QUEUED_STATES.map((state) => {
    const row = rows.find((one) => one.state === state)
    return { state, texts: row?.texts ?? 0, overdueSeconds: row?.overdue ?? 0 }
  })
}
