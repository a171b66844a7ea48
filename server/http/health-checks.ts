import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { migrationTimes } from '../db/migrate.ts'
import { firstRow } from '../lib/rows.ts'
import type { Copy } from '../lib/version.ts'

/** Exporting a snapshot writes a temporary file, which fails on a full disk. */
const READY = sql`select max(created_at)::float8 as newest, current_setting('transaction_read_only') = 'off' as writable, pg_export_snapshot()
  from migrations`

/** Others need not know the version, so proxied requests do not count. */
const isFromThisMachine = ({ socket, headers }: FastifyRequest) =>
  socket.remoteAddress === socket.localAddress &&
  headers['x-forwarded-for'] === undefined &&
  headers.forwarded === undefined

/** Liveness, and readiness: the database is reachable, migrated and writable, and the server is not
 *  shutting down. Local callers also get the `copy`. */
export function registerHealthChecks(http: FastifyInstance, db: Database, copy?: Copy): void {
  const newestKnown = Math.max(...migrationTimes())
  http.get('/api/health/live', { logLevel: 'warn' }, (request) => ({
    status: 'ok',
    ...(isFromThisMachine(request) && copy),
  }))
  http.get('/api/health/ready', { logLevel: 'warn' }, async (_, reply) => {
    const isReady = await db
      .withoutDojo(async (tx) => {
        const { rows } = await tx.execute<{ newest: number; writable: boolean }>(READY)
        const { writable, newest } = firstRow(rows)
        return writable && newest >= newestKnown
      })
      .catch(() => false)
    return isReady && !http.isShuttingDown()
      ? { status: 'ok' }
      : reply.status(503).send({ status: 'unavailable', detail: 'The database is not ready' })
  })
}
