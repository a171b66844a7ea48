import { sql } from 'drizzle-orm'
import { asOverseer, insideDojo, type Tx } from '../kernel/database.ts'
import { holdPace, spendSlots } from './pacing.ts'
import { turnsOf } from './turns.ts'

/** A claimed text leaves within this time or not at all. */
export const SEND_WITHIN_MS = 2_000
/** Longer than leaving and the longest call (twilio.ts) together: whoever claimed it has by then sent it or never will. */
const LEASE_SECONDS = 14
const DOJOS_AT_ONCE = 500

export type Claimed = {
  dojo_id: string; id: string; batch_id: string; student_id: string; phone: string; text: string; state: string; claim: string
  claimed_at: string; updated_at: string; missed: number; unanswered: number; provider_id: string | null; allowance_day: string; opted_out: boolean
}
type State = 'queued' | 'sending' | 'in_doubt' | 'accepted' | 'sent'

/** The dojos that have something due in one of these states, found by hopping over the index from dojo to dojo. */
async function dojosDue(tx: Tx, state: State): Promise<string[]> {
  const due = sql`state = ${state} and due_at <= clock_timestamp()`
  const { rows } = await asOverseer(tx, (over) => over.execute<{ dojo_id: string }>(sql`
    with recursive hop as (
      (select dojo_id from messages where ${due} order by dojo_id limit 1)
      union all
      select (select m.dojo_id from messages m where ${due} and m.dojo_id > hop.dojo_id order by m.dojo_id limit 1) from hop where hop.dojo_id is not null
    ) select dojo_id from hop where dojo_id is not null limit ${DOJOS_AT_ONCE}`))
  return rows.map(({ dojo_id }) => dojo_id)
}

/** A claim is `due_at` in the future: nobody else takes the text up before. One left by a server that died is in doubt from then on. */
async function claimIn(tx: Tx, dojoId: string, state: State, most: number): Promise<Claimed[]> {
  // Materialized: looked for anew for every row, as some plans would, the locked ones are skipped and the next ones come on top.
  const { rows } = await insideDojo(tx, dojoId, (inside) => inside.execute<Claimed>(sql`
    with due as materialized (
      select id from messages where state = ${state} and due_at <= clock_timestamp() order by due_at, id limit ${most} for update skip locked
    )
    update messages set claim = gen_random_uuid(), due_at = clock_timestamp() + ${LEASE_SECONDS} * interval '1 second',
      claimed_at = case state when 'queued' then clock_timestamp() else claimed_at end,
      missed = case state when 'sending' then 0 else missed end, unanswered = case state when 'sending' then 0 else unanswered end,
      state = case state when 'queued' then 'sending' when 'sending' then 'in_doubt' else state end
    where id in (select id from due)
    returning *, allowance_day::text, exists (select from phone_opt_outs o where o.phone = messages.phone) as opted_out`))
  return rows
}

/** Texts to send now: as many as the pace allows, each dojo in its turn. Answers how long until the next may leave. */
export async function claimTexts(tx: Tx, perSecond: number, most: number): Promise<{ claimed: Claimed[]; waitMs: number }> {
  const pace = await holdPace(tx, perSecond, most)
  const dojos = pace.slots > 0 ? await dojosDue(tx, 'queued') : []
  if (dojos.length === 0) return { claimed: [], waitMs: pace.waitMs }
  const claimed: Claimed[] = []
  const turns = turnsOf(dojos, pace.lastDojoId, pace.slots)
  for (const { dojoId, texts } of turns) claimed.push(...await claimIn(tx, dojoId, 'queued', texts))
  return { claimed, waitMs: await spendSlots(tx, perSecond, claimed.length, lastInTurn(turns, pace.lastDojoId)) }
}

/** Who had the last of the odd slots; where all got the same, nobody was ahead. */
function lastInTurn(turns: { dojoId: string; texts: number }[], before: string): string {
  const most = turns[0]!.texts
  return turns.some(({ texts }) => texts < most) || most === 1 ? turns.findLast(({ texts }) => texts === most)!.dojoId : before
}

const claimDue = (states: State[]) => async (tx: Tx, most: number): Promise<Claimed[]> => {
  const claimed: Claimed[] = []
  for (const state of states) {
    for (const dojoId of await dojosDue(tx, state)) {
      if (claimed.length < most) claimed.push(...await claimIn(tx, dojoId, state, Math.ceil(most / 4)))
    }
  }
  return claimed
}

/** Texts of which nobody knows whether they left. */
export const claimDoubts = claimDue(['sending', 'in_doubt'])
/** Texts at the provider whose status is to be asked for. */
export const claimUnsettled = claimDue(['accepted', 'sent'])
