import { sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { isQueryTimeout, isReadOnly, isRetryable, Unreachable } from './database-errors.ts'
import { limitPerKey } from '../lib/limit-per-key.ts'
import { currentRequestId } from '../lib/request-context.ts'
import { type CircuitBreaker, createCircuitBreaker, type Ping } from './circuit-breaker.ts'

/** One transaction, in one dojo or in none. Beside Drizzle it can tell others what it did, once it is committed. */
export type Tx = Omit<NodePgDatabase, 'transaction'> & {
  /** The driver's connection, for SQL that a library has written (queue.ts). */
  $client: pg.PoolClient
  /** Sends a message to every server; this one has received it before the call is answered. `topic` and `payload` have no spaces.
   *  PostgreSQL serialises commits that publish, so nothing frequent may. */
  publish: (topic: string, payload: string) => Promise<void>
  /** Writes a line into the log and counts it in the metrics, with the id of the request. It names nobody. */
  record: (entry: LogRecord) => void
}
/** A line of the log: its message, and ids, states and counts by name. */
export type LogRecord = { msg: string; [field: string]: string | number | null | undefined }
type Work<T> = (tx: Tx) => Promise<T>

export type Database = {
  /** Sees and writes the rows of one dojo, and the global tables. */
  inDojo: <T>(dojoId: string, work: Work<T>) => Promise<T>
  /** Sees the global tables; a dojo's table fails loudly. */
  withoutDojo: <T>(work: Work<T>) => Promise<T>
  /** Calls `handler` for what each transaction recorded, after its commit. */
  onRecorded: (handler: (entry: LogRecord) => void) => void
  /** The connections at this moment, and whether calls are refused because the database does not answer. */
  status: () => DatabaseStatus
  close: () => Promise<void>
}

type DatabaseStatus = {
  max: number
  inUse: number
  idle: number
  waiting: number
  isBreakerOpen: boolean
}

type OnPublish = (topic: string, payload: string) => void

/** The NOTIFY channel of all servers; the function publish_dojo_change (migrations/0000_baseline.sql) uses it as well. */
export const CHANNEL = 'tatami'
/** The topic under which that function publishes, for each dojo whose rows a transaction changed, the dojo's id. */
export const DOJO_CHANGED = 'dojo-changed'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const STATEMENT_TIMEOUT_MS = 15_000
const CONNECT_TIMEOUT_MS = 5_000
/** A connection that is silent for longer than any statement may take is broken. */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 2_000
/** A server that freezes in the middle of a transaction loses its locks after this time. */
const IDLE_TIMEOUT_MS = 10_000
const MAX_ATTEMPTS = 3
/** The share of the connections that one dojo may use at the same time. */
const MAX_SHARE_PER_DOJO = 0.6

type Options = {
  maxConnections?: number
  queryTimeoutMs?: number
  idleTimeoutMs?: number
  onError?: (error: Error) => void
  onPublish?: OnPublish
  ping?: Ping
}

/** Opens a pool of `maxConnections` to the database at `url`. `onError` receives errors of broken connections, `onPublish` what this
 *  server's own transactions have published. With `ping`, calls are refused at once while the database does not answer it. */
export function connect(
  url: string,
  {
    maxConnections = 10,
    queryTimeoutMs = QUERY_TIMEOUT_MS,
    idleTimeoutMs = IDLE_TIMEOUT_MS,
    onError = () => {},
    onPublish = () => {},
    ping = async () => true,
  }: Options = {},
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: queryTimeoutMs,
    // Allows a transaction to ask several things at once (`Promise.all`).
    pipeline: true,
  })
  // A connection that breaks in use fails its own transaction; an unhandled error event would end the whole server.
  pool.on(
    'connect',
    (client) =>
      void client.on('error', onError).on('notice', (notice) => noteUnreplicated(client, notice)),
  )
  pool.on('error', () => {})
  const limitPerDojo = limitPerKey(
    Math.ceil(maxConnections * MAX_SHARE_PER_DOJO),
    CONNECT_TIMEOUT_MS,
    () => new Unreachable('All connections of this dojo are busy'),
  )
  const recordHandlers: ((entry: LogRecord) => void)[] = []
  const onRecord = (entry: LogRecord) => recordHandlers.forEach((handle) => handle(entry))
  const context = {
    pool,
    breaker: createCircuitBreaker(ping),
    onPublish,
    onRecord,
    idleTimeoutMs,
  }
  const run = <T>(dojoId: string, work: Work<T>) => runTransaction(context, dojoId, work)
  return {
    inDojo: (dojoId, work) => {
      if (!UUID.test(dojoId)) throw new TypeError('A dojo id is a UUID')
      return limitPerDojo(dojoId, () => run(dojoId, work))
    },
    withoutDojo: (work) => run('', work),
    onRecorded: (handler) => void recordHandlers.push(handler),
    status: () => ({
      max: maxConnections,
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      isBreakerOpen: context.breaker.isOpen(),
    }),
    close: async () => {
      if (!pool.ending) await pool.end()
    },
  }
}

// Begins the transaction, assumes the serving role (the login may be another) and names the dojo.
const begin = (dojoId: string, idleTimeoutMs: number) =>
  `begin; set local role tatami_app; set local statement_timeout = ${STATEMENT_TIMEOUT_MS}; ` +
  `set local idle_in_transaction_session_timeout = ${idleTimeoutMs}; set local app.dojo_id = '${dojoId}'`

type Context = {
  pool: pg.Pool
  breaker: CircuitBreaker
  onPublish: OnPublish
  onRecord: (entry: LogRecord) => void
  idleTimeoutMs: number
}

async function runTransaction<T>(
  context: Context,
  dojoId: string,
  work: Work<T>,
  attempts = MAX_ATTEMPTS,
): Promise<T> {
  const { breaker, onPublish, onRecord, idleTimeoutMs } = context
  const client = await acquireConnection(context)
  // Cutting the connection fails a statement that waits at once; a commit under way may still succeed.
  const stopListening = breaker.onOpen(() => cut(client))
  const messages: Message[] = []
  const logRecords: LogRecord[] = []
  let broken: Error | undefined
  try {
    await client.query(begin(dojoId, idleTimeoutMs))
    const result = await work(transactionOn(client, messages, logRecords))
    messages.push(...(await commit(client)))
    for (const [topic, payload] of messages) onPublish(topic, payload)
    logRecords.forEach(onRecord)
    return result
  } catch (error) {
    broken = await rollBack(client, error)
    if (attempts > 1 && isRetryable(error))
      return runTransaction(context, dojoId, work, attempts - 1)
    throw error
  } finally {
    stopListening()
    client.release(broken)
  }
}

/** Rolls back after `error`. An error comes back where the connection is of no more use: a rollback on one that has timed out would wait as
 *  long again, and one to a standby would stay read-only. */
const rollBack = async (client: pg.PoolClient, error: unknown): Promise<Error | undefined> =>
  isQueryTimeout(error) || isReadOnly(error)
    ? (error as Error)
    : client.query('rollback').then(
        () => undefined,
        (failure: Error) => failure,
      )

/** Ends the connection without waiting for answers, as `end` would where statements are pipelined. */
const cut = ({ connection: { stream } }: pg.PoolClient) => void stream.destroy()

type Message = [topic: string, payload: string]

/**
 * Commits, and in the same round trip asks which changes the triggers have published: this server's
 * caches must be right before the call is answered, and its listener would receive them a moment
 * later.
 */
export const COMMIT = "select current_setting('app.changed_dojos', true) as dojos; commit"

async function commit(client: pg.PoolClient): Promise<Message[]> {
  const results = (await client.query(COMMIT)) as unknown as pg.QueryResult[]
  if (unreplicatedClients.delete(client))
    throw new Unreachable('The commit has not reached a standby')
  const changedDojos: string | null = results[0]!.rows[0].dojos
  return changedDojos ? changedDojos.split(' ').map((dojoId) => [DOJO_CHANGED, dojoId]) : []
}

/** Connections whose last commit is on the primary alone: a synchronous standby was waited for, and the statement's time ran out.
 *  PostgreSQL calls that a success with a warning; a failover would lose it. */
const unreplicatedClients = new WeakSet<pg.ClientBase>()

function noteUnreplicated(client: pg.ClientBase, { routine }: { routine?: string | undefined }) {
  if (routine === 'SyncRepWaitForLSN') unreplicatedClients.add(client)
}

async function acquireConnection({ pool, breaker }: Context): Promise<pg.PoolClient> {
  breaker.throwIfOpen()
  const connecting = pool.connect()
  let stopListening = () => {}
  const abandonment = new Promise<never>((_, reject) => {
    stopListening = breaker.onOpen((reason) => {
      reject(reason)
      connecting.then(
        (late) => late.release(),
        () => {},
      )
    })
  })
  try {
    return await Promise.race([connecting, abandonment])
  } catch (cause) {
    throw new Unreachable('No connection to the database', { cause })
  } finally {
    stopListening()
  }
}

const transactionOn = (client: pg.PoolClient, messages: Message[], logRecords: LogRecord[]): Tx =>
  Object.assign(drizzle(client), {
    publish: async (topic: string, payload: string) => {
      await client.query('select pg_notify($1, $2)', [CHANNEL, `${topic} ${payload}`])
      messages.push([topic, payload])
    },
    record: (entry: LogRecord) => void logRecords.push({ ...entry, reqId: currentRequestId() }),
  })

/** Runs `work` in another dojo, within the same transaction. */
export async function insideDojo<T>(tx: Tx, dojoId: string, work: Work<T>): Promise<T> {
  const {
    rows: [current],
  } = await tx.execute<{ dojo: string }>(sql`select current_setting('app.dojo_id') as dojo`)
  await tx.execute(sql`select set_config('app.dojo_id', ${dojoId}, true)`)
  const result = await work(tx)
  await tx.execute(sql`select set_config('app.dojo_id', ${current!.dojo}, true)`)
  return result
}

/** Runs `work` with read access to every dojo, for the super admin and scheduled jobs. */
export async function asOverseer<T>(tx: Tx, work: Work<T>): Promise<T> {
  await tx.execute(sql`set local role tatami_overseer`)
  const result = await work(tx)
  await tx.execute(sql`set local role tatami_app`)
  return result
}
