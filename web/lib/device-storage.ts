/** Remembers which account the data on this device belongs to, and deletes the data when another
 *  account logs in. */

export const DEVICE_DATABASE = 'tatami'

const OWNER_KEY = 'device:owner'

function clear() {
  localStorage.removeItem(OWNER_KEY)
  globalThis.indexedDB?.deleteDatabase(DEVICE_DATABASE)
}

export const deviceStorage = {
  setOwner: (account: string) => {
    if (localStorage.getItem(OWNER_KEY) === account) return
    clear()
    localStorage.setItem(OWNER_KEY, account)
  },
  owner: () => localStorage.getItem(OWNER_KEY) ?? '',
  clear,
}
