import { chmodSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createFirstSuperAdmin } from './accounts/first-super-admin.ts'
import { buildApp } from './app.ts'
import { DATABASE_RULES } from './database-rules.ts'
import { connect, type Database } from './db/database.ts'
import { prepareDatabase } from './db/migrate.ts'
import { connectPubSub, type PubSub } from './db/pubsub.ts'
import { findFreezablePostgres } from './test/frozen-database.ts'
import { ADMIN } from './test/fixtures.ts'
import { type ApiClient, createFixtures, TEST_SETTINGS } from './test/test-server.ts'
import { runQueries, startTemporaryCluster } from './test/temporary-cluster.ts'
import { canSeeProcesses } from './test/processes.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })
/** The server promises two seconds. Two more allow for a busy machine, and are still shorter than
 *  every timeout. */
const REFUSED_WITHIN_MS = 4_000
const RECOVERY_TIMEOUT_MS = 5_000,
  SLOW_SECONDS = 3

describe.runIf(canSeeProcesses)('the server with a failing database', () => {
  let cluster: Awaited<ReturnType<typeof startTemporaryCluster>>
  let postgres: Awaited<ReturnType<typeof findFreezablePostgres>>
  let fixtures: ReturnType<typeof createFixtures>
  let admin: ApiClient
  let db: Database, pubsub: PubSub
  const closeActions: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    cluster = await startTemporaryCluster()
    postgres = await findFreezablePostgres(cluster.superuserUrl)
    await prepareDatabase({ databaseUrl: cluster.superuserUrl }, DATABASE_RULES)
    pubsub = await connectPubSub(cluster.superuserUrl)
    db = connect(cluster.superuserUrl, { onPublish: pubsub.deliver, ping: pubsub.ping })
    const http = await buildApp({ db, pubsub, env: TEST_SETTINGS })
    closeActions.push(
      () => http.close(),
      () => pubsub.close(),
      () => db.close(),
      () => cluster.stop(),
    )
    await createFirstSuperAdmin(db, ADMIN)
    fixtures = createFixtures({ http, db })
    admin = await fixtures.signInSuperAdmin()
  })
  afterEach(() => postgres.thaw())
  afterAll(async () => {
    for (const close of closeActions) await close()
  })

  const readReadyStatus = async () => (await fixtures.anonymous.get('/health/ready')).status
  async function sendConcurrentCalls() {
    const startMs = performance.now()
    const statuses = await Promise.all([
      ...Array.from({ length: 30 }, async () => (await admin.get('/super-admin/sensei')).status),
      ...Array.from({ length: 10 }, readReadyStatus),
    ])
    return { statuses: [...new Set(statuses)], ms: performance.now() - startMs }
  }
  const waitUntilReady = async () =>
    await expect.poll(readReadyStatus, { timeout: RECOVERY_TIMEOUT_MS, interval: 50 }).toBe(200)

  test('refuses calls with 503 in seconds while the database is silent, and recovers', async () => {
    expect(await sendConcurrentCalls()).toMatchObject({ statuses: [200] })
    postgres.freeze()
    const firstCalls = await sendConcurrentCalls(),
      nextCalls = await sendConcurrentCalls()
    console.log(
      `silent: the first 40 calls refused within ${Math.round(firstCalls.ms)} ms, the next ` +
        `within ${Math.round(nextCalls.ms)} ms`,
    )
    expect([firstCalls.statuses, nextCalls.statuses]).toEqual([[503], [503]])
    expect(Math.max(firstCalls.ms, nextCalls.ms)).toBeLessThan(REFUSED_WITHIN_MS)
    postgres.thaw()
    await waitUntilReady()
    expect(await sendConcurrentCalls()).toMatchObject({ statuses: [200] })
  })

  test.runIf(process.env.LONG)(
    'recovers from a silence that is longer than the connection timeout',
    async () => {
      postgres.freeze()
      const deadline = performance.now() + 12_000
      while (performance.now() < deadline) {
        const { statuses, ms } = await sendConcurrentCalls()
        expect(statuses).toEqual([503])
        expect(ms).toBeLessThan(REFUSED_WITHIN_MS)
        await sleep(200)
      }
      postgres.thaw()
      await waitUntilReady()
      expect(await sendConcurrentCalls()).toMatchObject({ statuses: [200] })
      await expect.poll(() => pubsub.isLive(), { timeout: 10_000 }).toBe(true)
    },
  )

  test('ends a transaction during which the database stops responding', async () => {
    const openTransaction = db.withoutDojo(async (tx) => {
      await tx.execute(sql`select 1`)
      postgres.freeze()
      const startMs = performance.now()
      await tx.execute(sql`select 2`).catch(() => {})
      return performance.now() - startMs
    })
    await expect(openTransaction).rejects.toThrow(/not queryable|Connection terminated/)
    postgres.thaw()
    await waitUntilReady()
  })

  test('waits for a database that is only slow', async () => {
    const slowQueries = Array.from({ length: 3 }, () =>
      db.withoutDojo((tx) => tx.execute(sql`select pg_sleep(${SLOW_SECONDS})`)),
    )
    await sleep((SLOW_SECONDS / 2) * 1000)
    expect(await readReadyStatus()).toBe(200)
    expect(await Promise.all(slowQueries)).toHaveLength(3)
  })

  test('is not ready while the database is read-only', async () => {
    await runQueries(
      cluster.superuserUrl,
      'alter database tatami set default_transaction_read_only = on',
    )
    // The new default applies only to new connections.
    await runQueries(
      cluster.superuserUrl,
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> ' +
        'pg_backend_pid() and datname = current_database()',
    )
    await expect.poll(readReadyStatus, { timeout: RECOVERY_TIMEOUT_MS }).toBe(503)
    expect((await fixtures.anonymous.get('/health/live')).status).toBe(200)
    await runQueries(
      cluster.superuserUrl,
      'set default_transaction_read_only = off',
      'alter database tatami reset default_transaction_read_only',
    )
    await runQueries(
      cluster.superuserUrl,
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> ' +
        'pg_backend_pid() and datname = current_database()',
    )
    await waitUntilReady()
  })

  test('refuses a write on a read-only connection with 503, and drops the connection', async () => {
    await db.withoutDojo((tx) =>
      tx.execute(sql`set session characteristics as transaction read only`),
    )
    expect((await admin.put('/super-admin/daily-message-limit', { daily_limit: 250 })).status).toBe(
      503,
    )
    expect((await admin.put('/super-admin/daily-message-limit', { daily_limit: 250 })).status).toBe(
      200,
    )
  })

  test('does not acknowledge a commit that has reached no standby', async () => {
    const setSynchronousStandbys = (names: string) =>
      runQueries(
        cluster.superuserUrl,
        `alter system set synchronous_standby_names = '${names}'`,
        'select pg_reload_conf()',
      )
    await setSynchronousStandbys('no_such_standby')
    const singleConnection = connect(cluster.superuserUrl, { maxConnections: 1 })
    const write = singleConnection.withoutDojo(async (tx) => {
      await tx.execute(sql`set local synchronous_commit = on`)
      await tx.execute(sql`update system_config set daily_message_limit = daily_message_limit`)
    })
    write.catch(() => {})
    const client = new pg.Client({ connectionString: cluster.superuserUrl })
    await client.connect()
    // Ends the wait for the standby, like the statement timeout.
    const cancelWaiting = async () =>
      (
        await client.query(
          "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'",
        )
      ).rowCount
    await expect.poll(cancelWaiting, { timeout: RECOVERY_TIMEOUT_MS }).toBe(1)
    await expect(write).rejects.toThrow('The commit has not reached a standby')
    await client.end()
    await setSynchronousStandbys('')
    expect(await singleConnection.withoutDojo((tx) => tx.execute(sql`select 1`))).toMatchObject({
      rowCount: 1,
    })
    await singleConnection.close()
  })

  test('is not ready while the database cannot write to its disk', async () => {
    const client = new pg.Client({ connectionString: cluster.superuserUrl })
    await client.connect()
    const [{ data_directory }] = (await client.query('show data_directory')).rows
    await client.end()
    chmodSync(`${data_directory}/pg_snapshots`, 0o500)
    expect(await readReadyStatus()).toBe(503)
    chmodSync(`${data_directory}/pg_snapshots`, 0o700)
    expect(await readReadyStatus()).toBe(200)
  })
})
