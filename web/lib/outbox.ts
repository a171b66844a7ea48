/** A group sends one request at a time, so that the server ends up with each key's latest item. */
import { ApiError, errorMessage, isNetworkError, newIdempotencyKey } from './api.ts'
import { type Attempt, createPendingItems, type PendingItems } from './pending-items.ts'

export type OutboxItem = {
  /** A new id for every tap: tells a newer item with the same key from the one being sent. */
  tap?: string
  /** The item was sent. It may have arrived even if no reply came. */
  isAttempted?: boolean
  /** Why the server refused the item. */
  refusal?: string | undefined
}

/** Returns the item to store under a key, or undefined to remove it. */
export type ChangeItem<I, K> = (storedItem: I | undefined, key: K) => I | undefined
export type OutboxStore<K, I> = {
  load: () => Promise<I[]>
  change: <T extends K>(keys: readonly T[], changeItem: ChangeItem<I, T>) => Promise<void>
}

export type NonEmptyItems<I> = readonly [I, ...I[]]
const isNonEmpty = <I>(items: readonly I[]): items is NonEmptyItems<I> => items.length > 0

/** These requests may succeed after logging in or waiting, so they are not refusals. */
const RETRIABLE_STATUSES = [401, 408, 429]
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  !RETRIABLE_STATUSES.includes(error.status)

export const isNotRefused = ({ refusal }: OutboxItem) => refusal === undefined

export type SendingOptions<K, I, R> = {
  keyOf: (key: K) => string
  /** The items of a group are sent together. */
  groupOf: (item: I) => string
  send: (items: NonEmptyItems<I>) => Promise<R>
  /** What remains stored after the server's reply. By default, only what was tapped since. */
  itemAfterReply?: (storedItem: I, sentItem: I, reply: R) => I | undefined
  isSendable?: (item: I) => boolean
  isRefused?: (error: unknown) => boolean
  dropsRefused?: boolean
  /** Called before a retry, so items that never left the device do not count as attempted. */
  reachServer?: () => Promise<unknown>
  isOnline?: () => boolean
}
type OutboxOptions<K, I, R> = SendingOptions<K, I, R> & {
  store: OutboxStore<K, I>
  /** Runs the work while no other page of the browser sends. */
  runExclusively?: <T>(work: () => Promise<T>) => Promise<T>
}

type Outbox<I, R> = Required<OutboxOptions<I, I, R>> & {
  pendingItems: PendingItems<I>
  /** Both items are the same tap, not only the same key. */
  isSame: (a: I, b: I) => boolean
  busyGroups: Set<string>
}

export function createOutbox<K, I extends K & OutboxItem, R>(options: OutboxOptions<K, I, R>) {
  const { store, keyOf, groupOf, isSendable = isNotRefused } = options
  const isSame = (a: I, b: I) => keyOf(a) === keyOf(b) && a.tap === b.tap
  const pendingItems = createPendingItems(store.load, isSame)
  const outbox: Outbox<I, R> = {
    itemAfterReply: (storedItem, sentItem) =>
      storedItem.tap === sentItem.tap ? undefined : storedItem,
    isSendable,
    isRefused: isRefusal,
    dropsRefused: false,
    reachServer: () => Promise.resolve(),
    isOnline: () => navigator.onLine,
    runExclusively: (work) => work(),
    ...options,
    pendingItems,
    isSame,
    busyGroups: new Set(),
  }
  const groupsOf = (items: readonly I[]) => [...new Set(items.map(groupOf))]
  return {
    put: async <T extends K>(keys: readonly T[], changeItem: ChangeItem<I, T>) => {
      if (keys.length === 0) return
      await store.change(keys, (storedItem, key: T) => {
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
    retry: async (item: I) => {
      const withoutRefusal = (storedItem: I): I => ({ ...storedItem, refusal: undefined })
      await changeUnlessTappedAgain(outbox, [item], withoutRefusal)
      await sendGroup(outbox, groupOf(item), { isRetry: true })
    },
    remove: (items: readonly I[]) => changeUnlessTappedAgain(outbox, items, () => undefined),
    reload: pendingItems.reload,
    close: pendingItems.close,
    pending: pendingItems.items,
    subscribe: pendingItems.subscribe,
  }
}

/** Sends a group's items until none is left or an attempt fails. `isRetry` adds failed items. */
async function sendGroup<I extends OutboxItem, R>(
  outbox: Outbox<I, R>,
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

/** Sends a group's waiting items in one request. Returns whether more may be waiting now. */
async function sendGroupOnce<I extends OutboxItem, R>(
  outbox: Outbox<I, R>,
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
  // What was tapped while waiting for the reply gets its own attempt.
  return isSent || hasNewItem()
}

async function trySending<I extends OutboxItem, R>(
  outbox: Outbox<I, R>,
  items: NonEmptyItems<I & Attempt>,
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

async function markAttempted<I extends OutboxItem, R>(
  { store, isSame }: Outbox<I, R>,
  items: readonly I[],
): Promise<I[]> {
  // A set, because a store may call this twice for one item.
  const attemptedItems = new Set<I>()
  await store.change(items, (storedItem, item) => {
    if (!storedItem || !isSame(storedItem, item)) return storedItem
    attemptedItems.add(item)
    return { ...storedItem, isAttempted: true }
  })
  return [...attemptedItems]
}

/** Sends items that were refused together one by one. Throws errors other than refusals. */
async function sendItems<I extends OutboxItem, R>(
  outbox: Outbox<I, R>,
  items: NonEmptyItems<I>,
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

async function changeUnlessTappedAgain<I, R>(
  { store, pendingItems, isSame }: Outbox<I, R>,
  items: readonly I[],
  changeItem: (storedItem: I) => I | undefined,
): Promise<void> {
  await store.change(items, (storedItem, item) =>
    storedItem && isSame(storedItem, item) ? changeItem(storedItem) : storedItem,
  )
  await pendingItems.reload()
}
