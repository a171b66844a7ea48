import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import { pluck } from '../lib/rows.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import type { Database, Tx } from './database.ts'

/** A job contains only an id or ''. At most one job waits for each id. With `isEveryMinute`, a job
 *  is added every minute, and only one job is added after an outage. */
export type Queue = { name: string; isEveryMinute?: boolean }

const DAY_SECONDS = 86_400
// A failed job is not repeated. The next minute's job finds the remaining work in our tables.
const QUEUE_OPTIONS = {
  policy: 'short',
  retryLimit: 0,
  expireInSeconds: 3600,
  deleteAfterSeconds: DAY_SECONDS,
}
const STOP_TIMEOUT_MS = 10_000
const POLL_SECONDS = 5
const MAINTENANCE_SECONDS = 3600

type BossOptions = ConstructorParameters<typeof PgBoss>[0] & object
const BOSS_OPTIONS: BossOptions = {
  schema: 'pgboss',
  migrate: false,
  supervise: false,
  schedule: false,
}

const currentTransaction = new AsyncLocalStorage<Tx>()
/** Runs SQL in our transactions. It is never started, so it has no timers and no connections. */
const transactionBoss = new PgBoss({
  ...BOSS_OPTIONS,
  db: {
    executeSql: (text, values) =>
      mustExist(currentTransaction.getStore(), 'The transaction').$client.query(text, values),
  },
})

const createJob = (id: string, inSeconds: number) => ({
  data: { id },
  singletonKey: id,
  startAfter: inSeconds,
})

export const enqueue = (
  tx: Tx,
  queue: string,
  ids: string[],
  { inSeconds = 0 } = {},
): Promise<number> =>
  currentTransaction.run(tx, async () => {
    if (ids.length === 0) return 0
    const jobs = ids.map((id) => createJob(id, inSeconds))
    const newIds = await transactionBoss.insert(queue, jobs, { returnId: true })
    return newIds?.length ?? 0
  })

/** Adds a job that starts after the commit. A job that is already waiting is locked until then,
 *  because it would miss the new rows. */
export const enqueueWithTransaction = (tx: Tx, queue: string, id: string) =>
  currentTransaction.run(tx, () => transactionBoss.upsert(queue, { id }, { singletonKey: id }))

export const dequeue = (tx: Tx, queue: string, max: number): Promise<string[]> =>
  currentTransaction.run(tx, async () => {
    const jobs = await transactionBoss.fetch<{ id: string }>(queue, { batchSize: max })
    if (jobs.length > 0) await transactionBoss.deleteJob(queue, pluck(jobs, 'id'))
    return jobs.map(({ data }) => data.id)
  })

type Work = () => Promise<void>

/** Runs `work` on one of the servers each minute. Returns a function that stops the schedule and
 *  waits for work that is running. */
export async function runEveryMinute(
  db: Database,
  queue: string,
  work: Work,
  onError: (error: unknown) => void,
): Promise<Work> {
  const boss = new PgBoss({
    ...BOSS_OPTIONS,
    supervise: true,
    schedule: true,
    flowIntervalSeconds: MAINTENANCE_SECONDS,
    reindex: false,
    monitorVacuum: false,
    db: { executeSql: (text, values) => db.withoutDojo((tx) => tx.$client.query(text, values)) },
  })
  boss.on('error', onError)
  await boss.start()
  await boss.insert(queue, [createJob('', 0)])
  await boss.work(queue, { pollingIntervalSeconds: POLL_SECONDS }, () => work().catch(onError))
  return () => boss.stop({ timeout: STOP_TIMEOUT_MS })
}

/** Grants only what we use, which excludes warnings, statistics and subscriptions. */
export const createQueueGrants = (role: string) => `
revoke all on all tables in schema pgboss from ${role};
revoke execute on all functions in schema pgboss from public;
grant usage on schema pgboss to ${role};
grant execute on function pgboss.job_now(), pgboss.create_queue(text, jsonb) to ${role};
grant select, update (cron_on, flow_on, monitor_backoff_on) on pgboss.version to ${role};
grant select, insert, update on pgboss.queue, pgboss.job to ${role};
grant select, insert, update, delete on pgboss.job_common to ${role};
grant select, update on pgboss.schedule to ${role};
grant select, delete on pgboss.job_dependency to ${role};`

export async function createQueues(owner: pg.ClientBase, queues: Queue[]): Promise<void> {
  const boss = new PgBoss({
    ...BOSS_OPTIONS,
    migrate: true,
    db: { executeSql: (text, values) => owner.query(text, values) },
  })
  boss.on('error', () => {})
  await boss.start()
  for (const { name, isEveryMinute } of queues) {
    await boss.createQueue(name, QUEUE_OPTIONS)
    if (!isEveryMinute) continue
    await boss.schedule(name, '* * * * *', { id: '' }, { missed: 'once' })
    await boss.insert(name, [createJob('', 0)])
  }
  await boss.stop({ graceful: false })
}
