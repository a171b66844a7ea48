/** What screens store on this device for a time without a network. It belongs to one account, and is gone when that logs out or another signs in. */
import { session } from './session.ts'

/** IndexedDB's name for device-database.ts, which comes only where it is used. */
export const DEVICE_DATABASE = 'tatami'

const PREFIX = 'device:'
const OWNER = `${PREFIX}owner`

/** Holds ids and no names, and is not at the server yet: the same account sends it when it signs in again. */
export const PENDING_RESULTS = 'pending-results'

const names = () =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(PREFIX) && key !== OWNER)
    .map((key) => key.slice(PREFIX.length))
/** Everything that device-database.ts has. */
const dropDatabase = () => void globalThis.indexedDB?.deleteDatabase(DEVICE_DATABASE)
const remove = (name: string) => localStorage.removeItem(PREFIX + name)

export const deviceStorage = {
  /** Says which account is signed in, and drops what another one stored. */
  setOwner: (account: string) => {
    if (localStorage.getItem(OWNER) === account) return
    names().forEach(remove)
    dropDatabase()
    localStorage.setItem(OWNER, account)
  },
  /** The account that is signed in, or was last. */
  owner: () => localStorage.getItem(OWNER) ?? '',
  /** What was stored under a name; undefined where nothing is. */
  load: (name: string): unknown => {
    const stored = localStorage.getItem(PREFIX + name)
    return stored === null ? undefined : (JSON.parse(stored) as unknown)
  },
  /** Returns false where the browser has no room for it. */
  store: (name: string, value: unknown): boolean => {
    try {
      localStorage.setItem(PREFIX + name, JSON.stringify(value))
      return true
    } catch {
      return false
    }
  },
  remove,
  /** Drops what the server has as well. */
  clearCopies: () => {
    names()
      .filter((name) => name !== PENDING_RESULTS)
      .forEach(remove)
  },
  clear: () => {
    ;[...names(), 'owner'].forEach(remove)
    dropDatabase()
  },
}

session.subscribe(() => {
  if (!session.token()) deviceStorage.clearCopies()
})
