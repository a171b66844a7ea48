import { SOURCES_WITHOUT_SAY } from '@tatami/contract/texting/phones'
import { sql } from 'drizzle-orm'
import { insideDojo, type Tx } from '../../db/database.ts'
import { dequeue, enqueue as enqueueJobs, enqueueWithTransaction } from '../../db/queue.ts'
import { rateLimiter } from './rate-limit.ts'
import { type ClaimableState, TRANSITIONS } from './states.ts'

export const TEXTS_QUEUED = 'texts-queued'
export const SENDING_QUEUE = 'texts-to-send'
const DOJOS_AT_ONCE = 500

/** A claimed text is sent within this time or not at all. */
export const SEND_WITHIN_MS = 2_000
/** Longer than the send window and the longest call together (twilio.ts). */
const CLAIM_SECONDS = 14

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

/** Equal shares; those that waited longest get the remainder. */
export async function dequeueShares(tx: Tx, slots: number): Promise<Share[]> {
  const dojoIds = await dequeue(tx, SENDING_QUEUE, Math.min(slots, DOJOS_AT_ONCE))
  const textsEach = Math.floor(slots / dojoIds.length),
    remainder = slots % dojoIds.length
  return dojoIds.map((dojoId, place) => ({
    dojoId,
    texts: textsEach + (place < remainder ? 1 : 0),
  }))
}

/**
 * A claim moves `due_at` ahead, so that no other worker takes the text. A text whose claim ran out
 * while `sending` was left by a dead server, and is in doubt.
 */
export async function claimTextsOfDojo(
  tx: Tx,
  dojoId: string,
  state: ClaimableState,
  limit: number,
): Promise<ClaimedText[]> {
  const { claim, loseClaim } = TRANSITIONS
  // Without "materialized", some plans search again for each row and claim more than `limit`.
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
            and c.source <> all(${sql.param([...SOURCES_WITHOUT_SAY])}::text[])
          order by c.id desc limit 1), false) as opted_out`),
  )
  return rows
}

type NextTexts = { claimed: ClaimedText[]; waitMs: number | null }

/** `waitMs` is when the next text may leave; null if no dojo is queued. */
export async function claimNextTexts(tx: Tx, perSecond: number, limit: number): Promise<NextTexts> {
  const {
    slots,
    waitMs,
    perSecond: allowedPerSecond,
  } = await rateLimiter.acquire(tx, perSecond, limit)
  if (slots === 0) return { claimed: [], waitMs }
  const shares = await dequeueShares(tx, slots)
  if (shares.length === 0) return { claimed: [], waitMs: null }
  const claimedTexts: ClaimedText[] = [],
    withMore: string[] = []
  for (const { dojoId, texts } of shares) {
    const ofDojo = await claimTextsOfDojo(tx, dojoId, 'queued', texts)
    claimedTexts.push(...ofDojo)
    if (ofDojo.length === texts) withMore.push(dojoId)
  }
  await requeue(tx, withMore)
  return {
    claimed: claimedTexts,
    waitMs: await rateLimiter.consume(tx, allowedPerSecond, claimedTexts.length),
  }
}

const QUEUED_STATES = ['waiting', 'queued', 'sending', 'in_doubt'] as const
type QueueDepth = {
  state: (typeof QUEUED_STATES)[number]
  texts: number
  overdueSeconds: number
}

/** Uses only the partial indexes `messages_due` and `messages_waiting`. */
export async function queueDepth(overseerTx: Tx): Promise<QueueDepth[]> {
  const { rows } = await overseerTx.execute<{ state: string; texts: number; overdue: number }>(sql`
    select state, count(*)::int as texts,
      greatest(0, extract(epoch from clock_timestamp() - min(due_at)))::float8 as overdue
    from messages
    where state in ('queued', 'sending', 'in_doubt') and due_at is not null group by state
    union all
    select 'waiting', count(*)::int, 0 from messages
    where state = 'waiting' and sent_with is null`)
  return QUEUED_STATES.map((state) => {
    const row = rows.find((candidate) => candidate.state === state)
    return { state, texts: row?.texts ?? 0, overdueSeconds: row?.overdue ?? 0 }
  })
}
