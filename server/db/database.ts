import { getTableName, sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { PgTable } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { isQueryTimeout, isRetryable, Unreachable } from './database-errors.ts'
import { fairShares } from './fair-shares.ts'
import { type Ping, type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts'

/** One transaction, in one dojo or in none. */
export type Tx = Omit<NodePgDatabase, 'transaction'> & {
  /** Tells every server at commit; this one has heard it before the call is answered. `topic` and `word` have no spaces. */
  publish: (topic: string, word: string) => Promise<void>
  /** A statement of somebody else's making (queue.ts), as it is. */
  executeSql: (text: string, values?: unknown[]) => Promise<pg.QueryResult>
}
type Work<T> = (tx: Tx) => Promise<T>

export type Database = {
  /** Sees and writes the rows of one dojo, and the global tables. */
  inDojo: <T>(dojoId: string, work: Work<T>) => Promise<T>
  /** Sees the global tables; a dojo's table fails loudly. */
  withoutDojo: <T>(work: Work<T>) => Promise<T>
  /** From now on a transaction that writes to one of these tells so by itself: the topic WRITTEN, the word `<dojo>:<table>,<table>`. */
  watch: (tables: readonly PgTable[]) => void
  close: () => Promise<void>
}

type Hear = (topic: string, word: string) => void

/** The channel on which servers tell each other what changed. */
export const CHANNEL = 'tatami'
export const WRITTEN = 'written'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const STATEMENT_TIMEOUT_MS = 15_000
const CONNECT_TIMEOUT_MS = 5_000
/** A connection that says nothing for longer than any statement may take is given up. */
const SILENCE_MS = STATEMENT_TIMEOUT_MS + 2_000
/** A server that was frozen in the middle of a transaction keeps its locks from the others no longer than this. */
const IDLE_MS = 10_000
const TRIES = 3
/** Of the connections, how many one dojo may have at once. */
const DOJOS_SHARE = 0.6

type Options = {
  maxConnections?: number
  silenceMs?: number
  idleMs?: number
  onError?: (error: Error) => void
  onPublish?: Hear
  ping?: Ping
}

/** `maxConnections` per server; `onError` hears of connections that broke, `onTell` of what this server's own transactions published. With
 *  `ping`, whoever waits for a database that no longer answers it is refused, and so is whoever comes until it does. */
export function connect(
  url: string,
  {
    maxConnections = 10,
    silenceMs = SILENCE_MS,
    idleMs = IDLE_MS,
    onError = () => {},
    onPublish: onTell = () => {},
    ping = async () => true,
  }: Options = {},
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: silenceMs,
  })
  // One that breaks in use fails its own transaction; unheard, it would take the whole server down.
  pool.on('connect', (client) => void client.on('error', onError)).on('error', () => {})
  const watched = new Set<string>()
  const inTurn = fairShares(Math.ceil(maxConnections * DOJOS_SHARE), CONNECT_TIMEOUT_MS)
  const silence = createCircuitBreaker(ping)
  const run = <T>(dojoId: string, work: Work<T>) => transaction({ pool, silence, watched, onTell, idleMs }, dojoId, work)
  return {
    inDojo: (dojoId, work) => {
      if (!UUID.test(dojoId)) throw new TypeError('A dojo id is a UUID')
      return inTurn(dojoId, () => run(dojoId, work))
    },
    withoutDojo: (work) => run('', work),
    watch: (tables) => tables.forEach((table) => watched.add(getTableName(table))),
    close: async () => {
      if (!pool.ending) await pool.end()
    },
  }
}

// One round trip opens the transaction, puts on the serving role (a login that is not it may be used) and names the dojo.
const opening = (dojoId: string, idleMs: number) =>
  `begin; set local role tatami_app; set local statement_timeout = ${STATEMENT_TIMEOUT_MS}; ` +
  `set local idle_in_transaction_session_timeout = ${idleMs}; set local app.dojo_id = '${dojoId}'`

type Context = { pool: pg.Pool; silence: CircuitBreaker; watched: ReadonlySet<string>; onTell: Hear; idleMs: number }

async function transaction<T>(context: Context, dojoId: string, work: Work<T>, tries = TRIES): Promise<T> {
  const { silence, watched, onTell, idleMs } = context
  const client = await connection(context)
  // What waits for an answer on it fails at once; a commit under way may still hold.
  const stopWaiting = silence.onOpen(() => void client.end().catch(() => {}))
  const published: [topic: string, word: string][] = []
  const written = new Set<string>()
  let broken: Error | undefined
  try {
    await client.query(opening(dojoId, idleMs))
    const tx = txOn(client, published, written)
    const result = await work(tx)
    const toPublish = [...written].filter((table) => watched.has(table))
    if (toPublish.length > 0) await tx.publish(WRITTEN, `${dojoId}:${toPublish.join(',')}`)
    await client.query('commit')
    for (const [topic, word] of published) onTell(topic, word)
    return result
  } catch (error) {
    // Whoever fell silent would keep the rollback waiting as well.
    broken = isQueryTimeout(error)
      ? error
      : await client.query('rollback').then(
          () => undefined,
          (failure: Error) => failure,
        )
    if (tries > 1 && isRetryable(error)) return transaction(context, dojoId, work, tries - 1)
    throw error
  } finally {
    stopWaiting()
    client.release(broken)
  }
}

async function connection({ pool, silence }: Context): Promise<pg.PoolClient> {
  silence.throwIfOpen()
  const connecting = pool.connect()
  let stopWaiting = () => {}
  const givenUp = new Promise<never>((_, reject) => {
    stopWaiting = silence.onOpen((reason) => {
      reject(reason)
      connecting.then(
        (late) => late.release(),
        () => {},
      )
    })
  })
  try {
    return await Promise.race([connecting, givenUp])
  } catch (cause) {
    throw new Unreachable('No connection to the database', { cause })
  } finally {
    stopWaiting()
  }
}

const drizzles = new WeakMap<pg.PoolClient, NodePgDatabase>()

function txOn(client: pg.PoolClient, published: [topic: string, word: string][], written: Set<string>): Tx {
  const known = drizzles.get(client) ?? drizzle(client)
  drizzles.set(client, known)
  const noting = (verb: 'insert' | 'update' | 'delete') => (table: PgTable) => {
    written.add(getTableName(table))
    return known[verb](table)
  }
  return Object.assign(Object.create(known) as NodePgDatabase, {
    insert: noting('insert'),
    update: noting('update'),
    delete: noting('delete'),
    publish: async (topic: string, word: string) => {
      await client.query('select pg_notify($1, $2)', [CHANNEL, `${topic} ${word}`])
      published.push([topic, word])
    },
    executeSql: (text: string, values?: unknown[]) => client.query(text, values),
  })
}

/** Does `work` in another dojo, within the same transaction. */
export async function insideDojo<T>(tx: Tx, dojoId: string, work: Work<T>): Promise<T> {
  const {
    rows: [here],
  } = await tx.execute<{ dojo: string }>(sql`select current_setting('app.dojo_id') as dojo`)
  await tx.execute(sql`select set_config('app.dojo_id', ${dojoId}, true)`)
  const result = await work(tx)
  await tx.execute(sql`select set_config('app.dojo_id', ${here!.dojo}, true)`)
  return result
}

/** Counts over every dojo, read only, for the super admin and the timetable. */
export async function asOverseer<T>(tx: Tx, work: Work<T>): Promise<T> {
  await tx.execute(sql`set local role tatami_overseer`)
  const result = await work(tx)
  await tx.execute(sql`set local role tatami_app`)
  return result
}
