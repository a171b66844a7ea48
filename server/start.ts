import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedDatabase } from './db/embedded-database.ts'
import { readEnv, type Env } from './env.ts'
import { serializers } from './lib/log.ts'
import { StartupError } from './lib/startup-error.ts'
import type { OpenResources, ServingDatabase } from './serve-app.ts'

/** Requests and background work have this long to finish, and then each connection has a second:
 *  ten seconds in total. */
const SHUTDOWN_MS = 7_500
const CLOSE_MS = 1_000
const PARENT_POLL_MS = 500
const DUPLICATE_SIGNAL_MS = 500
const { workers, connections }: OpenResources = { workers: [], connections: [] }
let stopDatabase = async () => {}
const signalTimes: number[] = []
let runningShutdown: Promise<never> | undefined

async function start() {
  const env = readEnv()
  if (env.npmScript) shutDownWithParent()
  const database = env.databaseUrl
    ? describeExternalDatabase(env, env.databaseUrl)
    : await startOwnDatabase(env)
  const { serveApp } = await loadServer()
  await serveApp(env, database, {
    workers,
    connections,
    isShuttingDown: () => runningShutdown !== undefined,
  })
}

const describeExternalDatabase = (
  { appDatabaseUrl, dataDir }: Env,
  databaseUrl: string,
): ServingDatabase => ({
  dataDir,
  databaseUrl,
  appDatabaseUrl: appDatabaseUrl ?? databaseUrl,
  appPassword: undefined,
})

const loadServer = () => import('./serve-app.ts')

async function startOwnDatabase({ dataDir, dataDirIsDefault }: Env): Promise<ServingDatabase> {
  const {
    logins,
    stop,
    dataDir: usedDir,
  } = await startEmbeddedDatabase({
    dataDir,
    mayRelocate: dataDirIsDefault,
    log: (line) => console.log(line),
    // Loads the server's code while the database starts.
    onStarting: () => void loadServer(),
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

function shutDown(code: number): Promise<never> {
  runningShutdown ??= (async () => {
    await startup
    await runWithin(SHUTDOWN_MS, ...workers)
    for (const close of connections) await runWithin(CLOSE_MS, close)
    await stopDatabase()
    process.exit(code)
  })()
  return runningShutdown
}

const runWithin = (ms: number, ...actions: (() => Promise<unknown>)[]) =>
  Promise.race([Promise.all(actions.map((action) => action().catch(console.error))), sleep(ms)])

/** The second signal waits only for the database, and a third one exits immediately. */
async function onSignal() {
  // Ctrl+C can arrive twice, from the terminal and from npm.
  if (performance.now() - (signalTimes.at(-1) ?? -Infinity) < DUPLICATE_SIGNAL_MS) return
  signalTimes.push(performance.now())
  if (signalTimes.length === 1) await shutDown(0)
  if (signalTimes.length === 2) await stopDatabase()
  process.exit(1)
}

/** Without this, the server would keep running after npm is killed, because npm then passes on no
 *  signals. */
function shutDownWithParent() {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) void shutDown(0)
  }, PARENT_POLL_MS).unref()
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void onSignal())
// With nohup the output is not a terminal, and the server must ignore SIGHUP.
if (process.stdout.isTTY) process.on('SIGHUP', () => void onSignal())
// The program that reads the output may have exited, which must not crash the server.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
process.on('uncaughtException', (error) => {
  console.error(serializers.err(error))
  void shutDown(1)
})

const startup = start().catch((error: unknown) => {
  console.error(error instanceof StartupError ? error.message : serializers.err(error as Error))
  void shutDown(1)
})
