import { setTimeout as sleep } from 'node:timers/promises'
import pLimit, { type LimitFunction } from 'p-limit'
import type { Database, Tx } from '../../db/database.ts'
import type { PubSub } from '../../db/pubsub.ts'
import { describeErrorCode, OPTED_OUT, type Provider, SendFailure } from '../providers/provider.ts'
import {
  notifyStopped,
  recordAccepted,
  recordInDoubt,
  recordRejected,
  releaseForRetry,
} from './outcomes.ts'
import {
  claimNextTexts,
  type ClaimedText,
  requeueAndWake,
  SEND_WITHIN_MS,
  TEXTS_QUEUED,
} from './queue.ts'
import { circuitBreaker, type CircuitBreaker, rateLimiter } from './rate-limit.ts'
import {
  claimDueTexts,
  NOT_SENT_AFTER_SECONDS,
  toOutgoing,
  refreshStatus,
  resolveInDoubt,
} from './reconcile.ts'

const IDLE_PAUSE_MS = 2_000
const BUSY_PAUSE_MS = 20
const RECONCILE_PAUSE_MS = 75
const ERROR_PAUSE_MS = 1_000
const MAX_CONCURRENT_SENDS = 100
const MAX_CONCURRENT_LOOKUPS = 20
const RETRY_AFTER_SECONDS = 5
const UNAVAILABLE_PAUSE_SECONDS = 30

type WorkerOptions = {
  db: Database
  pubsub: PubSub
  provider: Provider
  perSecond: number
  notSentAfterSeconds?: number
  onError: (error: unknown) => void
}

/** Pauses end early if the worker stops, or if the alarm rings because texts were queued. */
function createAlarm(signal: AbortSignal) {
  let hasRung = false
  let wake = () => {}
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {})
  return {
    pause,
    async pauseUntilRung(ms: number) {
      // A shorter pause keeps to the sending rate, so the alarm does not end it.
      if (ms < IDLE_PAUSE_MS) return pause(ms)
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      if (!hasRung) await Promise.race([pause(ms), promise])
    },
    ring() {
      hasRung = true
      wake()
    },
    reset() {
      hasRung = false
    },
  }
}

const capacityOf = ({ concurrency, activeCount, pendingCount }: LimitFunction) =>
  concurrency - activeCount - pendingCount

/** Any number of servers may run this. The returned function stops it once pending calls end. */
export function startWorker({
  db,
  pubsub,
  provider,
  perSecond,
  notSentAfterSeconds = NOT_SENT_AFTER_SECONDS,
  onError,
}: WorkerOptions): () => Promise<void> {
  const stopController = new AbortController()
  const sendLimit = pLimit(MAX_CONCURRENT_SENDS)
  const lookupLimit = pLimit(MAX_CONCURRENT_LOOKUPS)
  const statusLimit = pLimit(MAX_CONCURRENT_LOOKUPS)
  const pendingCalls = new Set<Promise<void>>()
  const breaker = circuitBreaker()
  const alarm = createAlarm(stopController.signal)
  pubsub.subscribe(TEXTS_QUEUED, alarm.ring)

  function run(limit: LimitFunction, call: () => Promise<void>) {
    const pendingCall = limit(call)
      .catch(onError)
      .finally(() => pendingCalls.delete(pendingCall))
    pendingCalls.add(pendingCall)
  }

  async function sendRound(): Promise<number> {
    alarm.reset()
    const capacity = capacityOf(sendLimit)
    if (capacity === 0) return BUSY_PAUSE_MS
    const claimedAt = performance.now()
    const { texts, waitMs } = await db.withoutDojo((tx) => claimNextTexts(tx, perSecond, capacity))
    for (const text of texts)
      run(sendLimit, () => sendText({ db, provider, perSecond, breaker }, text, claimedAt))
    return waitMs ?? IDLE_PAUSE_MS
  }
  async function reconcileRound(): Promise<number> {
    const { inDoubt, awaitingStatus } = await db.withoutDojo((tx) =>
      claimDueTexts(tx, {
        inDoubt: capacityOf(lookupLimit),
        awaitingStatus: capacityOf(statusLimit),
      }),
    )
    for (const text of inDoubt)
      run(lookupLimit, () => resolveInDoubt(db, provider, text, notSentAfterSeconds))
    for (const text of awaitingStatus) run(statusLimit, () => refreshStatus(db, provider, text))
    return inDoubt.length + awaitingStatus.length > 0 ? RECONCILE_PAUSE_MS : IDLE_PAUSE_MS
  }
  async function repeat(round: () => Promise<number>, pause: (ms: number) => Promise<unknown>) {
    while (!stopController.signal.aborted) {
      const waitMs = await round().catch((error: unknown) => {
        onError(error)
        return ERROR_PAUSE_MS
      })
      if (!stopController.signal.aborted) await pause(waitMs)
    }
  }
  const loops = [repeat(sendRound, alarm.pauseUntilRung), repeat(reconcileRound, alarm.pause)]
  return async () => {
    stopController.abort()
    await Promise.all(loops)
    await Promise.all(pendingCalls)
  }
}

type Sender = { db: Database; provider: Provider; perSecond: number; breaker: CircuitBreaker }

export async function sendText(
  { db, provider, perSecond, breaker }: Sender,
  text: ClaimedText,
  claimedAt: number,
): Promise<void> {
  const inDojo = <T>(work: Parameters<typeof db.inDojo<T>>[1]) => db.inDojo(text.dojo_id, work)
  if (text.opted_out)
    return inDojo((tx) => recordRejected(tx, text, null, describeErrorCode(OPTED_OUT)))
  if (performance.now() - claimedAt > SEND_WITHIN_MS)
    return inDojo((tx) => releaseForRetry(tx, text, 0))
  const outcome = await provider
    .send(toOutgoing(text))
    .catch((failure: unknown) =>
      failure instanceof SendFailure
        ? failure
        : new SendFailure('unknown', 'The call failed unexpectedly', { cause: failure }),
    )
  const pauseSeconds = breaker(outcome instanceof SendFailure ? outcome.kind : null)
  if (outcome instanceof SendFailure)
    return inDojo((tx) => recordFailure(tx, text, outcome, { perSecond, pauseSeconds }))
  await inDojo(async (tx) => {
    const isAccepted = await recordAccepted(tx, text, outcome, provider.hasCallbacks)
    // Another text with the same wording may have taken this provider id when it was looked up.
    if (!isAccepted) await recordInDoubt(tx, text, 0)
  })
}

type Pacing = { perSecond: number; pauseSeconds: number }

async function recordFailure(
  tx: Tx,
  text: ClaimedText,
  failure: SendFailure,
  { perSecond, pauseSeconds }: Pacing,
): Promise<void> {
  const { kind, code, message, retryAfterSeconds } = failure
  switch (kind) {
    case 'unknown':
      await recordInDoubt(tx, text, 0)
      if (pauseSeconds > 0) await rateLimiter.pause(tx, pauseSeconds)
      return
    case 'retry':
      return releaseForRetry(tx, text, RETRY_AFTER_SECONDS)
    case 'rejected':
      return recordRejected(tx, text, code, code === null ? message : undefined)
    case 'rate-limited': {
      await releaseForRetry(tx, text, 0)
      await requeueAndWake(tx, [text.dojo_id])
      await rateLimiter.slowDown(tx, perSecond)
      const seconds = Math.max(pauseSeconds, retryAfterSeconds)
      if (seconds > 0) await rateLimiter.pause(tx, seconds)
      return
    }
    case 'unavailable':
      await releaseForRetry(tx, text, UNAVAILABLE_PAUSE_SECONDS)
      await rateLimiter.pause(tx, UNAVAILABLE_PAUSE_SECONDS)
      return notifyStopped(tx, text.dojo_id, message)
  }
}
