import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import { ARGON2ID, type Answer, type HashingTask } from './password-hashing.ts'

// On Linux this is the priority of the thread that asks; elsewhere it would be that of the whole process.
if (process.platform === 'linux') setPriority((workerData as { priority: number }).priority)

function answer({ password, verified }: HashingTask): Answer {
  try {
    return { result: verified === null ? hashSync(password, ARGON2ID) : verifySync(verified, password) }
  } catch (error) {
    return { error: error as Error }
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
parentPort!.on('message', (task: HashingTask) => parentPort!.postMessage(answer(task)))
