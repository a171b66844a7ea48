/**
 * IndexedDB of this device. What is written is on the disk when the promise resolves; local storage reaches it seconds later, and a dead
 * battery takes those along.
 */
import { DEVICE_DATABASE } from './device-storage.ts'

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
        // Another page deletes it, or a newer version changes it.
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

export function databaseOf<S extends string>(databaseName: string, stores: readonly S[]) {
  const open = openerOf(databaseName, stores)
  return {
    /** The values whose keys begin so. */
    all: async <T>(name: S, prefix: string): Promise<T[]> => {
      const database = await open()
      return answerOf(
        database.transaction(name).objectStore(name).getAll(startingWith(prefix)) as IDBRequest<
          T[]
        >,
      )
    },
    /** How many values of a kind there are. */
    count: async (name: S): Promise<number> =>
      answerOf((await open()).transaction(name).objectStore(name).count()),
    /** Puts what `to` makes of the value of each key in its place, undefined removes it; in one transaction. Fails where there is no room. */
    change: async <T>(
      name: S,
      keys: readonly string[],
      to: (value: T | undefined, index: number) => T | undefined,
    ): Promise<void> => {
      const database = await open()
      const transaction = database.transaction(name, 'readwrite', { durability: 'strict' })
      const values = transaction.objectStore(name)
      keys.forEach((key, index) => {
        const read = values.get(key) as IDBRequest<T | undefined>
        read.addEventListener('success', () => {
          const value = to(read.result, index)
          if (value !== undefined) values.put(value, key)
          else if (read.result !== undefined) values.delete(key)
        })
      })
      await new Promise<void>((resolve, reject) => {
        transaction.addEventListener('complete', () => resolve())
        transaction.addEventListener('abort', () =>
          reject(transaction.error ?? new Error('This browser stores nothing.')),
        )
      })
    },
    /** Removes all values of a kind. */
    clear: async (name: S): Promise<void> => {
      await answerOf((await open()).transaction(name, 'readwrite').objectStore(name).clear())
    },
  }
}

/** Of one account, whose id begins every key; it goes with what device-storage.ts has of it. `marks` are ids, and not at the server yet; `copies`
 *  are answers of the server. */
export const deviceDatabase = databaseOf(DEVICE_DATABASE, ['marks', 'copies'])
