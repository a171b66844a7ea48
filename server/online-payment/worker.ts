import { setTimeout as sleep } from 'node:timers/promises'
import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import pLimit from 'p-limit'
import { asOverseer, type Database } from '../db/database.ts'
import { now, nowIso } from '../lib/clock.ts'
import { DELETE_CUSTOMERS } from './deleted-customers.ts'
import { CHECK_METHODS, SETTLE_SETUPS } from './autopay/jobs.ts'
import { CLAIM_MS, type Job, MAX_TASKS, type Task } from './jobs.ts'
import { pollEvents } from './poll-events.ts'
import { ProviderFailure } from './provider.ts'
import { refreshPayment } from './refresh.ts'
import { settlePayment } from './settle.ts'
import { UNSETTLED_STATES } from './states.ts'
import type { OnlinePaymentContext } from './stripe-account.ts'
import { onlinePayments, stripeAccounts } from './tables.ts'

const PAUSE_MS = 3_000
/** A poll reads up to 100 pages. If it fails, or if its server dies, it is repeated this much
 *  later. */
const POLL_CLAIM_MS = 60_000
const MAX_CONCURRENT_CALLS = 10
type OnError = (error: unknown) => void

const { dojo_id, id, state, next_check_at, refresh_at } = onlinePayments

const SETTLE: Job = {
  findTasks: (tx) =>
    tx
      .select({ dojo_id, id, due_at: next_check_at })
      .from(onlinePayments)
      .where(and(inArray(state, [...UNSETTLED_STATES]), lte(next_check_at, nowIso())))
      .orderBy(asc(next_check_at))
      .limit(MAX_TASKS),
  claimMs: CLAIM_MS,
  claim: (tx, task, claimedUntil) =>
    tx
      .update(onlinePayments)
      .set({ next_check_at: claimedUntil })
      .where(and(eq(id, task.id), eq(next_check_at, task.due_at ?? '')))
      .returning({ id }),
  perform: (context, task) => settlePayment(context, task.dojo_id, task.id),
}

const REFRESH: Job = {
  findTasks: (tx) =>
    tx
      .select({ dojo_id, id, due_at: refresh_at })
      .from(onlinePayments)
      .where(lte(refresh_at, nowIso()))
      .orderBy(asc(refresh_at))
      .limit(MAX_TASKS),
  claimMs: CLAIM_MS,
  claim: (tx, task, claimedUntil) =>
    tx
      .update(onlinePayments)
      .set({ refresh_at: claimedUntil })
      .where(and(eq(id, task.id), eq(refresh_at, task.due_at ?? '')))
      .returning({ id }),
  perform: (context, task, claimedUntil) =>
    refreshPayment(context, task.dojo_id, task.id, claimedUntil),
}

const POLL: Job = {
  findTasks: (tx) =>
    tx
      .select({
        dojo_id: stripeAccounts.dojo_id,
        id: stripeAccounts.dojo_id,
        due_at: stripeAccounts.next_poll_at,
      })
      .from(stripeAccounts)
      .where(lte(stripeAccounts.next_poll_at, nowIso()))
      .orderBy(asc(stripeAccounts.next_poll_at))
      .limit(MAX_TASKS),
  claimMs: POLL_CLAIM_MS,
  claim: (tx, { due_at }, claimedUntil) =>
    tx
      .update(stripeAccounts)
      .set({ next_poll_at: claimedUntil })
      .where(eq(stripeAccounts.next_poll_at, due_at ?? ''))
      .returning({ dojo_id: stripeAccounts.dojo_id }),
  perform: (context, task) => pollEvents(context, task.dojo_id),
}

const findTasks = (db: Database, job: Job): Promise<Task[]> =>
  db.withoutDojo((tx) => asOverseer(tx, job.findTasks))

/** Does nothing if another server was faster. Failures of Stripe are tried again later. */
async function performTask(context: OnlinePaymentContext, job: Job, task: Task, onError: OnError) {
  const claimedUntil = new Date(now().getTime() + job.claimMs).toISOString()
  const claimedRows = await context.db.inDojo(task.dojo_id, (tx) =>
    job.claim(tx, task, claimedUntil),
  )
  if (claimedRows.length === 0) return
  await job.perform(context, task, claimedUntil).catch((failure: unknown) => {
    if (!(failure instanceof ProviderFailure)) onError(failure)
  })
}

const JOBS: readonly Job[] = [
  ...[SETTLE, SETTLE_SETUPS, REFRESH],
  ...[POLL, CHECK_METHODS, DELETE_CUSTOMERS],
]

/** Asks Stripe about everything that is due. A failure of one task never delays the others.
 *  `moreJobs` are those of other modules that take payments. */
export async function performDueTasks(
  context: OnlinePaymentContext,
  onError: OnError,
  moreJobs: readonly Job[] = [],
): Promise<void> {
  const limit = pLimit(MAX_CONCURRENT_CALLS)
  for (const job of [...JOBS, ...moreJobs]) {
    const tasks = await findTasks(context.db, job)
    await Promise.all(
      tasks.map((task) => limit(() => performTask(context, job, task, onError).catch(onError))),
    )
  }
}

type WorkerOptions = { pauseMs?: number | undefined; moreJobs?: readonly Job[] }

/** Any number of servers may run this. The returned function stops it. */
export function startPaymentWorker(
  context: OnlinePaymentContext,
  onError: OnError,
  { pauseMs = PAUSE_MS, moreJobs = [] }: WorkerOptions = {},
): () => Promise<void> {
  const stopController = new AbortController()
  const { signal } = stopController
  const run = async () => {
    while (!signal.aborted) {
      await performDueTasks(context, onError, moreJobs).catch(onError)
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
  }
  const running = run()
  return async () => {
    stopController.abort()
    await running
  }
}
