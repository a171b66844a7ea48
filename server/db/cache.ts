import { LRUCache } from 'lru-cache'
import type { PubSub } from './pubsub.ts'

export type Cache<V extends {}> = {
  /** The cached value of `key`, else what `load` returns. Nothing is cached while messages from other servers may be missed. */
  get: (key: string, load: () => Promise<V | null>) => Promise<V | null>
  /** Removes every value that `matches`; values that are being loaded meanwhile are not cached. */
  invalidate: (matches: (value: V, key: string) => boolean) => void
}

/** Values of one size are counted; others are measured, and one that is larger than `maxBytes` is not cached. */
type Bound<V> = { maxValues: number } | { maxBytes: number; bytesOf: (value: V) => number }

/** How often this process found a value in its caches, and how often not, by the caches' names. */
export const cacheUse = new Map<string, { hits: number; misses: number }>()

/** A bounded cache in this server's memory, for values that other servers invalidate by messages. Caches of one name are counted together. */
export function createCache<V extends {}>(pubsub: PubSub, bound: Bound<V> & { name: string }): Cache<V> {
  const use = cacheUse.get(bound.name) ?? { hits: 0, misses: 0 }
  cacheUse.set(bound.name, use)
  const values = new LRUCache<string, V>(
    'maxBytes' in bound ? { maxSize: bound.maxBytes, sizeCalculation: bound.bytesOf } : { max: bound.maxValues },
  )
  let invalidations = 0
  pubsub.onDisconnect(() => {
    invalidations += 1
    values.clear()
  })
  return {
    get: async (key, load) => {
      const wasLive = pubsub.isLive(),
        before = invalidations
      const cached = wasLive ? values.get(key) : undefined
      if (cached) use.hits += 1
      else use.misses += 1
      if (cached) return cached
      const loaded = await load()
      if (loaded && wasLive && pubsub.isLive() && invalidations === before) values.set(key, loaded)
      return loaded
    },
    invalidate: (matches) => {
      invalidations += 1
      for (const [key, value] of values) if (matches(value, key)) values.delete(key)
    },
  }
}
