import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFirstSuperAdmin, recoverSuperAdmin } from './accounts/first-super-admin.ts'
import { setHashingPriority } from './accounts/password-hashing.ts'
import { buildApp, mailerOf } from './app.ts'
import { createNightlyBackups } from './backups/nightly.ts'
import { DATABASE_RULES } from './database-rules.ts'
import { seedDemo } from './demo.ts'
import { readEnv, type Env } from './env.ts'
import { connect, type Database } from './db/database.ts'
import { startEmbeddedDatabase } from './db/embedded-database.ts'
import { isUnavailable, Unreachable } from './db/database-errors.ts'
import { MigrationError, prepareDatabase } from './db/migrate.ts'
import { connectPubSub, pingAnew } from './db/pubsub.ts'
import { StartupError } from './lib/startup-error.ts'
import { VERSION } from './lib/version.ts'
import { startWorker } from './texting/delivery/worker.ts'
import { deleteSimulatedOptOuts } from './texting/recipients.ts'
import { chooseProvider, monitorProvider } from './texting/service.ts'
import { startPushWorker } from './notifications/push-worker.ts'
import { ensurePushKeys } from './notifications/push-keys.ts'
import { startScheduler } from './schedule.ts'

/** A niceness: password hashing must not slow down other calls. */
const HASHING_PRIORITY = 5
/** A shutdown takes ten seconds at most: requests in flight finish, background work is abandoned, connections close. */
const DRAIN_MS = 7_000,
  SHUTDOWN_MS = 7_500,
  CLOSE_MS = 1_000,
  PARENT_POLL_MS = 500,
  DUPLICATE_SIGNAL_MS = 500
/** A database that is changing its primary, or starts together with this server, is waited for this long. */
const DATABASE_WAIT_MS = 30_000,
  DATABASE_RETRY_MS = 500
const STANDBY_CONNECTIONS = 5

type Close = () => Promise<unknown>
/** Closed in this order: all workers at the same time, then the connections they need, the last opened first. */
const workers: Close[] = [],
  connections: Close[] = []
let stopDatabase = async () => {}
const signalTimes: number[] = []
let shuttingDown: Promise<never> | undefined

async function start() {
  const env = readEnv()
  setHashingPriority(HASHING_PRIORITY)
  if (env.npmScript) shutDownWithParent()
  const { databaseUrl, appDatabaseUrl, appPassword, dataDir } = env.databaseUrl
    ? externalDatabase(env, env.databaseUrl)
    : await embeddedDatabase(env)
  await waitForDatabase(() =>
    prepareDatabase({ databaseUrl, ...(appPassword && { appPassword }) }, DATABASE_RULES, { log: (line) => console.log(line) }),
  )
  // APP_DATABASE_URL may lead to a pooler, behind which LISTEN does not work; DATABASE_URL has to be direct, because it migrates.
  const pubsub = await connectPubSub(env.databaseUrl ?? appDatabaseUrl)
  connections.unshift(() => pubsub.close())
  const preparedStatements = env.preparedStatements === 'on'
  const db = connect(appDatabaseUrl, { preparedStatements, onPublish: pubsub.deliver, ping: pubsub.ping })
  connections.unshift(() => db.close())
  await waitForDatabase(() => db.withoutDojo(async () => {}))
  const standby = connectStandby(env)
  const texting = monitorProvider(chooseProvider(env, db))
  if (texting.provider.service === 'twilio_sms') await db.withoutDojo(deleteSimulatedOptOuts)
  const http = await buildApp({
    db,
    standby,
    pubsub,
    env,
    texting,
    ...(env.servesWeb && { webRoot: join(import.meta.dirname, '../web/dist') }),
  })
  const backupDir = env.backupDir === undefined ? join(dataDir, 'backups') : env.backupDir
  const metrics = await startMetrics(env, { http, db, backupDir })
  workers.push(() => http.shutDownGracefully(DRAIN_MS))
  const superAdmin = await createFirstSuperAdmin(db, { email: env.superAdminEmail, password: env.superAdminPassword })
  if (superAdmin?.password) console.log(`The super admin is ${superAdmin.email} with the password ${superAdmin.password} (shown only now).`)
  if (env.recoverSuperAdmin) await recover(db, env.recoverSuperAdmin)
  if (env.isDemo) await seedDemo(db, (line) => console.log(line))
  workers.push(
    startWorker({
      db,
      pubsub,
      provider: texting.provider,
      perSecond: env.smsPerSecond,
      onError: (err) => http.log.error({ err }, 'texting'),
    }),
  )
  await ensurePushKeys(db)
  workers.push(
    startPushWorker({
      db,
      pubsub,
      subject: pushContact(env),
      onError: (err) => http.log.error({ err }, 'push'),
      ...(metrics && { onResult: metrics.countPush }),
    }),
  )
  const nightly = createNightlyBackups({
    db,
    databaseUrl,
    folder: backupDir,
    mail: mailerOf(env, http),
    onFailure: (reason) => http.log.error({ reason }, 'no backup'),
  })
  workers.push(nightly.stop)
  workers.push(await startScheduler(db, (err) => http.log.error({ err }, 'schedule'), nightly.runIfDue))
  await http.listen({ port: env.port, host: env.host }).catch((error: Error) => throwListenError({ ...env, setting: 'PORT' }, error))
  console.log(`Tatami is ready at ${env.publicUrl}`)
}

type Measured = { http: FastifyInstance; db: Database; backupDir: string | null }

/** Serves metrics where METRICS_PORT is set; nothing is counted or loaded otherwise. */
async function startMetrics({ metricsPort: port, metricsHost: host }: Env, parts: Measured) {
  if (!port) return undefined
  const { createMetrics, serveMetrics } = await import('./metrics.ts')
  const metrics = createMetrics({ ...parts, version: VERSION })
  workers.push(
    await serveMetrics(metrics, { host, port }).catch((error: Error) => throwListenError({ host, port, setting: 'METRICS_PORT' }, error)),
  )
  return metrics
}

async function recover(db: Database, email: string) {
  const password = await recoverSuperAdmin(db, email)
  if (!password) throw new StartupError(`RECOVER_SUPER_ADMIN names no super admin: ${email}`)
  console.log(`The super admin ${email} has the password ${password} (shown only now) and no second factor. Remove RECOVER_SUPER_ADMIN.`)
}

/** How a push service can contact the operator: the site's address, or while that is not public, the sender of mail. */
const pushContact = ({ publicUrl, mailFrom = 'admin@tatami.local' }: Env) =>
  publicUrl.startsWith('https:') ? publicUrl : `mailto:${/[^\s<>]+@[^\s<>]+/.exec(mailFrom)![0]}`

const externalDatabase = ({ appDatabaseUrl, dataDir }: Env, databaseUrl: string) => ({
  dataDir,
  databaseUrl,
  appDatabaseUrl: appDatabaseUrl ?? databaseUrl,
  appPassword: undefined,
})

async function embeddedDatabase({ dataDir, dataDirIsDefault }: Env) {
  const {
    logins,
    stop,
    dataDir: usedDir,
  } = await startEmbeddedDatabase({
    dataDir,
    mayRelocate: dataDirIsDefault,
    log: (line) => console.log(line),
    onLost: ({ message }) => {
      console.error(message)
      void shutDown(1)
    },
  })
  stopDatabase = stop
  return {
    dataDir: usedDir,
    databaseUrl: logins.postgres.url,
    appDatabaseUrl: logins.tatami_app.url,
    appPassword: logins.tatami_app.password,
  }
}

/** The standby for reads that may lag, if there is one. It may be away, also now. */
function connectStandby({ readDatabaseUrl: url }: Env) {
  if (!url) return undefined
  const standby = connect(url, { maxConnections: STANDBY_CONNECTIONS, ping: () => pingAnew(url) })
  connections.unshift(() => standby.close())
  return standby
}

async function waitForDatabase(work: () => Promise<void>): Promise<void> {
  const until = performance.now() + DATABASE_WAIT_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const cause = error instanceof Unreachable ? error.cause : error
      if (!isUnavailable(cause) || performance.now() > until || shuttingDown) throwDatabaseError(error as Error)
    }
    await sleep(DATABASE_RETRY_MS)
  }
}

function throwDatabaseError(error: Error & { code?: string }): never {
  const cause = error.cause instanceof Error && !(error instanceof MigrationError) ? error.cause : error
  throw new StartupError(`The database cannot be prepared: ${cause.message || error.code}`, { cause: error })
}

type Address = { host: string; port: number; setting: string }

function throwListenError({ host, port, setting }: Address, error: Error & { code?: string }): never {
  const message = {
    EADDRINUSE: `Port ${port} of ${host} is already in use. Stop what uses it, or set ${setting} to another.`,
    EACCES: `Port ${port} of ${host} may not be opened by this user. Set ${setting} to another.`,
  }[error.code ?? '']
  throw new StartupError(message ?? `Cannot listen on ${host}, port ${port}: ${error.message}`)
}

/** Closes everything, the database last, and exits. */
function shutDown(code: number): Promise<never> {
  shuttingDown ??= (async () => {
    await started
    await within(SHUTDOWN_MS, ...workers)
    for (const close of connections) await within(CLOSE_MS, close)
    await stopDatabase()
    process.exit(code)
  })()
  return shuttingDown
}

const within = (ms: number, ...actions: Close[]) =>
  Promise.race([Promise.all(actions.map((action) => action().catch(console.error))), sleep(ms)])

/** The first signal shuts down, a second waits only for the database to stop, a third exits at once. */
async function onSignal() {
  // One Ctrl+C can arrive twice: from the terminal, and from npm, which passes it on.
  if (performance.now() - (signalTimes.at(-1) ?? -Infinity) < DUPLICATE_SIGNAL_MS) return
  signalTimes.push(performance.now())
  if (signalTimes.length === 1) await shutDown(0)
  if (signalTimes.length === 2) await stopDatabase()
  process.exit(1)
}

/** A killed npm cannot pass on a signal, and would leave a server running that no terminal can stop. */
function shutDownWithParent() {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) void shutDown(0)
  }, PARENT_POLL_MS).unref()
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void onSignal())
// Under nohup, SIGHUP has to be ignored; then the output is no terminal.
if (process.stdout.isTTY) process.on('SIGHUP', () => void onSignal())
// The reader of the output may have exited, which must not crash the server.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
process.on('uncaughtException', (error) => {
  console.error(error)
  void shutDown(1)
})

const started = start().catch((error: unknown) => {
  console.error(error instanceof StartupError ? error.message : error)
  void shutDown(1)
})
