import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** OWASP's minimum for argon2id: 19 MiB, two passes. */
export const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Leaves one core to everything else. */
export const MAX_CONCURRENT_HASHES = Math.max(1, availableParallelism() - 1)

export type HashingTask = { password: string; verified: string | null }
export type HashingResult = { result: string | boolean } | { error: Error }

const idle: Worker[] = []
let priority = 0

export const setHashingPriority = (value: number): void => {
  priority = value
}

export function runInWorker(task: HashingTask): Promise<string | boolean> {
  const worker =
    idle.pop() ??
    new Worker(new URL('password-worker.ts', import.meta.url), {
      execArgv: [],
      workerData: { priority },
    })
  // An idle worker must not keep the process alive.
  worker.ref()
  return new Promise((resolve, reject) => {
    const onExit = (code: number) =>
      reject(new Error(`The password worker ended with code ${code}`))
    worker
      .once('exit', onExit)
      .once('error', reject)
      .once('message', (answer: HashingResult) => {
        worker.off('exit', onExit).off('error', reject).unref()
        idle.push(worker)
        if ('error' in answer) reject(answer.error)
        else resolve(answer.result)
      })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
    worker.postMessage(task)
  })
}
