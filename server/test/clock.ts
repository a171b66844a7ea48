import { onTestFinished } from 'vitest'
import { moveClock, now } from '../lib/clock.ts'

let moved = 0

/** Moves the server's clock until the end of the test that asks for it. */
export function setClock(iso: string): void {
  const by = Date.parse(iso) - now().getTime()
  if (moved === 0) onTestFinished(resetClock)
  moved += by
  moveClock(by)
}

function resetClock() {
  moveClock(-moved)
  moved = 0
}
