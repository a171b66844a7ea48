/** All server code reads the clock here, so that tests and the demo can move it. */

let offsetMs = 0

export const now = (): Date => new Date(Date.now() + offsetMs)
export const nowIso = (): string => now().toISOString()

export const moveClock = (ms: number): void => {
  offsetMs += ms
}
