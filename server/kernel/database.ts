import { sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'

/** One transaction, in one dojo or in none. */
export type Tx = Omit<NodePgDatabase, 'transaction'> & {
  /** Tells every server at commit; this one has heard it before the call is answered. `topic` and `word` have no spaces. */
  tell: (topic: string, word: string) => Promise<void>
}
type Work<T> = (tx: Tx) => Promise<T>

export type Database = {
  /** Sees and writes the rows of one dojo, and the global tables. */
  inDojo: <T>(dojoId: string, work: Work<T>) => Promise<T>
  /** Sees the global tables; a dojo's table fails loudly. */
  withoutDojo: <T>(work: Work<T>) => Promise<T>
  close: () => Promise<void>
}

type Hear = (topic: string, word: string) => void

/** The channel on which servers tell each other what changed. */
export const CHANNEL = 'tatami'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const STATEMENT_TIMEOUT_MS = 15_000
const CONNECT_TIMEOUT_MS = 5_000
const TRIES = 3
/** Serialization failure and deadlock: the transaction left no trace and may be tried again. */
const TRANSIENT = new Set(['40001', '40P01'])

type Options = { maxConnections?: number; onError?: (error: Error) => void; onTell?: Hear }

/** `maxConnections` per server; `onError` hears of idle connections that broke, `onTell` of what this server's own transactions told. */
export function connect(url: string, { maxConnections = 10, onError = () => {}, onTell = () => {} }: Options = {}): Database {
  const pool = new pg.Pool({ connectionString: url, max: maxConnections, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  pool.on('error', onError)
  const run = <T>(dojoId: string, work: Work<T>) => transaction(pool, onTell, dojoId, work)
  return {
    inDojo: (dojoId, work) => {
      if (!UUID.test(dojoId)) throw new TypeError('A dojo id is a UUID')
      return run(dojoId, work)
    },
    withoutDojo: (work) => run('', work),
    close: async () => {
      if (!pool.ending) await pool.end()
    },
  }
}

// One round trip opens the transaction, puts on the serving role (a login that is not it may be used) and names the dojo.
const opening = (dojoId: string) =>
  `begin; set local role tatami_app; set local statement_timeout = ${STATEMENT_TIMEOUT_MS}; set local app.dojo_id = '${dojoId}'`

async function transaction<T>(pool: pg.Pool, onTell: Hear, dojoId: string, work: Work<T>, tries = TRIES): Promise<T> {
  const client = await pool.connect()
  const told: [topic: string, word: string][] = []
  let broken: Error | undefined
  try {
    await client.query(opening(dojoId))
    const result = await work(txOn(client, told))
    await client.query('commit')
    for (const [topic, word] of told) onTell(topic, word)
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => { broken = failure })
    if (tries > 1 && TRANSIENT.has(sqlState(error))) return transaction(pool, onTell, dojoId, work, tries - 1)
    throw error
  } finally {
    client.release(broken)
  }
}

const drizzles = new WeakMap<pg.PoolClient, NodePgDatabase>()

function txOn(client: pg.PoolClient, told: [topic: string, word: string][]): Tx {
  const known = drizzles.get(client) ?? drizzle(client)
  drizzles.set(client, known)
  return Object.assign(Object.create(known) as NodePgDatabase, {
    tell: async (topic: string, word: string) => {
      await client.query('select pg_notify($1, $2)', [CHANNEL, `${topic} ${word}`])
      told.push([topic, word])
    },
  })
}

/** Does `work` in another dojo, within the same transaction. */
export async function insideDojo<T>(tx: Tx, dojoId: string, work: Work<T>): Promise<T> {
  const { rows: [here] } = await tx.execute<{ dojo: string }>(sql`select current_setting('app.dojo_id') as dojo`)
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

/** PostgreSQL's five-character code, '' for anything else. Drizzle wraps the driver's error. */
export function sqlState(error: unknown): string {
  const cause = error instanceof Error && error.cause ? error.cause : error
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
}
export const isDuplicate = (error: unknown): boolean => sqlState(error) === '23505'
/** A row that was referred to is gone. */
export const isDangling = (error: unknown): boolean => sqlState(error) === '23503'
