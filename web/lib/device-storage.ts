/** Which account the data on this device (device-database.ts) belongs to. It is gone when that account logs out or another one signs in. */

/** IndexedDB's name for device-database.ts, which comes only where it is used. */
export const DEVICE_DATABASE = 'tatami'

const OWNER = 'device:owner'

function clear() {
  localStorage.removeItem(OWNER)
  globalThis.indexedDB?.deleteDatabase(DEVICE_DATABASE)
}

export const deviceStorage = {
  /** Says which account is signed in, and drops what another one stored. */
  setOwner: (account: string) => {
    if (localStorage.getItem(OWNER) === account) return
    clear()
    localStorage.setItem(OWNER, account)
  },
  /** The account that is signed in, or was last. */
  owner: () => localStorage.getItem(OWNER) ?? '',
  clear,
}
