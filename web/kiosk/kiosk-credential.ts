import { setKioskCredential } from '../lib/api.ts'

export const KIOSK_PREFIX = 'kiosk-'
const TOKEN_KEY = `${KIOSK_PREFIX}token`
const ENDED_KEY = `${KIOSK_PREFIX}ended`
const listeners = new Set<() => void>()
const notifyListeners = () => listeners.forEach((listener) => listener())

const clearStorage = () =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(KIOSK_PREFIX))
    .forEach((key) => localStorage.removeItem(key))

/** A kiosk has a token of its own instead of a user's session. It is valid until the kiosk ends. */
export const kioskCredential = {
  token: () => localStorage.getItem(TOKEN_KEY),
  hasEnded: () => localStorage.getItem(ENDED_KEY) !== null,
  start: (token: string) => {
    clearStorage()
    localStorage.setItem(TOKEN_KEY, token)
    notifyListeners()
  },
  end: () => {
    // If two requests are refused at the same time, only the first one ends the kiosk.
    if (localStorage.getItem(TOKEN_KEY) === null) return
    clearStorage()
    localStorage.setItem(ENDED_KEY, '')
    notifyListeners()
  },
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

setKioskCredential(kioskCredential)
