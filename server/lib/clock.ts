let offsetMs = 0

/** All server code reads the clock here. */
export const now = (): Date => new Date(Date.now() + offsetMs)
export const nowIso = (): string => now().toISOString()

export const moveClock = (ms: number): void => {
  offsetMs += ms
}
