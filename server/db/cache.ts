import { LRUCache } from 'lru-cache'
import type { PubSub } from './pubsub.ts'

export type Cache<V extends {}> = {
  /** The cached value of `key`, else what `load` returns. Nothing is cached while messages from other servers may be missed. */
  get: (key: string, load: () => Promise<V | null>) => Promise<V | null>
  /** Removes every value that `matches`; values that are being loaded meanwhile are not cached. */
  invalidate: (matches: (value: V, key: string) => boolean) => void
}

/** A cache of at most `max` values in this server's memory, for values that other servers invalidate by messages. */
export function createCache<V extends {}>(pubsub: PubSub, max: number): Cache<V> {
  const values = new LRUCache<string, V>({ max })
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
