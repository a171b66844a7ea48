import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { mustExist } from '@tatami/contract/lib/must-exist'
import type { Refusal } from '../lib/refusal.ts'

/** Requesters take turns; those with priority leave every fifth turn to the others. */
export type Requester = { key: string; hasPriority?: boolean }
/** An IPv4 address, or the 64 bits of IPv6 that one subscriber gets. */
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
  /** True if the waiting tasks would fail, too; they are refused then. */
  isOutage?: (error: unknown) => boolean
}

const PRIORITY_TURNS = 4

/** A semaphore with `concurrency` slots. At most `maxWaiting` of each priority wait; requesters
 *  take turns. Tasks without room, or waiting longer than `timeoutMs`, are refused. */
export function fairSemaphore({
  concurrency,
  maxWaiting,
  timeoutMs,
  refusal,
}: Omit<Options, 'isOutage'>) {
  const priorityLine = waitingLine(maxWaiting),
    regularLine = waitingLine(maxWaiting)
  let running = 0,
    prioritizedInARow = 0

  function startNext() {
    while (running < concurrency && priorityLine.size() + regularLine.size() > 0) {
      const takesPrioritized =
        regularLine.size() === 0 || (priorityLine.size() > 0 && prioritizedInARow < PRIORITY_TURNS)
      prioritizedInARow = takesPrioritized ? prioritizedInARow + 1 : 0
      running += 1
      ;(takesPrioritized ? priorityLine : regularLine).take().start()
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
      for (const waiting of [priorityLine, regularLine]) waiting.rejectAll()
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

  /** Drops the last entry of the longest key, unless the new entry's key is as long. */
  function makeRoom(forKey: string) {
    let longest = forKey
    for (const [key, { length }] of byKey)
      if (length > (byKey.get(longest)?.length ?? 0)) longest = key
    const entries = byKey.get(longest) ?? []
    const last = entries.at(-1)
    if (last && entries.length > (byKey.get(forKey)?.length ?? 0) + 1) drop(longest, last)
  }
  function drop(key: string, entry: Waiting) {
    leave(key, entry)
    entry.reject()
  }
  function leave(key: string, entry: Waiting) {
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
      if (size >= maxSize) makeRoom(key)
      if (size >= maxSize) return entry.reject()
      const entries = byKey.get(key) ?? []
      entries.push(entry)
      byKey.set(key, entries)
      size += 1
    },
    take(): Waiting {
      const [key, entries] = mustExist(byKey.entries().next().value, 'A waiting task')
      const next = mustExist(entries[0], 'A waiting task')
      leave(key, next)
      if (byKey.delete(key)) byKey.set(key, entries)
      return next
    },
  }
}
