import { NON_DECISIVE_SOURCES } from '@tatami/contract/texting/phones'
import { sql } from 'drizzle-orm'
import { insideDojo, type Tx } from '../../db/database.ts'
import { dequeue, enqueue as enqueueJobs, enqueueWithTransaction } from '../../db/queue.ts'
import { findDojosWithOwnAccount, readOwnAccount } from '../own-account.ts'
import { ownRateLimiter, rateLimiter } from './rate-limit.ts'
import { type ClaimableState, TRANSITIONS } from './states.ts'

/** Dojos take turns. In each turn, a dojo may send an equal number of texts. Dojos with their own
 *  Twilio account have a separate queue, so that neither has to wait for the other. */

export const TEXTS_QUEUED = 'texts-queued'
export const SENDING_QUEUE = 'texts-to-send'
export const OWN_SENDING_QUEUE = 'texts-to-send-by-own-account'
const MAX_DOJOS_PER_ROUND = 500

/** A worker that cannot send a claimed text within this time releases it. */
export const SEND_WITHIN_MS = 2_000
/** A dojo whose account has to wait at least this long leaves the queue until then. */
const MIN_DELAY_MS = 2_000

/** Longer than SEND_WITHIN_MS plus the longest call to the provider (twilio.ts). */
const CLAIM_SECONDS = 14

/** A text that only this worker may send or ask the provider about. */
export type ClaimedText = {
  dojo_id: string
  id: string
  batch_id: string
  student_id: string | null
  phone: string
  text: string
  state: string
  claim: string
  claimed_at: string
  claimed_seconds_ago: number
  updated_at: string
  /** How many lookups in a row got no response from the provider. */
  unanswered: number
  account_sid: string | null
  provider_id: string | null
  allowance_day: string | null
  opted_out: boolean
}

export async function enqueueDojo(tx: Tx, dojoId: string): Promise<void> {
  const queue = (await readOwnAccount(tx)) ? OWN_SENDING_QUEUE : SENDING_QUEUE
  await enqueueWithTransaction(tx, queue, dojoId)
  await tx.publish(TEXTS_QUEUED, dojoId)
}

/** Queues dojos again and wakes the workers. A dojo that is already queued keeps its place. */
export async function requeueAndWake(tx: Tx, dojoIds: string[]): Promise<void> {
  if ((await requeue(tx, dojoIds)) > 0) await tx.publish(TEXTS_QUEUED, 'again')
}

async function requeue(tx: Tx, dojoIds: string[]): Promise<number> {
  const { ownIds, serverIds } = await separateByAccount(tx, dojoIds)
  const newOwnJobs = await enqueueJobs(tx, OWN_SENDING_QUEUE, ownIds)
  return newOwnJobs + (await enqueueJobs(tx, SENDING_QUEUE, serverIds))
}

async function separateByAccount(tx: Tx, dojoIds: string[]) {
  const dojosWithAccount =
    dojoIds.length === 0 ? new Set<string>() : await findDojosWithOwnAccount(tx, dojoIds)
  return {
    ownIds: dojoIds.filter((dojoId) => dojosWithAccount.has(dojoId)),
    serverIds: dojoIds.filter((dojoId) => !dojosWithAccount.has(dojoId)),
  }
}

type Share = { dojoId: string; texts: number }

/** Divides the slots among the queued dojos. Those that waited longest get the remainder. */
export async function dequeueShares(tx: Tx, slots: number): Promise<Share[]> {
  const dojoIds = await dequeue(tx, SENDING_QUEUE, Math.min(slots, MAX_DOJOS_PER_ROUND))
  // A dojo may have set up its own account since it was queued.
  const { ownIds, serverIds } = await separateByAccount(tx, dojoIds)
  await enqueueJobs(tx, OWN_SENDING_QUEUE, ownIds)
  const textsEach = Math.floor(slots / serverIds.length)
  const remainder = slots % serverIds.length
  return serverIds.map((dojoId, position) => ({
    dojoId,
    texts: textsEach + (position < remainder ? 1 : 0),
  }))
}

/** Claims up to `limit` due texts. A claim postpones `due_at`, so that no other worker takes the
 *  text. If a `sending` text becomes due again, its server died, so the text is in doubt. */
export async function claimTextsOfDojo(
  tx: Tx,
  dojoId: string,
  state: ClaimableState,
  limit: number,
): Promise<ClaimedText[]> {
  const { claim, loseClaim } = TRANSITIONS
  // Without "materialized", PostgreSQL may run the search for each row and claim too many texts.
  const { rows } = await insideDojo(tx, dojoId, (dojoTx) =>
    dojoTx.execute<ClaimedText>(sql`
    with due as materialized (
      select id from messages where state = ${state} and due_at <= clock_timestamp()
      order by due_at, id limit ${limit} for update skip locked
    )
    update messages set
      claim = gen_random_uuid(),
      due_at = clock_timestamp() + ${CLAIM_SECONDS} * interval '1 second',
      claimed_at = case state when 'queued' then clock_timestamp() else claimed_at end,
      unanswered = case state when 'sending' then 0 else unanswered end,
      account_sid = case state when 'queued'
        then (select a.account_sid from texting_accounts a) else account_sid end,
      state = case state
        when ${claim.from[0]} then ${claim.to}
        when ${loseClaim.from[0]} then ${loseClaim.to}
        else state end
    where id in (select id from due)
    returning *, allowance_day::text,
      extract(epoch from clock_timestamp() - claimed_at)::float8 as claimed_seconds_ago,
      coalesce(
          (select o.is_opted_out from own_number_opt_outs o where o.phone = messages.phone),
          exists (select from phone_opt_outs o where o.phone = messages.phone
            and (not o.simulated or not exists (select from texting_accounts))))
        or coalesce((select c.event = 'revoked' from text_consents c
          where c.phone = messages.phone
            and c.undone_at is null
            and c.source <> all(${sql.param([...NON_DECISIVE_SOURCES])}::text[])
          order by c.id desc limit 1), false) as opted_out`),
  )
  return rows
}

type NextTexts = {
  texts: ClaimedText[]
  /** The time until the next text may be sent, or null if no dojo is queued. */
  waitMs: number | null
}

export async function claimNextTexts(tx: Tx, perSecond: number, limit: number): Promise<NextTexts> {
  const { slots, waitMs, allowedPerSecond } = await rateLimiter.acquire(tx, perSecond, limit)
  if (slots === 0) return { texts: [], waitMs }
  const shares = await dequeueShares(tx, slots)
  if (shares.length === 0) return { texts: [], waitMs: null }
  const claimedTexts: ClaimedText[] = []
  const dojosWithMore: string[] = []
  for (const { dojoId, texts } of shares) {
    const textsOfDojo = await claimTextsOfDojo(tx, dojoId, 'queued', texts)
    claimedTexts.push(...textsOfDojo)
    if (textsOfDojo.length === texts) dojosWithMore.push(dojoId)
  }
  await enqueueJobs(tx, SENDING_QUEUE, dojosWithMore)
  return {
    texts: claimedTexts,
    waitMs: await rateLimiter.consume(tx, allowedPerSecond, claimedTexts.length),
  }
}

/** Claims the next texts of dojos with their own account, at the rate of each account. */
export async function claimNextOwnTexts(
  tx: Tx,
  perSecond: number,
  limit: number,
): Promise<NextTexts> {
  const dojoIds = await dequeue(tx, OWN_SENDING_QUEUE, MAX_DOJOS_PER_ROUND)
  const claimedTexts: ClaimedText[] = []
  let shortestWaitMs: number | null = null
  // The rates of the accounts are locked until the commit, and a fixed order avoids deadlocks.
  for (const dojoId of dojoIds.toSorted()) {
    const capacity = limit - claimedTexts.length
    const { texts, waitMs } = await insideDojo(tx, dojoId, (dojoTx) =>
      claimTextsOfOwnAccount(dojoTx, dojoId, perSecond, capacity),
    )
    claimedTexts.push(...texts)
    if (waitMs === null) continue
    const inSeconds = waitMs < MIN_DELAY_MS ? 0 : Math.ceil(waitMs / 1000)
    await enqueueJobs(tx, OWN_SENDING_QUEUE, [dojoId], { inSeconds })
    shortestWaitMs = Math.min(waitMs, shortestWaitMs ?? waitMs)
  }
  return { texts: claimedTexts, waitMs: shortestWaitMs }
}

/** Returns null as `waitMs` if the dojo does not have to be queued again. */
async function claimTextsOfOwnAccount(
  tx: Tx,
  dojoId: string,
  perSecond: number,
  limit: number,
): Promise<NextTexts> {
  if (limit === 0) return { texts: [], waitMs: 0 }
  if (!(await readOwnAccount(tx))) {
    await enqueueJobs(tx, SENDING_QUEUE, [dojoId])
    return { texts: [], waitMs: null }
  }
  const { slots, waitMs, allowedPerSecond } = await ownRateLimiter.acquire(tx, perSecond, limit)
  if (slots === 0) return { texts: [], waitMs }
  const texts = await claimTextsOfDojo(tx, dojoId, 'queued', slots)
  const nextWaitMs = await ownRateLimiter.consume(tx, allowedPerSecond, texts.length)
  return { texts, waitMs: texts.length < slots ? null : nextWaitMs }
}

const QUEUED_STATES = ['waiting', 'queued', 'sending', 'in_doubt'] as const
type QueueDepth = {
  state: (typeof QUEUED_STATES)[number]
  texts: number
  overdueSeconds: number
}

/** Counts the texts in the queue. Reads only the indexes of due and waiting texts, so it is fast
 *  even with many texts. A text is not overdue while the school has to fix its own account. */
export async function readQueueDepth(overseerTx: Tx): Promise<QueueDepth[]> {
  const { rows } = await overseerTx.execute<{ state: string; texts: number; overdue: number }>(sql`
    select state, count(*)::int as texts,
      greatest(0, extract(epoch from clock_timestamp() - min(due_at) filter (
        where dojo_id not in (select dojo_id from texting_accounts
          where state in ('wrong_credentials', 'number_not_yours', 'paused'))
      )))::float8 as overdue
    from messages
    where state in ('queued', 'sending', 'in_doubt') and due_at is not null group by state
    union all
    select 'waiting', count(*)::int, 0 from messages
    where state = 'waiting' and sent_with is null`)
  return QUEUED_STATES.map((state) => {
    const row = rows.find((countedRow) => countedRow.state === state)
    return { state, texts: row?.texts ?? 0, overdueSeconds: row?.overdue ?? 0 }
  })
}
