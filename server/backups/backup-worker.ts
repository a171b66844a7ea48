import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { driverError } from '../db/database-errors.ts'
import { backUp } from './back-up.ts'
import { BackupError } from './backup-error.ts'

export type BackupTask = { databaseUrl: string; path: string; priority: number }
export type BackupOutcome = { failure: string | null }

const { priority, ...task } = workerData as BackupTask
// Only Linux sets the priority of a single thread. Other systems would slow the whole process.
if (process.platform === 'linux') setPriority(priority)

const describeError = (error: unknown) => {
  if (error instanceof BackupError) return error.message
  const { message, code } = driverError(error)
  return `The database refused: ${message || String(code ?? error)}`
}
const outcome: BackupOutcome = await backUp(task).then(
  () => ({ failure: null }),
  (error: unknown) => ({ failure: describeError(error) }),
)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
parentPort?.postMessage(outcome)
