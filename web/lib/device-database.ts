/** In IndexedDB a resolved write is on disk. Local storage is written to disk seconds later. */
import { DEVICE_DATABASE } from './device-storage.ts'
import { session } from './session.ts'

const NOTHING_STORED = 'This browser stores nothing.'

const VERSION = 1

function databaseOpener(
  databaseName: string,
  stores: readonly string[],
): () => Promise<IDBDatabase> {
  let openPromise: Promise<IDBDatabase> | undefined
  const forget = () => {
    openPromise = undefined
  }
  return () => {
    openPromise ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(databaseName, VERSION)
      request.addEventListener('upgradeneeded', () =>
        stores.forEach((name) => request.result.createObjectStore(name)),
      )
      request.addEventListener('success', () => {
        const database = request.result
        database.addEventListener('versionchange', () => {
          database.close()
          forget()
        })
        database.addEventListener('close', forget)
        resolve(database)
      })
      request.addEventListener('error', () => {
        forget()
        reject(request.error ?? new Error(NOTHING_STORED))
      })
    })
    return openPromise
  }
}

const resultOf = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error(NOTHING_STORED)))
  })
const keysStartingWith = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`)

const storeIn = (open: () => Promise<IDBDatabase>, storeName: string) => ({
  /** The values whose keys start with `prefix`. The prefix '' returns all values. */
  all: async <T>(prefix: string): Promise<T[]> => {
    const values = (await open()).transaction(storeName).objectStore(storeName)
    return resultOf<T[]>(values.getAll(keysStartingWith(prefix)))
  },
  /** Changes values in one transaction. Undefined removes a value. Rejects if the disk is full. */
  change: async <K, T>(
    keys: readonly K[],
    storageKey: (key: K) => string,
    change: (value: T | undefined, key: K) => T | undefined,
  ): Promise<void> => {
    const database = await open()
    const transaction = database.transaction(storeName, 'readwrite', { durability: 'strict' })
    const values = transaction.objectStore(storeName)
    keys.forEach((key) => {
      const name = storageKey(key)
      const read: IDBRequest<T | undefined> = values.get(name)
      read.addEventListener('success', () => {
        const value = change(read.result, key)
        if (value !== undefined) values.put(value, name)
        else if (read.result !== undefined) values.delete(name)
      })
    })
    await new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () =>
        reject(transaction.error ?? new Error(NOTHING_STORED)),
      )
    })
  },
  clear: async (): Promise<void> => {
    const transaction = (await open()).transaction(storeName, 'readwrite')
    await resultOf(transaction.objectStore(storeName).clear())
  },
})
export type DeviceStore = ReturnType<typeof storeIn>

const openAccounts = databaseOpener(DEVICE_DATABASE, ['marks', 'copies'])
/** Taps of an account that the server has not received yet. They contain no names. */
export const tapStore = storeIn(openAccounts, 'marks')
export const copyStore = storeIn(openAccounts, 'copies')
/** Check-ins that a kiosk has not sent yet. They belong to no account. */
export const checkInStore = storeIn(databaseOpener('tatami-kiosk', ['check-ins']), 'check-ins')

/** Copies contain names, so a logout deletes them. Taps wait until their account logs in again. */
export async function clearCopies() {
  await copyStore.clear().catch(() => {})
}
session.subscribe(() => void clearCopies())
