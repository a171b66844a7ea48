import { NON_DECISIVE_SOURCES } from '@tatami/contract/texting/phones'
import { sql } from 'drizzle-orm'
import { insideDojo, type Tx } from '../../db/database.ts'
import { dequeue, enqueue as enqueueJobs, enqueueWithTransaction } from '../../db/queue.ts'
import { rateLimiter } from './rate-limit.ts'
import { type ClaimableState, TRANSITIONS } from './states.ts'

/** Dojos take turns. In each turn, a dojo may send an equal number of texts. */

export const TEXTS_QUEUED = 'texts-queued'
export const SENDING_QUEUE = 'texts-to-send'
const MAX_DOJOS_PER_ROUND = 500

/** A worker sends a claimed text within this time, or releases it. */
export const SEND_WITHIN_MS = 2_000
/** Longer than SEND_WITHIN_MS and the longest call to the provider (twilio.ts) together. */
const CLAIM_SECONDS = 14

/** A text that this worker alone may send or ask the provider about. */
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
  /** How many lookups in a row the provider has not answered */
  unanswered: number
  provider_id: string | null
  allowance_day: string | null
  opted_out: boolean
}

export async function enqueueDojo(tx: Tx, dojoId: string): Promise<void> {
  await enqueueWithTransaction(tx, SENDING_QUEUE, dojoId)
  await tx.publish(TEXTS_QUEUED, dojoId)
}

/** A dojo that is queued already keeps its place. */
export async function requeueAndWake(tx: Tx, dojoIds: string[]): Promise<void> {
  if ((await enqueueJobs(tx, SENDING_QUEUE, dojoIds)) > 0) await tx.publish(TEXTS_QUEUED, 'again')
}

const requeue = (tx: Tx, dojoIds: string[]) => enqueueJobs(tx, SENDING_QUEUE, dojoIds)

type Share = { dojoId: string; texts: number }

/** Divides the slots among the queued dojos. Those that waited longest get the remainder. */
export async function dequeueShares(tx: Tx, slots: number): Promise<Share[]> {
  const dojoIds = await dequeue(tx, SENDING_QUEUE, Math.min(slots, MAX_DOJOS_PER_ROUND))
  const textsEach = Math.floor(slots / dojoIds.length)
  const remainder = slots % dojoIds.length
  return dojoIds.map((dojoId, position) => ({
    dojoId,
    texts: textsEach + (position < remainder ? 1 : 0),
  }))
}

/** A claim sets `due_at` to a later time, so that no other worker takes the text. A text that is
 *  due although `sending` is in doubt, because its server died. */
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
      state = case state
        when ${claim.from[0]} then ${claim.to}
        when ${loseClaim.from[0]} then ${loseClaim.to}
        else state end
    where id in (select id from due)
    returning *, allowance_day::text,
      extract(epoch from clock_timestamp() - claimed_at)::float8 as claimed_seconds_ago,
      exists (select from phone_opt_outs o where o.phone = messages.phone)
        or coalesce((select c.event = 'revoked' from text_consents c
          where c.phone = messages.phone
            and c.undone_at is null
            and c.source <> all(${sql.param([...NON_DECISIVE_SOURCES])}::text[])
          order by c.id desc limit 1), false) as opted_out`),
  )
  return rows
}

/** `waitMs` is the time until the next text may be sent. It is null if no dojo is queued. */
type NextTexts = { texts: ClaimedText[]; waitMs: number | null }

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
  await requeue(tx, dojosWithMore)
  return {
    texts: claimedTexts,
    waitMs: await rateLimiter.consume(tx, allowedPerSecond, claimedTexts.length),
  }
}

const QUEUED_STATES = ['waiting', 'queued', 'sending', 'in_doubt'] as const
type QueueDepth = {
  state: (typeof QUEUED_STATES)[number]
  texts: number
  overdueSeconds: number
}

/** Fast even with many texts, because it reads only the indexes of due and of waiting texts. */
export async function readQueueDepth(overseerTx: Tx): Promise<QueueDepth[]> {
  const { rows } = await overseerTx.execute<{ state: string; texts: number; overdue: number }>(sql`
    select state, count(*)::int as texts,
      greatest(0, extract(epoch from clock_timestamp() - min(due_at)))::float8 as overdue
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
