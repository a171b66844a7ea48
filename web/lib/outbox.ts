/** Keeps what was tapped until the server has it: marks, belt test results, kiosk check-ins. */
import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { useSyncExternalStore } from 'react'
import { ApiError, errorMessage, isNetworkError, logFailure, newIdempotencyKey } from './api.ts'
import type { DeviceStore } from './device-database.ts'
import { startRetrying } from './retry.ts'
import { session } from './session.ts'

export type OutboxItem = {
  /** Tells a later item with the same key apart from the one being sent. */
  tap?: string
  /** It was sent, and may have arrived even without an answer. */
  isAttempted?: boolean
  refusal?: string
}
/** `hasFailed`: the last attempt got no answer or an error, in the words of `failure`. */
export type Attempt = { isSending?: boolean; hasFailed?: boolean; failure?: string | undefined }

/** Returns what is to be stored under a key; undefined removes the item. */
type Change<I, T> = (stored: I | undefined, key: T) => I | undefined
export type OutboxStore<K, I> = {
  load: () => Promise<I[]>
  /** Changes stored items in one step. Resolves once they are on disk. */
  change: <T extends K>(keys: readonly T[], changeItem: Change<I, T>) => Promise<void>
}
/** At least one. */
export type Items<I> = readonly [I, ...I[]]
const isSome = <I>(items: readonly I[]): items is Items<I> => items.length > 0

/** Not refusals: after logging in or waiting, these calls work. */
const PASSING = [401, 408, 429]
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  !PASSING.includes(error.status)
const failureOf = (error: unknown) =>
  error instanceof ApiError && !isNetworkError(error)
    ? errorMessage(error, 'The server could not save it.')
    : undefined

type Sending<K, I, R> = {
  keyOf: (key: K) => string
  /** Items of a group are sent together, one request at a time. */
  groupOf: (item: I) => string
  send: (items: Items<I>) => Promise<R>
  settle?: (stored: I, sent: I, reply: R) => I | undefined
  isSendable?: (item: I) => boolean
  isRefused?: (error: unknown) => boolean
  forgetsRefused?: boolean
  /** Resolves once the server is reachable. Items that never left the device are not attempts. */
  reach?: () => Promise<unknown>
  isOnline?: () => boolean
}
type Options<K, I, R> = Sending<K, I, R> & {
  store: OutboxStore<K, I>
  exclusively?: <T>(work: () => Promise<T>) => Promise<T>
}

const isNotRefused = ({ refusal }: OutboxItem) => refusal === undefined

type PendingList<I> = ReturnType<typeof createPendingList<I>>
/** What the screen shows: the stored items, each with its last attempt. */
function createPendingList<I>(load: () => Promise<I[]>, isSame: (a: I, b: I) => boolean) {
  let pending: readonly (I & Attempt)[] = []
  let isClosed = false
  const listeners = new Set<() => void>()
  const publish = (items: typeof pending) => {
    pending = isClosed ? [] : items
    for (const listener of listeners) listener()
  }
  return {
    items: () => pending,
    isClosed: () => isClosed,
    reload: async () => {
      const items = await load()
      publish(
        items.map((item) => {
          const attempt: Attempt = pending.find((pendingItem) => isSame(pendingItem, item)) ?? {}
          const { isSending = false, hasFailed = false, failure } = attempt
          return { ...item, isSending, hasFailed, failure }
        }),
      )
    },
    setAttempt: (items: readonly I[], attempt: Attempt) =>
      publish(
        pending.map((item) =>
          items.some((sentItem) => isSame(sentItem, item)) ? { ...item, ...attempt } : item,
        ),
      ),
    close: () => {
      isClosed = true
      publish([])
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

type Outbox<I, R> = Required<Options<I, I, R>> & {
  list: PendingList<I>
  isSame: (a: I, b: I) => boolean
  busyGroups: Set<string>
}

/** Leaves items alone that were tapped again. */
async function changeSame<I, R>(
  { store, list, isSame }: Outbox<I, R>,
  items: readonly I[],
  changeItem: (stored: I) => I | undefined,
): Promise<void> {
  await store.change(items, (storedItem, item) =>
    storedItem && isSame(storedItem, item) ? changeItem(storedItem) : storedItem,
  )
  await list.reload()
}

/** Items that are refused together are sent one by one. Throws errors other than refusals. */
async function sendTogether<I extends OutboxItem, R>(
  outbox: Outbox<I, R>,
  items: Items<I>,
): Promise<void> {
  const { store, list, send, settle, isRefused, forgetsRefused } = outbox
  try {
    const reply = await send(items)
    await store.change(items, (storedItem, item) => storedItem && settle(storedItem, item, reply))
    await list.reload()
  } catch (error) {
    if (!isRefused(error)) throw error
    const refusal = errorMessage(error, 'The server refused it.')
    if (items.length > 1) for (const item of items) await sendTogether(outbox, [item])
    else
      await changeSame(outbox, items, (item) => (forgetsRefused ? undefined : { ...item, refusal }))
  }
}

/** Returns the items that are still stored as they are about to be sent. */
async function markAttempted<I extends OutboxItem, R>(
  { store, isSame }: Outbox<I, R>,
  items: Items<I>,
): Promise<I[]> {
  const current = new Set<I>()
  await store.change(items, (storedItem, item) => {
    if (!storedItem || !isSame(storedItem, item)) return storedItem
    current.add(item)
    return { ...storedItem, isAttempted: true }
  })
  return [...current]
}

/** Sends what waits in a group. Returns whether more may have to be sent now. */
async function sendNext<I extends OutboxItem, R>(
  outbox: Outbox<I, R>,
  group: string,
  isRetry: boolean,
): Promise<boolean> {
  const { list, groupOf, isSendable, isOnline, reach } = outbox
  if (list.isClosed()) return false
  await list.reload()
  const inGroup = () => list.items().filter((item) => groupOf(item) === group && isSendable(item))
  const items = inGroup()
  const haveFailed = items.filter(({ hasFailed }) => hasFailed).length
  if (!isSome(items) || (!isRetry && haveFailed === items.length)) return false
  list.setAttempt(items, { isSending: true })
  let isDone = false
  let failure: string | undefined
  try {
    if (!isOnline() || haveFailed > 0) await reach()
    const current = await markAttempted(outbox, items)
    if (isSome(current)) await sendTogether(outbox, current)
    isDone = true
  } catch (error) {
    failure = failureOf(error)
  }
  list.setAttempt(items, { isSending: false, hasFailed: !isDone, failure })
  // What was tapped while waiting for the answer gets its own attempt.
  return isDone || inGroup().some(({ hasFailed }) => !hasFailed)
}

async function sendGroup<I extends OutboxItem, R>(
  outbox: Outbox<I, R>,
  group: string,
  isRetry = false,
): Promise<void> {
  const { busyGroups, exclusively } = outbox
  if (busyGroups.has(group)) return
  busyGroups.add(group)
  let isFirst = true
  try {
    while (await exclusively(() => sendNext(outbox, group, isRetry && isFirst))) isFirst = false
  } finally {
    busyGroups.delete(group)
  }
}

/**
 * Stores items before they show, and sends each group until the server has answered for all of it.
 * What is tapped meanwhile goes into the group's next request, so the server ends with the last
 * item of each key.
 */
export function createOutbox<K, I extends K & OutboxItem, R>(options: Options<K, I, R>) {
  const { store, keyOf, groupOf, isSendable = isNotRefused } = options
  const isSame = (a: I, b: I) => keyOf(a) === keyOf(b) && a.tap === b.tap
  const list = createPendingList(store.load, isSame)
  const outbox: Outbox<I, R> = {
    settle: (storedItem, sentItem) => (storedItem.tap === sentItem.tap ? undefined : storedItem),
    isSendable,
    isRefused: isRefusal,
    forgetsRefused: false,
    reach: () => Promise.resolve(),
    isOnline: () => navigator.onLine,
    exclusively: (work) => work(),
    ...options,
    list,
    isSame,
    busyGroups: new Set(),
  }
  const groupsOf = (items: readonly I[]) => [...new Set(items.map(groupOf))]
  return {
    /** Stores the changed items, shows them, then sends them. Resolves once they are stored. */
    put: async <T extends K>(keys: readonly T[], changeItem: Change<I, T>) => {
      if (keys.length === 0) return
      await store.change(keys, (storedItem, key: T) => {
        const item = changeItem(storedItem, key)
        return item && { ...item, tap: newIdempotencyKey() }
      })
      await list.reload()
      const names = new Set(keys.map(keyOf))
      for (const group of groupsOf(list.items().filter((item) => names.has(keyOf(item)))))
        void sendGroup(outbox, group)
    },
    sendAll: () =>
      Promise.all(
        groupsOf(list.items().filter(isSendable)).map((group) => sendGroup(outbox, group, true)),
      ),
    retry: async (item: I) => {
      await changeSame(outbox, [item], ({ refusal: _, ...acceptedItem }) => acceptedItem as I)
      await sendGroup(outbox, groupOf(item), true)
    },
    remove: (items: readonly I[]) => changeSame(outbox, items, () => undefined),
    reload: list.reload,
    close: list.close,
    pending: list.items,
    subscribe: list.subscribe,
  }
}

type DeviceOptions<K, I, R> = Sending<K, I, R> & {
  name: string
  disk: DeviceStore
  /** Prefixes the account's keys; undefined if items belong to the device. */
  accountPrefix?: () => string
  order?: (a: I, b: I) => number
  endpointOf: (items: Items<I>) => Endpoint
  /** Shows the server's answer on every page of this browser, before the items leave the store. */
  show?: (items: Items<I>, reply: R) => Promise<void>
}

/** Falls back to this page's memory when the disk has no room for an account's items. */
function storeOnDisk<K, I extends K>({
  disk,
  accountPrefix,
  keyOf,
  order = () => 0,
}: Pick<DeviceOptions<K, I, never>, 'disk' | 'accountPrefix' | 'keyOf' | 'order'>) {
  let inMemory: Map<string, I> | undefined
  const prefix = () => accountPrefix?.() ?? ''
  const load = () => disk.all<I>(prefix()).catch(() => [])
  const change: OutboxStore<K, I>['change'] = async (keys, changeItem) => {
    // The account may change while this waits for the disk.
    const keyPrefix = prefix()
    const nameOf = (key: K) => keyPrefix + keyOf(key)
    if (!inMemory) {
      try {
        return await disk.change(keys, nameOf, changeItem)
      } catch (error) {
        if (!accountPrefix) throw error
      }
      const items = await load()
      inMemory ??= new Map(items.map((item) => [nameOf(item), item]))
    }
    for (const key of keys) {
      const item = changeItem(inMemory.get(nameOf(key)), key)
      if (item) inMemory.set(nameOf(key), item)
      else inMemory.delete(nameOf(key))
    }
  }
  return {
    load: async () => (inMemory ? [...inMemory.values()] : await load()).toSorted(order),
    change,
    isDurable: () => inMemory === undefined,
  }
}

type OpenOutbox<I> = {
  pending: () => readonly I[]
  subscribe: (listener: () => void) => () => void
  sendAll: () => Promise<unknown>
  close: () => void
}

function retryWhilePending<I>(
  { pending, subscribe, sendAll }: OpenOutbox<I>,
  isSendable: (item: I) => boolean,
) {
  let stopRetrying: (() => void) | undefined
  subscribe(() => {
    if (pending().some(isSendable)) stopRetrying ??= startRetrying(sendAll)
    else {
      stopRetrying?.()
      stopRetrying = undefined
    }
  })
}

/** Closes the outbox at the end of the session, and asks before unsaved items would be lost. */
function closeWithSession({ pending, close }: OpenOutbox<unknown>, isDurable: () => boolean) {
  session.subscribe(() => {
    if (!session.token()) close()
  })
  window.addEventListener('beforeunload', (event) => {
    // Stored items survive a reload. Logging out asks with an event of its own.
    if (pending().length > 0 && (!isDurable() || !event.isTrusted)) event.preventDefault()
  })
}

/** An outbox in this device's database, shared by all pages of the browser. */
export function deviceOutbox<K, I extends K & OutboxItem, R>(options: DeviceOptions<K, I, R>) {
  const { name, accountPrefix, endpointOf, send, show, isRefused = isRefusal } = options
  const store = storeOnDisk(options)
  const otherPages = new BroadcastChannel(name)
  type News = { items: Items<I>; reply: R } | null
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has one origin.
  const tellOtherPages = (news: News) => otherPages.postMessage(news)
  let hasFailed = false

  const outbox = createOutbox<K, I, R>({
    ...options,
    store: {
      load: store.load,
      change: (keys, changeItem) => store.change(keys, changeItem).then(() => tellOtherPages(null)),
    },
    send: async (items) => {
      try {
        const reply = await send(items)
        await show?.(items, reply)
        tellOtherPages({ items, reply })
        hasFailed = false
        return reply
      } catch (error) {
        // A failure is logged once, not at each retry (specification, section 8).
        if (!hasFailed || isRefused(error)) logFailure(endpointOf(items), error)
        hasFailed = true
        throw error
      }
    },
    // Without https there are no locks: every page sends, and duplicates change nothing.
    ...('locks' in navigator && { exclusively: (work) => navigator.locks.request(name, work) }),
  })

  retryWhilePending(outbox, options.isSendable ?? isNotRefused)
  let following = Promise.resolve()
  otherPages.addEventListener('message', ({ data }: MessageEvent<News>) => {
    following = following
      .then(() => (data ? show?.(data.items, data.reply) : outbox.reload()))
      .catch(() => {})
  })
  if (accountPrefix) closeWithSession(outbox, store.isDurable)
  const subscribe = (listener: () => void) => {
    void outbox.reload()
    return outbox.subscribe(listener)
  }
  return {
    ...outbox,
    start: () => outbox.reload().then(outbox.sendAll),
    isDurable: store.isDurable,
    usePending: () => useSyncExternalStore(subscribe, outbox.pending),
  }
}
