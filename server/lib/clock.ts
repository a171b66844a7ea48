export const DAY_MS = 24 * 3_600_000

let elapse = 0

/** The time as the server sees it. Everything on the server that asks for it asks here. */
export const now = (): Date => new Date(Date.now() + elapse)
export const nowIso = (): string => now().toISOString()

/** Tests move the time, and the demo lives a year of it; nothing else does. */
export const moveClock = (ms: number): void => {
  elapse += ms
}
