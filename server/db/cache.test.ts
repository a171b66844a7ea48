import { beforeEach, expect, test } from 'vitest'
import { createCache } from './cache.ts'
import type { PubSub } from './pubsub.ts'

const ears = { live: true, goDown: () => {} }
const pubsub: PubSub = {
  isLive: () => ears.live,
  subscribe: () => {},
  deliver: () => {},
  ping: async () => true,
  close: async () => {},
  onDisconnect: (hear) => {
    ears.goDown = () => {
      ears.live = false
      hear()
    }
  },
}
let loads = 0
const load = async () => ({ load: (loads += 1) })
/** A load that ends when told. */
function slowly() {
  const { promise, resolve } = Promise.withResolvers<{ load: number }>()
  return { load: () => promise, end: () => resolve({ load: (loads += 1) }) }
}
const freshCache = (max = 10) => createCache<{ load: number }>(pubsub, max)

beforeEach(() => {
  ears.live = true
  loads = 0
})

test('what was loaded once is known', async () => {
  const cache = freshCache()
  expect([await cache.get('a', load), await cache.get('a', load), await cache.get('b', load)]).toEqual([
    { load: 1 },
    { load: 1 },
    { load: 2 },
  ])
})

test('what is not there is asked for again', async () => {
  const cache = freshCache()
  expect(await cache.get('a', async () => null)).toBeNull()
  expect(await cache.get('a', load)).toEqual({ load: 1 })
})

test('what a drop names is forgotten, the rest is not', async () => {
  const cache = freshCache()
  await cache.get('a', load)
  await cache.get('b', load)
  cache.invalidate((_, key) => key === 'a')
  expect([await cache.get('b', load), await cache.get('a', load)]).toEqual([{ load: 2 }, { load: 3 }])
})

test('a value that was being loaded during a drop is answered and not kept', async () => {
  const cache = freshCache(),
    slow = slowly()
  const answer = cache.get('a', slow.load)
  cache.invalidate(() => false)
  slow.end()
  expect([await answer, await cache.get('a', load)]).toEqual([{ load: 1 }, { load: 2 }])
})

test('while word from other servers may be missed, nothing is known and nothing kept', async () => {
  const cache = freshCache()
  await cache.get('a', load)
  ears.goDown()
  expect([await cache.get('a', load), await cache.get('a', load)]).toEqual([{ load: 2 }, { load: 3 }])
  ears.live = true
  expect(await cache.get('a', load)).toEqual({ load: 4 })
  expect(await cache.get('a', load)).toEqual({ load: 4 })
})

test('a value is not kept when word may have been missed at any moment of its loading', async () => {
  const cache = freshCache(),
    [downThenUp, upMeanwhile] = [slowly(), slowly()]
  const first = cache.get('a', downThenUp.load)
  ears.goDown()
  const second = cache.get('b', upMeanwhile.load)
  ears.live = true
  downThenUp.end()
  upMeanwhile.end()
  expect([await first, await second]).toEqual([{ load: 1 }, { load: 2 }])
  expect([await cache.get('a', load), await cache.get('b', load)]).toEqual([{ load: 3 }, { load: 4 }])
})

test('it holds so many and no more', async () => {
  const cache = freshCache(2)
  for (const key of ['a', 'b', 'c']) await cache.get(key, load)
  expect([await cache.get('c', load), await cache.get('a', load)]).toEqual([{ load: 3 }, { load: 4 }])
})

test('a load that fails is not remembered', async () => {
  const cache = freshCache()
  await expect(
    cache.get('a', async () => {
      throw new Error('away')
    }),
  ).rejects.toThrow('away')
  expect(await cache.get('a', load)).toEqual({ load: 1 })
})
