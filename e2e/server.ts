import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { receiveLetters } from './letters.ts'

const START_MS = 60_000
const STOP_MS = 20_000
const LOG = 'test-results/server.log'

/** Ours alone decide: what a developer's environment or .env sets must not reach the server under test. */
const settings = (port: number, dataDir: string, superAdminPassword: string, smtpUrl: string) => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
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

/** Starts the real server, once for the run, on data of its own. Gives back its end. */
export default async function startServer(): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tatami-e2e-'))
  const port = await freePort()
  const letters = await receiveLetters()
  const superAdminPassword = randomBytes(12).toString('base64url')
  mkdirSync('test-results', { recursive: true })
  const log = createWriteStream(LOG)
  const server = spawn(process.execPath, ['server/main.ts'], {
    env: settings(port, dataDir, superAdminPassword, letters.url),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // An interrupt before the server is ready ends Playwright without calling our end.
  process.once('exit', () => server.kill('SIGTERM'))
  server.stdout.pipe(log, { end: false })
  server.stderr.pipe(log, { end: false })
  const stop = async () => {
    await end(server)
    await letters.stop()
    log.end()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await ready(`http://127.0.0.1:${port}/api/health/ready`, server)
  } catch (error) {
    await stop()
    throw error
  }
  // The workers inherit these.
  process.env.E2E_URL = `http://127.0.0.1:${port}`
  process.env.E2E_SUPER_ADMIN_PASSWORD = superAdminPassword
  return stop
}

async function freePort(): Promise<number> {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as AddressInfo
  holder.close()
  await once(holder, 'close')
  return port
}

async function ready(url: string, server: ChildProcess) {
  const until = Date.now() + START_MS
  while (server.exitCode === null && Date.now() < until) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok) return
    await pause(100)
  }
  throw new Error(`The server did not start. It said:\n${readFileSync(LOG, 'utf8')}`)
}

async function end(server: ChildProcess) {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  const late = setTimeout(() => server.kill('SIGKILL'), STOP_MS)
  await ended
  clearTimeout(late)
}
