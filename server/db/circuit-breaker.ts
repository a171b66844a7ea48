import { setTimeout as sleep } from 'node:timers/promises'
import { Unreachable } from './database-errors.ts'

/** Whoever has waited this long has the database asked for a sign of life; a busy one, too, gives it long before the time is up. */
const SUSPECT_AFTER_MS = 600,
  ANSWERS_WITHIN_MS = 1_200,
  ASK_AGAIN_AFTER_MS = 100

/** Asks the database for anything at all: true when it answers, be it with an error, false when it says nothing for seconds. */
export type Ping = () => Promise<boolean>

export type CircuitBreaker = {
  /** Refuses at once while the database is silent. */
  throwIfOpen: () => void
  /** From now until the returned end is called, somebody waits for the database, and is to give up when it has fallen silent. */
  onOpen: (giveUp: (reason: Unreachable) => void) => () => void
}

const silent = () => new Unreachable('The database does not answer')

/** A circuit breaker that tells a slow statement, which may go on, from a database that does not answer anything. */
export function createCircuitBreaker(ping: Ping): CircuitBreaker {
  const waiting = new Set<(reason: Unreachable) => void>()
  let isAsking = false,
    isSilent = false

  async function ask() {
    if (isAsking) return
    isAsking = true
    let answer = ping()
    isSilent = !(await Promise.race([answer, patience()]))
    if (isSilent) for (const giveUp of waiting) giveUp(silent())
    while (isSilent) {
      isSilent = !(await answer)
      if (isSilent) await sleep(ASK_AGAIN_AFTER_MS, undefined, { ref: false })
      if (isSilent) answer = ping()
    }
    isAsking = false
  }

  return {
    throwIfOpen: () => {
      if (isSilent) throw silent()
    },
    onOpen: (giveUp) => {
      waiting.add(giveUp)
      const suspecting = setInterval(() => void ask(), SUSPECT_AFTER_MS).unref()
      return () => {
        clearInterval(suspecting)
        waiting.delete(giveUp)
      }
    },
  }
}

/** An answer that arrived while this process was busy itself is read before the time is up. */
async function patience(): Promise<false> {
  await sleep(ANSWERS_WITHIN_MS, undefined, { ref: false })
  await new Promise((resolve) => setImmediate(resolve))
  return false
}
