const IN_A_ROW = 8,
  PAUSE_SECONDS = 5

/** Told of every sending whether it was answered; says for how many seconds nothing more should leave. */
export type Breaker = (isAnswered: boolean) => number

/** Knows a provider that is down: what is sent to it all the same is left in doubt, and may never be settled. */
export function breaker(): Breaker {
  let inARow = 0
  return (isAnswered) => {
    inARow = isAnswered ? 0 : inARow + 1
    return inARow < IN_A_ROW ? 0 : PAUSE_SECONDS
  }
}
