/**
 * The account that the data on this device (device-database.ts) belongs to. The data is deleted
 * when the account logs out or another one logs in.
 */

export const DEVICE_DATABASE = 'tatami'

const OWNER = 'device:owner'

function clear() {
  localStorage.removeItem(OWNER)
  globalThis.indexedDB?.deleteDatabase(DEVICE_DATABASE)
}

export const deviceStorage = {
  /** Deletes the data of another account. */
  setOwner: (account: string) => {
    if (localStorage.getItem(OWNER) === account) return
    clear()
    localStorage.setItem(OWNER, account)
  },
  /** The account that is logged in, or was last. */
  owner: () => localStorage.getItem(OWNER) ?? '',
  clear,
}
