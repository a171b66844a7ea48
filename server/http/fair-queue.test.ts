import { mustExist } from '@tatami/contract/lib/must-exist'
import { expect, test, vi } from 'vitest'
import { createFairQueue, requesterByAddress } from './fair-queue.ts'
import { Refusal } from '../lib/refusal.ts'

const createRefusal = () => new Refusal(429, 'Full', { retryAfterSeconds: 5 })

/** Creates a queue whose tasks end when the test calls `finish`. `startedTasks` has the names of
 *  tasks in the order in which they started. A name begins with the key of its requester. */
function createControlledQueue(concurrency: number, maxWaiting: number, timeoutMs = 60_000) {
  const queue = createFairQueue({ concurrency, maxWaiting, timeoutMs, refusal: createRefusal })
  const startedTasks: string[] = []
  const finishFunctions: (() => void)[] = []
  const add = (name: string, { hasPriority = false } = {}) =>
    queue({ key: name.slice(0, 1), hasPriority }, async () => {
      startedTasks.push(name)
      await new Promise<void>((resolve) => finishFunctions.push(resolve))
      return name
    })
  const letTasksStart = () => new Promise((resolve) => setImmediate(resolve))
  async function finish(count: number) {
    for (let finishedCount = 0; finishedCount < count; finishedCount += 1) {
      await letTasksStart()
      mustExist(finishFunctions.shift(), 'The running task')()
    }
    await letTasksStart()
  }
  return { add, startedTasks, finish, letTasksStart }
}

test('runs at most two tasks at the same time and returns their results', async () => {
  const { add, startedTasks, finish, letTasksStart } = createControlledQueue(2, 10)
  const tasks = ['a1', 'b1', 'c1'].map((name) => add(name))
  await letTasksStart()
  expect(startedTasks).toEqual(['a1', 'b1'])
  await finish(3)
  expect(await Promise.all(tasks)).toEqual(['a1', 'b1', 'c1'])
})

test('takes turns between keys, no matter how many tasks a key has', async () => {
  const { add, startedTasks, finish } = createControlledQueue(1, 10)
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void add(name)
  await finish(7)
  expect(startedTasks).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('starts tasks with priority first, but gives every fifth turn to other tasks', async () => {
  const { add, startedTasks, finish } = createControlledQueue(1, 20)
  for (const name of ['u1', 'u2', 'u3']) void add(name)
  for (const name of ['k1', 'k2', 'k3', 'k4', 'k5', 'k6']) void add(name, { hasPriority: true })
  await finish(9)
  expect(startedTasks).toEqual(['u1', 'k1', 'k2', 'k3', 'k4', 'u2', 'k5', 'k6', 'u3'])
})

test('refuses a task if its line is full, but has another line for priority tasks', async () => {
  const { add, startedTasks, finish } = createControlledQueue(1, 2)
  for (const name of ['a1', 'b1', 'c1']) void add(name)
  await expect(add('d1')).rejects.toMatchObject({ status: 429, retryAfterSeconds: 5 })
  const priorityTask = add('e1', { hasPriority: true })
  await finish(4)
  await expect(priorityTask).resolves.toBe('e1')
  expect(startedTasks).toEqual(['a1', 'e1', 'b1', 'c1'])
})

test('drops the last task of the key with the most tasks if the line is full', async () => {
  const { add, startedTasks, finish } = createControlledQueue(1, 3)
  const tasks = ['a1', 'a2', 'a3', 'a4'].map((name) => add(name))
  void add('b1')
  await expect(tasks[3]).rejects.toMatchObject({ status: 429 })
  await expect(add('a5')).rejects.toMatchObject({ status: 429 })
  await finish(4)
  expect(startedTasks).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('refuses a task that has waited too long, but not a running one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { add, startedTasks, finish } = createControlledQueue(1, 5, 2000)
    const runningTask = add('a1')
    const lateTask = add('b1').catch((error: Refusal) => error.status)
    vi.advanceTimersByTime(1500)
    const timelyTask = add('b2')
    vi.advanceTimersByTime(600)
    expect(await lateTask).toBe(429)
    await finish(2)
    expect([await runningTask, await timelyTask, startedTasks]).toEqual(['a1', 'b2', ['a1', 'b2']])
  } finally {
    vi.useRealTimers()
  }
})

test('runs the next task after one has failed', async () => {
  const queue = createFairQueue({
    concurrency: 1,
    maxWaiting: 5,
    timeoutMs: 60_000,
    refusal: createRefusal,
  })
  await expect(queue({ key: 'a' }, () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  )
  expect(await queue({ key: 'a' }, () => Promise.resolve('done'))).toBe('done')
})

test('refuses all waiting tasks when the running task fails because of an outage', async () => {
  const queue = createFairQueue({
    concurrency: 1,
    maxWaiting: 5,
    timeoutMs: 60_000,
    refusal: createRefusal,
    isOutage: () => true,
  })
  const tasks = ['a', 'b', 'c'].map((key, index) =>
    queue({ key, hasPriority: index === 2 }, () => Promise.reject(new Error('down'))),
  )
  const failures = (await Promise.allSettled(tasks)).map((outcome) =>
    outcome.status === 'rejected' ? (outcome.reason as Error).message : 'done',
  )
  expect(failures).toEqual(['down', 'Full', 'Full'])
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
])('queues the IP address %s under the key %s', (address, key) => {
  expect(requesterByAddress(address)).toEqual({ key })
})
