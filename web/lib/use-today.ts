import { useSyncExternalStore } from 'react'
import { today } from './dates.ts'

const CHECK_INTERVAL_MS = 30_000

function subscribe(onCheck: () => void) {
  const timer = setInterval(onCheck, CHECK_INTERVAL_MS)
  // Timers do not run while the device sleeps.
  document.addEventListener('visibilitychange', onCheck)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onCheck)
  }
}

const snapshot = () => today()

export const useToday = () => useSyncExternalStore(subscribe, snapshot)
