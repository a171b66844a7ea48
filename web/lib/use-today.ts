import { useSyncExternalStore } from 'react'
import { today } from './dates.ts'

const LOOK_MS = 30_000

function subscribe(look: () => void) {
  const looking = setInterval(look, LOOK_MS)
  // A device that slept had no timers.
  document.addEventListener('visibilitychange', look)
  return () => {
    clearInterval(looking)
    document.removeEventListener('visibilitychange', look)
  }
}

const snapshot = () => today()

/** Today where the dojo is. Whoever uses it is drawn anew when that changes: a page may stay open over night. */
export const useToday = () => useSyncExternalStore(subscribe, snapshot)
