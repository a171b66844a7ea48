import { onTestFinished } from 'vitest'
import { moveClock, now } from '../lib/clock.ts'

let offsetMs = 0

/** Sets the server's clock until the test ends. */
export function setClock(iso: string): void {
  const stepMs = Date.parse(iso) - now().getTime()
  if (offsetMs === 0) onTestFinished(resetClock)
  offsetMs += stepMs
  moveClock(stepMs)
}

function resetClock() {
  moveClock(-offsetMs)
  offsetMs = 0
}
