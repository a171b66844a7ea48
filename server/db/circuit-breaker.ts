import { setTimeout as sleep } from 'node:timers/promises'
import { Unreachable } from './database-errors.ts'

/** After waiting this long for a statement, the database is pinged; a busy one still answers in
 *  time. */
const SUSPECT_AFTER_MS = 600,
  PING_TIMEOUT_MS = 1_200,
  STEP_MS = 100,
  RETRY_AFTER_MS = 100

export type Ping = () => Promise<boolean>

export type CircuitBreaker = {
  throwIfOpen: () => void
  isOpen: () => boolean
  /** Calls `abort` when the database stops answering, until the returned function is called. Pings
   *  regularly meanwhile. */
  onOpen: (abort: (reason: Unreachable) => void) => () => void
}

const notAnswering = () => new Unreachable('The database does not answer')

/** Opens if the database stops answering at all; slow statements do not count. */
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

/** Waits in short steps, so that a pause of the process counts as one of them. The last turn reads
 *  an answer that arrived meanwhile. */
async function timeout(): Promise<false> {
  for (let waitedMs = 0; waitedMs < PING_TIMEOUT_MS; waitedMs += STEP_MS)
    await sleep(STEP_MS, undefined, { ref: false })
  await new Promise((resolve) => setImmediate(resolve))
  return false
}
