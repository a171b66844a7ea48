import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { mustExist } from '@tatami/contract/lib/must-exist'
import type { Refusal } from '../lib/refusal.ts'

/** Fair queues: a requester with many tasks delays only their own tasks. */

export type Requester = { key: string; hasPriority?: boolean }
/** The key is an IPv4 address, or the first 64 bits of an IPv6 address, because one customer
 *  usually has all addresses with the same first 64 bits. */
export function requesterByAddress(address: string): Requester {
  // The first check avoids a slow regular expression for most addresses.
  if (!address.includes(':') || !isIPv6(address)) return { key: address }
  const ip = ipaddr.process(address)
  if (ip instanceof ipaddr.IPv4) return { key: ip.toString() }
  return {
    key: ip.parts
      .slice(0, 4)
      .map((part) => part.toString(16))
      .join(':'),
  }
}

export type FairQueue = ReturnType<typeof createFairQueue>
type WaitingTask = { start: () => void; reject: () => void }
type QueueOptions = {
  concurrency: number
  maxWaiting: number
  timeoutMs: number
  refusal: () => Refusal
  /** True if all waiting tasks would fail with the same error. They are then refused. */
  isOutage?: (error: unknown) => boolean
}

/** After this many turns with priority, a task without priority gets a turn. */
const MAX_PRIORITY_TURNS = 4

/** Requesters take turns for `concurrency` slots. A task is refused if `maxWaiting` tasks of its
 *  priority are already waiting, or after it has waited `timeoutMs`. */
export function createFairSemaphore({
  concurrency,
  maxWaiting,
  timeoutMs,
  refusal,
}: Omit<QueueOptions, 'isOutage'>) {
  const priorityLine = createWaitingLine(maxWaiting)
  const regularLine = createWaitingLine(maxWaiting)
  let runningCount = 0
  let priorityTurns = 0

  function startNext() {
    while (runningCount < concurrency && priorityLine.size() + regularLine.size() > 0) {
      const isPriorityTurn =
        regularLine.size() === 0 || (priorityLine.size() > 0 && priorityTurns < MAX_PRIORITY_TURNS)
      priorityTurns = isPriorityTurn ? priorityTurns + 1 : 0
      runningCount += 1
      const line = isPriorityTurn ? priorityLine : regularLine
      line.takeNext().start()
    }
  }

  const wait = ({ key, hasPriority = false }: Requester) =>
    new Promise<void>((resolve, reject) => {
      const line = hasPriority ? priorityLine : regularLine
      const timer = setTimeout(() => line.drop(key, waitingTask), timeoutMs)
      const waitingTask: WaitingTask = {
        start: () => {
          clearTimeout(timer)
          resolve()
        },
        reject: () => {
          clearTimeout(timer)
          reject(refusal())
        },
      }
      line.add(key, waitingTask)
      startNext()
    })

  return {
    tryAcquire(): boolean {
      if (runningCount >= concurrency) return false
      runningCount += 1
      return true
    },
    wait,
    release() {
      runningCount -= 1
      startNext()
    },
    refuseWaitingTasks() {
      for (const line of [priorityLine, regularLine]) line.rejectAll()
    },
  }
}

export function createFairQueue({ isOutage = () => false, ...options }: QueueOptions) {
  const slots = createFairSemaphore(options)
  return async <Result>(requester: Requester, task: () => Promise<Result>): Promise<Result> => {
    if (!slots.tryAcquire()) await slots.wait(requester)
    try {
      return await task()
    } catch (error) {
      if (isOutage(error)) slots.refuseWaitingTasks()
      throw error
    } finally {
      slots.release()
    }
  }
}

function createWaitingLine(maxSize: number) {
  const tasksByKey = new Map<string, WaitingTask[]>()
  let size = 0

  const countTasks = (key: string) => tasksByKey.get(key)?.length ?? 0

  /** Drops a task of the requester with the most tasks, unless `newKey` would then have as many. */
  function dropFromLongest(newKey: string) {
    let longestKey = newKey
    for (const key of tasksByKey.keys())
      if (countTasks(key) > countTasks(longestKey)) longestKey = key
    const lastTask = tasksByKey.get(longestKey)?.at(-1)
    if (lastTask && countTasks(longestKey) > countTasks(newKey) + 1) drop(longestKey, lastTask)
  }
  function drop(key: string, task: WaitingTask) {
    remove(key, task)
    task.reject()
  }
  function remove(key: string, task: WaitingTask) {
    const tasks = tasksByKey.get(key) ?? []
    tasks.splice(tasks.indexOf(task), 1)
    if (tasks.length === 0) tasksByKey.delete(key)
    size -= 1
  }

  return {
    size: () => size,
    drop,
    rejectAll() {
      for (const [key, tasks] of [...tasksByKey]) for (const task of [...tasks]) drop(key, task)
    },
    add(key: string, task: WaitingTask) {
      if (size >= maxSize) dropFromLongest(key)
      if (size >= maxSize) return task.reject()
      const tasks = tasksByKey.get(key) ?? []
      tasks.push(task)
      tasksByKey.set(key, tasks)
      size += 1
    },
    /** Takes the first task of the key whose turn it is, and moves the key to the end. */
    takeNext(): WaitingTask {
      const [key, tasks] = mustExist(tasksByKey.entries().next().value, 'A waiting task')
      const task = mustExist(tasks[0], 'A waiting task')
      remove(key, task)
      const hasMore = tasksByKey.delete(key)
      if (hasMore) tasksByKey.set(key, tasks)
      return task
    },
  }
}
