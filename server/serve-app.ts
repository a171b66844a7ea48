import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFirstSuperAdmin, recoverSuperAdmin } from './accounts/first-super-admin.ts'
import { setHashingPriority } from './accounts/password-hashing.ts'
import { setSecretsKey } from './accounts/sealed-secrets.ts'
import { sealAuthenticators } from './accounts/totp.ts'
import { buildApp, mailerOf } from './app.ts'
import { createNightlyBackups } from './backups/nightly.ts'
import { DATABASE_RULES } from './database-rules.ts'
import { seedDemo } from './demo/demo.ts'
import type { Env } from './env.ts'
import { connect, type Database } from './db/database.ts'
import { isUnavailable, Unreachable } from './db/database-errors.ts'
import { MigrationError, prepareDatabase } from './db/migrate.ts'
import { connectPubSub, pingOnNewConnection } from './db/pubsub.ts'
import { StartupError } from './lib/startup-error.ts'
import { type Copy, copyOnDisk } from './lib/version.ts'
import { startWorker } from './texting/delivery/worker.ts'
import { deleteSimulatedOptOuts } from './texting/opt-outs.ts'
import { chooseProvider, monitorProvider } from './texting/service.ts'
import { startPushWorker } from './notifications/push-worker.ts'
import { ensurePushKeys } from './notifications/push-keys.ts'
import { startScheduler } from './schedule.ts'

/** Keeps hashing from slowing down other calls. */
const HASHING_PRIORITY = 5
/** A shutdown may take ten seconds. */
const DRAIN_MS = 7_000
/** Waits this long for a database that starts or changes its primary. */
const DATABASE_WAIT_MS = 30_000,
  DATABASE_RETRY_MS = 500
const STANDBY_CONNECTIONS = 5

const COPY = copyOnDisk()

/** `databaseUrl` is the owner's login; `appPassword` is set on the serving role. */
export type ServingDatabase = {
  databaseUrl: string
  appDatabaseUrl: string
  appPassword: string | undefined
  dataDir: string
}
type Close = () => Promise<unknown>
/** Closed in this order: workers together, then connections, the last opened first. */
export type OpenResources = { workers: Close[]; connections: Close[] }

/** Migrates the database, serves the app and starts background work. Everything opened is added to
 *  `opened`. Throws a StartupError. */
export async function serveApp(
  env: Env,
  { databaseUrl, appDatabaseUrl, appPassword, dataDir }: ServingDatabase,
  { workers, connections, isShuttingDown }: OpenResources & { isShuttingDown: () => boolean },
): Promise<void> {
  setHashingPriority(HASHING_PRIORITY)
  setSecretsKey(env.secretsKey)
  await waitForDatabase(
    () =>
      prepareDatabase({ databaseUrl, ...(appPassword && { appPassword }) }, DATABASE_RULES, {
        log: (line) => console.log(line),
      }),
    isShuttingDown,
  )
  // APP_DATABASE_URL may lead to a pooler, behind which LISTEN does not work; DATABASE_URL is
  // direct.
  const pubsub = await connectPubSub(env.databaseUrl ?? appDatabaseUrl)
  connections.unshift(() => pubsub.close())
  const db = connect(appDatabaseUrl, {
    onPublish: pubsub.deliver,
    ping: pubsub.ping,
  })
  connections.unshift(() => db.close())
  await waitForDatabase(() => db.withoutDojo(async () => {}), isShuttingDown)
  const standby = connectStandby(env, connections)
  const texting = monitorProvider(chooseProvider(env, db))
  if (texting.provider.service === 'twilio_sms') await db.withoutDojo(deleteSimulatedOptOuts)
  const http = await buildApp({
    db,
    standby,
    pubsub,
    texting,
    copy: COPY,
    ...(await logSettings(env)),
    ...(env.servesWeb && { webRoot: join(import.meta.dirname, '../web/dist') }),
  })
  const backupDir = env.backupDir === undefined ? join(dataDir, 'backups') : env.backupDir
  const metrics = await startMetrics(env, { http, db, backupDir, ...COPY }, workers)
  workers.push(() => http.shutDownGracefully(DRAIN_MS))
  const superAdmin = await createFirstSuperAdmin(db, {
    email: env.superAdminEmail,
    password: env.superAdminPassword,
  })
  if (superAdmin?.password)
    console.log(
      `The super admin is ${superAdmin.email} with the password ${superAdmin.password} ` +
        '(shown only now).',
    )
  if (env.recoverSuperAdmin) await recover(db, env.recoverSuperAdmin)
  const unreadable = await db.withoutDojo(sealAuthenticators)
  if (unreadable > 0)
    console.error(
      `The codes of ${unreadable} authenticator apps cannot be checked: SECRETS_KEY is ` +
        'not the one that their secrets are encrypted with.',
    )
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
  workers.push(
    await startScheduler(
      db,
      (err) => http.log.error({ err }, 'schedule'),
      {
        held: (verdict) => http.log.error(verdict, 'housekeeping waits: the clock is not trusted'),
        resumed: () => http.log.info('housekeeping goes on: the clocks agree'),
      },
      nightly.runIfDue,
    ),
  )
  await http
    .listen({ port: env.port, host: env.host })
    .catch((error: Error) => throwListenError({ ...env, setting: 'PORT' }, error))
  console.log(`Tatami is ready at ${env.publicUrl}`)
}

/** A terminal shows only what needs attention; elsewhere every request is a line of JSON. */
async function logSettings(env: Env) {
  if (!process.stdout.isTTY) return { env }
  const { terminalLog } = await import('./lib/terminal-log.ts')
  return { env: { ...env, logLevel: env.logLevel ?? ('warn' as const) }, logTo: terminalLog() }
}

type MeasuredParts = Pick<Copy, 'version'> & {
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

async function recover(db: Database, email: string) {
  const password = await recoverSuperAdmin(db, email)
  if (!password) throw new StartupError(`RECOVER_SUPER_ADMIN names no super admin: ${email}`)
  console.log(
    `The super admin ${email} has the password ${password} (shown only now) and no ` +
      'second factor. Remove RECOVER_SUPER_ADMIN.',
  )
}

/** How push services can contact the operator: the site, or if that is not public, the mail sender.
 */
const pushContact = ({ publicUrl, mailFrom = 'admin@tatami.local' }: Env) =>
  publicUrl.startsWith('https:') ? publicUrl : `mailto:${/[^\s<>]+@[^\s<>]+/.exec(mailFrom)![0]}`

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
        throwDatabaseError(error as Error)
    }
    await sleep(DATABASE_RETRY_MS)
  }
}

function throwDatabaseError(error: Error & { code?: string }): never {
  const cause =
    error.cause instanceof Error && !(error instanceof MigrationError) ? error.cause : error
  throw new StartupError(`The database cannot be prepared: ${cause.message || error.code}`, {
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
      `Port ${port} of ${host} is already in use. Stop what uses it, or set ${setting} to ` +
      'another.',
    EACCES: `Port ${port} of ${host} may not be opened by this user. Set ${setting} to another.`,
  }[error.code ?? '']
  throw new StartupError(message ?? `Cannot listen on ${host}, port ${port}: ${error.message}`)
}
