import { LRUCache } from 'lru-cache'
import type { PubSub } from './pubsub.ts'

export type Cache<V extends {}> = {
  /** The cached value of `key`, else what `load` returns. Nothing is cached while messages from other servers may be missed. */
  get: (key: string, load: () => Promise<V | null>) => Promise<V | null>
  /** Invalidates every value that has this tag; one that is being loaded meanwhile is not cached. */
  invalidate: (tag: string) => void
}

/** Values of one size are counted; others are measured, and one that is larger than `maxBytes` is not cached. */
type Bound<V> = { maxValues: number } | { maxBytes: number; bytesOf: (value: V) => number }
/** What invalidates a value: its key, unless said otherwise. */
type Tags<V> = { tagsOf?: (value: V, key: string) => string[] }
type Entry<V> = { value: V; tags: string[]; asOf: number }

const MAX_TAGS = 100_000

/** How often this process found a value in its caches, and how often not, by the caches' names. */
export const cacheUse = new Map<string, { hits: number; misses: number }>()

/** A bounded cache in this server's memory, for values that other servers invalidate by messages. What one dojo changes costs the others'
 *  values nothing, however many there are. Caches of one name are counted together. */
export function createCache<V extends {}>(
  pubsub: PubSub,
  { name, tagsOf = (_, key) => [key], ...bound }: { name: string } & Bound<V> & Tags<V>,
): Cache<V> {
  const use = cacheUse.get(name) ?? { hits: 0, misses: 0 }
  cacheUse.set(name, use)
  const entries = new LRUCache<string, Entry<V>>(
    'maxBytes' in bound
      ? { maxSize: bound.maxBytes, sizeCalculation: ({ value }: Entry<V>) => bound.bytesOf(value) }
      : { max: bound.maxValues },
  )
  // Moments are counted in invalidations. A tag that is forgotten counts as invalidated when any of the forgotten ones last was.
  let clock = 0,
    forgottenAt = 0
  const invalidatedAt = new LRUCache<string, number>({
    // By `max` it would take the room for all of them at once.
    maxSize: MAX_TAGS,
    sizeCalculation: () => 1,
    dispose: (time, _, reason) => {
      if (reason === 'evict') forgottenAt = time
    },
  })
  pubsub.onDisconnect(() => {
    forgottenAt = clock += 1
    entries.clear()
  })
  const isCurrent = ({ tags, asOf }: Entry<V>) =>
    asOf >= forgottenAt && tags.every((tag) => (invalidatedAt.peek(tag) ?? 0) <= asOf)
  return {
    get: async (key, load) => {
      const wasLive = pubsub.isLive(),
        asOf = clock
      const cachedEntry = wasLive ? entries.get(key) : undefined
      if (cachedEntry && isCurrent(cachedEntry)) {
        use.hits += 1
        return cachedEntry.value
      }
      use.misses += 1
      const value = await load()
      if (!value || !wasLive || !pubsub.isLive()) return value
      const entry = { value, tags: tagsOf(value, key), asOf }
      if (isCurrent(entry)) entries.set(key, entry)
      return value
    },
    invalidate: (tag) => void invalidatedAt.set(tag, (clock += 1)),
  }
}
