/** An outbox's items as the screens see them: what is stored, and how the last attempt went. */

/** The last attempt to send an item. It is known in this page only, and never stored. */
export type Attempt = {
  isSending?: boolean
  /** The server did not respond, or responded with an error that is not a refusal. */
  hasFailed?: boolean
  failure?: string | undefined
}

type PendingItem<I> = I & Attempt

export type PendingItems<I> = {
  items: () => readonly PendingItem<I>[]
  reload: () => Promise<void>
  setAttempt: (items: readonly I[], attempt: Attempt) => void
  /** Hides all items, and those of later reloads. They remain stored. */
  close: () => void
  isClosed: () => boolean
  subscribe: (listener: () => void) => () => void
}

export function createPendingItems<I>(
  load: () => Promise<I[]>,
  isSame: (a: I, b: I) => boolean,
): PendingItems<I> {
  let pendingItems: readonly PendingItem<I>[] = []
  let isClosed = false
  const listeners = new Set<() => void>()

  const publish = (items: readonly PendingItem<I>[]) => {
    pendingItems = isClosed ? [] : items
    for (const listener of listeners) listener()
  }
  const withLastAttempt = (item: I): PendingItem<I> => {
    const lastAttempt: Attempt = pendingItems.find((shownItem) => isSame(shownItem, item)) ?? {}
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
      const isAttempted = (item: I) => items.some((attemptedItem) => isSame(attemptedItem, item))
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
