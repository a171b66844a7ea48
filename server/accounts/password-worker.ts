import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import { ARGON2ID, type HashingReply, type HashingTask } from './password-hashing.ts'

// Only Linux sets the priority of a single thread. Other systems would slow the whole process.
if (process.platform === 'linux')
  setPriority(Math.max(getPriority(), (workerData as { priority: number }).priority))

function run(task: HashingTask): HashingReply {
  try {
    return task.kind === 'hash'
      ? { result: hashSync(task.password, ARGON2ID) }
      : { result: verifySync(task.hash, task.password) }
  } catch (error) {
    return { error }
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- Only for windows.
parentPort?.on('message', (task: HashingTask) => parentPort?.postMessage(run(task)))
