import { sql } from 'drizzle-orm'
import { asOverseer, type Tx } from '../../db/database.ts'
import { enqueue, dequeue } from '../../db/queue.ts'
import { type Claimed, claimIn, OPEN, type Open } from './claim.ts'
import { lineUpAgain } from './queue.ts'

/** The queue in which whoever comes first looks after what time has made due. */
export const FOLLOW_UP = 'follow-up'
const DUE_AT_ONCE = 2_000,
  AGAIN_SECONDS = 2

type Due = { state: Open; dojo_id: string }

/** The dojos that have something due, by its state, found by hopping over the index from dojo to dojo. */
async function allDue(tx: Tx): Promise<Due[]> {
  const first = sql`m.due_at <= clock_timestamp() order by m.dojo_id limit 1`
  const states = sql.join(
    OPEN.map((state) => sql`(${state}::text)`),
    sql`, `,
  )
  const { rows } = await asOverseer(tx, (over) =>
    over.execute<Due>(sql`
    with recursive hop as (
      select state, (select m.dojo_id from messages m where m.state = s.state and ${first}) as dojo_id from (values ${states}) s(state)
      union all
      select state, (select m.dojo_id from messages m where m.state = hop.state and m.dojo_id > hop.dojo_id and ${first})
      from hop where dojo_id is not null
    ) select state, dojo_id from hop where dojo_id is not null limit ${DUE_AT_ONCE}`),
  )
  return rows
}

type FollowUp = { doubts: Claimed[]; unsettled: Claimed[] }

/**
 * What time has made due, looked after by one server at a time: texts that are due though their dojo has no turn (put back, or their
 * turn was lost) get it a new one. Answers, as many as there is room for, texts of which nobody knows whether they left, and texts at
 * the provider whose status is to be asked for.
 */
export async function claimFollowUp(tx: Tx, room: { doubts: number; unsettled: number }): Promise<FollowUp> {
  if ((await dequeue(tx, FOLLOW_UP, 1)).length === 0) return { doubts: [], unsettled: [] }
  const due = await allDue(tx)
  await lineUpAgain(
    tx,
    due.filter(({ state }) => state === 'queued').map(({ dojo_id }) => dojo_id),
  )
  const claimAmong = async (states: Open[], most: number) => {
    const among = due.filter(({ state }) => states.includes(state)).slice(0, most),
      claimed: Claimed[] = []
    for (const { state, dojo_id } of among) claimed.push(...(await claimIn(tx, dojo_id, state, Math.floor(most / among.length))))
    return claimed
  }
  const doubts = await claimAmong(['sending', 'in_doubt'], room.doubts)
  const unsettled = await claimAmong(['accepted', 'sent'], room.unsettled)
  const isBusy = doubts.length + unsettled.length > 0
  await enqueue(tx, FOLLOW_UP, [''], { inSeconds: isBusy ? 0 : AGAIN_SECONDS })
  return { doubts, unsettled }
}
