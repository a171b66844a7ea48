let offsetMs = 0

/** The server's time. All code of the server reads the clock here. */
export const now = (): Date => new Date(Date.now() + offsetMs)
export const nowIso = (): string => now().toISOString()

/** Moves the clock for tests and for the demo's year of history. */
export const moveClock = (ms: number): void => {
  offsetMs += ms
}
