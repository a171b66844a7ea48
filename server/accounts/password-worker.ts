import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import { ARGON2ID, type HashingResult, type HashingTask } from './password-hashing.ts'

// Only Linux sets the priority of the calling thread; elsewhere it would be the whole process. The
// priority cannot be raised again.
if (process.platform === 'linux')
  setPriority(Math.max(getPriority(), (workerData as { priority: number }).priority))

function run({ password, verified }: HashingTask): HashingResult {
  try {
    return {
      result: verified === null ? hashSync(password, ARGON2ID) : verifySync(verified, password),
    }
  } catch (error) {
    return { error: error as Error }
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
parentPort?.on('message', (task: HashingTask) => parentPort?.postMessage(run(task)))
