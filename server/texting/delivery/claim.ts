import { sql } from 'drizzle-orm'
import { insideDojo, type Tx } from '../../db/database.ts'
import { holdPace, spendSlots } from './rate-limit.ts'
import { takeAnother, takeTurns } from './queue.ts'

/** A claimed text leaves within this time or not at all. */
export const SEND_WITHIN_MS = 2_000
/** Longer than leaving and the longest call (twilio.ts) together: whoever claimed it has by then sent it or never will. */
const LEASE_SECONDS = 14

export type Claimed = {
  dojo_id: string
  id: string
  batch_id: string
  student_id: string
  phone: string
  text: string
  state: string
  claim: string
  claimed_at: string
  /** Since it was last claimed to be sent, by the database's clock. */
  claimed_seconds_ago: number
  updated_at: string
  unanswered: number
  provider_id: string | null
  allowance_day: string
  opted_out: boolean
}
/** The states in which a text is taken up again. */
export const OPEN = ['queued', 'sending', 'in_doubt', 'accepted', 'sent'] as const
export type Open = (typeof OPEN)[number]

/** A claim is `due_at` in the future: nobody else takes the text up before. One left by a server that died is in doubt from then on. */
export async function claimIn(tx: Tx, dojoId: string, state: Open, most: number): Promise<Claimed[]> {
  // Materialized: looked for anew for every row, as some plans would, the locked ones are skipped and the next ones come on top.
  const { rows } = await insideDojo(tx, dojoId, (inside) =>
    inside.execute<Claimed>(sql`
    with due as materialized (
      select id from messages where state = ${state} and due_at <= clock_timestamp() order by due_at, id limit ${most} for update skip locked
    )
    update messages set claim = gen_random_uuid(), due_at = clock_timestamp() + ${LEASE_SECONDS} * interval '1 second',
      claimed_at = case state when 'queued' then clock_timestamp() else claimed_at end,
      unanswered = case state when 'sending' then 0 else unanswered end,
      state = case state when 'queued' then 'sending' when 'sending' then 'in_doubt' else state end
    where id in (select id from due)
    returning *, allowance_day::text, extract(epoch from clock_timestamp() - claimed_at)::float8 as claimed_seconds_ago, exists (select from phone_opt_outs o where o.phone = messages.phone) as opted_out`),
  )
  return rows
}

type Texts = { claimed: Claimed[]; waitMs: number | null }

/** Texts to send now, as many as the pace allows, of the dojos whose turn it is. Answers how long until the next may leave, null when
 *  none is in line. */
export async function claimTexts(tx: Tx, perSecond: number, most: number): Promise<Texts> {
  const { slots, waitMs, perSecond: allowed } = await holdPace(tx, perSecond, most)
  if (slots === 0) return { claimed: [], waitMs }
  const turns = await takeTurns(tx, slots)
  if (turns.length === 0) return { claimed: [], waitMs: null }
  const claimed: Claimed[] = [],
    withMore: string[] = []
  for (const { dojoId, texts } of turns) {
    const ofDojo = await claimIn(tx, dojoId, 'queued', texts)
    claimed.push(...ofDojo)
    if (ofDojo.length === texts) withMore.push(dojoId)
  }
  await takeAnother(tx, withMore)
  return { claimed, waitMs: await spendSlots(tx, allowed, claimed.length) }
}
