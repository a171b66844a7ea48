import { useSyncExternalStore } from 'react'

/** A value that screens follow. */
function observable<T>(value: T) {
  let current = value
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const get = () => current
  return {
    get,
    set: (next: T) => {
      current = next
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, get),
  }
}

/** When the oldest of what the screens show was read, in this device's milliseconds, while the server does not answer and they show what
 *  this device has stored (copies.ts); undefined while all of it is the server's. */
export const shownAsOf = observable<number | undefined>(undefined)
export const useOffline = shownAsOf.use

/** Whether a version of the app after this page's is stored, and waits for a reload (shell.ts). */
export const hasNewVersion = observable(false)

/** Whether the document came from this device's store, because the server did not answer (public/sw.js). */
export const isStoredDocument = () => document.documentElement.dataset.app === 'stored'
