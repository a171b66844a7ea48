import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** OWASP's minimum for argon2id: 19 MiB and two passes. */
export const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Leaves one processor core to all other work. */
export const MAX_CONCURRENT_HASHES = Math.max(1, availableParallelism() - 1)

export type HashingTask =
  | { kind: 'hash'; password: string }
  | { kind: 'verify'; password: string; hash: string }
type TaskResults = { hash: string; verify: boolean }
export type HashingReply = { result: string | boolean } | { error: unknown }

const idleWorkers: Worker[] = []
let priority = 0

/** Sets the operating system's priority of future workers. A higher number runs later. */
export const setHashingPriority = (value: number): void => {
  priority = value
}

/** Hashes or verifies a password in another thread, because that takes tens of milliseconds. */
export function runInWorker<Task extends HashingTask>(
  task: Task,
): Promise<TaskResults[Task['kind']]> {
  const worker =
    idleWorkers.pop() ??
    new Worker(new URL('password-worker.ts', import.meta.url), {
      execArgv: [],
      workerData: { priority },
    })
  // Only a busy worker keeps the process alive.
  worker.ref()
  return new Promise((resolve, reject) => {
    const onExit = (code: number) =>
      reject(new Error(`The password worker ended with code ${code}`))
    worker
      .once('exit', onExit)
      .once('error', reject)
      .once('message', (reply: { result: TaskResults[Task['kind']] } | { error: Error }) => {
        worker.off('exit', onExit).off('error', reject).unref()
        idleWorkers.push(worker)
        if ('error' in reply) reject(reply.error)
        else resolve(reply.result)
      })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Only for windows.
    worker.postMessage(task)
  })
}
