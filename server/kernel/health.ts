import type { FastifyInstance } from 'fastify'
import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { knownMigrations } from './migrate.ts'

/** For whoever watches the server: alive, and ready (database reachable and migrated). */
export function mountHealth(http: FastifyInstance, db: Database): void {
  const known = knownMigrations()
  http.get('/api/health/live', { logLevel: 'warn' }, () => ({ status: 'ok' }))
  http.get('/api/health/ready', { logLevel: 'warn' }, async (_, reply) => {
    const ready = await db
      .withoutDojo(async (tx) => ((await tx.execute(sql`select count(*)::int as n from migrations`)).rows[0]?.n as number) >= known)
      .catch(() => false)
    return ready ? { status: 'ok' } : reply.status(503).send({ status: 'unavailable', detail: 'The database is not ready' })
  })
}
