/** The items of an outbox as screens show them: the stored item and its last attempt. */

/** The last attempt to send an item. It is in this page's memory only. */
export type Attempt = {
  isSending?: boolean
  /** True if the server did not respond, or responded with an error that is not a refusal. */
  hasFailed?: boolean
  failure?: string | undefined
}

type PendingItem<Item> = Item & Attempt

export type PendingItems<Item> = {
  items: () => readonly PendingItem<Item>[]
  reload: () => Promise<void>
  setAttempt: (items: readonly Item[], attempt: Attempt) => void
  /** Hides all items permanently, even after a reload. They stay stored. */
  close: () => void
  isClosed: () => boolean
  subscribe: (listener: () => void) => () => void
}

export function createPendingItems<Item>(
  load: () => Promise<Item[]>,
  isSame: (a: Item, b: Item) => boolean,
): PendingItems<Item> {
  let pendingItems: readonly PendingItem<Item>[] = []
  let isClosed = false
  const listeners = new Set<() => void>()

  const publish = (items: readonly PendingItem<Item>[]) => {
    pendingItems = isClosed ? [] : items
    for (const listener of listeners) listener()
  }
  const withLastAttempt = (item: Item): PendingItem<Item> => {
    const lastAttempt: Attempt = pendingItems.find((oldItem) => isSame(oldItem, item)) ?? {}
    const { isSending = false, hasFailed = false, failure } = lastAttempt
    return { ...item, isSending, hasFailed, failure }
  }

  return {
    items: () => pendingItems,
    reload: async () => {
      const storedItems = await load()
      publish(storedItems.map(withLastAttempt))
    },
    setAttempt: (items, attempt) => {
      const isAttempted = (item: Item) => items.some((attemptedItem) => isSame(attemptedItem, item))
      publish(pendingItems.map((item) => (isAttempted(item) ? { ...item, ...attempt } : item)))
    },
    close: () => {
      isClosed = true
      publish([])
    },
    isClosed: () => isClosed,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
