import { setTimeout as sleep } from 'node:timers/promises'
import { Unreachable } from './database-errors.ts'

/** If a statement takes this long, the circuit breaker pings the database. */
const PING_AFTER_MS = 600
/** Even a busy database answers a ping within this time. */
const PING_TIMEOUT_MS = 1_200
const STEP_MS = 100
const RETRY_AFTER_MS = 100

export type Ping = () => Promise<boolean>

export type CircuitBreaker = {
  throwIfOpen: () => void
  isOpen: () => boolean
  /** Calls `abort` if the database stops answering. Returns a function that unsubscribes. */
  onOpen: (abort: (reason: Unreachable) => void) => () => void
}

const createUnreachableError = () => new Unreachable('The database does not answer')

/** The breaker is open while the database does not answer pings. Calls then fail immediately. */
export function createCircuitBreaker(ping: Ping): CircuitBreaker {
  const abortFunctions = new Set<(reason: Unreachable) => void>()
  let isPinging = false
  let isOpen = false

  async function check() {
    if (isPinging) return
    isPinging = true
    let answer = ping()
    isOpen = !(await Promise.race([answer, waitForTimeout()]))
    if (isOpen) for (const abort of abortFunctions) abort(createUnreachableError())
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
      if (isOpen) throw createUnreachableError()
    },
    onOpen: (abort) => {
      abortFunctions.add(abort)
      const timer = setInterval(() => void check(), PING_AFTER_MS).unref()
      return () => {
        clearInterval(timer)
        abortFunctions.delete(abort)
      }
    },
  }
}

/** Waits in steps, so that a suspension of the process shortens only one of them. At the end, an
 *  answer that has already arrived wins the race. */
async function waitForTimeout(): Promise<false> {
  for (let waitedMs = 0; waitedMs < PING_TIMEOUT_MS; waitedMs += STEP_MS)
    await sleep(STEP_MS, undefined, { ref: false })
  await new Promise((resolve) => setImmediate(resolve))
  return false
}
