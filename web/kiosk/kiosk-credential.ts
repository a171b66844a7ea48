import { setKioskCredential } from '../lib/api.ts'

/** All that a kiosk stores begins so. */
export const KIOSK_PREFIX = 'kiosk-'
const TOKEN_KEY = `${KIOSK_PREFIX}token`,
  /** Stands in its place once an instructor has ended the kiosk, for its screen to say so. */
  ENDED_KEY = `${KIOSK_PREFIX}ended`
const listeners = new Set<() => void>()
const notifyListeners = () => listeners.forEach((listener) => listener())

const clear = () =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(KIOSK_PREFIX))
    .forEach((key) => localStorage.removeItem(key))

/** What makes this device a kiosk. It is nobody's session: it outlives every sign-in and sign-out here, until an instructor ends it. */
export const kioskCredential = {
  token: () => localStorage.getItem(TOKEN_KEY),
  hasEnded: () => localStorage.getItem(ENDED_KEY) !== null,
  start: (token: string) => {
    clear()
    localStorage.setItem(TOKEN_KEY, token)
    notifyListeners()
  },
  end: () => {
    // Two calls may be refused at once.
    if (localStorage.getItem(TOKEN_KEY) === null) return
    clear()
    localStorage.setItem(ENDED_KEY, '')
    notifyListeners()
  },
  /** Calls `listener` when the kiosk is switched on or ended. Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

setKioskCredential(kioskCredential)
