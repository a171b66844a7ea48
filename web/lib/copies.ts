/**
 * Copies of the server's answers for a time without a network. Each is stored with when it was read, for one account and one session, and
 * shown only where the server does not answer. Which calls, and what of their answers, is said by whoever starts it (`CopyRules`).
 */
import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { copyStore } from './device-database.ts'
import { deviceStorage } from './device-storage.ts'
import { isStoredDocument, shownAsOf } from './offline.ts'
import { isTransientError, queryClient } from './query.ts'
import { startRetrying } from './retry.ts'
import { session } from './session.ts'

/** Older than this nothing is shown: the session may have ended, and the students with it. */
const MOST_DAYS = 7
/** How long an answer is waited for before the copy is shown, unless it is known that none comes. */
const PATIENCE_MS = 1500
/** Answers that come together are written together; soon, since nothing is written once the page is left. */
const WRITE_MS = 30

/** What a call was asked with. */
export type CallInput = { query?: Record<string, unknown> } | undefined
export type Copy<T = unknown> = { call: string; asked: CallInput; readAt: number; data: T }
export type CopyRule = {
  /** What of an answer is stored; undefined where none of it is. It has the shape of the answer. */
  pick: (reply: never, asked: CallInput) => unknown
  /** Its age is not said: it hardly changes. */
  isTimeless?: true
  /** How many answers of the call are stored, those read last. */
  most: number
  /** Those that others can be derived from stay before all. */
  isBase?: (asked: CallInput) => boolean
  /** The answer to a question that was never asked, from the answers to others. */
  derive?: (
    asked: CallInput,
    copies: readonly Copy<never>[],
  ) => Omit<Copy, 'call' | 'asked'> | undefined
}
/** By "GET /path". */
export type CopyRules = Readonly<Record<string, CopyRule>>

type StoredCopy = Copy & { holder: number }

const nameOf = (call: string, input: CallInput) => JSON.stringify([call, input])
/** Tells sessions apart without storing the token a second time (FNV-1a). */
export const fingerprint = (token: string): number =>
  [...token].reduce(
    (hash, letter) => Math.imul(hash ^ letter.codePointAt(0)!, 16_777_619),
    0x811c9dc5,
  ) >>> 0

/** `probe` asks the server for anything; it fails where there is no answer. */
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
  /** The reads that are answered by copies now, with the time of the oldest. */
  const visibleCopies = new Map<string, { call: string; readAt: number }>()
  const unwritten = new Set<string>()
  let isAway = isStoredDocument()
  let stopRetrying: (() => void) | undefined

  function showAge() {
    const times = [...visibleCopies.values()].flatMap(({ call, readAt }) =>
      rules[call]?.isTimeless ? [] : readAt,
    )
    shownAsOf.set(times.length === 0 ? undefined : Math.min(...times))
  }
  const keysOf = (names: Iterable<string>) =>
    [...names].map((name) => `${deviceStorage.owner()} ${name}`)

  let writing: ReturnType<typeof setTimeout> | undefined
  function write() {
    clearTimeout(writing)
    writing = undefined
    if (session.token() === null) return
    const names = [...unwritten]
    unwritten.clear()
    const toStoredCopy = (_: unknown, index: number): StoredCopy | undefined => {
      const copy = copies.get(names[index]!)
      return copy && { ...copy, holder }
    }
    // What cannot be stored is not there without a network, and missing nowhere else.
    copyStore.change<StoredCopy>(keysOf(names), toStoredCopy).catch(() => {})
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
  /** The server answers again: what is shown of copies is read anew. */
  function hear() {
    isAway = false
    stopRetrying?.()
    stopRetrying = undefined
    const calls = new Set([...visibleCopies.values()].map(({ call }) => call))
    const reads = {
      predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => calls.has(String(queryKey[0])),
    }
    // What no screen shows any more is read when one does.
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

  // Marks that were sent are written into the roll that is shown; the copy says so, too.
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || !event.action.manual) return
    const [call, input] = event.query.queryKey as [string, CallInput]
    const storedReply = copies.get(nameOf(call, input))
    if (!storedReply) return
    keep(call, input, event.action.data, storedReply.readAt)
    // At once: the marks leave their own store now.
    write()
  })
  session.subscribe(() => {
    copies.clear()
    clearTimeout(writing)
  })

  // What another session has left.
  for (const { call, asked } of storedCopies) unwritten.add(nameOf(call, asked))
  // What was read before.
  for (const call of Object.keys(rules))
    for (const { queryKey, state } of queryClient.getQueryCache().findAll({ queryKey: [call] }))
      if (
        state.status === 'success' &&
        (queryKey[1] === undefined || typeof queryKey[1] === 'object')
      )
        keep(call, queryKey[1] as CallInput, state.data, state.dataUpdatedAt)

  const isAnswerless = (error: unknown) => error instanceof Error && isTransientError(error)

  /** The answer, unless it fails or does not come soon and there is a copy of it. */
  return async <T>(call: string, input: CallInput, answer: Promise<T>): Promise<T> => {
    const key = nameOf(call, input)
    const storedReply = answer.then((reply) => {
      keep(call, input, reply)
      forgetShownCopy(key)
      return reply
    })
    const copy = find(call, input)
    if (!copy) return storedReply
    const late = new Promise<'late'>((resolve) => {
      setTimeout(() => resolve('late'), isAway ? 0 : PATIENCE_MS)
    })
    const first = await Promise.race([storedReply.then((reply) => ({ reply })), late]).catch(
      (error: unknown) => {
        if (!isAnswerless(error)) throw error
        return 'failed' as const
      },
    )
    if (typeof first === 'object') return first.reply
    // Its answer may still come.
    storedReply.catch(() => {})
    return show(call, input, copy) as T
  }
}
