import { subscriberNetworkOf } from './network-of.ts'
import type { Refusal } from '../lib/refusal.ts'

/** Each key has its turn. Those that go first leave every fifth turn to the others. */
export type Requester = { key: string; hasPriority?: boolean }
export const requesterByAddress = (address: string): Requester => ({ key: subscriberNetworkOf(address) })

export type FairQueue = ReturnType<typeof fairQueue>
type Waiting = { start: () => void; refuse: () => void }
type Options = {
  concurrency: number
  maxWaiting: number
  timeoutMs: number
  refusal: () => Refusal
  /** After such a failure of one work the others would only wait for theirs: they are refused. */
  isOutage?: (error: unknown) => boolean
}

const TURNS_OF_THE_FIRST = 4

/**
 * Runs at most `atOnce` works at a time. The others wait, `waitingAtMost` of either rank, and are taken from each key in turn: however
 * much one key asks for, the next work of another begins soon. What finds no place is refused at once, what waits too long then.
 */
export function fairQueue({
  concurrency: atOnce,
  maxWaiting: waitingAtMost,
  timeoutMs: patienceMs,
  refusal,
  isOutage = () => false,
}: Options) {
  const first = line(waitingAtMost),
    others = line(waitingAtMost)
  let running = 0,
    firstInARow = 0

  function startNext() {
    while (running < atOnce && first.size() + others.size() > 0) {
      const isFirst = others.size() === 0 || (first.size() > 0 && firstInARow < TURNS_OF_THE_FIRST)
      firstInARow = isFirst ? firstInARow + 1 : 0
      running += 1
      ;(isFirst ? first : others).take().start()
    }
  }

  const place = ({ key, hasPriority: goesFirst = false }: Requester) =>
    new Promise<void>((resolve, reject) => {
      const own = goesFirst ? first : others
      const late = setTimeout(() => own.giveUp(key, entry), patienceMs)
      const entry: Waiting = {
        start: () => {
          clearTimeout(late)
          resolve()
        },
        refuse: () => {
          clearTimeout(late)
          reject(refusal())
        },
      }
      own.add(key, entry)
      startNext()
    })

  return async <T>(turn: Requester, work: () => Promise<T>): Promise<T> => {
    await place(turn)
    try {
      return await work()
    } catch (error) {
      if (isOutage(error)) for (const waiting of [first, others]) waiting.refuseAll()
      throw error
    } finally {
      running -= 1
      startNext()
    }
  }
}

/** A line in which nobody waits behind another key's second entry. */
function line(atMost: number) {
  const byKey = new Map<string, Waiting[]>()
  let size = 0

  /** The key with the most entries gives up its last one, unless the newcomer's key has as many. */
  function makeRoom(forKey: string) {
    let longest = forKey
    for (const [key, { length }] of byKey) if (length > (byKey.get(longest)?.length ?? 0)) longest = key
    const entries = byKey.get(longest) ?? []
    if (entries.length > (byKey.get(forKey)?.length ?? 0) + 1) giveUp(longest, entries.at(-1)!)
  }
  function giveUp(key: string, entry: Waiting) {
    leave(key, entry)
    entry.refuse()
  }
  function leave(key: string, entry: Waiting) {
    const entries = byKey.get(key)!
    entries.splice(entries.indexOf(entry), 1)
    if (entries.length === 0) byKey.delete(key)
    size -= 1
  }

  return {
    size: () => size,
    giveUp,
    refuseAll() {
      for (const [key, entries] of [...byKey]) for (const entry of [...entries]) giveUp(key, entry)
    },
    add(key: string, entry: Waiting) {
      if (size >= atMost) makeRoom(key)
      if (size >= atMost) return entry.refuse()
      const entries = byKey.get(key) ?? []
      entries.push(entry)
      byKey.set(key, entries)
      size += 1
    },
    /** The oldest entry of the key whose turn it is; the key goes behind all others. */
    take(): Waiting {
      const [key, entries] = byKey.entries().next().value!
      const next = entries[0]!
      leave(key, next)
      if (byKey.delete(key)) byKey.set(key, entries)
      return next
    },
  }
}
