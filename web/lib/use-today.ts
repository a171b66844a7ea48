import { useSyncExternalStore } from 'react'
import { today } from './dates.ts'

const LOOK_MS = 30_000

function subscribe(look: () => void) {
  const looking = setInterval(look, LOOK_MS)
  // A sleeping device runs no timers.
  document.addEventListener('visibilitychange', look)
  return () => {
    clearInterval(looking)
    document.removeEventListener('visibilitychange', look)
  }
}

const snapshot = () => today()

/** Today in the dojo's time zone. Rerenders at midnight, because a page may stay open overnight. */
export const useToday = () => useSyncExternalStore(subscribe, snapshot)
