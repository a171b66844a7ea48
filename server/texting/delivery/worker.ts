import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import type { PubSub } from '../../db/pubsub.ts'
import { askStatus } from './ask-status.ts'
import { breaker } from './breaker.ts'
import { claimTexts } from './claim.ts'
import { claimFollowUp } from './follow-up.ts'
import { lane } from './lane.ts'
import { lookUp, NOT_SENT_AFTER_SECONDS } from './reconcile.ts'
import type { Provider } from '../providers/provider.ts'
import { sendText } from './send.ts'
import { TEXTS_QUEUED } from './queue.ts'

/** `ASKING_MS` leaves what is sent before what is asked about. */
const IDLE_MS = 2_000,
  BUSY_MS = 20,
  ASKING_MS = 75,
  AFTER_ERROR_MS = 1_000
const SENDING_AT_ONCE = 100,
  ASKING_AT_ONCE = 20

type Dispatch = {
  db: Database
  pubsub: PubSub
  provider: Provider
  perSecond: number
  /** Shorter only in tests, whose provider is as much quicker. */
  notSentAfterSeconds?: number
  onError: (error: unknown) => void
}

/** Sends what is queued, settles what is in doubt and follows what is under way, beside however many other servers do so.
 *  Gives back its end, which waits for the calls in flight. */
export function keepSending({
  db,
  pubsub,
  provider,
  perSecond,
  notSentAfterSeconds = NOT_SENT_AFTER_SECONDS,
  onError,
}: Dispatch): () => Promise<void> {
  const stopping = new AbortController()
  const sending = lane(SENDING_AT_ONCE, onError),
    looking = lane(ASKING_AT_ONCE, onError),
    asking = lane(ASKING_AT_ONCE, onError)
  const trouble = breaker()
  let isCalled = false,
    wake = () => {}
  pubsub.subscribe(TEXTS_QUEUED, () => {
    isCalled = true
    wake()
  })

  /** Answers how long to wait before the next round. */
  async function sendRound(): Promise<number> {
    isCalled = false
    const most = sending.room()
    if (most === 0) return BUSY_MS
    const claimedAt = performance.now()
    const { claimed, waitMs } = await db.withoutDojo((tx) => claimTexts(tx, perSecond, most))
    for (const text of claimed) sending.enter(sendText({ db, provider, perSecond, trouble }, text, claimedAt))
    return waitMs ?? IDLE_MS
  }
  async function followUpRound(): Promise<number> {
    const { doubts, unsettled } = await db.withoutDojo((tx) => claimFollowUp(tx, { doubts: looking.room(), unsettled: asking.room() }))
    for (const text of doubts) looking.enter(lookUp(db, provider, text, notSentAfterSeconds))
    for (const text of unsettled) asking.enter(askStatus(db, provider, text))
    return doubts.length + unsettled.length > 0 ? ASKING_MS : IDLE_MS
  }
  async function keep(round: () => Promise<number>, pause: (ms: number) => Promise<unknown>) {
    while (!stopping.signal.aborted) {
      const waitMs = await round().catch((error: unknown) => {
        onError(error)
        return AFTER_ERROR_MS
      })
      if (!stopping.signal.aborted) await pause(waitMs)
    }
  }
  const plainPause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {})
  const pauseUntilCalled = async (ms: number) => {
    if (ms < IDLE_MS) return plainPause(ms)
    if (!isCalled)
      await Promise.race([
        plainPause(ms),
        new Promise<void>((resolve) => {
          wake = resolve
        }),
      ])
  }

  const kept = [keep(sendRound, pauseUntilCalled), keep(followUpRound, plainPause)]
  return async () => {
    stopping.abort()
    await Promise.all(kept)
    await Promise.all([sending, looking, asking].map(({ empty }) => empty()))
  }
}
