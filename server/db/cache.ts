import { LRUCache } from 'lru-cache'
import type { PubSub } from './pubsub.ts'

export type Cache<V extends {}> = {
  /** What is known under `key`, else what `load` finds. Nothing is kept while word from other servers may be missed. */
  get: (key: string, load: () => Promise<V | null>) => Promise<V | null>
  /** Forgets all that `matches`; values being loaded meanwhile are not kept. */
  invalidate: (matches: (value: V, key: string) => boolean) => void
}

/** A cache in this server's memory, right because the other servers say when it is not. */
export function createCache<V extends {}>(pubsub: PubSub, max: number): Cache<V> {
  const known = new LRUCache<string, V>({ max })
  let drops = 0
  pubsub.onDisconnect(() => {
    drops += 1
    known.clear()
  })
  return {
    get: async (key, load) => {
      const found = pubsub.isLive() ? known.get(key) : undefined
      if (found) return found
      const heardAll = pubsub.isLive(),
        before = drops
      const loaded = await load()
      if (loaded && heardAll && pubsub.isLive() && drops === before) known.set(key, loaded)
      return loaded
    },
    invalidate: (matches) => {
      drops += 1
      for (const [key, value] of known) if (matches(value, key)) known.delete(key)
    },
  }
}
