/** Scans every call with sqlmap, and pages and reading calls with wapiti: node scripts/scan.ts
 *  [part of a path …]. Fails on any finding and on any 5xx. `SCAN_MINUTES` (16) limits sqlmap. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints } from '@tatami/contract/api'
import { type Endpoint, ROLES_BY_ACCESS } from '@tatami/contract/lib/endpoint'
import fc from 'fast-check'
import { startServer } from '../e2e/server.ts'
import type { Database } from '../server/db/database.ts'
import { hashPassword } from '../server/accounts/passwords.ts'
import { connectBeside, PASSWORD, signInAs } from '../server/test/fixtures.ts'
import { sampleKioskToken } from '../server/test/sample-kiosk-rows.ts'
import type { Ids } from '../server/test/sample-ids.ts'
import { createSampleDojo } from '../server/test/sample-rows.ts'
import { firstRow } from '../server/lib/rows.ts'
import { injectOptionsOf, validParts } from '../server/test/valid-requests.ts'

const AT_ONCE = 2,
  CALL_TIMEOUT_MS = 90_000,
  WAPITI_SECONDS = 180,
  OUTPUT_SHOWN = 1500
const SQLMAP =
  'sqlmap --batch --disable-coloring --dbms=PostgreSQL --technique=BEUS --level=1 ' +
  '--risk=1 --threads=1 --retries=0 --timeout=15 --ignore-code=401,404 --ignore-stdin'
const WAPITI_MODULES =
  'sql,xss,permanentxss,exec,file,crlf,redirect,methods,csp,cookieflags,http_headers'

const CALLERS = {
  student: ({ student_id }: Ids) => student_id,
  guardian: ({ guardian_id }: Ids) => guardian_id,
  instructor: ({ instructor_id }: Ids) => instructor_id,
}

type Request = {
  method: string
  url: string
  marked: string
  token: string | undefined
  body: string | undefined
}

/** A valid call in a dojo of its own, so that deletions affect no other call. */
async function requestFor(
  endpoint: Endpoint,
  db: Database,
  superAdmin: string,
  passwordHash: string,
): Promise<Request> {
  const ids = await createSampleDojo(db, passwordHash)
  const parts = firstRow(fc.sample(validParts(endpoint, ids), { seed: 13, numRuns: 1 }))
  const { url, query, payload } = injectOptionsOf(endpoint, parts)
  const role = endpoint.access === 'public' ? undefined : ROLES_BY_ACCESS[endpoint.access][0]
  const account =
    role && role !== 'kiosk' && (role === 'super-admin' ? superAdmin : CALLERS[role](ids))
  const search = new URLSearchParams(query).toString()
  const withQuery = (path: string) => (search ? `${path}?${search}` : path)
  return {
    method: endpoint.method,
    url: withQuery(url),
    marked: withQuery(
      `/api${endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => `${String(parts.params[name])}*`)}`,
    ),
    token:
      role === 'kiosk' ? sampleKioskToken(ids) : account ? await signInAs(db, account) : undefined,
    body: payload && JSON.stringify(payload),
  }
}

const text = ({ method, marked, token, body }: Request, host: string) =>
  [
    `${method} ${marked} HTTP/1.1`,
    `Host: ${host}`,
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    ...(body ? ['Content-Type: application/json', '', body] : ['', '']),
  ].join('\r\n')

const running = new Set<ChildProcess>()
async function outputOf([program = '', ...args]: string[], timeoutMs: number): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (words: string) => (output += words))
  const late = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  await once(child, 'close')
  clearTimeout(late)
  running.delete(child)
  return output
}

const VULNERABLE = /identified the following injection point|is vulnerable/
const TRIED_ALL = /do not appear to be injectable/,
  NOTHING_TO_TRY =
    /no parameter\(s\) found for testing|does not contain a usable HTTP request \(with parameters\)/

/** Returns sqlmap's findings and failed runs, and how many calls were tried in time. */
async function scanWithSqlmap(
  requests: [name: string, request: Request][],
  host: string,
  folder: string,
  minutes: number,
) {
  const findings: string[] = []
  const waiting = [...requests.entries()]
  const deadline = performance.now() + minutes * 60_000
  const counts = { tried: 0, withoutParameters: 0 }
  async function work() {
    for (let next = waiting.shift(); next && performance.now() < deadline; next = waiting.shift()) {
      const [number, [name, request]] = next
      const [file, results] = [join(folder, `${number}.txt`), join(folder, `${number}`)]
      writeFileSync(file, text(request, host))
      const output = await outputOf(
        [...SQLMAP.split(' '), '-r', file, '--output-dir', results],
        CALL_TIMEOUT_MS,
      )
      if (NOTHING_TO_TRY.test(output)) counts.withoutParameters += 1
      else if (TRIED_ALL.test(output) && !VULNERABLE.test(output)) counts.tried += 1
      else findings.push(`sqlmap: ${name}\n${output.slice(-OUTPUT_SHOWN)}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { findings, counts, left: waiting.length }
}

const EXPECTED = /^(Strict-Transport-Security|X-XSS-Protection) is not set/

type WapitiReport = {
  vulnerabilities: Record<string, { path: string; info: string }[]>
  anomalies: Record<string, { path: string; info: string }[]>
}

async function scanWithWapiti(
  url: string,
  requests: Request[],
  folder: string,
  token: string,
): Promise<string[]> {
  const file = join(folder, 'wapiti.json')
  const starts = requests
    .filter(({ method }) => method === 'GET')
    .flatMap((request) => ['-s', `${url}${request.url}`])
  const limits = [
    '--max-scan-time',
    `${WAPITI_SECONDS}`,
    '--max-attack-time',
    `${WAPITI_SECONDS / 6}`,
    '--flush-session',
    '--no-bugreport',
  ]
  const command = [
    'wapiti',
    '-u',
    `${url}/`,
    ...starts,
    '-m',
    WAPITI_MODULES,
    '-H',
    `Authorization: Bearer ${token}`,
    '-f',
    'json',
    '-o',
    file,
  ]
  const output = await outputOf(
    [...command, '--store-session', folder, ...limits],
    3 * WAPITI_SECONDS * 1000,
  )
  if (!existsSync(file)) return [`wapiti wrote no report:\n${output.slice(-2000)}`]
  const { vulnerabilities, anomalies } = JSON.parse(readFileSync(file, 'utf8')) as WapitiReport
  return Object.entries({ ...vulnerabilities, ...anomalies }).flatMap(([kind, reports]) =>
    reports
      .filter(({ info }) => !EXPECTED.test(info))
      .map(({ path, info }) => `wapiti: ${kind}: ${path}: ${info}`),
  )
}

const serverErrors = (logFile: string) =>
  readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => /"level":(50|60)/.test(line))

async function scan(parts: string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tatami-scan-'))
  const server = await startServer('scan')
  const { E2E_URL: url, E2E_DATABASE_URL: databaseUrl } = server.env
  const db = connectBeside(databaseUrl)
  try {
    const [admin] = await db.withoutDojo(
      async (tx) =>
        (await tx.execute<{ id: string }>("select id from accounts where role = 'super-admin'"))
          .rows,
    )
    const chosenEndpoints = endpoints.filter(
      ({ path }) => parts.length === 0 || parts.some((part) => path.includes(part)),
    )
    const hash = await hashPassword(PASSWORD)
    const requests: [string, Request][] = []
    for (const endpoint of chosenEndpoints)
      requests.push([
        `${endpoint.method} ${endpoint.path}`,
        await requestFor(endpoint, db, admin!.id, hash),
      ])
    const { instructor_id } = await createSampleDojo(db)
    const token = await signInAs(db, instructor_id)
    const wapitiProblems = await scanWithWapiti(
      url,
      requests.map(([, request]) => request),
      folder,
      token,
    )
    const { findings, counts, left } = await scanWithSqlmap(
      requests,
      new URL(url).host,
      folder,
      Number(process.env.SCAN_MINUTES ?? 16),
    )
    const problems = [...wapitiProblems, ...findings, ...serverErrors('test-results/scan.log')]
    console.log(
      `Of ${requests.length} calls sqlmap has tried ${counts.tried}, ` +
        `${counts.withoutParameters} have nothing to try, and for ${left} the time was too ` +
        'short. ' +
        `Findings of sqlmap: ${findings.length}, of wapiti: ${wapitiProblems.length}; ` +
        `problems with the server's errors: ${problems.length}.`,
    )
    for (const problem of problems.slice(0, 50)) console.log(problem)
    return problems.length > 0 ? 1 : 0
  } finally {
    await db.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    for (const child of running) child.kill('SIGKILL')
    process.exit(130)
  })
process.exitCode = await scan(process.argv.slice(2))
