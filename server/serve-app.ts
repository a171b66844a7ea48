import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFirstSuperAdmin, recoverSuperAdmin } from './accounts/first-super-admin.ts'
import { setHashingPriority } from './accounts/password-hashing.ts'
import { setSecretsKey } from './accounts/sealed-secrets.ts'
import { sealAuthenticators } from './accounts/totp.ts'
import { buildApp, createMailerFor } from './app.ts'
import { createNightlyBackups } from './backups/nightly.ts'
import { DATABASE_RULES } from './database-rules.ts'
import { seedDemo } from './demo/demo.ts'
import type { Env } from './env.ts'
import { connect, type Database } from './db/database.ts'
import { driverError, isUnavailable, Unreachable } from './db/database-errors.ts'
import { MigrationError, prepareDatabase } from './db/migrate.ts'
import { connectPubSub, pingOnNewConnection, type PubSub } from './db/pubsub.ts'
import type { ClockLog } from './db/trusted-clock.ts'
import { StartupError } from './lib/startup-error.ts'
import { type Build, readBuild } from './lib/version.ts'
import { startWorker } from './texting/delivery/worker.ts'
import { deleteSimulatedOptOuts } from './texting/opt-outs.ts'
import { createTexting, type Texting } from './texting/service.ts'
import type { Metrics } from './metrics.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { createContext } from './online-payment/stripe-account.ts'
import { startPaymentWorker } from './online-payment/worker.ts'
import { SETTLE_TRIAL_PAYMENTS } from './trials/settle-payment.ts'
import { startPushWorker } from './notifications/push-worker.ts'
import { findOrCreatePushKeys } from './notifications/push-keys.ts'
import { startScheduler } from './schedule.ts'

/** Keeps password hashing from slowing down other calls. */
const HASHING_PRIORITY = 5
/** With the rest of the shutdown, this must stay within ten seconds. */
const FINISH_REQUESTS_WITHIN_MS = 7_000
const DATABASE_WAIT_MS = 30_000
const DATABASE_RETRY_MS = 500
const STANDBY_CONNECTIONS = 5

const BUILD = readBuild()

/** The login in `databaseUrl` migrates the database. `appPassword` becomes the password of the role
 *  that serves requests. */
export type ServingDatabase = {
  databaseUrl: string
  appDatabaseUrl: string
  appPassword: string | undefined
  dataDir: string
}
type Close = () => Promise<unknown>
/** A shutdown closes all workers at the same time, then the connections, the newest first. */
export type OpenResources = { workers: Close[]; connections: Close[] }

/** Starts the server, and adds everything that it opens to `resources`. Throws a StartupError if it
 *  cannot start. */
export async function serveApp(
  env: Env,
  database: ServingDatabase,
  resources: OpenResources & { isShuttingDown: () => boolean },
): Promise<void> {
  const { workers, connections } = resources
  setHashingPriority(HASHING_PRIORITY)
  setSecretsKey(env.secretsKey)
  const { db, pubsub } = await openDatabase(env, database, resources)
  const standby = connectStandby(env, connections)
  const texting = createTexting(env, db)
  if (texting.server.provider.service === 'twilio_sms') await db.withoutDojo(deleteSimulatedOptOuts)
  const http = await buildApp({
    db,
    standby,
    pubsub,
    texting,
    build: BUILD,
    ...(await createLogSettings(env)),
    ...(env.servesWeb && { webRoot: join(import.meta.dirname, '../web/dist') }),
  })
  const { databaseUrl, dataDir } = database
  const backupDir = env.backupDir === undefined ? join(dataDir, 'backups') : env.backupDir
  const metrics = await startMetrics(env, { http, db, backupDir, ...BUILD }, workers)
  workers.push(() => http.shutDownGracefully(FINISH_REQUESTS_WITHIN_MS))
  await prepareAccounts(db, env)
  if (env.isDemo) await seedDemo(db, (line) => console.log(line))
  await startSending(env, { db, pubsub, http, texting, metrics }, workers)
  await startNightlyWork(env, { db, http, databaseUrl, backupDir }, workers)
  await http
    .listen({ port: env.port, host: env.host })
    .catch((error: Error) => throwListenError({ ...env, setting: 'PORT' }, error))
  console.log(`Tatami is ready at ${env.publicUrl}`)
}

async function openDatabase(
  env: Env,
  { databaseUrl, appDatabaseUrl, appPassword }: ServingDatabase,
  { connections, isShuttingDown }: OpenResources & { isShuttingDown: () => boolean },
): Promise<{ db: Database; pubsub: PubSub }> {
  const log = (line: string) => console.log(line)
  const login = { databaseUrl, ...(appPassword && { appPassword }) }
  await waitForDatabase(() => prepareDatabase(login, DATABASE_RULES, { log }), isShuttingDown)
  // APP_DATABASE_URL may lead to a pooler, through which LISTEN does not work.
  const pubsub = await connectPubSub(env.databaseUrl ?? appDatabaseUrl)
  connections.unshift(() => pubsub.close())
  const db = connect(appDatabaseUrl, { onPublish: pubsub.deliver, ping: pubsub.ping })
  connections.unshift(() => db.close())
  await waitForDatabase(() => db.withoutDojo(async () => {}), isShuttingDown)
  return { db, pubsub }
}

async function prepareAccounts(db: Database, env: Env) {
  const superAdmin = await createFirstSuperAdmin(db, {
    email: env.superAdminEmail,
    password: env.superAdminPassword,
  })
  if (superAdmin?.password)
    console.log(
      `The super admin is ${superAdmin.email} with the password ${superAdmin.password} ` +
        '(shown only now).',
    )
  if (env.recoverSuperAdmin) await recoverAccess(db, env.recoverSuperAdmin)
  const unreadableCount = await db.withoutDojo(sealAuthenticators)
  if (unreadableCount > 0)
    console.error(
      `The codes of ${unreadableCount} authenticator apps cannot be checked: SECRETS_KEY is ` +
        'not the one that their secrets are encrypted with.',
    )
}

type SendingOptions = {
  db: Database
  pubsub: PubSub
  http: FastifyInstance
  texting: Texting
  metrics: Metrics | undefined
}

async function startSending(
  env: Env,
  { db, pubsub, http, texting, metrics }: SendingOptions,
  workers: Close[],
) {
  workers.push(
    startWorker({
      db,
      pubsub,
      provider: texting.server.provider,
      ownAccounts: texting.ownAccounts,
      perSecond: env.smsPerSecond,
      onError: (err) => http.log.error({ err }, 'texting'),
    }),
  )
  workers.push(
    startPaymentWorker(
      createContext(db, env, createMailerFor(env, http).send),
      (err) => http.log.error({ err }, 'online payment'),
      { moreJobs: [SETTLE_TRIAL_PAYMENTS] },
    ),
  )
  await findOrCreatePushKeys(db)
  workers.push(
    startPushWorker({
      db,
      pubsub,
      contact: findPushContact(env),
      onError: (err) => http.log.error({ err }, 'push'),
      ...(metrics && { onResult: metrics.countPush }),
    }),
  )
}

type NightlyOptions = {
  db: Database
  http: FastifyInstance
  databaseUrl: string
  backupDir: string | null
}

async function startNightlyWork(
  env: Env,
  { db, http, databaseUrl, backupDir }: NightlyOptions,
  workers: Close[],
) {
  const mail = createMailerFor(env, http)
  const backups = createNightlyBackups({
    db,
    databaseUrl,
    folder: backupDir,
    mail,
    onFailure: (reason) => http.log.error({ reason }, 'no backup'),
  })
  const clockLog: ClockLog = {
    paused: (verdict) => http.log.error(verdict, 'housekeeping paused: the clock is not trusted'),
    resumed: () => http.log.info('housekeeping resumed: the clocks agree'),
  }
  workers.push(backups.stop)
  const onError = (err: unknown) => http.log.error({ err }, 'schedule')
  workers.push(
    await startScheduler(
      db,
      onError,
      clockLog,
      { sendEmail: mail.send, publicUrl: env.publicUrl },
      backups.runIfDue,
    ),
  )
}

/** In a terminal, logs only problems. Elsewhere, logs a line of JSON for every request. */
async function createLogSettings(env: Env) {
  if (!process.stdout.isTTY) return { env }
  const { createTerminalLog } = await import('./lib/terminal-log.ts')
  return {
    env: { ...env, logLevel: env.logLevel ?? ('warn' as const) },
    logTo: createTerminalLog(),
  }
}

type MeasuredParts = Pick<Build, 'version'> & {
  http: FastifyInstance
  db: Database
  backupDir: string | null
}

async function startMetrics(
  { metricsPort: port, metricsHost: host }: Env,
  parts: MeasuredParts,
  workers: Close[],
) {
  if (!port) return undefined
  const { createMetrics, serveMetrics } = await import('./metrics.ts')
  const metrics = createMetrics(parts)
  workers.push(
    await serveMetrics(metrics, { host, port }).catch((error: Error) =>
      throwListenError({ host, port, setting: 'METRICS_PORT' }, error),
    ),
  )
  return metrics
}

async function recoverAccess(db: Database, email: string) {
  const password = await recoverSuperAdmin(db, email)
  if (!password) throw new StartupError(`RECOVER_SUPER_ADMIN names no super admin: ${email}`)
  console.log(
    `The super admin ${email} has the password ${password} (shown only now) and no ` +
      'second factor. Remove RECOVER_SUPER_ADMIN.',
  )
}

/** Tells push services how to contact the operator: through the site if it uses https, otherwise by
 *  email. */
function findPushContact({ publicUrl, mailFrom = 'admin@tatami.local' }: Env): string {
  if (publicUrl.startsWith('https:')) return publicUrl
  const [address] = mustExist(/[^\s<>]+@[^\s<>]+/.exec(mailFrom), 'The address of MAIL_FROM')
  return `mailto:${address}`
}

function connectStandby({ readDatabaseUrl: url }: Env, connections: Close[]) {
  if (!url) return undefined
  const standby = connect(url, {
    maxConnections: STANDBY_CONNECTIONS,
    ping: () => pingOnNewConnection(url),
  })
  connections.unshift(() => standby.close())
  return standby
}

async function waitForDatabase(
  work: () => Promise<void>,
  isShuttingDown: () => boolean,
): Promise<void> {
  const deadline = performance.now() + DATABASE_WAIT_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const cause = error instanceof Unreachable ? error.cause : error
      if (!isUnavailable(cause) || performance.now() > deadline || isShuttingDown())
        throwDatabaseError(error)
    }
    await sleep(DATABASE_RETRY_MS)
  }
}

function throwDatabaseError(error: unknown): never {
  const { message, code } =
    error instanceof MigrationError ? { message: error.message, code: '' } : driverError(error)
  throw new StartupError(`Could not prepare the database: ${message || String(code)}`, {
    cause: error,
  })
}

type Address = { host: string; port: number; setting: string }

function throwListenError(
  { host, port, setting }: Address,
  error: Error & { code?: string },
): never {
  const message = {
    EADDRINUSE:
      `Port ${port} of ${host} is already in use. Stop the program that uses it, or set ` +
      `${setting} to another port.`,
    EACCES: `This user may not open port ${port} of ${host}. Set ${setting} to another port.`,
  }[error.code ?? '']
  throw new StartupError(message ?? `Cannot listen on ${host}, port ${port}: ${error.message}`)
}
