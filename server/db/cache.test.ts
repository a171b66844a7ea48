import { beforeEach, expect, test } from 'vitest'
import { createCache } from './cache.ts'
import type { PubSub } from './pubsub.ts'

const connection = { live: true, disconnect: () => {} }
const pubsub: PubSub = {
  isLive: () => connection.live,
  subscribe: () => {},
  deliver: () => {},
  ping: async () => true,
  close: async () => {},
  onDisconnect: (handler) => {
    connection.disconnect = () => {
      connection.live = false
      handler()
    }
  },
}
let loadCount = 0
const load = async () => ({ load: (loadCount += 1) })
/** Creates a load that ends when the test calls `end`. */
function createSlowLoad() {
  const { promise, resolve } = Promise.withResolvers<{ load: number }>()
  return { load: () => promise, end: () => resolve({ load: (loadCount += 1) }) }
}
const createTestCache = (maxValues = 10) =>
  createCache<{ load: number }>(pubsub, { name: 'test', maxValues })

beforeEach(() => {
  connection.live = true
  loadCount = 0
})

test('returns a value that was loaded before', async () => {
  const cache = createTestCache()
  expect([
    await cache.get('a', load),
    await cache.get('a', load),
    await cache.get('b', load),
  ]).toEqual([{ load: 1 }, { load: 1 }, { load: 2 }])
})

test('loads a missing value again', async () => {
  const cache = createTestCache()
  expect(await cache.get('a', async () => null)).toBeNull()
  expect(await cache.get('a', load)).toEqual({ load: 1 })
})

test('invalidates only values with the tag', async () => {
  const cache = createTestCache()
  await cache.get('a', load)
  await cache.get('b', load)
  cache.invalidate('a')
  expect([await cache.get('b', load), await cache.get('a', load)]).toEqual([
    { load: 2 },
    { load: 3 },
  ])
})

test('does not cache a value that is invalidated while it loads', async () => {
  const cache = createTestCache()
  const loadOfA = createSlowLoad()
  const loadOfB = createSlowLoad()
  const values = [cache.get('a', loadOfA.load), cache.get('b', loadOfB.load)]
  cache.invalidate('a')
  loadOfA.end()
  loadOfB.end()
  expect(await Promise.all(values)).toEqual([{ load: 1 }, { load: 2 }])
  expect([await cache.get('a', load), await cache.get('b', load)]).toEqual([
    { load: 3 },
    { load: 2 },
  ])
})

test('invalidates a value by each of its tags', async () => {
  const cache = createCache<{ dojo: string; load: number }>(pubsub, {
    name: 'test',
    maxValues: 10,
    tagsOf: ({ dojo }, key) => [dojo, key],
  })
  const loadForDojo = (dojo: string) => async () => ({ dojo, ...(await load()) })
  const read = async () => [
    (await cache.get('a', loadForDojo('here')))?.load,
    (await cache.get('b', loadForDojo('there')))?.load,
  ]
  expect(await read()).toEqual([1, 2])
  cache.invalidate('here')
  expect(await read()).toEqual([3, 2])
  cache.invalidate('b')
  expect(await read()).toEqual([3, 4])
})

test('reloads all older values after more invalidations than the cache can remember', async () => {
  const cache = createTestCache()
  await cache.get('a', load)
  for (let number = 0; number <= 100_000; number += 1) cache.invalidate(`other ${number}`)
  expect([await cache.get('a', load), await cache.get('a', load)]).toEqual([
    { load: 2 },
    { load: 2 },
  ])
})

test('caches nothing while it may miss messages from other servers', async () => {
  const cache = createTestCache()
  await cache.get('a', load)
  connection.disconnect()
  expect([await cache.get('a', load), await cache.get('a', load)]).toEqual([
    { load: 2 },
    { load: 3 },
  ])
  connection.live = true
  expect(await cache.get('a', load)).toEqual({ load: 4 })
  expect(await cache.get('a', load)).toEqual({ load: 4 })
})

test('does not cache a value if a message may have been missed while it loaded', async () => {
  const cache = createTestCache()
  const loadBeforeOutage = createSlowLoad()
  const loadDuringOutage = createSlowLoad()
  const firstValue = cache.get('a', loadBeforeOutage.load)
  connection.disconnect()
  const secondValue = cache.get('b', loadDuringOutage.load)
  connection.live = true
  loadBeforeOutage.end()
  loadDuringOutage.end()
  expect([await firstValue, await secondValue]).toEqual([{ load: 1 }, { load: 2 }])
  expect([await cache.get('a', load), await cache.get('b', load)]).toEqual([
    { load: 3 },
    { load: 4 },
  ])
})

test('limits the number of its values if a number is given', async () => {
  const cache = createTestCache(2)
  for (const key of ['a', 'b', 'c']) await cache.get(key, load)
  expect([await cache.get('c', load), await cache.get('a', load)]).toEqual([
    { load: 3 },
    { load: 4 },
  ])
})

test('loads again after a failure', async () => {
  const cache = createTestCache()
  await expect(
    cache.get('a', async () => {
      throw new Error('down')
    }),
  ).rejects.toThrow('down')
  expect(await cache.get('a', load)).toEqual({ load: 1 })
})

test('limits the total size of its values if a size is given', async () => {
  const cache = createCache<{ bytes: number }>(pubsub, {
    name: 'test',
    maxBytes: 1000,
    bytesOf: ({ bytes }) => bytes,
  })
  const isCached = async (key: string) => (await cache.get(key, async () => null)) !== null
  const put = (key: string, bytes: number) => cache.get(key, async () => ({ bytes }))
  for (let number = 0; number < 100; number += 1) await put(`small ${number}`, 10)
  expect([await isCached('small 0'), await isCached('small 99')]).toEqual([true, true])
  await put('large', 985)
  expect([
    await isCached('large'),
    await isCached('small 0'),
    await isCached('small 98'),
    await isCached('small 99'),
  ]).toEqual([true, false, false, true])
  expect(await put('too large', 1001)).toEqual({ bytes: 1001 })
  expect([await isCached('too large'), await isCached('large')]).toEqual([false, true])
})
