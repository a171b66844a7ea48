import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { mustExist } from '@tatami/contract/lib/must-exist'
import type { Refusal } from '../lib/refusal.ts'

/** Queues that are fair: a requester with many tasks delays only their own tasks. */

export type Requester = { key: string; hasPriority?: boolean }
/** The key is an IPv4 address, or the first 64 bits of an IPv6 address, which one customer has. */
export function requesterByAddress(address: string): Requester {
  // Skips a slow regular expression for most addresses.
  if (!address.includes(':') || !isIPv6(address)) return { key: address }
  const ip = ipaddr.process(address)
  if (ip instanceof ipaddr.IPv4) return { key: ip.toString() }
  return {
    key: ip.parts
      .slice(0, 4)
      .map((part) => part.toString(16))
      .join(':'),
  }
}

export type FairQueue = ReturnType<typeof fairQueue>
type Waiting = { start: () => void; reject: () => void }
type Options = {
  concurrency: number
  maxWaiting: number
  timeoutMs: number
  refusal: () => Refusal
  /** True if the same error awaits all waiting tasks, which are then refused immediately. */
  isOutage?: (error: unknown) => boolean
}

/** After this many turns with priority, one goes to a requester without. */
const PRIORITY_TURNS = 4

/** Requesters take turns for `concurrency` slots. A task is refused if `maxWaiting` tasks
 *  of its priority are waiting, or after `timeoutMs`. */
export function fairSemaphore({
  concurrency,
  maxWaiting,
  timeoutMs,
  refusal,
}: Omit<Options, 'isOutage'>) {
  const priorityLine = waitingLine(maxWaiting),
    regularLine = waitingLine(maxWaiting)
  let running = 0,
    priorityTurns = 0

  function startNext() {
    while (running < concurrency && priorityLine.size() + regularLine.size() > 0) {
      const isPriorityTurn =
        regularLine.size() === 0 || (priorityLine.size() > 0 && priorityTurns < PRIORITY_TURNS)
      priorityTurns = isPriorityTurn ? priorityTurns + 1 : 0
      running += 1
      const line = isPriorityTurn ? priorityLine : regularLine
      line.take().start()
    }
  }

  const wait = ({ key, hasPriority = false }: Requester) =>
    new Promise<void>((resolve, reject) => {
      const line = hasPriority ? priorityLine : regularLine
      const timer = setTimeout(() => line.drop(key, entry), timeoutMs)
      const entry: Waiting = {
        start: () => {
          clearTimeout(timer)
          resolve()
        },
        reject: () => {
          clearTimeout(timer)
          reject(refusal())
        },
      }
      line.add(key, entry)
      startNext()
    })

  return {
    tryAcquire(): boolean {
      if (running >= concurrency) return false
      running += 1
      return true
    },
    wait,
    release() {
      running -= 1
      startNext()
    },
    refuseWaiting() {
      for (const line of [priorityLine, regularLine]) line.rejectAll()
    },
  }
}

export function fairQueue({ isOutage = () => false, ...options }: Options) {
  const slots = fairSemaphore(options)
  return async <T>(requester: Requester, task: () => Promise<T>): Promise<T> => {
    if (!slots.tryAcquire()) await slots.wait(requester)
    try {
      return await task()
    } catch (error) {
      if (isOutage(error)) slots.refuseWaiting()
      throw error
    } finally {
      slots.release()
    }
  }
}

function waitingLine(maxSize: number) {
  const byKey = new Map<string, Waiting[]>()
  let size = 0

  const countOf = (key: string) => byKey.get(key)?.length ?? 0

  /** Drops a task of the requester who has the most, unless `newKey` would then have as many. */
  function dropFromLongest(newKey: string) {
    let longestKey = newKey
    for (const key of byKey.keys()) if (countOf(key) > countOf(longestKey)) longestKey = key
    const lastEntry = byKey.get(longestKey)?.at(-1)
    if (lastEntry && countOf(longestKey) > countOf(newKey) + 1) drop(longestKey, lastEntry)
  }
  function drop(key: string, entry: Waiting) {
    remove(key, entry)
    entry.reject()
  }
  function remove(key: string, entry: Waiting) {
    const entries = byKey.get(key) ?? []
    entries.splice(entries.indexOf(entry), 1)
    if (entries.length === 0) byKey.delete(key)
    size -= 1
  }

  return {
    size: () => size,
    drop,
    rejectAll() {
      for (const [key, entries] of [...byKey]) for (const entry of [...entries]) drop(key, entry)
    },
    add(key: string, entry: Waiting) {
      if (size >= maxSize) dropFromLongest(key)
      if (size >= maxSize) return entry.reject()
      const entries = byKey.get(key) ?? []
      entries.push(entry)
      byKey.set(key, entries)
      size += 1
    },
    take(): Waiting {
      const [key, entries] = mustExist(byKey.entries().next().value, 'A waiting task')
      const entry = mustExist(entries[0], 'A waiting task')
      remove(key, entry)
      const hasMore = byKey.delete(key)
      if (hasMore) byKey.set(key, entries)
      return entry
    },
  }
}
