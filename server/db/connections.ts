import pg from 'pg'
import type { CircuitBreaker } from './circuit-breaker.ts'
import { Unreachable } from './database-errors.ts'

export const CONNECT_TIMEOUT_MS = 5_000

export function createPool(
  url: string,
  {
    maxConnections,
    queryTimeoutMs,
    onError,
  }: { maxConnections: number; queryTimeoutMs: number; onError: (error: Error) => void },
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: queryTimeoutMs,
    // Lets a transaction send several queries together (`Promise.all`).
    pipeline: true,
  })
  // A broken connection already fails its transaction. An unhandled event would end the server.
  pool.on('error', () => {})
  pool.on(
    'connect',
    (client) =>
      void client
        .on('error', onError)
        .on('notice', (notice) => recordIfUnreplicated(client, notice)),
  )
  return pool
}

export async function acquireConnection(
  pool: pg.Pool,
  breaker: CircuitBreaker,
): Promise<pg.PoolClient> {
  breaker.throwIfOpen()
  const connecting = pool.connect()
  let stopListening = () => {}
  const breakerOpened = new Promise<never>((_, reject) => {
    stopListening = breaker.onOpen((reason) => {
      reject(reason)
      connecting.then(
        (unusedClient) => unusedClient.release(),
        () => {},
      )
    })
  })
  try {
    return await Promise.race([connecting, breakerOpened])
  } catch (cause) {
    throw new Unreachable('No connection to the database', { cause })
  } finally {
    stopListening()
  }
}

/** Makes all statements of the connection fail immediately. `end` would wait for them. */
export const destroyConnection = ({ connection: { stream } }: pg.PoolClient) =>
  void stream.destroy()

/** Clients whose last commit did not reach a standby. PostgreSQL only warns about such a commit,
 *  but a failover would lose it. */
const unreplicatedClients = new WeakSet<pg.ClientBase>()

function recordIfUnreplicated(
  client: pg.ClientBase,
  { routine }: { routine?: string | undefined },
) {
  if (routine === 'SyncRepWaitForLSN') unreplicatedClients.add(client)
}

export function requireReplicated(client: pg.ClientBase) {
  if (unreplicatedClients.delete(client))
    throw new Unreachable('The commit has not reached a standby')
}
