import type { Tx } from '../db/database.ts'
import type { OnlinePaymentContext } from './stripe-account.ts'

/** How many tasks of a kind are done before those of the next kind. */
export const MAX_TASKS = 200
/** After a failure, or if the server dies, a task is done again this much later. Slow calls may
 *  take longer. Two servers then do it at once, which the idempotency keys allow. */
export const CLAIM_MS = 12_000

/** `id` is a payment's, except for polls, which are for a whole dojo. */
export type Task = { dojo_id: string; id: string; due_at: string | null }

/** Work that is due at a time in the database, and that any server may do. */
export type Job = {
  findTasks: (tx: Tx) => Promise<Task[]>
  /** For how long no other server begins the task. */
  claimMs: number
  /** Moves the time. Returns the changed rows, none if another server has claimed the task. */
  claim: (tx: Tx, task: Task, claimedUntil: string) => Promise<unknown[]>
  perform: (context: OnlinePaymentContext, task: Task, claimedUntil: string) => Promise<void>
}
