import { setTimeout as sleep } from 'node:timers/promises'
import pLimit, { type LimitFunction } from 'p-limit'
import type { Database, Tx } from '../../db/database.ts'
import type { PubSub } from '../../db/pubsub.ts'
import { accountStateAfterFailure, setAccountState } from '../own-account.ts'
import { findProviderOfText, type OwnAccounts } from '../providers/own-accounts.ts'
import { describeErrorCode, OPTED_OUT, type Provider, SendFailure } from '../providers/provider.ts'
import {
  notifyTextingStopped,
  recordAccepted,
  scheduleLookup,
  recordRejected,
  giveUpLookup,
  releaseForRetry,
} from './outcomes.ts'
import {
  claimNextOwnTexts,
  claimNextTexts,
  type ClaimedText,
  requeueAndWake,
  SEND_WITHIN_MS,
  TEXTS_QUEUED,
} from './queue.ts'
import {
  createCircuitBreaker,
  type CircuitBreaker,
  ownRateLimiter,
  rateLimiter,
} from './rate-limit.ts'
import {
  claimDueTexts,
  NOT_SENT_AFTER_SECONDS,
  toOutgoingText,
  refreshStatus,
  resolveInDoubt,
  stopPollingStatus,
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
  /** The server's provider. */
  provider: Provider
  /** If missing, every text goes through `provider`. */
  ownAccounts?: OwnAccounts
  perSecond: number
  notSentAfterSeconds?: number
  onError: (error: unknown) => void
}

/** Pauses end early when the worker stops, or when the alarm rings because texts were queued. */
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

/** Failures of one account pause only that account. */
function createBreakers() {
  const breakers = new Map<string | null, CircuitBreaker>()
  return ({ accountSid }: Provider): CircuitBreaker => {
    const breaker = breakers.get(accountSid) ?? createCircuitBreaker()
    breakers.set(accountSid, breaker)
    return breaker
  }
}

type WorkOptions = Omit<WorkerOptions, 'pubsub' | 'onError'>

/** The actions on a claimed text. They use the provider that the text was claimed for. */
function createTextActions({
  db,
  provider: serverProvider,
  ownAccounts,
  perSecond,
  notSentAfterSeconds = NOT_SENT_AFTER_SECONDS,
}: WorkOptions) {
  const breakerOf = createBreakers()
  const findProvider = async (text: ClaimedText) =>
    ownAccounts ? findProviderOfText(db, serverProvider, ownAccounts, text) : serverProvider
  return {
    async send(text: ClaimedText, claimedAt: number) {
      const provider = await findProvider(text)
      if (provider)
        return sendText({ db, provider, perSecond, breaker: breakerOf(provider) }, text, claimedAt)
      await db.inDojo(text.dojo_id, async (tx) => {
        await releaseForRetry(tx, text, 0)
        await requeueAndWake(tx, [text.dojo_id])
      })
    },
    async resolve(text: ClaimedText) {
      const provider = await findProvider(text)
      if (provider) await resolveInDoubt(db, provider, text, notSentAfterSeconds)
      else await db.inDojo(text.dojo_id, (tx) => giveUpLookup(tx, text))
    },
    async refresh(text: ClaimedText) {
      const provider = await findProvider(text)
      if (provider) await refreshStatus(db, provider, text)
      else await db.inDojo(text.dojo_id, (tx) => stopPollingStatus(tx, text))
    },
  }
}

/** Any number of servers may run a worker. Returns a function that stops the worker and waits for
 *  its pending calls. */
export function startWorker(options: WorkerOptions): () => Promise<void> {
  const { db, pubsub, perSecond, onError } = options
  const stopController = new AbortController()
  const sendLimit = pLimit(MAX_CONCURRENT_SENDS)
  const lookupLimit = pLimit(MAX_CONCURRENT_LOOKUPS)
  const statusLimit = pLimit(MAX_CONCURRENT_LOOKUPS)
  const pendingCalls = new Set<Promise<void>>()
  const alarm = createAlarm(stopController.signal)
  const { send, resolve, refresh } = createTextActions(options)
  pubsub.subscribe(TEXTS_QUEUED, alarm.ring)

  function run(limit: LimitFunction, call: () => Promise<void>) {
    const pendingCall = limit(call)
      .catch(onError)
      .finally(() => pendingCalls.delete(pendingCall))
    pendingCalls.add(pendingCall)
  }

  async function sendRound(): Promise<number> {
    alarm.reset()
    const claimedAt = performance.now()
    const waits: number[] = []
    for (const claim of [claimNextTexts, claimNextOwnTexts]) {
      const capacity = capacityOf(sendLimit)
      if (capacity === 0) return BUSY_PAUSE_MS
      const { texts, waitMs } = await db.withoutDojo((tx) => claim(tx, perSecond, capacity))
      for (const text of texts) run(sendLimit, () => send(text, claimedAt))
      waits.push(waitMs ?? IDLE_PAUSE_MS)
    }
    return Math.min(...waits)
  }
  async function reconcileRound(): Promise<number> {
    const { inDoubt, awaitingStatus } = await db.withoutDojo((tx) =>
      claimDueTexts(tx, {
        inDoubt: capacityOf(lookupLimit),
        awaitingStatus: capacityOf(statusLimit),
      }),
    )
    for (const text of inDoubt) run(lookupLimit, () => resolve(text))
    for (const text of awaitingStatus) run(statusLimit, () => refresh(text))
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
  const inDojo = <Result>(work: Parameters<typeof db.inDojo<Result>>[1]) =>
    db.inDojo(text.dojo_id, work)
  if (text.opted_out)
    return inDojo((tx) => recordRejected(tx, text, null, describeErrorCode(OPTED_OUT)))
  if (performance.now() - claimedAt > SEND_WITHIN_MS)
    return inDojo((tx) => releaseForRetry(tx, text, 0))
  const outcome = await provider
    .send(toOutgoingText(text))
    .catch((failure: unknown) =>
      failure instanceof SendFailure
        ? failure
        : new SendFailure('unknown', 'The call failed unexpectedly', { cause: failure }),
    )
  const pauseSeconds = breaker(outcome instanceof SendFailure ? outcome.kind : null)
  if (outcome instanceof SendFailure)
    return inDojo((tx) => recordFailure(tx, text, outcome, { provider, perSecond, pauseSeconds }))
  await inDojo(async (tx) => {
    const isAccepted = await recordAccepted(tx, text, outcome, provider.hasCallbacks)
    // Another text with the same wording may have taken this provider id when it was looked up.
    if (!isAccepted) await scheduleLookup(tx, text, 0)
  })
}

type FailureContext = { provider: Provider; perSecond: number; pauseSeconds: number }

async function recordFailure(
  tx: Tx,
  text: ClaimedText,
  failure: SendFailure,
  { provider: { accountSid }, perSecond, pauseSeconds }: FailureContext,
): Promise<void> {
  const { kind, code, message, retryAfterSeconds } = failure
  const limiter = accountSid === null ? rateLimiter : ownRateLimiter
  switch (kind) {
    case 'unknown':
      await scheduleLookup(tx, text, 0)
      if (pauseSeconds > 0) await limiter.pause(tx, pauseSeconds)
      return
    case 'retry':
      return releaseForRetry(tx, text, RETRY_AFTER_SECONDS)
    case 'rejected':
      return recordRejected(tx, text, code, code === null ? message : undefined)
    case 'rate-limited': {
      await releaseForRetry(tx, text, 0)
      await requeueAndWake(tx, [text.dojo_id])
      await limiter.slowDown(tx, perSecond)
      const seconds = Math.max(pauseSeconds, retryAfterSeconds)
      if (seconds > 0) await limiter.pause(tx, seconds)
      return
    }
    case 'unavailable':
      await releaseForRetry(tx, text, UNAVAILABLE_PAUSE_SECONDS)
      await limiter.pause(tx, UNAVAILABLE_PAUSE_SECONDS)
      await recordAccountFailure(tx, accountSid, failure)
      return notifyTextingStopped(tx, text.dojo_id, message)
  }
}

async function recordAccountFailure(tx: Tx, accountSid: string | null, failure: SendFailure) {
  const state = accountStateAfterFailure(failure)
  if (accountSid !== null && state !== null)
    await setAccountState(tx, accountSid, state, failure.message)
}
