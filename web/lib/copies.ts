/** Copies of answers for working offline, of one account and session. `CopyRules` says which. */
import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { copyStore } from './device-database.ts'
import { deviceStorage } from './device-storage.ts'
import { isStoredDocument, oldestCopyTime } from './offline.ts'
import { isTransientError, queryClient } from './query.ts'
import { startRetrying } from './retry.ts'
import { session } from './session.ts'

/** Older copies are never shown: the session may have ended since. */
const MOST_DAYS = 7
const PATIENCE_MS = 1500
/** Collects answers that arrive together. Short, because a page that is left writes nothing. */
const WRITE_MS = 30

export type CallInput = { query?: Record<string, unknown> } | undefined
export type Copy<T = unknown> = { call: string; asked: CallInput; readAt: number; data: T }
export type CopyRule = {
  /** The part of an answer to store, in the shape of the answer; undefined stores nothing. */
  pick: (reply: never, asked: CallInput) => unknown
  /** Hardly ever changes, so its age is not shown. */
  isTimeless?: true
  /** How many answers of the call to keep, the most recent ones. */
  most: number
  /** Copies from which others can be derived are kept first. */
  isBase?: (asked: CallInput) => boolean
  /** Answers a call that was never made from copies of others. */
  derive?: (
    asked: CallInput,
    copies: readonly Copy<never>[],
  ) => Omit<Copy, 'call' | 'asked'> | undefined
}
export type CopyRules = Readonly<Record<string, CopyRule>>

type StoredCopy = Copy & { holder: number }

const nameOf = (call: string, input: CallInput) => JSON.stringify([call, input])
/** FNV-1a hash: tells sessions apart without storing the token a second time. */
export const fingerprint = (token: string): number =>
  [...token].reduce(
    (hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619),
    0x811c9dc5,
  ) >>> 0

/** `probe` makes any call; it fails while the server does not answer. */
export async function startCopies({
  rules,
  probe,
}: {
  rules: CopyRules
  probe: () => Promise<unknown>
}) {
  const holder = fingerprint(session.token() ?? '')
  const isFresh = ({ readAt }: { readAt: number }) => Date.now() - readAt < MOST_DAYS * DAY_MS
  const storedCopies = await copyStore.all<StoredCopy>(`${deviceStorage.owner()} `).catch(() => [])
  const copies = new Map<string, Copy>(
    storedCopies
      .filter((copy) => copy.holder === holder && isFresh(copy))
      .map((copy) => [nameOf(copy.call, copy.asked), copy]),
  )
  const visibleCopies = new Map<string, { call: string; readAt: number }>()
  const unwritten = new Set<string>()
  let isAway = isStoredDocument()
  let stopRetrying: (() => void) | undefined

  function showAge() {
    const times = [...visibleCopies.values()].flatMap(({ call, readAt }) =>
      rules[call]?.isTimeless ? [] : readAt,
    )
    oldestCopyTime.set(times.length === 0 ? undefined : Math.min(...times))
  }
  let writing: ReturnType<typeof setTimeout> | undefined
  function write() {
    clearTimeout(writing)
    writing = undefined
    if (session.token() === null) return
    const names = [...unwritten]
    // The account may change while this waits for the disk.
    const owner = deviceStorage.owner()
    const keyOf = (name: string) => `${owner} ${name}`
    unwritten.clear()
    const toStoredCopy = (_: unknown, name: string): StoredCopy | undefined => {
      const copy = copies.get(name)
      return copy && { ...copy, holder }
    }
    // Without a stored copy the call simply fails while offline.
    copyStore.change(names, keyOf, toStoredCopy).catch(() => {})
  }
  function set(name: string, copy: Copy | undefined) {
    if (copy) copies.set(name, copy)
    else copies.delete(name)
    unwritten.add(name)
    writing ??= setTimeout(write, WRITE_MS)
  }
  const copiesOfCall = (call: string) => [...copies].filter(([, copy]) => copy.call === call)

  function keep(call: string, input: CallInput, reply: unknown, readAt = Date.now()) {
    const rule = rules[call]
    if (!rule || session.token() === null) return
    const data = rule.pick(reply as never, input)
    const key = nameOf(call, input)
    if (data !== undefined) set(key, { call, asked: input, readAt, data })
    else if (copies.has(key)) set(key, undefined)
    const rank = (copy: Copy) => Number(rule.isBase?.(copy.asked) ?? false)
    const newestFirst = copiesOfCall(call).toSorted(
      ([, a], [, b]) => rank(b) - rank(a) || b.readAt - a.readAt,
    )
    for (const [old] of newestFirst.slice(rule.most)) set(old, undefined)
  }
  function find(call: string, input: CallInput) {
    const exactCopy = copies.get(nameOf(call, input))
    return (
      exactCopy ??
      rules[call]?.derive?.(input, copiesOfCall(call).map(([, copy]) => copy) as Copy<never>[])
    )
  }
  function forgetShownCopy(key: string) {
    const wasShown = visibleCopies.delete(key)
    if (isAway) hear()
    else if (wasShown) showAge()
  }
  /** The server answers again: reload everything that shows a copy. */
  function hear() {
    isAway = false
    stopRetrying?.()
    stopRetrying = undefined
    const calls = new Set([...visibleCopies.values()].map(({ call }) => call))
    const reads = {
      predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => calls.has(String(queryKey[0])),
    }
    void queryClient.invalidateQueries(reads).finally(() => {
      if (!isAway) visibleCopies.clear()
      showAge()
    })
  }
  function show(call: string, input: CallInput, copy: Omit<Copy, 'call' | 'asked'>) {
    isAway = true
    visibleCopies.set(nameOf(call, input), { call, readAt: copy.readAt })
    showAge()
    stopRetrying ??= startRetrying(() => probe().then(hear))
    return copy.data
  }

  // Sent marks are written into the attendance on screen, and so into its copy.
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || !event.action.manual) return
    const [call, input] = event.query.queryKey as [string, CallInput]
    const storedCopy = copies.get(nameOf(call, input))
    if (!storedCopy) return
    keep(call, input, event.action.data, storedCopy.readAt)
    // At once, because the marks leave their own store now.
    write()
  })
  session.subscribe(() => {
    copies.clear()
    clearTimeout(writing)
  })

  for (const { call, asked } of storedCopies) unwritten.add(nameOf(call, asked))
  for (const call of Object.keys(rules))
    for (const { queryKey, state } of queryClient.getQueryCache().findAll({ queryKey: [call] }))
      if (
        state.status === 'success' &&
        (queryKey[1] === undefined || typeof queryKey[1] === 'object')
      )
        keep(call, queryKey[1] as CallInput, state.data, state.dataUpdatedAt)

  const isAnswerless = (error: unknown) => error instanceof Error && isTransientError(error)

  return async <T>(call: string, input: CallInput, answer: Promise<T>): Promise<T> => {
    const key = nameOf(call, input)
    const freshReply = answer.then((reply) => {
      keep(call, input, reply)
      forgetShownCopy(key)
      return reply
    })
    const copy = find(call, input)
    if (!copy) return freshReply
    const late = new Promise<'late'>((resolve) => {
      setTimeout(() => resolve('late'), isAway ? 0 : PATIENCE_MS)
    })
    const first = await Promise.race([freshReply.then((reply) => ({ reply })), late]).catch(
      (error: unknown) => {
        if (!isAnswerless(error)) throw error
        return 'failed' as const
      },
    )
    if (typeof first === 'object') return first.reply
    freshReply.catch(() => {})
    return show(call, input, copy) as T
  }
}
