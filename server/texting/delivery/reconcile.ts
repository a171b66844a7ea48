import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { eq, sql } from 'drizzle-orm'
import { asOverseer, type Database, type Tx } from '../../db/database.ts'
import { enqueue, dequeue } from '../../db/queue.ts'
import { now } from '../../lib/clock.ts'
import type { Outgoing, Provider, SendFailure } from '../providers/provider.ts'
import { messages } from '../tables.ts'
import {
  receiveStatus,
  recordAccepted,
  recordInDoubt,
  recordUncertain,
  release,
} from './outcomes.ts'
import { CLAIMABLE_STATES, type ClaimableState } from './states.ts'
import { type ClaimedText, claimTextsOfDojo, requeueAndWake } from './queue.ts'

/** Lets one server at a time look for due texts. */
export const RECONCILE_QUEUE = 'texts-to-reconcile'
const DOJOS_AT_ONCE = 2_000,
  IDLE_SECONDS = 2

/** The provider's clock may be behind. */
const CLOCK_MARGIN_MS = 60_000
/** A call starts within 2 s, is cut after 10 s, and may still be accepted 30 s later. */
export const NOT_SENT_AFTER_SECONDS = 60
const ASK_AGAIN_SECONDS = 5
const UNANSWERED_SECONDS = 1.5,
  UNANSWERED_AT_MOST = 6

const SOONEST_POLL_SECONDS = 2,
  LATEST_POLL_SECONDS = 600

export const outgoingOf = ({ dojo_id, id, phone, text }: ClaimedText): Outgoing => ({
  dojoId: dojo_id,
  messageId: id,
  to: phone,
  text,
})

type Due = { state: ClaimableState; dojo_id: string }

/** An index scan that skips from dojo to dojo. */
async function dojosWithDueTexts(tx: Tx): Promise<Due[]> {
  const first = sql`m.due_at <= clock_timestamp() order by m.dojo_id limit 1`
  const states = sql.join(
    CLAIMABLE_STATES.map((state) => sql`(${state}::text)`),
    sql`, `,
  )
  const { rows } = await asOverseer(tx, (overseerTx) =>
    overseerTx.execute<Due>(sql`
    with recursive hop as (
      select state,
        (select m.dojo_id from messages m where m.state = s.state and ${first}) as dojo_id
      from (values ${states}) s(state)
      union all
      select state, (
        select m.dojo_id from messages m
        where m.state = hop.state and m.dojo_id > hop.dojo_id and ${first})
      from hop where dojo_id is not null
    ) select state, dojo_id from hop where dojo_id is not null limit ${DOJOS_AT_ONCE}`),
  )
  return rows
}

type DueTexts = { inDoubt: ClaimedText[]; onTheirWay: ClaimedText[] }

/** Runs on one server at a time. Also queues dojos whose job was lost. */
export async function claimDueTexts(
  tx: Tx,
  capacity: { inDoubt: number; onTheirWay: number },
): Promise<DueTexts> {
  if ((await dequeue(tx, RECONCILE_QUEUE, 1)).length === 0) return { inDoubt: [], onTheirWay: [] }
  const due = await dojosWithDueTexts(tx)
  await requeueAndWake(
    tx,
    due.filter(({ state }) => state === 'queued').map(({ dojo_id }) => dojo_id),
  )
  const claimIn = async (states: ClaimableState[], limit: number) => {
    const dojos = due.filter(({ state }) => states.includes(state)).slice(0, limit),
      texts: ClaimedText[] = []
    for (const { state, dojo_id } of dojos)
      texts.push(...(await claimTextsOfDojo(tx, dojo_id, state, Math.floor(limit / dojos.length))))
    return texts
  }
  const inDoubt = await claimIn(['sending', 'in_doubt'], capacity.inDoubt)
  const onTheirWay = await claimIn(['accepted', 'sent'], capacity.onTheirWay)
  const isBusy = inDoubt.length + onTheirWay.length > 0
  await enqueue(tx, RECONCILE_QUEUE, [''], { inSeconds: isBusy ? 0 : IDLE_SECONDS })
  return { inDoubt, onTheirWay }
}

export async function resolveInDoubt(
  db: Database,
  provider: Provider,
  text: ClaimedText,
  notSentAfterSeconds: number,
): Promise<void> {
  const earliest = new Date(Date.parse(text.claimed_at) - CLOCK_MARGIN_MS)
  const answer = await provider
    .findSent(outgoingOf(text), earliest)
    .catch((failure: SendFailure) => failure)
  await db.inDojo(text.dojo_id, async (tx) => {
    if (!Array.isArray(answer)) {
      // A rate limit is no failure.
      const unansweredCalls = text.unanswered + (answer.kind === 'rate-limited' ? 0 : 1)
      if (unansweredCalls < UNANSWERED_AT_MOST)
        await recordInDoubt(tx, text, UNANSWERED_SECONDS, unansweredCalls)
      else await recordUncertain(tx, text)
      return
    }
    for (const status of answer)
      if (await recordAccepted(tx, text, status, provider.hasCallbacks)) return
    const age = text.claimed_seconds_ago
    if (age < notSentAfterSeconds)
      await recordInDoubt(tx, text, secondsUntilNextLookup(age, notSentAfterSeconds))
    else await release(tx, text, 0)
  })
}

/** Less and less often, and once more at the end. */
export const secondsUntilNextLookup = (age: number, notSentAfterSeconds: number): number =>
  Math.min(Math.max(ASK_AGAIN_SECONDS, age), notSentAfterSeconds - age)

/** Less and less often, until the status is final or a day old. */
export async function refreshStatus(db: Database, provider: Provider, text: ClaimedText) {
  const status = await provider.fetchStatus(outgoingOf(text), text.provider_id!).catch(() => null)
  const ageMs = now().getTime() - Date.parse(text.updated_at)
  const seconds = Math.min(
    provider.hasCallbacks ? Infinity : LATEST_POLL_SECONDS,
    Math.max(SOONEST_POLL_SECONDS, ageMs / 1000),
  )
  await db.inDojo(text.dojo_id, async (tx) => {
    const due_at = ageMs > DAY_MS ? null : sql`clock_timestamp() + ${seconds} * interval '1 second'`
    await tx.update(messages).set({ due_at, claim: null }).where(eq(messages.id, text.id))
    if (status) await receiveStatus(tx, status)
  })
}
