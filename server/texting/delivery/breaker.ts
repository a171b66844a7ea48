import type { Outcome } from '../providers/provider.ts'

const IN_A_ROW = 8
const PAUSE_SECONDS: Partial<Record<Outcome, number>> = { unknown: 5, 'slow-down': 1 }

/** Told of every sending how it failed, null where it did not; says for how many seconds nothing more should leave. */
export type Breaker = (outcome: Outcome | null) => number

/** Knows a provider that is down, or that takes nothing more for now: what is sent to it all the same is left in doubt or refused. */
export function breaker(): Breaker {
  let inARow = 0
  return (outcome) => {
    const pauseSeconds = outcome === null ? undefined : PAUSE_SECONDS[outcome]
    inARow = pauseSeconds === undefined ? 0 : inARow + 1
    return inARow < IN_A_ROW ? 0 : pauseSeconds!
  }
}
