import type { DeviceStore } from './device-database.ts'
import type { OutboxStore } from './outbox.ts'

export type OutboxStoreOptions<Key, Item> = {
  deviceStore: DeviceStore
  /** The keys of an account's items start with this. Undefined if items belong to the device. */
  accountPrefix?: () => string
  keyOf: (key: Key) => string
  compare?: (a: Item, b: Item) => number
}

/** Stores an outbox on disk. If the disk is full, an account's items stay in memory. */
export function createOutboxStore<Key, Item extends Key>({
  deviceStore,
  accountPrefix,
  keyOf,
  compare = () => 0,
}: OutboxStoreOptions<Key, Item>) {
  let itemsInMemory: Map<string, Item> | undefined
  const currentPrefix = () => accountPrefix?.() ?? ''
  const loadFromDisk = () => deviceStore.getAll<Item>(currentPrefix()).catch(() => [])

  const change: OutboxStore<Key, Item>['change'] = async (keys, changeItem) => {
    // The account may change while this waits for the disk.
    const prefix = currentPrefix()
    const storageKey = (key: Key) => prefix + keyOf(key)
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
    /** True if the items survive a reload of the page. */
    isDurable: () => itemsInMemory === undefined,
  }
}
