import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { EmbeddedPostgresError } from './errors.ts'
import { isPostmasterRunning, type Postmaster, type StartResult } from './postmaster.ts'

/** Only one process may hold this lock. PostgreSQL releases it when the process's connection
 *  ends. */
const ADVISORY_LOCK = 7_281_000
/** PostgreSQL's error code while it starts up or shuts down. */
const CANNOT_CONNECT_NOW = '57P03'
const POLL_MS = 50
/** After a process is killed, its session takes a moment to end. */
const LOCK_TIMEOUT_MS = 2_000
const START_TIMEOUT_MS = 15_000
const RECOVERY_TIMEOUT_MS = 600_000
const CONNECT_TIMEOUT_MS = 5_000
const FIRST_RETRY_MS = 50
const MAX_RETRY_MS = 2_000

type LockOptions = {
  postmaster: Postmaster
  dataDir: string
  applicationName: string
  superuserPassword: string
  start: () => Promise<StartResult>
}

/** Starts the server if necessary. Returns a connection of the superuser, which holds the lock. */
export async function acquireLock(options: LockOptions): Promise<pg.Client> {
  const { postmaster, dataDir, superuserPassword, start } = options
  const startedAt = performance.now()
  for (;;) {
    const client = new pg.Client({
      ...{
        host: postmaster.socketDir,
        port: 5432,
        user: 'postgres',
        password: superuserPassword,
        database: 'postgres',
      },
      ssl: false,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    })
    client.on('error', () => {})
    const failure = await connectAndLock(client, options).catch(
      (error: Error & { code?: string }) => error,
    )
    if (!failure) return client
    await client.end().catch(() => {})
    if (failure instanceof EmbeddedPostgresError) throw failure
    const { code = '' } = failure
    let { message } = failure
    const isLoginRefused = code.startsWith('28')
    if (isLoginRefused)
      throw new EmbeddedPostgresError(
        `The passwords in ${dataDir} do not match the database next to them: ${message}`,
      )
    if (['ENOENT', 'ECONNREFUSED'].includes(code) && !isPostmasterRunning(postmaster.cluster)) {
      const result = await start()
      if (result.ok) continue
      message = result.message
      if (!result.isTransient)
        throw new EmbeddedPostgresError(`The database in ${dataDir} did not start: ${message}`)
    }
    const isStartingUp = code === CANNOT_CONNECT_NOW
    if (performance.now() - startedAt > (isStartingUp ? RECOVERY_TIMEOUT_MS : START_TIMEOUT_MS)) {
      throw new EmbeddedPostgresError(`The database in ${dataDir} does not respond: ${message}`)
    }
    await sleep(POLL_MS)
  }
}

async function connectAndLock(
  client: pg.Client,
  { applicationName, dataDir }: LockOptions,
): Promise<undefined> {
  await client.connect()
  const startedAt = performance.now()
  for (;;) {
    const { rows } = await client.query<{ acquired: boolean }>(
      `select pg_try_advisory_lock(${ADVISORY_LOCK}) as acquired`,
    )
    if (rows[0]?.acquired) return
    if (performance.now() - startedAt > LOCK_TIMEOUT_MS)
      throw new EmbeddedPostgresError(
        `Another ${applicationName} is already running on ${dataDir}.`,
        'already_running',
      )
    await sleep(POLL_MS)
  }
}

type Listeners = { log: (line: string) => void; onLost: (reason: Error) => void }

/** Acquires the lock again whenever the connection breaks. Returns a function that ends this. */
export function keepLock(
  firstConnection: pg.Client,
  acquire: () => Promise<pg.Client>,
  { log, onLost }: Listeners,
): () => Promise<pg.Client> {
  const stopSignal = new AbortController()
  let connection = firstConnection
  let recovery: Promise<void> | undefined
  function watch() {
    connection.once('end', () => {
      if (!stopSignal.signal.aborted) recovery = recover()
    })
  }
  async function recover() {
    log('The database has gone away. Starting it again …')
    for (
      let pause = FIRST_RETRY_MS;
      !stopSignal.signal.aborted;
      pause = Math.min(pause * 2, MAX_RETRY_MS)
    ) {
      try {
        connection = await acquire()
        watch()
        return log('The database is back.')
      } catch (error) {
        log((error as Error).message)
        if (error instanceof EmbeddedPostgresError && error.code === 'already_running')
          return onLost(error)
      }
      await sleep(pause, undefined, stopSignal).catch(() => {})
    }
  }
  watch()
  return async () => {
    stopSignal.abort()
    await recovery
    return connection
  }
}
