import { LRUCache } from 'lru-cache'
import type { PubSub } from './pubsub.ts'

export type Cache<V extends {}> = {
  /** Returns the cached value, or loads it. Nothing is cached while messages from other servers may
   *  be missed. */
  get: (key: string, load: () => Promise<V | null>) => Promise<V | null>
  /** Invalidates every value with this tag, including those being loaded. */
  invalidate: (tag: string) => void
}

/** `maxValues` for values of equal size; otherwise larger values than `maxBytes` are not cached. */
type Bound<V> = { maxValues: number } | { maxBytes: number; bytesOf: (value: V) => number }
/** Defaults to the key. */
type Tags<V> = { tagsOf?: (value: V, key: string) => string[] }
type Entry<V> = { value: V; tags: string[]; asOf: number }

const MAX_TAGS = 100_000

export const cacheUse = new Map<string, { hits: number; misses: number }>()

/** A bounded cache in memory, invalidated by messages from other servers. One dojo's changes leave
 *  the others' values. Caches with the same name are counted together. */
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
  // Time is counted in invalidations. Forgotten tags count as invalidated when the latest of them
  // was.
  let clock = 0,
    forgottenAt = 0
  const invalidatedAt = new LRUCache<string, number>({
    // `max` would allocate room for all of them at once.
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
