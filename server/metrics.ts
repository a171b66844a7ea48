import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client'
import { countLiveSessions } from './accounts/sessions.ts'
import { cacheStatistics } from './db/cache.ts'
import { asOverseer, type Database } from './db/database.ts'
import { now } from './lib/clock.ts'
import { findNewestFile } from './lib/newest-file.ts'
import type { PushResult } from './notifications/push-worker.ts'
import { readQueueDepth } from './texting/delivery/queue.ts'
import { countRequests } from './request-metrics.ts'
import { parseTextStep } from './texting/delivery/trail.ts'

/** Figures are cached, because they are read often. Counting sessions reads a whole table. */
const FIGURES_VALID_MS = 5_000
const SESSIONS_VALID_MS = 60_000

type MetricsSources = {
  http: FastifyInstance
  db: Database
  backupDir: string | null
  version: string
}
export type Metrics = {
  /** Returns the metrics in Prometheus text format. Leaves out the database metrics if the database
   *  does not respond. */
  read: () => Promise<string>
  contentType: string
  countPush: (result: PushResult) => void
}

/** Call this before the server is ready. Labels are never ids or personal data. */
export function createMetrics({ http, db, backupDir, version }: MetricsSources): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'tatami_info',
    help: 'The running version.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1)
  registry.registerMetric(countRequests(http) as unknown as Metric)

  const texts = new Counter({
    name: 'tatami_texts_total',
    help:
      'Texts that this server has moved to a state. Accepted: sent to the provider. ' +
      'Delivered: confirmed by it.',
    labelNames: ['kind', 'state'],
    registers,
  })
  db.onRecorded((logLine) => {
    const step = parseTextStep(logLine)
    if (step) texts.inc(step)
  })
  const pushes = new Counter({
    name: 'tatami_pushes_total',
    help: 'Push notifications by result.',
    labelNames: ['result'],
    registers,
  })
  for (const result of ['sent', 'expired', 'failed'] satisfies PushResult[])
    pushes.inc({ result }, 0)

  const refreshers = [
    createDatabaseRefresher(db, registry),
    createProcessRefresher(db, registry),
    ...(backupDir ? [createBackupRefresher(backupDir, registry)] : []),
  ]
  return {
    contentType: registry.contentType,
    countPush: (result) => pushes.inc({ result }),
    read: async () => {
      await Promise.all(refreshers.map((refresh) => refresh()))
      return registry.metrics()
    },
  }
}

function createProcessRefresher(db: Database, registry: Registry) {
  const registers = [registry]
  const connections = new Gauge({
    name: 'tatami_database_connections',
    help: 'Connections of the pool that are in use or idle, and transactions waiting for one.',
    labelNames: ['state'],
    registers,
  })
  const breaker = new Gauge({
    name: 'tatami_database_breaker_open',
    help: '1 while calls are refused because the database does not answer.',
    registers,
  })
  const cache = new Counter({
    name: 'tatami_cache_requests_total',
    help: 'Cache reads by result: hit or miss.',
    labelNames: ['cache', 'result'],
    registers,
  })
  return async () => {
    const { inUse, idle, waiting, isBreakerOpen } = db.status()
    for (const [state, value] of Object.entries({ in_use: inUse, idle, waiting }))
      connections.set({ state }, value)
    breaker.set(isBreakerOpen ? 1 : 0)
    cache.reset()
    for (const [name, { hits, misses }] of cacheStatistics)
      for (const [result, value] of Object.entries({ hit: hits, miss: misses }))
        cache.inc({ cache: name, result }, value)
  }
}

/** All servers report the same figures, so alerts use the maximum, not the sum. */
function createDatabaseRefresher(db: Database, registry: Registry) {
  const registers = [registry]
  const databaseUp = new Gauge({
    name: 'tatami_database_up',
    help: '1 if the database answered this scrape.',
    registers,
  })
  const queuedTexts = new Gauge({
    name: 'tatami_texts_queued',
    help: 'Texts of all dojos that have not been sent to the provider yet.',
    labelNames: ['state'],
    registers,
  })
  const overdueSeconds = new Gauge({
    name: 'tatami_texts_overdue_seconds',
    help: 'Seconds since the oldest queued text came due.',
    registers,
  })
  const sessions = new Gauge({
    name: 'tatami_sessions',
    help: 'Sessions that have not expired.',
    registers,
  })
  const readQueue = cacheFor(FIGURES_VALID_MS, () =>
    db.withoutDojo((tx) => asOverseer(tx, readQueueDepth)),
  )
  const readSessions = cacheFor(SESSIONS_VALID_MS, () => db.withoutDojo(countLiveSessions))
  return async () => {
    try {
      const [queueDepths, liveSessions] = await Promise.all([readQueue(), readSessions()])
      for (const { state, texts } of queueDepths) queuedTexts.set({ state }, texts)
      overdueSeconds.set(Math.max(...queueDepths.map((depth) => depth.overdueSeconds)))
      sessions.set(liveSessions)
      databaseUp.set(1)
    } catch {
      for (const gauge of [queuedTexts, overdueSeconds, sessions]) gauge.reset()
      databaseUp.set(0)
    }
  }
}

function createBackupRefresher(backupDir: string, registry: Registry) {
  const age = new Gauge({
    name: 'tatami_backup_age_seconds',
    help: 'Age of the newest file in BACKUP_DIR. NaN while there is none.',
    registers: [registry],
  })
  return async () => {
    const newestBackup = await findNewestFile(backupDir).catch(() => null)
    age.set(newestBackup ? (now().getTime() - newestBackup.modified.getTime()) / 1000 : Number.NaN)
  }
}

/** Caches the result for `ms` milliseconds. Concurrent callers share a result. Failures are not
 *  cached. */
function cacheFor<Result>(ms: number, read: () => Promise<Result>): () => Promise<Result> {
  let lastResult: Promise<Result> | undefined
  let validUntil = -Infinity
  return () => {
    if (lastResult && performance.now() < validUntil) return lastResult
    const result = read()
    result.catch(() => {
      if (lastResult === result) validUntil = -Infinity
    })
    validUntil = performance.now() + ms
    lastResult = result
    return result
  }
}

/** Serves `GET /metrics` on its own port. Throws if it cannot listen. Returns a function that stops
 *  it. */
export async function serveMetrics(
  { read, contentType }: Metrics,
  { host, port }: { host: string; port: number },
) {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    read().then(
      (text) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>(
    (resolve, reject) => void server.once('error', reject).listen(port, host, resolve),
  )
  return () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
}
