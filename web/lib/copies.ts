/** Stores copies of server responses on the device. If the server does not respond in time, the
 *  copy is shown. Copies belong to one account and one session. */
import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { clearCopies, copyStore } from './device-database.ts'
import { deviceStorage } from './device-storage.ts'
import { isStoredDocument, oldestCopyTime } from './offline.ts'
import { isTransientError, queryClient } from './query.ts'
import { startRetrying } from './retry.ts'
import { session } from './session.ts'

/** Older copies are never shown, because the session may have ended. */
const MAX_AGE_MS = 7 * DAY_MS
/** How long a read waits for the server before it shows a copy. */
const WAIT_FOR_REPLY_MS = 1500
/** Collects replies that arrive together. Short, because the user may close the page. */
const WRITE_DELAY_MS = 30

export type CallInput = { query?: Record<string, unknown> } | undefined
export type Copy<Data = unknown> = { call: string; input: CallInput; readAt: number; data: Data }
type CopiedData = Pick<Copy, 'readAt' | 'data'>

export type CopyRule = {
  /** Returns the part of a reply to store, in the reply's shape, or undefined to store nothing. */
  pick: (reply: never, input: CallInput) => unknown
  /** True if the reply changes so rarely that the copy's age need not be shown. */
  isTimeless?: true
  maxCopies: number
  /** True if other copies can be derived from this copy. It is then removed last. */
  isBase?: (input: CallInput) => boolean
  /** True if the reply means that all earlier copies must be deleted. */
  outdatesAll?: (reply: never, copy: never) => boolean
  /** Derives the data for an input that has no copy from the copies for other inputs. */
  derive?: (input: CallInput, copies: readonly Copy<never>[]) => CopiedData | undefined
}
/** The key is the call, such as 'GET /classes'. */
export type CopyRules = Readonly<Record<string, CopyRule>>

/** A copy on disk, with the field names that older versions of the app used. */
type StoredCopy = Omit<Copy, 'input'> & {
  /** The input of the call. */
  asked: CallInput
  /** The fingerprint of the session that made the call. */
  holder: number
}

const copyName = (call: string, input: CallInput) => JSON.stringify([call, input])

/** An FNV-1a hash, to tell sessions apart without storing the token a second time */
const fingerprint = (token: string): number =>
  [...token].reduce(
    (hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619),
    0x811c9dc5,
  ) >>> 0

export async function startCopies(rules: CopyRules, probe: () => Promise<unknown>) {
  const cache = await openCache(rules)
  const copyTracker = createCopyTracker(rules, probe)
  followQueryCache(cache, rules)

  return async <Data>(call: string, input: CallInput, reply: Promise<Data>): Promise<Data> => {
    const freshReply = reply.then((data) => {
      cache.keep(call, input, data)
      copyTracker.onReply(copyName(call, input))
      return data
    })
    const copy = cache.find(call, input)
    if (!copy) return freshReply
    const waitMs = copyTracker.isOffline() ? 0 : WAIT_FOR_REPLY_MS
    const timelyReply = await Promise.race([
      freshReply.then((data) => ({ data })),
      new Promise<undefined>((resolve) => {
        setTimeout(() => resolve(undefined), waitMs)
      }),
    ]).catch((error: unknown) => {
      if (!isTransientError(error)) throw error
      return undefined
    })
    if (timelyReply) return timelyReply.data
    // The copy is the result, so a later failure of the request does not matter.
    freshReply.catch(() => {})
    copyTracker.onCopyShown(call, input, copy.readAt)
    return copy.data as Data
  }
}

type CopyCache = Awaited<ReturnType<typeof openCache>>

async function openCache(rules: CopyRules) {
  const currentHolder = fingerprint(session.token() ?? '')
  const storedCopies = await copyStore
    .getAll<StoredCopy>(`${deviceStorage.owner()} `)
    .catch(() => [])
  const isUsable = (copy: StoredCopy) =>
    copy.holder === currentHolder && Date.now() - copy.readAt < MAX_AGE_MS
  const copies = new Map<string, Copy>(
    storedCopies
      .filter(isUsable)
      .map(({ call, asked: input, readAt, data }) => [
        copyName(call, input),
        { call, input, readAt, data },
      ]),
  )
  // The first write goes through all stored names, which deletes the copies that are not usable.
  const storedNames = storedCopies.map(({ call, asked }) => copyName(call, asked))
  const writer = createWriter(copies, currentHolder, storedNames)

  function setCopy(name: string, copy: Copy | undefined) {
    if (copy) copies.set(name, copy)
    else copies.delete(name)
    writer.schedule(name)
  }
  const copiesOf = (call: string) => [...copies.values()].filter((copy) => copy.call === call)

  function removeSurplus(call: string, { isBase, maxCopies }: CopyRule) {
    const priority = ({ input }: Copy) => Number(isBase?.(input) ?? false)
    const sortedCopies = copiesOf(call).toSorted(
      (a, b) => priority(b) - priority(a) || b.readAt - a.readAt,
    )
    for (const { input } of sortedCopies.slice(maxCopies)) setCopy(copyName(call, input), undefined)
  }
  function keep(call: string, input: CallInput, reply: unknown, readAt = Date.now()) {
    const rule = rules[call]
    if (!rule || session.token() === null) return
    const name = copyName(call, input)
    const copy = copies.get(name)
    if (copy && rule.outdatesAll?.(reply as never, copy.data as never)) {
      copies.clear()
      // Also deletes the copies that other modules have stored.
      void clearCopies()
    }
    const data = rule.pick(reply as never, input)
    if (data !== undefined) setCopy(name, { call, input, readAt, data })
    else if (copies.has(name)) setCopy(name, undefined)
    removeSurplus(call, rule)
  }
  function find(call: string, input: CallInput): CopiedData | undefined {
    const exactCopy = copies.get(copyName(call, input))
    return exactCopy ?? rules[call]?.derive?.(input, copiesOf(call) as Copy<never>[])
  }

  session.subscribe(() => {
    copies.clear()
    writer.stop()
  })
  return { keep, find, get: (name: string) => copies.get(name), write: writer.write }
}

function createWriter(copies: ReadonlyMap<string, Copy>, holder: number, storedNames: string[]) {
  const unwrittenNames = new Set(storedNames)
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const toStoredCopy = (_: unknown, name: string): StoredCopy | undefined => {
    const copy = copies.get(name)
    if (!copy) return undefined
    const { call, input, readAt, data } = copy
    return { call, asked: input, readAt, data, holder }
  }
  const write = () => {
    stop()
    if (session.token() === null) return
    const changedNames = [...unwrittenNames]
    unwrittenNames.clear()
    // The account may change while this waits for the disk.
    const owner = deviceStorage.owner()
    const storageKey = (name: string) => `${owner} ${name}`
    // A failed write only means that the copy is missing or outdated when the server is down.
    copyStore.change(changedNames, storageKey, toStoredCopy).catch(() => {})
  }
  const schedule = (name: string) => {
    unwrittenNames.add(name)
    timer ??= setTimeout(write, WRITE_DELAY_MS)
  }
  return { write, schedule, stop }
}

function followQueryCache(cache: CopyCache, rules: CopyRules) {
  const queries = queryClient.getQueryCache()
  // After a mark is sent, setQueryData adds it to the query cache. The copy on disk needs it, too.
  queries.subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || !event.action.manual) return
    const [call, input] = event.query.queryKey as [string, CallInput]
    const copy = cache.get(copyName(call, input))
    if (!copy) return
    cache.keep(call, input, event.action.data, copy.readAt)
    // Writes without the usual delay, because the outbox is about to remove the sent marks.
    cache.write()
  })
  const isCallInput = (input: unknown) => input === undefined || typeof input === 'object'
  for (const call of Object.keys(rules))
    for (const { queryKey, state } of queries.findAll({ queryKey: [call] })) {
      const [, input] = queryKey
      if (state.status === 'success' && isCallInput(input))
        cache.keep(call, input as CallInput, state.data, state.dataUpdatedAt)
    }
}

/** Tracks which copies are on screen, and reloads them when the server responds again. */
function createCopyTracker(rules: CopyRules, probe: () => Promise<unknown>) {
  const visibleCopies = new Map<string, { call: string; readAt: number }>()
  let isOffline = isStoredDocument()
  let stopProbing: (() => void) | undefined

  function updateShownAge() {
    const times = [...visibleCopies.values()]
      .filter(({ call }) => !rules[call]?.isTimeless)
      .map(({ readAt }) => readAt)
    oldestCopyTime.set(times.length === 0 ? undefined : Math.min(...times))
  }
  function reloadVisibleCopies() {
    isOffline = false
    stopProbing?.()
    stopProbing = undefined
    const calls = new Set([...visibleCopies.values()].map(({ call }) => call))
    const reload = queryClient.invalidateQueries({
      predicate: ({ queryKey }) => calls.has(String(queryKey[0])),
    })
    void reload.finally(() => {
      if (!isOffline) visibleCopies.clear()
      updateShownAge()
    })
  }
  return {
    isOffline: () => isOffline,
    onCopyShown: (call: string, input: CallInput, readAt: number) => {
      isOffline = true
      visibleCopies.set(copyName(call, input), { call, readAt })
      updateShownAge()
      stopProbing ??= startRetrying(() => probe().then(reloadVisibleCopies))
    },
    onReply: (name: string) => {
      const wasVisible = visibleCopies.delete(name)
      if (isOffline) reloadVisibleCopies()
      else if (wasVisible) updateShownAge()
    },
  }
}
