import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFirstSuperAdmin } from './accounts/first-super-admin.ts'
import { setHashingPriority } from './accounts/password-hashing.ts'
import { buildApp } from './app.ts'
import { DATABASE_RULES } from './database-rules.ts'
import { seedDemo } from './demo.ts'
import { readEnv, type Env } from './env.ts'
import { connect } from './db/database.ts'
import { startEmbeddedDatabase } from './db/embedded-database.ts'
import { prepareDatabase } from './db/migrate.ts'
import { connectPubSub } from './db/pubsub.ts'
import { StartupError } from './lib/startup-error.ts'
import { providerFrom } from './texting/providers/choose-provider.ts'
import { keepSending } from './texting/delivery/worker.ts'
import { forgetSimulatedStops } from './texting/providers/simulated-answer.ts'
import { watched } from './texting/watch-provider.ts'
import { startPushWorker } from './notifications/push-worker.ts'
import { ensurePushKeys } from './notifications/push-keys.ts'
import { startScheduler } from './schedule.ts'

/** Other calls go before the hashing of passwords. */
const HASHING_PRIORITY = 5
/** A stop takes ten seconds at most: the requests in flight end first, then the work beside them is left, then the connections close. */
const DRAIN_MS = 7_000,
  STOP_MS = 7_500,
  CLOSE_MS = 1_000,
  PARENT_POLL_MS = 500,
  SAME_SIGNAL_MS = 500

type End = () => Promise<unknown>
/** What is at work, to be stopped all at once, and then the connections that it needs, the last opened first. */
const workers: End[] = [],
  connections: End[] = []
let stopDatabase = async () => {}
const signalTimes: number[] = []
let ending: Promise<never> | undefined

async function start() {
  const env = readEnv()
  setHashingPriority(HASHING_PRIORITY)
  if (env.npmScript) endWithParent()
  const { databaseUrl, appDatabaseUrl, appPassword } = env.databaseUrl ? databaseGiven(env, env.databaseUrl) : await databaseOfOurs(env)
  await prepareDatabase({ databaseUrl, ...(appPassword && { appPassword }) }, DATABASE_RULES).catch(refuseDatabase)
  // A pooler may stand before the serving login; the one that migrates has to be direct, and so can listen.
  const pubsub = await connectPubSub(env.databaseUrl ?? appDatabaseUrl)
  connections.unshift(() => pubsub.close())
  const db = connect(appDatabaseUrl, { onPublish: pubsub.deliver, ping: pubsub.ping })
  connections.unshift(() => db.close())
  await db.withoutDojo(async () => {}).catch(refuseDatabase)
  const texting = watched(providerFrom(env, db))
  if (texting.provider.service === 'twilio_sms') await db.withoutDojo(forgetSimulatedStops)
  const http = await buildApp({ db, pubsub, env, texting, ...(env.servesWeb && { webRoot: join(import.meta.dirname, '../web/dist') }) })
  workers.push(() => http.shutDownGracefully(DRAIN_MS))
  const superAdmin = await createFirstSuperAdmin(db, { email: env.superAdminEmail, password: env.superAdminPassword })
  if (superAdmin?.password) console.log(`The super admin is ${superAdmin.email} with the password ${superAdmin.password} (shown only now).`)
  if (env.isDemo) await seedDemo(db, (line) => console.log(line))
  workers.push(
    keepSending({
      db,
      pubsub,
      provider: texting.provider,
      perSecond: env.smsPerSecond,
      onError: (err) => http.log.error({ err }, 'texting'),
    }),
  )
  await ensurePushKeys(db)
  workers.push(startPushWorker({ db, pubsub, subject: contactOf(env), onError: (err) => http.log.error({ err }, 'push') }))
  workers.push(await startScheduler(db, (err) => http.log.error({ err }, 'timetable')))
  await http.listen({ port: env.port, host: env.host }).catch((error: Error) => refuseToListen(env, error))
  console.log(`Tatami is ready at ${env.publicUrl}`)
}

/** Whom a push service may write to about us: the site, or while it is not public the address that our mail comes from. */
const contactOf = ({ publicUrl, mailFrom = 'admin@tatami.local' }: Env) =>
  publicUrl.startsWith('https:') ? publicUrl : `mailto:${/[^\s<>]+@[^\s<>]+/.exec(mailFrom)![0]}`

const databaseGiven = ({ appDatabaseUrl }: Env, databaseUrl: string) => ({
  databaseUrl,
  appDatabaseUrl: appDatabaseUrl ?? databaseUrl,
  appPassword: undefined,
})

async function databaseOfOurs({ dataDir, dataDirIsDefault }: Env) {
  const { logins, stop } = await startEmbeddedDatabase({
    dataDir,
    mayRelocate: dataDirIsDefault,
    log: (line) => console.log(line),
    onLost: ({ message }) => {
      console.error(message)
      void end(1)
    },
  })
  stopDatabase = stop
  return { databaseUrl: logins.postgres.url, appDatabaseUrl: logins.tatami_app.url, appPassword: logins.tatami_app.password }
}

function refuseDatabase(error: Error & { code?: string }): never {
  const cause = error.cause instanceof Error ? error.cause : error
  throw new StartupError(`The database cannot be prepared: ${cause.message || error.code}`, { cause: error })
}

function refuseToListen({ host, port }: Env, error: Error & { code?: string }): never {
  const words = {
    EADDRINUSE: `Port ${port} of ${host} is already in use. Stop what uses it, or set PORT to another.`,
    EACCES: `Port ${port} of ${host} may not be opened by this user. Set PORT to another.`,
  }[error.code ?? '']
  throw new StartupError(words ?? `Cannot listen on ${host}, port ${port}: ${error.message}`)
}

/** Closes everything, the database last, and leaves. */
function end(code: number): Promise<never> {
  ending ??= (async () => {
    await started
    await within(STOP_MS, ...workers)
    for (const close of connections) await within(CLOSE_MS, close)
    await stopDatabase()
    process.exit(code)
  })()
  return ending
}

const within = (ms: number, ...ends: End[]) => Promise.race([Promise.all(ends.map((one) => one().catch(console.error))), sleep(ms)])

/** The first ends in good order, a second at once, but for the database, and a third does not even wait for that. */
async function onSignal() {
  // One Ctrl+C can come twice: from the terminal, and from npm, which passes it on.
  if (performance.now() - (signalTimes.at(-1) ?? -Infinity) < SAME_SIGNAL_MS) return
  signalTimes.push(performance.now())
  if (signalTimes.length === 1) await end(0)
  if (signalTimes.length === 2) await stopDatabase()
  process.exit(1)
}

/** npm killed outright cannot tell us; a server that nobody can stop any more would be left. */
function endWithParent() {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) void end(0)
  }, PARENT_POLL_MS).unref()
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void onSignal())
// nohup asks us not to hear it, and then the output is no terminal.
if (process.stdout.isTTY) process.on('SIGHUP', () => void onSignal())
// Whoever read our output may be gone before us.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
process.on('uncaughtException', (error) => {
  console.error(error)
  void end(1)
})

const started = start().catch((error: unknown) => {
  console.error(error instanceof StartupError ? error.message : error)
  void end(1)
})
