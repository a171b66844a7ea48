import { setTimeout as sleep } from 'node:timers/promises'
import { Unreachable } from './database-errors.ts'

/** After this time of waiting for a statement, the database is asked whether it answers anything; a busy one still does so in time. */
const SUSPECT_AFTER_MS = 600,
  PING_TIMEOUT_MS = 1_200,
  STEP_MS = 100,
  RETRY_AFTER_MS = 100

/** Asks the database anything: true when it answers, be it with an error, false when it says nothing for seconds. */
export type Ping = () => Promise<boolean>

export type CircuitBreaker = {
  /** Throws at once while the database does not answer. */
  throwIfOpen: () => void
  isOpen: () => boolean
  /** Calls `abort` when the database stops answering, until the returned function is called. Meanwhile it is pinged regularly. */
  onOpen: (abort: (reason: Unreachable) => void) => () => void
}

const notAnswering = () => new Unreachable('The database does not answer')

/** A circuit breaker that opens when the database answers nothing at all; a statement that is merely slow goes on. */
export function createCircuitBreaker(ping: Ping): CircuitBreaker {
  const waiting = new Set<(reason: Unreachable) => void>()
  let isPinging = false,
    isOpen = false

  async function check() {
    if (isPinging) return
    isPinging = true
    let answer = ping()
    isOpen = !(await Promise.race([answer, timeout()]))
    if (isOpen) for (const abort of waiting) abort(notAnswering())
    while (isOpen) {
      isOpen = !(await answer)
      if (isOpen) await sleep(RETRY_AFTER_MS, undefined, { ref: false })
      if (isOpen) answer = ping()
    }
    isPinging = false
  }

  return {
    isOpen: () => isOpen,
    throwIfOpen: () => {
      if (isOpen) throw notAnswering()
    },
    onOpen: (abort) => {
      waiting.add(abort)
      const checking = setInterval(() => void check(), SUSPECT_AFTER_MS).unref()
      return () => {
        clearInterval(checking)
        waiting.delete(abort)
      }
    },
  }
}

/** Waits in short steps, so that a pause of this process or its machine counts as one of them. After the last, an answer that arrived
 *  while this process was busy is still read. */
async function timeout(): Promise<false> {
  for (let waitedMs = 0; waitedMs < PING_TIMEOUT_MS; waitedMs += STEP_MS)
    await sleep(STEP_MS, undefined, { ref: false })
  await new Promise((resolve) => setImmediate(resolve))
  return false
}
