import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../kernel/database.ts'
import type { Signals } from '../kernel/signals.ts'
import { askStatus } from './ask-status.ts'
import { type Claimed, claimDoubts, claimTexts, claimUnsettled } from './claim.ts'
import { lookUp } from './look-up.ts'
import { TEXTS_QUEUED } from './outbox.ts'
import type { Provider } from './provider.ts'
import { sendText } from './send.ts'

const IDLE_MS = 1_000, FULL_MS = 20, AFTER_ERROR_MS = 1_000
const SENDING_AT_ONCE = 100, ASKING_AT_ONCE = 20

export type Sending = { db: Database; signals: Signals; provider: Provider; perSecond: number; onError: (error: unknown) => void }

/** Sends what is queued, settles what is in doubt and follows what is under way, beside however many other servers do so.
 *  Gives back its end, which waits for the calls in flight. */
export function keepSending({ db, signals, provider, perSecond, onError }: Sending): () => Promise<void> {
  const inFlight = new Set<Promise<void>>()
  const stopping = new AbortController()
  let wake = () => {}
  signals.on(TEXTS_QUEUED, () => wake())

  /** Answers how long to wait before the next round. */
  async function sendRound(): Promise<number> {
    const most = SENDING_AT_ONCE - inFlight.size
    if (most === 0) return FULL_MS
    const claimedAt = performance.now()
    const { claimed, waitMs } = await db.withoutDojo((tx) => claimTexts(tx, perSecond, most))
    for (const text of claimed) {
      const sending = sendText(db, provider, text, claimedAt).catch(onError).finally(() => inFlight.delete(sending))
      inFlight.add(sending)
    }
    return claimed.length > 0 || waitMs > 0 ? waitMs : IDLE_MS
  }
  const askRound = (claim: typeof claimDoubts, ask: (text: Claimed) => Promise<void>) => async () => {
    const claimed = await db.withoutDojo((tx) => claim(tx, ASKING_AT_ONCE))
    await Promise.all(claimed.map((text) => ask(text).catch(onError)))
    return claimed.length > 0 ? 0 : IDLE_MS
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
  const pauseUntilWoken = (ms: number) => Promise.race([plainPause(ms), ms === IDLE_MS ? new Promise<void>((resolve) => { wake = resolve }) : plainPause(ms)])

  const kept = [
    keep(sendRound, pauseUntilWoken),
    keep(askRound(claimDoubts, (text) => lookUp(db, provider, text)), plainPause),
    keep(askRound(claimUnsettled, (text) => askStatus(db, provider, text)), plainPause),
  ]
  return async () => {
    stopping.abort()
    await Promise.all(kept)
    await Promise.all(inFlight)
  }
}
