import { isDay } from '@tatami/contract/lib/calendar-day'
import { sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { isQueryTimeout, isReadOnly, isRetryable, Unreachable } from './database-errors.ts'
import {
  acquireConnection,
  CONNECT_TIMEOUT_MS,
  createPool,
  destroyConnection,
  requireReplicated,
} from './connections.ts'
import { limitPerKey } from '../lib/limit-per-key.ts'
import { getCurrentLimits, getCurrentRequestId } from '../lib/request-context.ts'
import { firstRow } from '../lib/rows.ts'
import { type CircuitBreaker, createCircuitBreaker, type Ping } from './circuit-breaker.ts'

export type Tx = Omit<NodePgDatabase, 'transaction'> & {
  /** The driver's connection, for the SQL of libraries (queue.ts). */
  $client: pg.PoolClient
  /** Sends a message to all servers. Neither the topic nor the payload may contain spaces. This
   *  server handles the message before it responds. Publish rarely, because PostgreSQL runs
   *  commits with messages one after the other. */
  publish: (topic: string, payload: string) => Promise<void>
  /** Logs and counts a record after the commit. The record must not contain personal data. */
  record: (record: LogRecord) => void
}
export type LogRecord = { msg: string; [field: string]: string | number | null | undefined }
type Work<Result> = (tx: Tx) => Promise<Result>

export type Database = {
  /** Runs `work` in a transaction that sees one dojo's rows and the global tables. */
  inDojo: <Result>(dojoId: string, work: Work<Result>) => Promise<Result>
  withoutDojo: <Result>(work: Work<Result>) => Promise<Result>
  onRecorded: (handler: (record: LogRecord) => void) => void
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

/** The NOTIFY channel of all servers. The SQL function publish_dojo_change also uses it. */
export const CHANNEL = 'tatami'
/** The topic of publish_dojo_change. The payload is the id of the changed dojo. */
export const DOJO_CHANGED = 'dojo-changed'

const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const STATEMENT_TIMEOUT_MS = 15_000
/** PostgreSQL ends every statement sooner, so after this time the connection is broken. */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 2_000
/** Ends idle transactions, because the server may have frozen while it held locks. */
const IDLE_TIMEOUT_MS = 10_000
const MAX_ATTEMPTS = 3
/** A single dojo may use this share of the connections, so that some remain for other dojos. */
const MAX_SHARE_PER_DOJO = 0.6

type ConnectOptions = {
  maxConnections?: number
  queryTimeoutMs?: number
  idleTimeoutMs?: number
  onError?: (error: Error) => void
  onPublish?: OnPublish
  ping?: Ping
}

/** `onError` gets the errors of broken connections, and `onPublish` gets the messages of this
 *  server. With `ping`, calls fail immediately while the database does not answer. */
export function connect(
  url: string,
  {
    maxConnections = 10,
    queryTimeoutMs = QUERY_TIMEOUT_MS,
    idleTimeoutMs = IDLE_TIMEOUT_MS,
    onError = () => {},
    onPublish = () => {},
    ping = async () => true,
  }: ConnectOptions = {},
): Database {
  const pool = createPool(url, { maxConnections, queryTimeoutMs, onError })
  const limitPerDojo = limitPerKey(
    Math.ceil(maxConnections * MAX_SHARE_PER_DOJO),
    CONNECT_TIMEOUT_MS,
    () => new Unreachable('All connections of this dojo are busy'),
  )
  const recordHandlers: ((record: LogRecord) => void)[] = []
  const onRecord = (record: LogRecord) => recordHandlers.forEach((handle) => handle(record))
  const context = {
    pool,
    breaker: createCircuitBreaker(ping),
    onPublish,
    onRecord,
    idleTimeoutMs,
  }
  const run = <Result>(dojoId: string, work: Work<Result>) => runTransaction(context, dojoId, work)
  return {
    inDojo: (dojoId, work) => {
      if (!UUID_PATTERN.test(dojoId)) throw new TypeError('A dojo id is a UUID')
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

// Switches to the role that serves requests, because the login may have another role.
const composeBeginStatements = (dojoId: string, idleTimeoutMs: number) =>
  `begin; ${composeRoleStatements()}; set local statement_timeout = ${STATEMENT_TIMEOUT_MS}; ` +
  `set local idle_in_transaction_session_timeout = ${idleTimeoutMs}; set local ` +
  `app.dojo_id = '${dojoId}'`

/** Staff who see only their own classes get a role with narrower policies (migrate.ts). */
function composeRoleStatements(): string {
  const limits = getCurrentLimits()
  if (!limits) return 'set local role tatami_app'
  const { accountId, classIds, oneDayClasses } = limits
  const oneDayIds = oneDayClasses?.classIds ?? []
  if (![accountId, ...classIds, ...oneDayIds].every((id) => UUID_PATTERN.test(id)))
    throw new TypeError('The ids of accounts and classes are UUIDs')
  const visibleDay = oneDayClasses?.day ?? ''
  if (visibleDay !== '' && !isDay(visibleDay)) throw new TypeError('The day is not valid')
  return (
    'set local role tatami_own_classes; ' +
    `set local app.account_id = '${accountId}'; ` +
    `set local app.class_ids = '{${classIds.join()}}'; ` +
    `set local app.one_day_class_ids = '{${oneDayIds.join()}}'; ` +
    `set local app.visible_day = '${visibleDay}'`
  )
}

type TransactionContext = {
  pool: pg.Pool
  breaker: CircuitBreaker
  onPublish: OnPublish
  onRecord: (record: LogRecord) => void
  idleTimeoutMs: number
}

/** Runs `work` in a transaction, and repeats it after a deadlock or serialization failure. */
async function runTransaction<Result>(
  context: TransactionContext,
  dojoId: string,
  work: Work<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await attemptTransaction(context, dojoId, work)
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error
    }
}

async function attemptTransaction<Result>(
  { pool, breaker, onPublish, onRecord, idleTimeoutMs }: TransactionContext,
  dojoId: string,
  work: Work<Result>,
): Promise<Result> {
  const client = await acquireConnection(pool, breaker)
  // Destroying the connection fails a waiting statement immediately. A commit may still succeed.
  const stopListening = breaker.onOpen(() => destroyConnection(client))
  const messages: Message[] = []
  const logRecords: LogRecord[] = []
  let connectionError: Error | undefined
  try {
    await client.query(composeBeginStatements(dojoId, idleTimeoutMs))
    const result = await work(createTransaction(client, messages, logRecords))
    messages.push(...(await commit(client)))
    for (const [topic, payload] of messages) onPublish(topic, payload)
    logRecords.forEach(onRecord)
    return result
  } catch (error) {
    connectionError = await rollBack(client, error)
    throw error
  } finally {
    stopListening()
    client.release(connectionError)
  }
}

/** Returns an error if the connection is unusable. After a timeout, a rollback could also hang. */
async function rollBack(client: pg.PoolClient, error: unknown): Promise<Error | undefined> {
  if (error instanceof Error && (isQueryTimeout(error) || isReadOnly(error))) return error
  return client.query('rollback').then(
    () => undefined,
    (failure: Error) => failure,
  )
}

type Message = [topic: string, payload: string]

/** Commits, and reads which dojos were changed, because NOTIFY would be too late for our own
 *  caches. */
export const COMMIT = "select current_setting('app.changed_dojos', true) as dojos; commit"

async function commit(client: pg.PoolClient): Promise<Message[]> {
  const results: unknown = await client.query(COMMIT)
  requireReplicated(client)
  const [{ rows }] = results as [pg.QueryResult<{ dojos: string | null }>, pg.QueryResult]
  const dojoIds = firstRow(rows).dojos?.split(' ') ?? []
  return dojoIds.filter(Boolean).map((dojoId) => [DOJO_CHANGED, dojoId])
}

const createTransaction = (
  client: pg.PoolClient,
  messages: Message[],
  logRecords: LogRecord[],
): Tx =>
  Object.assign(drizzle(client), {
    publish: async (topic: string, payload: string) => {
      await client.query('select pg_notify($1, $2)', [CHANNEL, `${topic} ${payload}`])
      messages.push([topic, payload])
    },
    record: (record: LogRecord) =>
      void logRecords.push({ ...record, reqId: getCurrentRequestId() }),
  })

/** Runs `work` in another dojo and then returns to the previous one. */
export async function insideDojo<Result>(
  tx: Tx,
  dojoId: string,
  work: Work<Result>,
): Promise<Result> {
  const { rows } = await tx.execute<{ dojo: string }>(
    sql`select current_setting('app.dojo_id') as dojo`,
  )
  await tx.execute(sql`select set_config('app.dojo_id', ${dojoId}, true)`)
  const result = await work(tx)
  await tx.execute(sql`select set_config('app.dojo_id', ${firstRow(rows).dojo}, true)`)
  return result
}

/** Lets `work` see all classes of the dojo. Its result must not tell staff who see only their own
 *  classes more than a number. */
export async function acrossClasses<Result>(tx: Tx, work: () => Promise<Result>): Promise<Result> {
  if (!getCurrentLimits()) return work()
  await tx.execute(sql`set local role tatami_app`)
  const result = await work()
  await tx.execute(sql`set local role tatami_own_classes`)
  return result
}

/** Runs `work` with read access to all dojos, for the super admin and scheduled jobs. */
export async function asOverseer<Result>(tx: Tx, work: Work<Result>): Promise<Result> {
  if (getCurrentLimits()) throw new Error('The caller sees only some classes of one dojo')
  await tx.execute(sql`set local role tatami_overseer`)
  const result = await work(tx)
  await tx.execute(sql`set local role tatami_app`)
  return result
}
