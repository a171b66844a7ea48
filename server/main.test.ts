import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, get, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { endServers, findFreePort, runServer, listenOnFreePort } from './test/real-server.ts'

vi.setConfig({ testTimeout: 60_000 })
/** Long enough on a busy machine for a request to arrive, and for two signals to count as two. */
const REQUEST_ARRIVAL_MS = 1000,
  BETWEEN_SIGNALS_MS = 2000,
  EXIT_WITHIN_MS = 10_000
const base = mkdtempSync(join(tmpdir(), 'tatami-main-'))
chmodSync(base, 0o755)
afterEach(endServers)
afterAll(() => rmSync(base, { recursive: true }))

const run = (settings: Record<string, string>, command?: string[]) =>
  runServer({ DATA_DIR: join(base, 'data'), ...settings }, command)
const isDatabaseRunning = () => existsSync(join(base, 'data/postgres/postmaster.pid'))

test('fails to start with a one-line error for a wrong setting', async () => {
  expect(await run({ PORT: 'abc' }).ended).toEqual({
    code: 1,
    lines: ['PORT must be a whole number from 1 to 65535.'],
  })
})

test('prints the generated super admin at the first start only', async () => {
  const firstRun = run({ PORT: await findFreePort() })
  await firstRun.waitForOutput('Tatami is ready at http://127.0.0.1:')
  expect(firstRun.output()).toMatch(
    /^The super admin is admin@tatami\.local with the password \S{12,} /m,
  )
  firstRun.child.kill('SIGTERM')
  await firstRun.ended
  const secondRun = run({ PORT: await findFreePort() })
  await secondRun.waitForOutput('Tatami is ready at')
  expect(secondRun.output()).not.toContain('password')
})

test('finishes open requests on a signal, then stops the database, then exits', async () => {
  const port = await findFreePort()
  const { child, waitForOutput, ended, output } = run({ PORT: port })
  await waitForOutput('Tatami is ready at')
  const body = '{"email":"nobody@dojo.com","password":"Kiai2026!"}'
  const call = request({
    port,
    path: '/api/login',
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': body.length },
  })
  const outcome = new Promise<string>((resolve) => {
    call.on('response', (response) => resolve(`responded ${response.resume().statusCode}`))
    call.on('error', ({ message }) => resolve(`${message}, after the output: ${output()}`))
  })
  call.flushHeaders()
  await once(call, 'socket')
  await new Promise((resolve) => {
    call.write(body.slice(0, 5), resolve)
  })
  await sleep(REQUEST_ARRIVAL_MS)
  child.kill('SIGTERM')
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/api/health/live`).then(
        () => 'responded',
        () => 'refused',
      ),
    )
    .toBe('refused')
  expect(isDatabaseRunning()).toBe(true)
  call.end(body.slice(5))
  expect(await outcome).toBe('responded 401')
  expect((await ended).code).toBe(0)
  expect(isDatabaseRunning()).toBe(false)
})

test('responds to all requests when stopped under load, and refuses new connections', async () => {
  const port = await findFreePort()
  const { child, waitForOutput, ended } = run({ PORT: port })
  await waitForOutput('Tatami is ready at')
  const agent = new Agent({ keepAlive: true })
  const countsByErrorCode = new Map<string, number>()
  let responseCount = 0
  /** Calls again and again, with random pauses if `pauseMs` is not 0, until the server refuses. */
  async function callUntilRefused(pauseMs: number) {
    for (;;) {
      const code = await callOnce()
      if (code === '200') responseCount += 1
      else countsByErrorCode.set(code, (countsByErrorCode.get(code) ?? 0) + 1)
      if (code === 'ECONNREFUSED') return
      if (pauseMs > 0) await sleep(Math.random() * pauseMs)
    }
  }
  const callOnce = () =>
    new Promise<string>((resolve) => {
      const call = get({ port, path: '/api/health/live', agent }, (response) => {
        response.resume().on('end', () => resolve(String(response.statusCode)))
        response.on('error', ({ code }: NodeJS.ErrnoException) =>
          resolve(`${code} in the middle of a response`),
        )
      })
      call.on('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)))
    })
  const callers = Array.from({ length: 80 }, (_, number) => callUntilRefused(number % 2 ? 0 : 300))
  await expect.poll(() => responseCount, { timeout: 10_000 }).toBeGreaterThan(2_000)
  child.kill('SIGTERM')
  await Promise.all(callers)
  agent.destroy()
  expect([...countsByErrorCode]).toEqual([['ECONNREFUSED', callers.length]])
  expect((await ended).code).toBe(0)
})

test.runIf(process.env.LONG)(
  'exits within ten seconds despite a request that never ends',
  async () => {
    const port = await findFreePort()
    const { child, waitForOutput, ended } = run({ PORT: port })
    await waitForOutput('Tatami is ready at')
    const call = request({
      port,
      path: '/api/login',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 9 },
    })
    call.on('error', () => {}).write('{')
    await sleep(REQUEST_ARRIVAL_MS)
    const startMs = performance.now()
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
    const shutdownMs = performance.now() - startMs
    console.log(`a request that never ends: stopped after ${Math.round(shutdownMs)} ms`)
    expect(shutdownMs).toBeLessThan(EXIT_WITHIN_MS)
    expect(isDatabaseRunning()).toBe(false)
  },
)

test.runIf(process.env.LONG)(
  'waits for the database but not for open requests on a second signal',
  async () => {
    const port = await findFreePort()
    const { child, waitForOutput, ended } = run({ PORT: port })
    await waitForOutput('Tatami is ready at')
    const call = request({
      port,
      path: '/api/login',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 9 },
    })
    call.on('error', () => {}).write('{')
    await sleep(REQUEST_ARRIVAL_MS)
    child.kill('SIGINT')
    await sleep(BETWEEN_SIGNALS_MS)
    child.kill('SIGINT')
    expect((await ended).code).toBe(1)
    expect(isDatabaseRunning()).toBe(false)
  },
)

test('fails to start with a one-line error for a used port, and stops the database', async () => {
  const { port, server } = await listenOnFreePort()
  expect(await run({ PORT: port }).ended).toEqual({
    code: 1,
    lines: [
      `Port ${port} of 127.0.0.1 is already in use. Stop the program that uses it, or set ` +
        'PORT to another port.',
    ],
  })
  expect(isDatabaseRunning()).toBe(false)
  server.close()
})

test('fails to start with a one-line error for a database that does not respond', async () => {
  const { code, lines } = await run({
    PORT: await findFreePort(),
    DATABASE_URL: `postgres://x@127.0.0.1:${await findFreePort()}/x`,
  }).ended
  expect({ code, lines }).toEqual({
    code: 1,
    lines: [expect.stringMatching(/^Could not prepare the database: connect ECONNREFUSED/)],
  })
})

test('stops if the npm process that started it is killed', async () => {
  const { child, waitForOutput } = run(
    { PORT: await findFreePort(), npm_lifecycle_event: 'start' },
    ['/bin/sh', '-c', `"${process.execPath}" server/main.ts; true`],
  )
  await waitForOutput('Tatami is ready at')
  child.kill('SIGKILL')
  await expect.poll(isDatabaseRunning, { timeout: 10_000 }).toBe(false)
})

test.skipIf(!existsSync('/usr/bin/script'))(
  'logs readable lines in a terminal, and JSON elsewhere',
  async () => {
    const readRequestLogLine = async (command?: string[]) => {
      const port = await findFreePort()
      const { child, waitForOutput, ended, output } = run(
        { PORT: port, LOG_LEVEL: 'info' },
        command,
      )
      await waitForOutput('Tatami is ready at')
      await fetch(`http://127.0.0.1:${port}/api/profile`)
      await waitForOutput('/api/profile')
      child.kill('SIGTERM')
      await ended
      return output()
        .split('\n')
        .find((line) => line.includes('/api/profile'))
    }
    const server = `${process.execPath} server/main.ts`
    expect(
      await readRequestLogLine(['/usr/bin/script', '--quiet', '--command', server, '/dev/null']),
    ).toMatch(/INFO.*request completed: GET \/api\/profile 401 in \d+ ms/)
    expect(JSON.parse((await readRequestLogLine()) ?? '')).toMatchObject({
      req: { method: 'GET', path: '/api/profile' },
      res: { statusCode: 401 },
    })
  },
)
