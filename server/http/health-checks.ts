import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { readMigrationTimes } from '../db/migrate.ts'
import { firstRow } from '../lib/rows.ts'
import type { Build } from '../lib/version.ts'

/** Fails while the disk is full, because `pg_export_snapshot` writes a temporary file. */
const READINESS_QUERY = sql`select max(created_at)::float8 as newest,
  current_setting('transaction_read_only') = 'off' as writable, pg_export_snapshot()
  from migrations`

/** A request that a proxy on this machine has forwarded comes from elsewhere. */
const isFromThisMachine = ({ socket, headers }: FastifyRequest) =>
  socket.remoteAddress === socket.localAddress &&
  headers['x-forwarded-for'] === undefined &&
  headers.forwarded === undefined

/** The server is ready if its database is reachable, migrated and writable, and it is not shutting
 *  down. Only requests from this machine get the version (`build`). */
export function registerHealthChecks(http: FastifyInstance, db: Database, build?: Build): void {
  const newestMigration = Math.max(...readMigrationTimes())
  http.get('/api/health/live', { logLevel: 'warn' }, (request) => ({
    status: 'ok',
    ...(isFromThisMachine(request) && build),
  }))
  http.get('/api/health/ready', { logLevel: 'warn' }, async (_, reply) => {
    const isReady = await db
      .withoutDojo(async (tx) => {
        const { rows } = await tx.execute<{ newest: number; writable: boolean }>(READINESS_QUERY)
        const { writable, newest } = firstRow(rows)
        return writable && newest >= newestMigration
      })
      .catch(() => false)
    return isReady && !http.isShuttingDown()
      ? { status: 'ok' }
      : reply.status(503).send({ status: 'unavailable', detail: 'The database is not ready' })
  })
}
