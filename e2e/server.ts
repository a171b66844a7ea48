import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { embeddedDatabaseUrl } from '../server/test/fixtures.ts'
import { startMailServer } from './mail-server.ts'

const MAX_START_MS = 60_000
const MAX_STOP_MS = 20_000

/** Returns the complete environment of the server. A developer's own environment or .env file must
 *  not affect the tests. */
const createServerEnvironment = (
  port: number,
  dataDir: string,
  superAdminPassword: string,
  smtpUrl: string,
) => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  ENV_FILE: devNull,
  PORT: String(port),
  DATA_DIR: dataDir,
  SMTP_URL: smtpUrl,
  LOG_LEVEL: 'warn',
  SUPER_ADMIN_EMAIL: 'admin@tatami.test',
  SUPER_ADMIN_PASSWORD: superAdminPassword,
  SIGN_INS_PER_MINUTE: '100000',
  REGISTRATIONS_PER_HOUR: '100000',
  CONSENTS_PER_HOUR: '100000',
})

/** Playwright's global setup: starts the server for all tests, and returns a function that stops
 *  it. */
export default async function startSharedServer(): Promise<() => Promise<void>> {
  const { env, stop } = await startServer('server')
  // Playwright's workers inherit the environment.
  Object.assign(process.env, env)
  return stop
}

/** Starts the real server with an empty data folder. `env` has the environment variables from which
 *  the tests read its URLs and the super admin's password. */
export async function startServer(name: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tatami-e2e-'))
  const port = await findFreePort()
  const mailServer = await startMailServer()
  const superAdminPassword = randomBytes(12).toString('base64url')
  mkdirSync('test-results', { recursive: true })
  const logFile = `test-results/${name}.log`
  const log = createWriteStream(logFile)
  const server = spawn(process.execPath, ['server/main.ts'], {
    env: createServerEnvironment(port, dataDir, superAdminPassword, mailServer.url),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // If Playwright is interrupted before the server is ready, it does not call `stop`.
  process.once('exit', () => server.kill('SIGTERM'))
  server.stdout.pipe(log, { end: false })
  server.stderr.pipe(log, { end: false })
  const stop = async () => {
    await endProcess(server)
    await mailServer.stop()
    log.end()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  try {
    await waitUntilReady(`${url}/api/health/ready`, server, logFile)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    env: {
      E2E_URL: url,
      E2E_DATABASE_URL: embeddedDatabaseUrl(dataDir),
      E2E_SUPER_ADMIN_PASSWORD: superAdminPassword,
    },
    stop,
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function waitUntilReady(url: string, server: ChildProcess, logFile: string) {
  const deadline = Date.now() + MAX_START_MS
  while (server.exitCode === null && Date.now() < deadline) {
    const response = await fetch(url).catch(() => null)
    if (response?.ok) return
    await pause(100)
  }
  throw new Error(`The server did not start. Its output:\n${readFileSync(logFile, 'utf8')}`)
}

async function endProcess(server: ChildProcess) {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exitEvent = once(server, 'exit')
  server.kill('SIGTERM')
  const killTimer = setTimeout(() => server.kill('SIGKILL'), MAX_STOP_MS)
  await exitEvent
  clearTimeout(killTimer)
}
