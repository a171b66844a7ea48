/** Which account this device's data belongs to. The data is deleted when another one logs in. */

export const DEVICE_DATABASE = 'tatami'

const OWNER = 'device:owner'

function clear() {
  localStorage.removeItem(OWNER)
  globalThis.indexedDB?.deleteDatabase(DEVICE_DATABASE)
}

export const deviceStorage = {
  setOwner: (account: string) => {
    if (localStorage.getItem(OWNER) === account) return
    clear()
    localStorage.setItem(OWNER, account)
  },
  owner: () => localStorage.getItem(OWNER) ?? '',
  clear,
}
