import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { endServers, findFreePort, runServer, listenOnFreePort } from './test/real-server.ts'

vi.setConfig({ testTimeout: 60_000 })
const dataDir = mkdtempSync(join(tmpdir(), 'tatami-operations-'))
const settings = {
  DATA_DIR: dataDir,
  PORT: await findFreePort(),
  METRICS_PORT: await findFreePort(),
  ENV_FILE: devNull,
}
afterAll(async () => {
  await endServers()
  rmSync(dataDir, { recursive: true })
})

type Finding = { check: string; state: string; says: string }

/** Returns the exit code and output of `npm run doctor -- --offline`. */
async function runDoctor(variables: Record<string, string> = {}, ...args: string[]) {
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    ...settings,
    ...variables,
  }
  const child = spawn(process.execPath, ['scripts/doctor.mjs', '--offline', ...args], {
    cwd: join(import.meta.dirname, '..'),
    env,
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const [code] = (await once(child, 'close')) as [number]
  return { code, output }
}
async function readDoctorReport(variables?: Record<string, string>) {
  const { code, output } = await runDoctor(variables, '--json')
  const { findings } = JSON.parse(output) as { findings: Finding[] }
  return { code, finding: (check: string) => findings.find((finding) => finding.check === check) }
}

test('the doctor checks a new, a running and a stopped Tatami', async () => {
  const reportBefore = await readDoctorReport()
  expect(reportBefore.code).toBe(0)
  expect(reportBefore.finding('Database')?.says).toContain('There is no database in')

  const { child, waitForOutput, ended } = runServer(settings)
  await waitForOutput('Tatami is ready at')
  const runningReport = await readDoctorReport()
  expect([runningReport.finding('Server')?.says, runningReport.code]).toEqual([
    expect.stringContaining('and is ready'),
    0,
  ])
  expect(runningReport.finding('Database')).toMatchObject({
    state: 'ok',
    says: expect.stringMatching(/^PostgreSQL 18\S* is up/),
  })
  expect(runningReport.finding('Migrations')?.state).toBe('ok')
  expect(runningReport.finding('Version')?.says).toMatch(
    /^The server runs the files here, Tatami \d/,
  )
  // The version is hidden from proxied callers.
  const liveUrl = `http://127.0.0.1:${settings.PORT}/api/health/live`
  expect(
    await (await fetch(liveUrl, { headers: { 'x-forwarded-for': '203.0.113.9' } })).json(),
  ).toEqual({ status: 'ok' })

  const metrics = await (await fetch(`http://127.0.0.1:${settings.METRICS_PORT}/metrics`)).text()
  expect(metrics).toMatch(
    /^tatami_http_request_duration_seconds_count\{method="GET",route="\/api\/health\/ready",status="2xx"\} \d+$/m,
  )
  expect(metrics).toMatch(/^tatami_database_up 1$/m)
  expect((await fetch(`http://127.0.0.1:${settings.PORT}/metrics`)).status).toBe(404)

  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
  // Skipped in short runs, because the doctor takes as long as starting the server.
  if (!process.env.LONG) return
  const reportAfter = await readDoctorReport()
  expect([
    reportAfter.finding('Server')?.says,
    reportAfter.finding('Database')?.says,
    reportAfter.code,
  ]).toEqual([
    `Tatami is not running, and port ${settings.PORT} of 127.0.0.1 is free.`,
    'The database is stopped. It starts with Tatami.',
    0,
  ])
})

test('the doctor prints a problem with its remedy, and exits with code 1', async () => {
  const { port, server } = await listenOnFreePort()
  const { code, output } = await runDoctor({ PORT: port })
  server.close()
  expect(code).toBe(1)
  expect(output).toContain(`✗ Server       Another program uses port ${port} of 127.0.0.1.\n`)
  expect(output).toContain('→ Run "ss -ltnp')
  expect(output).toMatch(/^1 problem, \d warnings?$/m)

  if (!process.env.LONG) return
  const report = await readDoctorReport({ METRICS_PORT: 'abc' })
  expect([report.code, report.finding('Settings')?.says]).toEqual([
    1,
    'METRICS_PORT must be a whole number from 1 to 65535.',
  ])
})

test('the server fails to start with a one-line error for a used METRICS_PORT', async () => {
  const { port, server } = await listenOnFreePort()
  const { code, lines } = await runServer({ ...settings, METRICS_PORT: port }).ended
  server.close()
  expect([code, lines.at(-1)]).toEqual([
    1,
    `Port ${port} of 127.0.0.1 is already in use. Stop the program that uses it, or set ` +
      'METRICS_PORT to another port.',
  ])
})
