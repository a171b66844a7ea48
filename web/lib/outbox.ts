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

type Changes<I> = (stored: I | undefined, index: number) => I | undefined
export type OutboxStore<K, I> = {
  load: () => Promise<I[]>
  /** Replaces stored items in one step; undefined removes one. Resolves once they are on disk. */
  change: (keys: readonly K[], to: Changes<I>) => Promise<void>
}

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
  send: (items: readonly I[]) => Promise<R>
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

/**
 * Stores items before they show, and sends each group until the server has answered for all of it.
 * What is tapped meanwhile goes into the group's next request, so the server ends with the last
 * item of each key.
 */
export function createOutbox<K, I extends K & OutboxItem, R>({
  store,
  keyOf,
  groupOf,
  send,
  settle = (storedItem, sentItem) => (storedItem.tap === sentItem.tap ? undefined : storedItem),
  isSendable = ({ refusal }) => refusal === undefined,
  isRefused = isRefusal,
  forgetsRefused = false,
  reach = () => Promise.resolve(),
  isOnline = () => navigator.onLine,
  exclusively = (work) => work(),
}: Options<K, I, R>) {
  let pending: readonly (I & Attempt)[] = []
  let isClosed = false
  const listeners = new Set<() => void>()
  const busyGroups = new Set<string>()
  const isSame = (a: I, b: I) => keyOf(a) === keyOf(b) && a.tap === b.tap

  function publish(items: typeof pending) {
    pending = isClosed ? [] : items
    for (const listener of listeners) listener()
  }
  async function reload() {
    const items = await store.load()
    publish(
      items.map((item) => {
        const attempt: Attempt = pending.find((pendingItem) => isSame(pendingItem, item)) ?? {}
        const { isSending = false, hasFailed = false, failure } = attempt
        return { ...item, isSending, hasFailed, failure }
      }),
    )
  }
  const flag = (items: readonly I[], attempt: Attempt) =>
    publish(
      pending.map((item) =>
        items.some((sentItem) => isSame(sentItem, item)) ? { ...item, ...attempt } : item,
      ),
    )
  async function change(keys: readonly K[], changeItem: Changes<I>) {
    await store.change(keys, changeItem)
    await reload()
  }
  const changeSame = (items: readonly I[], changeItem: (stored: I) => I | undefined) =>
    change(items, (storedItem, index) =>
      storedItem && isSame(storedItem, items[index]!) ? changeItem(storedItem) : storedItem,
    )

  /** Items that are refused together are sent one by one. Throws errors other than refusals. */
  async function sendTogether(items: readonly I[]): Promise<void> {
    try {
      const reply = await send(items)
      await change(
        items,
        (storedItem, index) => storedItem && settle(storedItem, items[index]!, reply),
      )
    } catch (error) {
      if (!isRefused(error)) throw error
      const refusal = errorMessage(error, 'The server refused it.')
      if (items.length > 1) for (const item of items) await sendTogether([item])
      else await changeSame(items, (item) => (forgetsRefused ? undefined : { ...item, refusal }))
    }
  }
  async function markAttempted(items: readonly I[]): Promise<I[]> {
    const current = new Set<I>()
    await store.change(items, (storedItem, index) => {
      const item = items[index]!
      if (!storedItem || !isSame(storedItem, item)) return storedItem
      current.add(item)
      return { ...storedItem, isAttempted: true }
    })
    return [...current]
  }
  async function sendNext(group: string, isRetry: boolean): Promise<boolean> {
    if (isClosed) return false
    await reload()
    const inGroup = () => pending.filter((item) => groupOf(item) === group && isSendable(item))
    const items = inGroup()
    const haveFailed = items.filter(({ hasFailed }) => hasFailed).length
    if (items.length === 0 || (!isRetry && haveFailed === items.length)) return false
    flag(items, { isSending: true })
    let isDone = false
    let failure: string | undefined
    try {
      if (!isOnline() || haveFailed > 0) await reach()
      const current = await markAttempted(items)
      if (current.length > 0) await sendTogether(current)
      isDone = true
    } catch (error) {
      failure = failureOf(error)
    }
    flag(items, { isSending: false, hasFailed: !isDone, failure })
    // What was tapped while waiting for the answer gets its own attempt.
    return isDone || inGroup().some(({ hasFailed }) => !hasFailed)
  }
  async function sendGroup(group: string, isRetry = false): Promise<void> {
    if (busyGroups.has(group)) return
    busyGroups.add(group)
    let isFirst = true
    try {
      while (await exclusively(() => sendNext(group, isRetry && isFirst))) isFirst = false
    } finally {
      busyGroups.delete(group)
    }
  }
  const groupsOf = (items: readonly I[]) => [...new Set(items.map(groupOf))]

  return {
    /** Stores the changed items, shows them, then sends them. Resolves once they are stored. */
    put: async (keys: readonly K[], changeItem: Changes<I>) => {
      if (keys.length === 0) return
      await change(keys, (storedItem, index) => {
        const item = changeItem(storedItem, index)
        return item && { ...item, tap: newIdempotencyKey() }
      })
      const names = new Set(keys.map(keyOf))
      for (const group of groupsOf(pending.filter((item) => names.has(keyOf(item)))))
        void sendGroup(group)
    },
    sendAll: () =>
      Promise.all(groupsOf(pending.filter(isSendable)).map((group) => sendGroup(group, true))),
    retry: async (item: I) => {
      await changeSame([item], ({ refusal: _, ...acceptedItem }) => acceptedItem as I)
      await sendGroup(groupOf(item), true)
    },
    remove: (items: readonly I[]) => changeSame(items, () => undefined),
    reload,
    close: () => {
      isClosed = true
      publish([])
    },
    pending: () => pending,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

type DeviceOptions<K, I, R> = Sending<K, I, R> & {
  name: string
  disk: DeviceStore
  /** Prefixes the account's keys; undefined if items belong to the device. */
  accountPrefix?: () => string
  order?: (a: I, b: I) => number
  endpointOf: (items: readonly I[]) => Endpoint
  /** Shows the server's answer on every page of this browser, before the items leave the store. */
  show?: (items: readonly I[], reply: R) => Promise<void>
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
    const names = keys.map((key) => prefix() + keyOf(key))
    if (!inMemory) {
      try {
        return await disk.change(names, changeItem)
      } catch (error) {
        if (!accountPrefix) throw error
      }
      const items = await load()
      inMemory ??= new Map(items.map((item) => [prefix() + keyOf(item), item]))
    }
    for (const [index, name] of names.entries()) {
      const item = changeItem(inMemory.get(name), index)
      if (item) inMemory.set(name, item)
      else inMemory.delete(name)
    }
  }
  return {
    load: async () => (inMemory ? [...inMemory.values()] : await load()).toSorted(order),
    change,
    isDurable: () => inMemory === undefined,
  }
}

/** An outbox in this device's database, shared by all pages of the browser. */
export function deviceOutbox<K, I extends K & OutboxItem, R>(options: DeviceOptions<K, I, R>) {
  const { name, accountPrefix, endpointOf, send, show, isRefused = isRefusal } = options
  const store = storeOnDisk(options)
  const otherPages = new BroadcastChannel(name)
  type News = { items: readonly I[]; reply: R } | null
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

  const { isSendable = ({ refusal }) => refusal === undefined } = options
  let stopRetrying: (() => void) | undefined
  outbox.subscribe(() => {
    if (outbox.pending().some(isSendable)) stopRetrying ??= startRetrying(outbox.sendAll)
    else {
      stopRetrying?.()
      stopRetrying = undefined
    }
  })
  let following = Promise.resolve()
  otherPages.addEventListener('message', ({ data }: MessageEvent<News>) => {
    following = following
      .then(() => (data ? show?.(data.items, data.reply) : outbox.reload()))
      .catch(() => {})
  })
  if (accountPrefix) {
    session.subscribe(() => {
      if (!session.token()) outbox.close()
    })
    window.addEventListener('beforeunload', (event) => {
      // Stored items survive a reload. Logging out asks with an event of its own.
      if (outbox.pending().length > 0 && (!store.isDurable() || !event.isTrusted))
        event.preventDefault()
    })
  }
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
