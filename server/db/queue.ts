import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Database, Tx } from './database.ts'

/** A job is about one id, '' where there is nothing to name, and carries nothing else; of each id one job waits at a time. Of some queues
 *  there is a job every minute, and after a time without any server one for all that was missed. */
export type Queue = { name: string; isEveryMinute?: boolean }

const DAY_SECONDS = 86_400
// What fails is not tried again by itself: the next minute brings another job, which finds what is left to do in our own tables.
const QUEUE_OPTIONS = { policy: 'short', retryLimit: 0, expireInSeconds: 3600, deleteAfterSeconds: DAY_SECONDS }
const STOP_TIMEOUT_MS = 10_000,
  POLL_SECONDS = 5,
  MAINTENANCE_SECONDS = 3600

type Settings = ConstructorParameters<typeof PgBoss>[0] & object
const SETTINGS: Settings = { schema: 'pgboss', migrate: false, supervise: false, schedule: false }

const currentTransaction = new AsyncLocalStorage<Tx>()
/** Works in whichever transaction is in hand. It is never started: it has no timers and no connection. */
const transactionBoss = new PgBoss({
  ...SETTINGS,
  db: { executeSql: (text, values) => currentTransaction.getStore()!.executeSql(text, values) },
})

const jobOf = (id: string, inSeconds: number) => ({ data: { id }, singletonKey: id, startAfter: inSeconds })

/** Puts a job in line for each id that has none; answers for how many. It is there when the transaction holds. */
export const enqueue = (tx: Tx, queue: string, ids: string[], { inSeconds = 0 } = {}): Promise<number> =>
  currentTransaction.run(tx, async () => {
    if (ids.length === 0) return 0
    return (
      (
        await transactionBoss.insert(
          queue,
          ids.map((id) => jobOf(id, inSeconds)),
          { returnId: true },
        )
      )?.length ?? 0
    )
  })

/** Puts a job in line for what this transaction has written. One that waits already is held until it ends: taken any sooner, it would
 *  be done with before that can be seen. */
export const enqueueWithTransaction = (tx: Tx, queue: string, id: string) =>
  currentTransaction.run(tx, () => transactionBoss.upsert(queue, { id }, { singletonKey: id }))

/** Takes the jobs that are first in line; answers what they are about. They are gone when the transaction holds, else where they were. */
export const dequeue = (tx: Tx, queue: string, most: number): Promise<string[]> =>
  currentTransaction.run(tx, async () => {
    const jobs = await transactionBoss.fetch<{ id: string }>(queue, { batchSize: most })
    if (jobs.length > 0)
      await transactionBoss.deleteJob(
        queue,
        jobs.map(({ id }) => id),
      )
    return jobs.map(({ data }) => data.id)
  })

type Work = () => Promise<void>

/** Does the work of a queue's every minute, whenever it is this server's turn, and soon after it has started. Gives back its end, which
 *  waits for the work at hand. */
export async function runEveryMinute(db: Database, queue: string, work: Work, onError: (error: unknown) => void): Promise<Work> {
  const boss = new PgBoss({
    ...SETTINGS,
    supervise: true,
    schedule: true,
    flowIntervalSeconds: MAINTENANCE_SECONDS,
    reindex: false,
    monitorVacuum: false,
    db: { executeSql: (text, values) => db.withoutDojo((tx) => tx.executeSql(text, values)) },
  })
  boss.on('error', onError)
  await boss.start()
  await boss.insert(queue, [jobOf('', 0)])
  await boss.work(queue, { pollingIntervalSeconds: POLL_SECONDS }, () => work().catch(onError))
  return () => boss.stop({ timeout: STOP_TIMEOUT_MS })
}

/** What pg-boss does as `role` with the settings above, and nothing else of its schema: it stores no warnings, statistics or subscriptions. */
export const queueGrants = (role: string) => `
revoke all on all tables in schema pgboss from ${role};
revoke execute on all functions in schema pgboss from public;
grant usage on schema pgboss to ${role};
grant execute on function pgboss.job_now(), pgboss.create_queue(text, jsonb) to ${role};
grant select, update (cron_on, flow_on, monitor_backoff_on) on pgboss.version to ${role};
grant select, insert, update on pgboss.queue, pgboss.job to ${role};
grant select, insert, update, delete on pgboss.job_common to ${role};
grant select, update on pgboss.schedule to ${role};
grant select, delete on pgboss.job_dependency to ${role};`

/** Makes pg-boss's tables and the queues, as their owner; nothing where they are. */
export async function createQueues(owner: pg.ClientBase, queues: Queue[]): Promise<void> {
  const boss = new PgBoss({ ...SETTINGS, migrate: true, db: { executeSql: (text, values) => owner.query(text, values) } })
  boss.on('error', () => {})
  await boss.start()
  for (const { name, isEveryMinute } of queues) {
    await boss.createQueue(name, QUEUE_OPTIONS)
    if (!isEveryMinute) continue
    await boss.schedule(name, '* * * * *', { id: '' }, { missed: 'once' })
    await boss.insert(name, [jobOf('', 0)])
  }
  await boss.stop({ graceful: false })
}
