import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { embeddedDatabaseUrl } from '../server/test/fixtures.ts'

export const ROOT = join(import.meta.dirname, '..')
const MAX_START_MS = 180_000
/** The port must be below 32768. A connection to a higher port may connect to itself. */
export const PORT = Number(process.env.BENCH_PORT ?? 21_700)
/** The same cache as with `npm start`. The path is relative to the folder of each version. */
const NODE_COMPILE_CACHE = 'node_modules/.cache/node'
export const SUPER_ADMIN = { email: 'admin@tatami.test', password: 'Kiai2026!' }

type RunningServer = { url: string; pid: number; stop: () => Promise<void> }

const isReady = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )

async function startServer(
  script: string[],
  url: string,
  readyPath: string,
  env: NodeJS.ProcessEnv,
  cwd = ROOT,
): Promise<RunningServer> {
  if (await isReady(url + readyPath))
    throw new Error(`Another server is running at ${url}. Stop it, or set BENCH_PORT.`)
  const child = spawn(process.execPath, script, {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  process.once('exit', () => child.kill())
  const deadline = performance.now() + MAX_START_MS
  while (!(await isReady(url + readyPath))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill()
      throw new Error(`${script.join(' ')} did not start`)
    }
    await pause(100)
  }
  return { url, pid: child.pid!, stop: () => stop(child) }
}

async function stop(child: ChildProcess) {
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

type Tatami = RunningServer & { databaseUrl: string; dataDir: string }

/** Starts Tatami in `checkout`, the folder of a built version, with new data. */
export async function startTatami(
  port: number,
  settings: Record<string, string> = {},
  checkout = ROOT,
): Promise<Tatami> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tatami-bench-'))
  const environment = {
    PORT: String(port),
    DATA_DIR: dataDir,
    ENV_FILE: devNull,
    NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS ?? '',
    SUPER_ADMIN_EMAIL: SUPER_ADMIN.email,
    SUPER_ADMIN_PASSWORD: SUPER_ADMIN.password,
    ...settings,
  }
  const server = await startServer(
    ['server/main.ts'],
    `http://127.0.0.1:${port}`,
    '/api/health/ready',
    environment,
    checkout,
  )
  return {
    ...server,
    dataDir: settings.DATA_DIR ?? dataDir,
    databaseUrl: settings.DATABASE_URL ?? embeddedDatabaseUrl(settings.DATA_DIR ?? dataDir),
    stop: async () => {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export async function startBaseline(
  port: number,
  responseText: string,
  databaseUrl: string,
): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tatami-baseline-'))
  writeFileSync(join(folder, 'response'), responseText)
  const baseline = await startServer(
    ['bench/baseline.ts', String(port), join(folder, 'response'), databaseUrl],
    `http://127.0.0.1:${port}`,
    '/',
    {},
  )
  rmSync(folder, { recursive: true })
  return baseline
}
