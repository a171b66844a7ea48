import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { eq, sql } from 'drizzle-orm'
import { asOverseer, type Database, type Tx } from '../../db/database.ts'
import { enqueue, dequeue } from '../../db/queue.ts'
import { now } from '../../lib/clock.ts'
import type { OutgoingText, Provider, SendFailure } from '../providers/provider.ts'
import { messages } from '../tables.ts'
import {
  receiveStatus,
  recordAccepted,
  scheduleLookup,
  giveUpLookup,
  releaseForRetry,
} from './outcomes.ts'
import { CLAIMABLE_STATES, type ClaimableState } from './states.ts'
import { type ClaimedText, claimTextsOfDojo, requeueAndWake } from './queue.ts'

/** Asks the provider whether it received texts in doubt, and for the status of accepted texts. */

/** The queue has one job, which lets one server at a time look for due texts. */
export const RECONCILE_QUEUE = 'texts-to-reconcile'
const MAX_DOJOS_PER_ROUND = 2_000
const IDLE_SECONDS = 2

/** The provider's clock may be behind ours. */
const CLOCK_MARGIN_MS = 60_000
/** A call starts within 2 seconds, ends after 10 at most, and may be accepted 30 seconds later. */
export const NOT_SENT_AFTER_SECONDS = 60
const MIN_LOOKUP_SECONDS = 5
const RETRY_LOOKUP_SECONDS = 1.5
const MAX_UNANSWERED_LOOKUPS = 6

const MIN_POLL_SECONDS = 2
const MAX_POLL_SECONDS = 600

export const toOutgoingText = ({ dojo_id, id, phone, text }: ClaimedText): OutgoingText => ({
  dojoId: dojo_id,
  messageId: id,
  to: phone,
  text,
})

type DueDojo = { state: ClaimableState; dojo_id: string }

/** Jumps through the index from dojo to dojo, so that it does not read every due text. */
async function findDojosWithDueTexts(tx: Tx): Promise<DueDojo[]> {
  const firstDueDojo = sql`m.due_at <= clock_timestamp() order by m.dojo_id limit 1`
  const states = sql.join(
    CLAIMABLE_STATES.map((state) => sql`(${state}::text)`),
    sql`, `,
  )
  const { rows } = await asOverseer(tx, (overseerTx) =>
    overseerTx.execute<DueDojo>(sql`
    with recursive due as (
      select state,
        (select m.dojo_id from messages m where m.state = s.state and ${firstDueDojo}) as dojo_id
      from (values ${states}) s(state)
      union all
      select state, (
        select m.dojo_id from messages m
        where m.state = due.state and m.dojo_id > due.dojo_id and ${firstDueDojo})
      from due where dojo_id is not null
    ) select state, dojo_id from due where dojo_id is not null limit ${MAX_DOJOS_PER_ROUND}`),
  )
  return rows
}

type DueTexts = { inDoubt: ClaimedText[]; awaitingStatus: ClaimedText[] }

/** Also queues dojos that have texts to send, in case a job was lost. */
export async function claimDueTexts(
  tx: Tx,
  capacity: { inDoubt: number; awaitingStatus: number },
): Promise<DueTexts> {
  const jobs = await dequeue(tx, RECONCILE_QUEUE, 1)
  if (jobs.length === 0) return { inDoubt: [], awaitingStatus: [] }
  const dueDojos = await findDojosWithDueTexts(tx)
  await requeueAndWake(
    tx,
    dueDojos.filter(({ state }) => state === 'queued').map(({ dojo_id }) => dojo_id),
  )
  const claimInStates = async (states: ClaimableState[], limit: number) => {
    const dojos = dueDojos.filter(({ state }) => states.includes(state)).slice(0, limit)
    const textsEach = Math.floor(limit / dojos.length)
    const texts: ClaimedText[] = []
    for (const { state, dojo_id } of dojos)
      texts.push(...(await claimTextsOfDojo(tx, dojo_id, state, textsEach)))
    return texts
  }
  const inDoubt = await claimInStates(['sending', 'in_doubt'], capacity.inDoubt)
  const awaitingStatus = await claimInStates(['accepted', 'sent'], capacity.awaitingStatus)
  const isBusy = inDoubt.length + awaitingStatus.length > 0
  await enqueue(tx, RECONCILE_QUEUE, [''], { inSeconds: isBusy ? 0 : IDLE_SECONDS })
  return { inDoubt, awaitingStatus }
}

/** A text that the provider still does not know after `notSentAfterSeconds` is sent again. If the
 *  provider does not respond, the text becomes uncertain. */
export async function resolveInDoubt(
  db: Database,
  provider: Provider,
  text: ClaimedText,
  notSentAfterSeconds: number,
): Promise<void> {
  const earliestSentAt = new Date(Date.parse(text.claimed_at) - CLOCK_MARGIN_MS)
  const lookup = await provider
    .findSent(toOutgoingText(text), earliestSentAt)
    .catch((failure: SendFailure) => failure)
  await db.inDojo(text.dojo_id, async (tx) => {
    if (!Array.isArray(lookup)) {
      // A rate limit is a response, so it does not count as unanswered.
      const unansweredCalls = text.unanswered + (lookup.kind === 'rate-limited' ? 0 : 1)
      if (unansweredCalls < MAX_UNANSWERED_LOOKUPS)
        await scheduleLookup(tx, text, RETRY_LOOKUP_SECONDS, unansweredCalls)
      else await giveUpLookup(tx, text)
      return
    }
    for (const status of lookup)
      if (await recordAccepted(tx, text, status, provider.hasCallbacks)) return
    const age = text.claimed_seconds_ago
    if (age < notSentAfterSeconds)
      await scheduleLookup(tx, text, secondsUntilNextLookup(age, notSentAfterSeconds))
    else await releaseForRetry(tx, text, 0)
  })
}

/** The pauses between lookups double. The last lookup is when the text counts as not sent. */
export const secondsUntilNextLookup = (ageSeconds: number, notSentAfterSeconds: number): number =>
  Math.min(Math.max(MIN_LOOKUP_SECONDS, ageSeconds), notSentAfterSeconds - ageSeconds)

/** Asks for the status of an accepted text, less and less often, for at most a day. */
export async function refreshStatus(db: Database, provider: Provider, text: ClaimedText) {
  const providerId = mustExist(text.provider_id, 'The provider id of an accepted text')
  const status = await provider.fetchStatus(toOutgoingText(text), providerId).catch(() => null)
  const ageMs = now().getTime() - Date.parse(text.updated_at)
  const seconds = Math.min(
    provider.hasCallbacks ? Infinity : MAX_POLL_SECONDS,
    Math.max(MIN_POLL_SECONDS, ageMs / 1000),
  )
  await db.inDojo(text.dojo_id, async (tx) => {
    const due_at = ageMs > DAY_MS ? null : sql`clock_timestamp() + ${seconds} * interval '1 second'`
    await tx.update(messages).set({ due_at, claim: null }).where(eq(messages.id, text.id))
    if (status) await receiveStatus(tx, status)
  })
}

/** For a text of an account that the dojo no longer uses: no other account knows its status. */
export const stopPollingStatus = (tx: Tx, { id }: ClaimedText) =>
  tx.update(messages).set({ due_at: null, claim: null }).where(eq(messages.id, id))
