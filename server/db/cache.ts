import { LRUCache } from 'lru-cache'
import type { PubSub } from './pubsub.ts'

export type Cache<Value extends {}> = {
  /** Always loads while this server may miss messages from other servers. */
  get: (key: string, load: () => Promise<Value | null>) => Promise<Value | null>
  /** Invalidates every value with this tag, including values that are being loaded. */
  invalidate: (tag: string) => void
}

/** The number of values if all have about the same size, or else their total size. */
type Limit<Value> = { maxValues: number } | { maxBytes: number; bytesOf: (value: Value) => number }
type Tags<Value> = { tagsOf?: (value: Value, key: string) => string[] }
type CachedValue<Value> = { value: Value; tags: string[]; loadedAt: number }

const MAX_TAGS = 100_000

export const cacheStatistics = new Map<string, { hits: number; misses: number }>()

/** Values are invalidated by their tags. The tag is usually the id of the dojo. */
export function createCache<Value extends {}>(
  pubsub: PubSub,
  { name, tagsOf = (_, key) => [key], ...limit }: { name: string } & Limit<Value> & Tags<Value>,
): Cache<Value> {
  const statistics = cacheStatistics.get(name) ?? { hits: 0, misses: 0 }
  cacheStatistics.set(name, statistics)
  const cachedValues = new LRUCache<string, CachedValue<Value>>(
    'maxBytes' in limit
      ? {
          maxSize: limit.maxBytes,
          sizeCalculation: ({ value }: CachedValue<Value>) => limit.bytesOf(value),
        }
      : { max: limit.maxValues },
  )
  // `time` is the number of invalidations so far. Invalidations before `rememberedSince` may have
  // been forgotten.
  let time = 0
  let rememberedSince = 0
  const invalidatedAt = new LRUCache<string, number>({
    // The option `max` would allocate memory for all tags immediately.
    maxSize: MAX_TAGS,
    sizeCalculation: () => 1,
    dispose: (tagTime, _, reason) => {
      if (reason === 'evict') rememberedSince = tagTime
    },
  })
  pubsub.onDisconnect(() => {
    time += 1
    rememberedSince = time
    cachedValues.clear()
  })
  const isCurrent = ({ tags, loadedAt }: CachedValue<Value>) =>
    loadedAt >= rememberedSince && tags.every((tag) => (invalidatedAt.peek(tag) ?? 0) <= loadedAt)
  return {
    get: async (key, load) => {
      const wasLive = pubsub.isLive()
      const loadedAt = time
      const cachedValue = wasLive ? cachedValues.get(key) : undefined
      if (cachedValue && isCurrent(cachedValue)) {
        statistics.hits += 1
        return cachedValue.value
      }
      statistics.misses += 1
      const value = await load()
      if (!value || !wasLive || !pubsub.isLive()) return value
      const newValue = { value, tags: tagsOf(value, key), loadedAt }
      if (isCurrent(newValue)) cachedValues.set(key, newValue)
      return value
    },
    invalidate: (tag) => {
      time += 1
      invalidatedAt.set(tag, time)
    },
  }
}
