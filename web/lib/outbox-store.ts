import type { DeviceStore } from './device-database.ts'
import type { OutboxStore } from './outbox.ts'

export type OutboxStoreOptions<K, I> = {
  deviceStore: DeviceStore
  /** The prefix of the keys of an account's items. Undefined if the items belong to the device. */
  accountPrefix?: () => string
  keyOf: (key: K) => string
  compare?: (a: I, b: I) => number
}

/** Stores an outbox on disk. If the disk is full, this page's memory keeps an account's items. */
export function createOutboxStore<K, I extends K>({
  deviceStore,
  accountPrefix,
  keyOf,
  compare = () => 0,
}: OutboxStoreOptions<K, I>) {
  let itemsInMemory: Map<string, I> | undefined
  const currentPrefix = () => accountPrefix?.() ?? ''
  const loadFromDisk = () => deviceStore.all<I>(currentPrefix()).catch(() => [])

  const change: OutboxStore<K, I>['change'] = async (keys, changeItem) => {
    // The account may change while this waits for the disk.
    const prefix = currentPrefix()
    const storageKey = (key: K) => prefix + keyOf(key)
    if (!itemsInMemory) {
      try {
        return await deviceStore.change(keys, storageKey, changeItem)
      } catch (error) {
        if (!accountPrefix) throw error
      }
      const items = await loadFromDisk()
      itemsInMemory ??= new Map(items.map((item) => [storageKey(item), item]))
    }
    for (const key of keys) {
      const item = changeItem(itemsInMemory.get(storageKey(key)), key)
      if (item) itemsInMemory.set(storageKey(key), item)
      else itemsInMemory.delete(storageKey(key))
    }
  }

  return {
    load: async () => {
      const items = itemsInMemory ? [...itemsInMemory.values()] : await loadFromDisk()
      return items.toSorted(compare)
    },
    change,
    /** Whether the items survive a reload of the page. */
    isDurable: () => itemsInMemory === undefined,
  }
}
