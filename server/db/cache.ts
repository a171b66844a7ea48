import { LRUCache } from 'lru-cache'
import type { PubSub } from './pubsub.ts'

export type Cache<V extends {}> = {
  /** Nothing is cached while this server might miss another's message. */
  get: (key: string, load: () => Promise<V | null>) => Promise<V | null>
  /** Invalidates every value with this tag, including those being loaded. */
  invalidate: (tag: string) => void
}

/** Limits the number of values, if all have about the same size, or else their total size. */
type Limit<V> = { maxValues: number } | { maxBytes: number; bytesOf: (value: V) => number }
type Tags<V> = { tagsOf?: (value: V, key: string) => string[] }
type Entry<V> = { value: V; tags: string[]; loadedAt: number }

const MAX_TAGS = 100_000

export const cacheUse = new Map<string, { hits: number; misses: number }>()

/** Invalidates by tag on all servers. Values usually have their dojo as a tag. */
export function createCache<V extends {}>(
  pubsub: PubSub,
  { name, tagsOf = (_, key) => [key], ...limit }: { name: string } & Limit<V> & Tags<V>,
): Cache<V> {
  const use = cacheUse.get(name) ?? { hits: 0, misses: 0 }
  cacheUse.set(name, use)
  const entries = new LRUCache<string, Entry<V>>(
    'maxBytes' in limit
      ? { maxSize: limit.maxBytes, sizeCalculation: ({ value }: Entry<V>) => limit.bytesOf(value) }
      : { max: limit.maxValues },
  )
  // Time is the number of invalidations. Before `oldestKnown` we may have missed some tags.
  let time = 0
  let oldestKnown = 0
  const invalidatedAt = new LRUCache<string, number>({
    // `max` would allocate memory for all of them immediately.
    maxSize: MAX_TAGS,
    sizeCalculation: () => 1,
    dispose: (tagTime, _, reason) => {
      if (reason === 'evict') oldestKnown = tagTime
    },
  })
  pubsub.onDisconnect(() => {
    time += 1
    oldestKnown = time
    entries.clear()
  })
  const isCurrent = ({ tags, loadedAt }: Entry<V>) =>
    loadedAt >= oldestKnown && tags.every((tag) => (invalidatedAt.peek(tag) ?? 0) <= loadedAt)
  return {
    get: async (key, load) => {
      const wasLive = pubsub.isLive()
      const loadedAt = time
      const cachedEntry = wasLive ? entries.get(key) : undefined
      if (cachedEntry && isCurrent(cachedEntry)) {
        use.hits += 1
        return cachedEntry.value
      }
      use.misses += 1
      const value = await load()
      if (!value || !wasLive || !pubsub.isLive()) return value
      const entry = { value, tags: tagsOf(value, key), loadedAt }
      if (isCurrent(entry)) entries.set(key, entry)
      return value
    },
    invalidate: (tag) => {
      time += 1
      invalidatedAt.set(tag, time)
    },
  }
}
