import { expect, test, vi } from 'vitest'
import { fairQueue, requesterByAddress } from './fair-queue.ts'
import { Refusal } from '../lib/refusal.ts'

const refusal = () => new Refusal(429, 'Full', { retryAfterSeconds: 5 })

/** The test decides when a task ends; `began` lists tasks in the order in which they started. */
function heldQueue(atOnce: number, waitingAtMost: number, patienceMs = 60_000) {
  const queue = fairQueue({
    concurrency: atOnce,
    maxWaiting: waitingAtMost,
    timeoutMs: patienceMs,
    refusal,
  })
  const began: string[] = [],
    running: (() => void)[] = []
  const add = (name: string, goesFirst = false) =>
    queue({ key: name[0]!, hasPriority: goesFirst }, async () => {
      began.push(name)
      await new Promise<void>((resolve) => running.push(resolve))
      return name
    })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  async function finish(count: number) {
    for (let finishedCount = 0; finishedCount < count; finishedCount += 1) {
      await settle()
      running.shift()!()
    }
    await settle()
  }
  return { add, began, finish, settle }
}

test('runs so many at once and no more, each of which gives its result', async () => {
  const { add, began, finish, settle } = heldQueue(2, 10)
  const works = ['a1', 'b1', 'c1'].map((name) => add(name))
  await settle()
  expect(began).toEqual(['a1', 'b1'])
  await finish(3)
  expect(await Promise.all(works)).toEqual(['a1', 'b1', 'c1'])
})

test('takes the keys in turn, however many entries one of them has', async () => {
  const { add, began, finish } = heldQueue(1, 10)
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void add(name)
  await finish(7)
  expect(began).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('begins what goes first before the others, which still get every fifth turn', async () => {
  const { add, began, finish } = heldQueue(1, 20)
  for (const name of ['u1', 'u2', 'u3']) void add(name)
  for (const name of ['k1', 'k2', 'k3', 'k4', 'k5', 'k6']) void add(name, true)
  await finish(9)
  expect(began).toEqual(['u1', 'k1', 'k2', 'k3', 'k4', 'u2', 'k5', 'k6', 'u3'])
})

test('refuses at once what finds no place, and keeps a place for what goes first', async () => {
  const { add, began, finish } = heldQueue(1, 2)
  for (const name of ['a1', 'b1', 'c1']) void add(name)
  await expect(add('d1')).rejects.toMatchObject({ status: 429, retryAfterSeconds: 5 })
  const knownWork = add('e1', true)
  await finish(4)
  await expect(knownWork).resolves.toBe('e1')
  expect(began).toEqual(['a1', 'e1', 'b1', 'c1'])
})

test('a key that fills the queue gives up its last place to another key', async () => {
  const { add, began, finish } = heldQueue(1, 3)
  const works = ['a1', 'a2', 'a3', 'a4'].map((name) => add(name))
  void add('b1')
  await expect(works[3]).rejects.toMatchObject({ status: 429 })
  await expect(add('a5')).rejects.toMatchObject({ status: 429 })
  await finish(4)
  expect(began).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('refuses what has waited too long, and not what is under way', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { add, began, finish } = heldQueue(1, 5, 2000)
    const running = add('a1')
    const late = add('b1').catch((error: Refusal) => error.status)
    vi.advanceTimersByTime(1500)
    const inTime = add('b2')
    vi.advanceTimersByTime(600)
    expect(await late).toBe(429)
    await finish(2)
    expect([await running, await inTime, began]).toEqual(['a1', 'b2', ['a1', 'b2']])
  } finally {
    vi.useRealTimers()
  }
})

test('goes on after a work that fails', async () => {
  const queue = fairQueue({ concurrency: 1, maxWaiting: 5, timeoutMs: 60_000, refusal })
  await expect(queue({ key: 'a' }, () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  )
  expect(await queue({ key: 'a' }, () => Promise.resolve('done'))).toBe('done')
})

test('an outage that one work meets is no wait for the others: they are refused', async () => {
  const queue = fairQueue({
    concurrency: 1,
    maxWaiting: 5,
    timeoutMs: 60_000,
    refusal,
    isOutage: () => true,
  })
  const works = ['a', 'b', 'c'].map((key, index) =>
    queue({ key, hasPriority: index === 2 }, () => Promise.reject(new Error('away'))),
  )
  const failures = (await Promise.allSettled(works)).map((outcome) =>
    outcome.status === 'rejected' ? (outcome.reason as Error).message : 'done',
  )
  expect(failures).toEqual(['away', 'Full', 'Full'])
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:1:2::6', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['unknown', 'unknown'],
])('%s takes turns as %s', (address, key) => {
  expect(requesterByAddress(address)).toEqual({ key })
})
