/** Keeps items until the server has received them. Each group of items sends one request at a time,
 *  so that the server ends up with the latest item for each key. */
import { ApiError, errorMessage, isNetworkError, newIdempotencyKey } from './api.ts'
import { type Attempt, createPendingItems, type PendingItems } from './pending-items.ts'

export type OutboxItem = {
  /** Every tap has a new id, which tells a newer item from the one with the same key being sent. */
  tap?: string
  /** True if the item was sent. It may have arrived even if no reply came. */
  isAttempted?: boolean
  /** Why the server refused the item. */
  refusal?: string | undefined
}

/** Returns the item to store under a key, or undefined to remove it. */
export type ChangeItem<Item, Key> = (storedItem: Item | undefined, key: Key) => Item | undefined
export type OutboxStore<Key, Item> = {
  load: () => Promise<Item[]>
  change: <ChangedKey extends Key>(
    keys: readonly ChangedKey[],
    changeItem: ChangeItem<Item, ChangedKey>,
  ) => Promise<void>
}

export type NonEmptyItems<Item> = readonly [Item, ...Item[]]
const isNonEmpty = <Item>(items: readonly Item[]): items is NonEmptyItems<Item> => items.length > 0

/** These requests may succeed after the user logs in or waits, so they are not refusals. */
const RETRIABLE_STATUSES = [401, 408, 429]
export const isFinalRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  !RETRIABLE_STATUSES.includes(error.status)

export const hasNoRefusal = ({ refusal }: OutboxItem) => refusal === undefined

export type SendingOptions<Key, Item, Reply> = {
  keyOf: (key: Key) => string
  /** The items of a group are sent together. */
  groupOf: (item: Item) => string
  send: (items: NonEmptyItems<Item>) => Promise<Reply>
  /** Returns the item to keep after the reply. By default, an item is kept if it was tapped
   *  again. */
  itemAfterReply?: (storedItem: Item, sentItem: Item, reply: Reply) => Item | undefined
  isSendable?: (item: Item) => boolean
  isRefused?: (error: unknown) => boolean
  dropsRefused?: boolean
  /** Called before a retry, so that items do not count as attempted while the server is down. */
  reachServer?: () => Promise<unknown>
  isOnline?: () => boolean
}
type OutboxOptions<Key, Item, Reply> = SendingOptions<Key, Item, Reply> & {
  store: OutboxStore<Key, Item>
  /** Runs the work while no other tab of the browser sends. */
  runExclusively?: <Result>(work: () => Promise<Result>) => Promise<Result>
}

type Outbox<Item, Reply> = Required<OutboxOptions<Item, Item, Reply>> & {
  pendingItems: PendingItems<Item>
  /** True if both items have the same key and come from the same tap. */
  isSame: (a: Item, b: Item) => boolean
  busyGroups: Set<string>
}

export function createOutbox<Key, Item extends Key & OutboxItem, Reply>(
  options: OutboxOptions<Key, Item, Reply>,
) {
  const { store, keyOf, groupOf, isSendable = hasNoRefusal } = options
  const isSame = (a: Item, b: Item) => keyOf(a) === keyOf(b) && a.tap === b.tap
  const pendingItems = createPendingItems(store.load, isSame)
  const outbox: Outbox<Item, Reply> = {
    itemAfterReply: (storedItem, sentItem) =>
      storedItem.tap === sentItem.tap ? undefined : storedItem,
    isSendable,
    isRefused: isFinalRefusal,
    dropsRefused: false,
    reachServer: () => Promise.resolve(),
    isOnline: () => navigator.onLine,
    runExclusively: (work) => work(),
    ...options,
    pendingItems,
    isSame,
    busyGroups: new Set(),
  }
  const groupsOf = (items: readonly Item[]) => [...new Set(items.map(groupOf))]
  return {
    put: async <ChangedKey extends Key>(
      keys: readonly ChangedKey[],
      changeItem: ChangeItem<Item, ChangedKey>,
    ) => {
      if (keys.length === 0) return
      await store.change(keys, (storedItem, key: ChangedKey) => {
        const item = changeItem(storedItem, key)
        return item && { ...item, tap: newIdempotencyKey() }
      })
      await pendingItems.reload()
      const changedKeys = new Set(keys.map(keyOf))
      const changedItems = pendingItems.items().filter((item) => changedKeys.has(keyOf(item)))
      for (const group of groupsOf(changedItems)) void sendGroup(outbox, group)
    },
    sendAll: () => {
      const groups = groupsOf(pendingItems.items().filter(isSendable))
      return Promise.all(groups.map((group) => sendGroup(outbox, group, { isRetry: true })))
    },
    retry: async (item: Item) => {
      const withoutRefusal = (storedItem: Item): Item => ({ ...storedItem, refusal: undefined })
      await changeUnlessTappedAgain(outbox, [item], withoutRefusal)
      await sendGroup(outbox, groupOf(item), { isRetry: true })
    },
    remove: (items: readonly Item[]) => changeUnlessTappedAgain(outbox, items, () => undefined),
    reload: pendingItems.reload,
    close: pendingItems.close,
    pending: pendingItems.items,
    subscribe: pendingItems.subscribe,
  }
}

/** Sends a group's items until none are left or an attempt fails. A retry includes failed items. */
async function sendGroup<Item extends OutboxItem, Reply>(
  outbox: Outbox<Item, Reply>,
  group: string,
  { isRetry } = { isRetry: false },
): Promise<void> {
  const { busyGroups, runExclusively } = outbox
  if (busyGroups.has(group)) return
  busyGroups.add(group)
  let includesFailed = isRetry
  try {
    while (await runExclusively(() => sendGroupOnce(outbox, group, includesFailed)))
      includesFailed = false
  } finally {
    busyGroups.delete(group)
  }
}

/** Sends a group's waiting items in one request. Returns true if more items may be waiting. */
async function sendGroupOnce<Item extends OutboxItem, Reply>(
  outbox: Outbox<Item, Reply>,
  group: string,
  includesFailed: boolean,
): Promise<boolean> {
  const { pendingItems, groupOf, isSendable } = outbox
  if (pendingItems.isClosed()) return false
  await pendingItems.reload()
  const waitingItems = () =>
    pendingItems.items().filter((item) => groupOf(item) === group && isSendable(item))
  const hasNewItem = () => waitingItems().some(({ hasFailed }) => !hasFailed)
  const items = waitingItems()
  if (!isNonEmpty(items) || (!includesFailed && !hasNewItem())) return false
  pendingItems.setAttempt(items, { isSending: true })
  const { isSent, failure } = await trySending(outbox, items)
  pendingItems.setAttempt(items, { isSending: false, hasFailed: !isSent, failure })
  // Items that were tapped while waiting for the reply have not failed yet.
  return isSent || hasNewItem()
}

async function trySending<Item extends OutboxItem, Reply>(
  outbox: Outbox<Item, Reply>,
  items: NonEmptyItems<Item & Attempt>,
): Promise<{ isSent: boolean; failure?: string | undefined }> {
  const { isOnline, reachServer } = outbox
  try {
    if (!isOnline() || items.some(({ hasFailed }) => hasFailed)) await reachServer()
    const attemptedItems = await markAttempted(outbox, items)
    if (isNonEmpty(attemptedItems)) await sendItems(outbox, attemptedItems)
    return { isSent: true }
  } catch (error) {
    return { isSent: false, failure: serverMessage(error) }
  }
}

const serverMessage = (error: unknown) =>
  error instanceof ApiError && !isNetworkError(error)
    ? errorMessage(error, 'The server could not save it.')
    : undefined

async function markAttempted<Item extends OutboxItem, Reply>(
  { store, isSame }: Outbox<Item, Reply>,
  items: readonly Item[],
): Promise<Item[]> {
  // A set, because a store may call this twice for one item.
  const attemptedItems = new Set<Item>()
  await store.change(items, (storedItem, item) => {
    if (!storedItem || !isSame(storedItem, item)) return storedItem
    attemptedItems.add(item)
    return { ...storedItem, isAttempted: true }
  })
  return [...attemptedItems]
}

/** If items are refused together, sends them one by one. Throws errors that are not refusals. */
async function sendItems<Item extends OutboxItem, Reply>(
  outbox: Outbox<Item, Reply>,
  items: NonEmptyItems<Item>,
): Promise<void> {
  const { store, pendingItems, send, itemAfterReply, isRefused, dropsRefused } = outbox
  try {
    const reply = await send(items)
    await store.change(
      items,
      (storedItem, item) => storedItem && itemAfterReply(storedItem, item, reply),
    )
    await pendingItems.reload()
  } catch (error) {
    if (!isRefused(error)) throw error
    if (items.length > 1) {
      for (const item of items) await sendItems(outbox, [item])
      return
    }
    const refusal = errorMessage(error, 'The server refused it.')
    await changeUnlessTappedAgain(outbox, items, (storedItem) =>
      dropsRefused ? undefined : { ...storedItem, refusal },
    )
  }
}

async function changeUnlessTappedAgain<Item, Reply>(
  { store, pendingItems, isSame }: Outbox<Item, Reply>,
  items: readonly Item[],
  changeItem: (storedItem: Item) => Item | undefined,
): Promise<void> {
  await store.change(items, (storedItem, item) =>
    storedItem && isSame(storedItem, item) ? changeItem(storedItem) : storedItem,
  )
  await pendingItems.reload()
}
