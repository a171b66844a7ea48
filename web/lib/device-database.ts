/** Stores data in IndexedDB, which has written it to disk when a write resolves. Browsers may write
 *  local storage to disk only seconds later. */
import { DEVICE_DATABASE } from './device-storage.ts'
import { session } from './session.ts'

const STORAGE_FAILED = 'The browser could not store the data.'

const DATABASE_VERSION = 1

function databaseOpener(
  databaseName: string,
  stores: readonly string[],
): () => Promise<IDBDatabase> {
  let openPromise: Promise<IDBDatabase> | undefined
  const reset = () => {
    openPromise = undefined
  }
  return () => {
    openPromise ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(databaseName, DATABASE_VERSION)
      request.addEventListener('upgradeneeded', () =>
        stores.forEach((name) => request.result.createObjectStore(name)),
      )
      request.addEventListener('success', () => {
        const database = request.result
        database.addEventListener('versionchange', () => {
          database.close()
          reset()
        })
        database.addEventListener('close', reset)
        resolve(database)
      })
      request.addEventListener('error', () => {
        reset()
        reject(request.error ?? new Error(STORAGE_FAILED))
      })
    })
    return openPromise
  }
}

const waitForResult = <Result>(request: IDBRequest<Result>) =>
  new Promise<Result>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error(STORAGE_FAILED)))
  })
const keysStartingWith = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`)

const createStore = (open: () => Promise<IDBDatabase>, storeName: string) => ({
  /** Returns the values whose keys start with `prefix`. */
  getAll: async <Value>(prefix: string): Promise<Value[]> => {
    const objectStore = (await open()).transaction(storeName).objectStore(storeName)
    return waitForResult<Value[]>(objectStore.getAll(keysStartingWith(prefix)))
  },
  /** Changes values in one transaction. Undefined removes a value. Rejects if the disk is full. */
  change: async <Key, Value>(
    keys: readonly Key[],
    storageKey: (key: Key) => string,
    change: (value: Value | undefined, key: Key) => Value | undefined,
  ): Promise<void> => {
    const database = await open()
    const transaction = database.transaction(storeName, 'readwrite', { durability: 'strict' })
    const objectStore = transaction.objectStore(storeName)
    keys.forEach((key) => {
      const name = storageKey(key)
      const readRequest: IDBRequest<Value | undefined> = objectStore.get(name)
      readRequest.addEventListener('success', () => {
        const value = change(readRequest.result, key)
        if (value !== undefined) objectStore.put(value, name)
        else if (readRequest.result !== undefined) objectStore.delete(name)
      })
    })
    await new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () =>
        reject(transaction.error ?? new Error(STORAGE_FAILED)),
      )
    })
  },
  clear: async (): Promise<void> => {
    const transaction = (await open()).transaction(storeName, 'readwrite')
    await waitForResult(transaction.objectStore(storeName).clear())
  },
})
export type DeviceStore = ReturnType<typeof createStore>

const openAccountDatabase = databaseOpener(DEVICE_DATABASE, ['marks', 'copies'])
/** The keys of leads from a fair start with this. Only these items contain names. */
export const FAIR_LEADS_PREFIX = 'leads'
/** Taps and leads of an account that the server has not received yet. */
export const tapStore = createStore(openAccountDatabase, 'marks')
export const copyStore = createStore(openAccountDatabase, 'copies')
/** Check-ins that a kiosk has not sent yet. They belong to no account. */
export const checkInStore = createStore(databaseOpener('tatami-kiosk', ['check-ins']), 'check-ins')

/** A logout deletes copies, which contain names. It keeps taps, which are sent after the next
 *  login. */
export async function clearCopies() {
  await copyStore.clear().catch(() => {})
}
session.subscribe(() => void clearCopies())
