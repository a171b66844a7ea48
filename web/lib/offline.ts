import { useSyncExternalStore } from 'react'

function observable<Value>(value: Value) {
  let currentValue = value
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const get = () => currentValue
  return {
    get,
    set: (newValue: Value) => {
      currentValue = newValue
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, get),
  }
}

/** When the oldest copy on the screen was read, by this device's clock (copies.ts). */
export const oldestCopyTime = observable<number | undefined>(undefined)
export const useOldestCopyTime = oldestCopyTime.use

/** True if a newer version of the app is stored and will start at the next reload (shell.ts). */
export const hasNewVersion = observable(false)

/** True if the service worker served this document because the server was down (public/sw.js). */
export const isStoredDocument = () => document.documentElement.dataset.app === 'stored'
