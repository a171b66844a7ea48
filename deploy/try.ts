/** Tries this folder's unit, alert rules and log rotation with the programs that read them, and
 *  Tatami behind Caddy in a real browser: node deploy/try.ts. Needs the Debian packages caddy,
 *  prometheus, logrotate, systemd and chromium, and listens on loopback (TRY_PORT and the two
 *  above). Exits with 1 if a check fails. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash, randomUUID, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../server/db/database.ts'
import {
  createSensei,
  createStudent,
  embeddedDatabaseUrl,
  exampleClass,
  signInAs,
} from '../server/test/fixtures.ts'
import { askHttps, type Caller } from './try-client.ts'
import { tryInBrowser } from './try-browser.ts'
import { program } from './cluster/settings.ts'

const HOST = '127.0.0.1',
  HIGHEST_EXPOSURE = 1.2
const port = Number(process.env.TRY_PORT ?? 4950)
const ROOT = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'tatami-try-'))
chmodSync(folder, 0o755)
const children = new Set<ChildProcess>()
let failures = 0

function check(subject: string, isRight: boolean, actual: unknown) {
  if (!isRight) failures += 1
  console.log(`${isRight ? '✓' : '✗'} ${subject}: ${String(actual)}`)
}

function run(name: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(program(name) ?? name, args, { encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}`.trim() }
}

function start(command: string, args: string[], env: NodeJS.ProcessEnv) {
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  const process_ = { child, output: '', stop: () => stop(child) }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (words: string) => (process_.output += words))
  return process_
}

async function stop(child: ChildProcess) {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await exit
  }
  children.delete(child)
}

function tryUnit() {
  const unit = readFileSync(join(import.meta.dirname, 'tatami.service'), 'utf8').replaceAll(
    '/opt/tatami',
    ROOT,
  )
  for (const name of ['tatami.service', 'tatami@.service']) writeFileSync(join(folder, name), unit)
  for (const name of ['tatami.service', 'tatami@3001.service']) {
    const { status, output } = run('systemd-analyze', 'verify', join(folder, name))
    check(`systemd-analyze verify ${name}`, status === 0 && output === '', output || 'clean')
  }
  const { output } = run(
    'systemd-analyze',
    'security',
    '--offline=true',
    '--no-pager',
    join(folder, 'tatami.service'),
  )
  const exposure = Number(/exposure level for .*: ([\d.]+)/.exec(output)?.[1])
  check(
    `systemd-analyze security, at most ${HIGHEST_EXPOSURE}`,
    exposure <= HIGHEST_EXPOSURE,
    exposure,
  )
}

function tryRules() {
  for (const args of [
    ['check', 'rules', join(import.meta.dirname, 'alerts.yml')],
    ['check', 'config', join(import.meta.dirname, 'prometheus.yml')],
    ['test', 'rules', join(import.meta.dirname, 'alerts.test.yml')],
  ]) {
    const { status, output } = run('promtool', ...args)
    check(`promtool ${args.slice(0, 2).join(' ')}`, status === 0, status === 0 ? 'good' : output)
  }
}

/** No line may get lost in two rotations. */
function tryRotation() {
  const logs = join(folder, 'log'),
    log = join(logs, 'tatami.log'),
    config = join(folder, 'logrotate.conf')
  spawnSync('mkdir', ['-m', '755', logs])
  writeFileSync(
    config,
    readFileSync(join(import.meta.dirname, 'logrotate.conf'), 'utf8').replaceAll(
      '/var/log/tatami',
      logs,
    ),
  )
  const state = ['--state', join(folder, 'logrotate.state')]
  const dry = run('logrotate', '--debug', ...state, config)
  check('logrotate --debug', dry.status === 0 && !/error/i.test(dry.output), dry.status)
  for (let line = 1; line <= 3; line += 1) {
    appendFileSync(log, `{"line":${line}}\n`)
    const { output } = line < 3 ? run('logrotate', '--force', ...state, config) : { output: '' }
    if (output) console.log(output)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100)
  }
  const files = readdirSync(logs).toSorted()
  const lines = files.map((name) =>
    name.endsWith('.gz')
      ? run('zcat', join(logs, name)).output
      : readFileSync(join(logs, name), 'utf8').trim(),
  )
  check(
    'logrotate --force, twice',
    lines.toSorted().join() === '{"line":1},{"line":2},{"line":3}',
    `${files.length} files: ${lines.join(' ')}`,
  )
}

/** Caddy with our Caddyfile and certificates of its own authority, all inside the test folder. */
async function startCaddy(upstream: number, listensAt: number) {
  const site = readFileSync(join(import.meta.dirname, 'Caddyfile'), 'utf8').replace(
    '# tls internal',
    'tls internal',
  )
  const config = join(folder, `Caddyfile-${upstream}`)
  writeFileSync(
    config,
    `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n${site}`,
  )
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    TATAMI_SITE: `https://localhost:${listensAt}`,
    TATAMI_UPSTREAMS: `${HOST}:${upstream}`,
  }
  const caddy = start(program('caddy')!, ['run', '--config', config, '--adapter', 'caddyfile'], env)
  while (!caddy.output.includes('serving initial configuration')) {
    if (caddy.child.exitCode !== null) throw new Error(caddy.output)
    await sleep(100)
  }
  await sleep(500)
  const [root = '', intermediate = ''] = ['root', 'intermediate'].map((name) =>
    readFileSync(join(folder, `caddy/pki/authorities/local/${name}.crt`), 'utf8'),
  )
  return { ...caddy, caller: { port: listensAt, ca: root } satisfies Caller, root, intermediate }
}

/** The server must see the requested host name, and an address that the visitor cannot forge. */
async function tryHeaders() {
  let proxyHeaders: IncomingHttpHeaders = {}
  const echo = createServer((request, response) => {
    if (request.url === '/echo') proxyHeaders = request.headers
    response.end('{}')
  }).listen(port, HOST)
  const caddy = await startCaddy(port, port + 1)
  await askHttps(caddy.caller, '/echo', {
    headers: { 'x-forwarded-for': '203.0.113.9' },
    localAddress: '127.0.0.2',
  })
  check('Host passes through', proxyHeaders.host === `localhost:${port + 1}`, proxyHeaders.host)
  check(
    'X-Forwarded-For is the visitor’s, not what the visitor wrote',
    proxyHeaders['x-forwarded-for'] === '127.0.0.2',
    proxyHeaders['x-forwarded-for'],
  )
  check(
    'X-Forwarded-Proto',
    proxyHeaders['x-forwarded-proto'] === 'https',
    proxyHeaders['x-forwarded-proto'],
  )
  await caddy.stop()
  echo.close()
}

const dataDir = join(folder, 'data')
const settings = {
  PORT: String(port),
  DATA_DIR: dataDir,
  ENV_FILE: '/dev/null',
  PUBLIC_URL: `https://localhost:${port + 1}`,
  TRUST_PROXY: '1',
  METRICS_PORT: String(port + 2),
}

async function startTatami() {
  const tatami = start(process.execPath, ['server/main.ts'], {
    PATH: process.env.PATH,
    ...settings,
  })
  while (!tatami.output.includes('Tatami is ready at')) {
    if (tatami.child.exitCode !== null) throw new Error(tatami.output)
    await sleep(100)
  }
  return tatami
}

async function tryTatami() {
  let tatami = await startTatami()
  const caddy = await startCaddy(port, port + 1)
  const db = connect(embeddedDatabaseUrl(dataDir))
  const sensei = await createSensei(db)
  const student = await createStudent(db, sensei.dojoId)
  const authorization = `Bearer ${sensei.token}`

  const { status, headers } = await askHttps(caddy.caller, '/api/profile', {
    headers: { authorization, 'x-forwarded-for': '203.0.113.9' },
  })
  check('a call over https', status === 200, status)
  check(
    'Strict-Transport-Security',
    /max-age=\d{8}/.test(headers['strict-transport-security'] ?? ''),
    headers['strict-transport-security'],
  )
  await askHttps(caddy.caller, '/api/profile', {
    headers: { authorization },
    localAddress: '127.0.0.2',
  })
  await sleep(300)
  const ips = [...tatami.output.matchAll(/"path":"\/api\/profile","ip":"([^"]+)"/g)].map(
    ([, ip]) => ip,
  )
  check(
    'the log has the visitors’ addresses (TRUST_PROXY)',
    ips.join() === '127.0.0.1,127.0.0.2',
    ips,
  )

  const spki = createHash('sha256')
    .update(
      new X509Certificate(caddy.intermediate).publicKey.export({ type: 'spki', format: 'der' }),
    )
    .digest('base64')
  for (const { what, isRight, seen } of await tryInBrowser(
    settings.PUBLIC_URL,
    await signInAs(db, student.id),
    spki,
  ))
    check(what, isRight, seen)

  writeFileSync(join(folder, 'root.crt'), caddy.root)
  const doctor = spawnSync(process.execPath, ['server/doctor.ts', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...settings, NODE_EXTRA_CA_CERTS: join(folder, 'root.crt') },
  })
  const { findings } = JSON.parse(doctor.stdout) as {
    findings: { check: string; state: string; says: string }[]
  }
  for (const name of ['Server', 'Database', 'Address', 'Proxy']) {
    const finding = findings.find((entry) => entry.check === name)
    check(`npm run doctor, ${name}`, finding?.state === 'ok', finding?.says)
  }

  await tryRestart()

  /** A restart under load: every call is answered, and every student is created once. */
  async function tryRestart() {
    const counts = new Map<string, number>()
    const createdNames: string[] = []
    const endOfLoad = new AbortController()
    let sentAgain = 0
    /** Like the web app, repeats the call with the same key when the proxy says 502. */
    async function create() {
      const key = randomUUID()
      const send = () =>
        askHttps(caddy.caller, '/api/classes', {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json', 'idempotency-key': key },
          body: JSON.stringify(exampleClass({ description: key })),
        })
      let answer = await send()
      if (answer.status === 502) {
        sentAgain += 1
        answer = await send()
      }
      if (answer.status === 200) createdNames.push(key)
      return answer
    }
    const visitor = async (index: number) => {
      while (!endOfLoad.signal.aborted) {
        const call =
          index % 2 === 0
            ? askHttps(caddy.caller, '/api/students', { headers: { authorization } })
            : create()
        const outcome = await call.then(
          (answer) => String(answer.status),
          (error: NodeJS.ErrnoException) => error.code ?? error.message,
        )
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
        await sleep(20)
      }
    }
    const visitors = Array.from({ length: 20 }, (_, index) => visitor(index))
    await sleep(2_000)
    const startedAt = performance.now()
    await tatami.stop()
    const stopSeconds = (performance.now() - startedAt) / 1000
    tatami = await startTatami()
    const back = (performance.now() - startedAt) / 1000
    await sleep(3_000)
    endOfLoad.abort()
    await Promise.all(visitors)
    const { 200: okCount = 0, ...otherCounts } = Object.fromEntries(counts)
    check(
      'a restart under load: every call is answered',
      okCount > 0 && Object.keys(otherCounts).length === 0,
      `${JSON.stringify(Object.fromEntries(counts))}, of them ${sentAgain} sent again after a 502; stopped in ${stopSeconds.toFixed(1)} s, back after ${back.toFixed(1)} s`,
    )
    const { rows } = await db.inDojo(sensei.dojoId, (tx) =>
      tx.execute<{ description: string }>('select description from classes'),
    )
    const storedNames = rows.map(({ description }) => description)
    check(
      'what was created is there, each once',
      new Set(storedNames).size === storedNames.length &&
        createdNames.every((key) => storedNames.includes(key)) &&
        storedNames.length === createdNames.length,
      `${createdNames.length} answered, ${storedNames.length} there`,
    )
  }

  await db.close()
  await caddy.stop()
  await tatami.stop()
}

try {
  tryUnit()
  tryRules()
  tryRotation()
  await tryHeaders()
  await tryTatami()
} finally {
  for (const child of children) await stop(child)
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failures > 0 ? 1 : 0
