/** IndexedDB is on disk when a write resolves. Local storage takes seconds more. */
import { DEVICE_DATABASE } from './device-storage.ts'
import { session } from './session.ts'

const VERSION = 1

function openerOf(databaseName: string, stores: readonly string[]): () => Promise<IDBDatabase> {
  let opening: Promise<IDBDatabase> | undefined
  const forget = () => {
    opening = undefined
  }
  return () => {
    opening ??= new Promise<IDBDatabase>((resolve, reject) => {
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
        reject(request.error ?? new Error('This browser stores nothing.'))
      })
    })
    return opening
  }
}

const answerOf = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('This browser stores nothing.')),
    )
  })
const startingWith = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`)

const storeIn = (open: () => Promise<IDBDatabase>, storeName: string) => ({
  all: async <T>(prefix: string): Promise<T[]> => {
    const values = (await open()).transaction(storeName).objectStore(storeName)
    return answerOf(values.getAll(startingWith(prefix)) as IDBRequest<T[]>)
  },
  /** Replaces the values in one transaction; undefined removes one. Rejects if there is no room. */
  change: async <K, T>(
    keys: readonly K[],
    nameOf: (key: K) => string,
    change: (value: T | undefined, key: K) => T | undefined,
  ): Promise<void> => {
    const database = await open()
    const transaction = database.transaction(storeName, 'readwrite', { durability: 'strict' })
    const values = transaction.objectStore(storeName)
    keys.forEach((key) => {
      const name = nameOf(key)
      const read = values.get(name) as IDBRequest<T | undefined>
      read.addEventListener('success', () => {
        const value = change(read.result, key)
        if (value !== undefined) values.put(value, name)
        else if (read.result !== undefined) values.delete(name)
      })
    })
    await new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () =>
        reject(transaction.error ?? new Error('This browser stores nothing.')),
      )
    })
  },
  clear: async (): Promise<void> => {
    const transaction = (await open()).transaction(storeName, 'readwrite')
    await answerOf(transaction.objectStore(storeName).clear())
  },
})
export type DeviceStore = ReturnType<typeof storeIn>

const openAccounts = openerOf(DEVICE_DATABASE, ['marks', 'copies'])
/** What an account has tapped and the server does not have yet, without names. */
export const tapStore = storeIn(openAccounts, 'marks')
export const copyStore = storeIn(openAccounts, 'copies')
/** Check-ins that a kiosk has not sent yet. They belong to no account. */
export const checkInStore = storeIn(openerOf('tatami-kiosk', ['check-ins']), 'check-ins')

/** Copies name people, so they end with the session. Taps wait for their account. */
export async function clearCopies() {
  await copyStore.clear().catch(() => {})
}
session.subscribe(() => void clearCopies())
