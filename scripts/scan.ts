/** Searches for security holes with sqlmap and wapiti: node scripts/scan.ts [part of a path …].
 *  Fails on any finding and any 5xx. `SCAN_MINUTES` (16) limits sqlmap. */
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
import { connectForFixtures, PASSWORD, signInAs } from '../server/test/fixtures.ts'
import { sampleKioskToken } from '../server/test/sample-kiosk-rows.ts'
import type { Ids } from '../server/test/sample-ids.ts'
import { createSampleDojo } from '../server/test/sample-rows.ts'
import { firstRow } from '../server/lib/rows.ts'
import { injectOptions, validRequestParts } from '../server/test/valid-requests.ts'

const FIXED_SEED = 13
const PARALLEL_SCANS = 2
const CALL_TIMEOUT_MS = 90_000
const WAPITI_SECONDS = 180
const MAX_OUTPUT_CHARACTERS = 1500
const MAX_PRINTED_PROBLEMS = 50
const SQLMAP_COMMAND =
  'sqlmap --batch --disable-coloring --dbms=PostgreSQL --technique=BEUS --level=1 ' +
  '--risk=1 --threads=1 --retries=0 --timeout=15 --ignore-code=401,404 --ignore-stdin'
const WAPITI_MODULES =
  'sql,xss,permanentxss,exec,file,crlf,redirect,methods,csp,cookieflags,http_headers'

const ACCOUNT_ID_BY_ROLE = {
  student: ({ student_id }: Ids) => student_id,
  guardian: ({ guardian_id }: Ids) => guardian_id,
  instructor: ({ instructor_id }: Ids) => instructor_id,
}

type ScanRequest = {
  method: string
  url: string
  /** The URL with a `*` after each path parameter, where sqlmap injects its attempts. */
  injectableUrl: string
  token: string | undefined
  body: string | undefined
}

async function signIn(
  endpoint: Endpoint,
  db: Database,
  ids: Ids,
  superAdminId: string,
): Promise<string | undefined> {
  if (endpoint.access === 'public') return undefined
  const [role] = ROLES_BY_ACCESS[endpoint.access]
  if (role === 'kiosk') return sampleKioskToken(ids)
  const accountId = role === 'super-admin' ? superAdminId : role && ACCOUNT_ID_BY_ROLE[role](ids)
  return accountId && (await signInAs(db, accountId))
}

async function createRequest(
  endpoint: Endpoint,
  db: Database,
  superAdminId: string,
  passwordHash: string,
): Promise<ScanRequest> {
  const ids = await createSampleDojo(db, passwordHash)
  const parts = firstRow(
    fc.sample(validRequestParts(endpoint, ids), { seed: FIXED_SEED, numRuns: 1 }),
  )
  const { url, query, payload } = injectOptions(endpoint, parts)
  const search = new URLSearchParams(query).toString()
  const withQuery = (path: string) => (search ? `${path}?${search}` : path)
  const injectablePath = endpoint.path.replaceAll(
    /:(\w+)/g,
    (_, name: string) => `${String(parts.params[name])}*`,
  )
  return {
    method: endpoint.method,
    url: withQuery(url),
    injectableUrl: withQuery(`/api${injectablePath}`),
    token: await signIn(endpoint, db, ids, superAdminId),
    body: payload && JSON.stringify(payload),
  }
}

const httpMessage = ({ method, injectableUrl, token, body }: ScanRequest, host: string) =>
  [
    `${method} ${injectableUrl} HTTP/1.1`,
    `Host: ${host}`,
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    ...(body ? ['Content-Type: application/json', '', body] : ['', '']),
  ].join('\r\n')

const runningPrograms = new Set<ChildProcess>()
async function runProgram([program = '', ...args]: string[], timeoutMs: number): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  runningPrograms.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
  const killTimer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  await once(child, 'close')
  clearTimeout(killTimer)
  runningPrograms.delete(child)
  return output
}

const IS_VULNERABLE = /identified the following injection point|is vulnerable/
const HAS_TRIED_ALL = /do not appear to be injectable/
const HAS_NO_PARAMETERS =
  /no parameter\(s\) found for testing|does not contain a usable HTTP request \(with parameters\)/

/** Scans as many calls as possible within `minutes`, and counts them. A call on which sqlmap fails
 *  counts as a finding. */
async function scanWithSqlmap(
  requests: [name: string, request: ScanRequest][],
  host: string,
  folder: string,
  minutes: number,
) {
  const findings: string[] = []
  const queue = [...requests.entries()]
  const deadline = performance.now() + minutes * 60_000
  const counts = { tried: 0, withoutParameters: 0 }
  async function scanQueue() {
    while (performance.now() < deadline) {
      const scannedCall = queue.shift()
      if (!scannedCall) return
      const [number, [name, request]] = scannedCall
      const file = join(folder, `${number}.txt`)
      const results = join(folder, `${number}`)
      writeFileSync(file, httpMessage(request, host))
      const output = await runProgram(
        [...SQLMAP_COMMAND.split(' '), '-r', file, '--output-dir', results],
        CALL_TIMEOUT_MS,
      )
      if (HAS_NO_PARAMETERS.test(output)) counts.withoutParameters += 1
      else if (HAS_TRIED_ALL.test(output) && !IS_VULNERABLE.test(output)) counts.tried += 1
      else findings.push(`sqlmap: ${name}\n${output.slice(-MAX_OUTPUT_CHARACTERS)}`)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL_SCANS }, scanQueue))
  return { findings, counts, untriedCount: queue.length }
}

/** The server sends these headers only over HTTPS, or not at all because browsers ignore them. */
const EXPECTED_FINDING = /^(Strict-Transport-Security|X-XSS-Protection) is not set/

type WapitiReport = {
  vulnerabilities: Record<string, { path: string; info: string }[]>
  anomalies: Record<string, { path: string; info: string }[]>
}

async function scanWithWapiti(
  url: string,
  requests: ScanRequest[],
  folder: string,
  token: string,
): Promise<string[]> {
  const file = join(folder, 'wapiti.json')
  const startUrls = requests
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
    ...startUrls,
    '-m',
    WAPITI_MODULES,
    '-H',
    `Authorization: Bearer ${token}`,
    '-f',
    'json',
    '-o',
    file,
  ]
  const output = await runProgram(
    [...command, '--store-session', folder, ...limits],
    3 * WAPITI_SECONDS * 1000,
  )
  if (!existsSync(file)) return [`wapiti wrote no report:\n${output.slice(-MAX_OUTPUT_CHARACTERS)}`]
  const { vulnerabilities, anomalies } = JSON.parse(readFileSync(file, 'utf8')) as WapitiReport
  return Object.entries({ ...vulnerabilities, ...anomalies }).flatMap(([kind, reports]) =>
    reports
      .filter(({ info }) => !EXPECTED_FINDING.test(info))
      .map(({ path, info }) => `wapiti: ${kind}: ${path}: ${info}`),
  )
}

/** Reads the lines of the server's log with the level error (50) or fatal (60). */
const readServerErrors = (logFile: string) =>
  readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => /"level":(50|60)/.test(line))

async function scan(pathParts: string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tatami-scan-'))
  const server = await startServer('scan')
  const { E2E_URL: url, E2E_DATABASE_URL: databaseUrl } = server.env
  const db = connectForFixtures(databaseUrl)
  try {
    const superAdmin = firstRow(
      await db.withoutDojo(
        async (tx) =>
          (await tx.execute<{ id: string }>("select id from accounts where role = 'super-admin'"))
            .rows,
      ),
    )
    const scannedEndpoints = endpoints.filter(
      ({ path }) => pathParts.length === 0 || pathParts.some((part) => path.includes(part)),
    )
    const passwordHash = await hashPassword(PASSWORD)
    const requests: [string, ScanRequest][] = []
    for (const endpoint of scannedEndpoints)
      requests.push([
        `${endpoint.method} ${endpoint.path}`,
        await createRequest(endpoint, db, superAdmin.id, passwordHash),
      ])
    const { instructor_id } = await createSampleDojo(db)
    const token = await signInAs(db, instructor_id)
    const wapitiProblems = await scanWithWapiti(
      url,
      requests.map(([, request]) => request),
      folder,
      token,
    )
    const { findings, counts, untriedCount } = await scanWithSqlmap(
      requests,
      new URL(url).host,
      folder,
      Number(process.env.SCAN_MINUTES ?? 16),
    )
    const problems = [...wapitiProblems, ...findings, ...readServerErrors('test-results/scan.log')]
    console.log(
      `sqlmap tried ${counts.tried} of ${requests.length} calls; ` +
        `${counts.withoutParameters} have no parameters, ` +
        `and ${untriedCount} were not reached in time. ` +
        `Findings: ${findings.length} by sqlmap, ${wapitiProblems.length} by wapiti. ` +
        `Problems including the server's own errors: ${problems.length}.`,
    )
    for (const problem of problems.slice(0, MAX_PRINTED_PROBLEMS)) console.log(problem)
    return problems.length > 0 ? 1 : 0
  } finally {
    await db.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    for (const child of runningPrograms) child.kill('SIGKILL')
    process.exit(130)
  })
process.exitCode = await scan(process.argv.slice(2))
