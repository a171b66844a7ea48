import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { useSyncExternalStore } from 'react'
import { logFailure } from './api.ts'
import { createOutboxStore, type OutboxStoreOptions } from './outbox-store.ts'
import {
  createOutbox,
  hasNoRefusal,
  isFinalRefusal,
  type NonEmptyItems,
  type OutboxItem,
  type SendingOptions,
} from './outbox.ts'
import { startRetrying } from './retry.ts'
import { session } from './session.ts'

type Options<Key, Item, Reply> = SendingOptions<Key, Item, Reply> &
  OutboxStoreOptions<Key, Item> & {
    /** The name of the lock and the channel that all tabs of this browser share. */
    name: string
    endpointOf: (items: NonEmptyItems<Item>) => Endpoint
    /** Shows the server's reply in every tab of this browser, before the items are removed. */
    showReply?: (items: NonEmptyItems<Item>, reply: Reply) => Promise<void>
  }

/** A message to other tabs: the reply to some items, or null if the stored items have changed. */
type TabMessage<Item, Reply> = { items: NonEmptyItems<Item>; reply: Reply } | null

export function createDeviceOutbox<Key, Item extends Key & OutboxItem, Reply>(
  options: Options<Key, Item, Reply>,
) {
  const { name, accountPrefix, endpointOf, send, showReply, isRefused = isFinalRefusal } = options
  const store = createOutboxStore(options)
  const otherTabs = new BroadcastChannel(name)
  const notifyOtherTabs = (message: TabMessage<Item, Reply>) =>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has one origin.
    otherTabs.postMessage(message)
  let hasLoggedFailure = false

  const outbox = createOutbox<Key, Item, Reply>({
    ...options,
    store: {
      load: store.load,
      change: (keys, changeItem) =>
        store.change(keys, changeItem).then(() => notifyOtherTabs(null)),
    },
    send: async (items) => {
      try {
        const reply = await send(items)
        await showReply?.(items, reply)
        notifyOtherTabs({ items, reply })
        hasLoggedFailure = false
        return reply
      } catch (error) {
        // A failure is logged once, not at each retry (specification, section 8).
        if (!hasLoggedFailure || isRefused(error)) logFailure(endpointOf(items), error)
        hasLoggedFailure = true
        throw error
      }
    },
    // Locks need https. Without them, every tab sends, and the server ignores duplicates.
    ...('locks' in navigator && { runExclusively: (work) => navigator.locks.request(name, work) }),
  })

  retryWhilePending(outbox, options.isSendable ?? hasNoRefusal)
  let lastUpdate = Promise.resolve()
  otherTabs.addEventListener('message', ({ data }: MessageEvent<TabMessage<Item, Reply>>) => {
    lastUpdate = lastUpdate
      .then(() => (data ? showReply?.(data.items, data.reply) : outbox.reload()))
      .catch(() => {})
  })
  // An account's items must not be sent after its session has ended.
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

type OpenOutbox<Item> = {
  pending: () => readonly Item[]
  subscribe: (listener: () => void) => () => void
  sendAll: () => Promise<unknown>
  close: () => void
}

function retryWhilePending<Item>(
  { pending, subscribe, sendAll }: OpenOutbox<Item>,
  isSendable: (item: Item) => boolean,
) {
  let stopRetrying: (() => void) | undefined
  subscribe(() => {
    if (pending().some(isSendable)) {
      stopRetrying ??= startRetrying(sendAll)
      return
    }
    stopRetrying?.()
    stopRetrying = undefined
  })
}

function closeWithSession({ pending, close }: OpenOutbox<unknown>, isDurable: () => boolean) {
  session.subscribe(() => {
    if (!session.token()) close()
  })
  window.addEventListener('beforeunload', (event) => {
    // Stored items survive a reload of the page, but not a logout, which dispatches its own event.
    const isLoggingOut = !event.isTrusted
    if (pending().length > 0 && (!isDurable() || isLoggingOut)) event.preventDefault()
  })
}
