/** Compares the most frequent calls with a minimal Fastify server that sends the same bytes: node
 *  bench/hot.ts [part of a row's name …]. With BENCH_BEFORE=<another built checkout>, also
 *  measures that version. */
import { toClassDate } from '@tatami/contract/attendance/attendance'
import { addDays } from '@tatami/contract/lib/calendar-day'
import { randomInt } from 'node:crypto'
import autocannon, { type Request } from 'autocannon'
import pg from 'pg'
import { loadCreateDojo } from './dojo.ts'
import { fillDojos } from './fill.ts'
import { PORT, ROOT, startBaseline, startTatami } from './servers.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { firstRow } from '../server/lib/rows.ts'
import { readPostmasterPid, processSeconds, treeSeconds } from './usage.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const EARLIER_CHECKOUT = process.env.BENCH_BEFORE
const STUDENTS = 300
const ROLL_SIZE = 20
const NOTIFICATIONS = 50
const WARM_UP_SECONDS = 5
/** Enough dojos that each has left the cache before its next request. */
const UNCACHED_DOJOS = 200
const PARALLEL_DOJOS = 200
const STUDENTS_PER_PARALLEL_DOJO = 100
/** The marks start on a random day of this many, so that most of them are new. */
const DAYS = 100_000

const UNCACHED_TITLE = `${STUDENTS} students, not cached`
const PARALLEL_TITLE = `${PARALLEL_DOJOS} parallel dojos of ${STUDENTS_PER_PARALLEL_DOJO} students`
const titleParts = process.argv.slice(2)
const isWanted = (title: string) =>
  titleParts.length === 0 || titleParts.some((part) => title.includes(part))

type Scenario = {
  title: string
  connections?: number
  firstRequest: Request
  /** Returns the fields in which each later request differs from the first. */
  createChanges?: () => Request
  hasBaseline?: false
  tokens?: string[]
}

async function createScenarios(databaseUrl: string, checkout: string): Promise<Scenario[]> {
  const createDojo = await loadCreateDojo(checkout)
  const { token, dojoId, class_id, students } = await createDojo(databaseUrl, STUDENTS)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    `insert into notifications (dojo_id, id, account_id, title, message, created_at)
     select $1, gen_random_uuid(), id, 'New student',
       'Mia Chen has joined by your invitation link. Number ' || n, now()
     from accounts, generate_series(1, $2::int) n where dojo_id = $1 and role = 'instructor'`,
    [dojoId, NOTIFICATIONS],
  )
  const fillIfWanted = async (title: string, dojoCount: number, studentsPerDojo: number) =>
    isWanted(title) ? fillDojos(client, dojoCount, studentsPerDojo) : []
  const uncachedTokens = await fillIfWanted(UNCACHED_TITLE, UNCACHED_DOJOS, STUDENTS)
  const parallelTokens = await fillIfWanted(
    PARALLEL_TITLE,
    PARALLEL_DOJOS,
    STUDENTS_PER_PARALLEL_DOJO,
  )
  await client.query('vacuum analyze')
  await client.end()
  const headersFor = (bearer: string) => ({
    authorization: `Bearer ${bearer}`,
    'content-type': 'application/json',
  })
  const get = (path: string) => ({ method: 'GET' as const, path, headers: headersFor(token) })
  /** Returns a function that goes through the tokens, starting at a random one. */
  const createTokenRotation = (tokens: string[]) => {
    let tokenIndex = randomInt(Math.max(1, tokens.length))
    return () => {
      tokenIndex += 1
      return { headers: headersFor(mustExist(tokens[tokenIndex % tokens.length], 'A token')) }
    }
  }
  let markNumber = randomInt(DAYS) * students.length
  const createNextMark = () => {
    markNumber += 1
    const day = addDays('1910-01-01', Math.floor(markNumber / students.length) % DAYS)
    return {
      student_id: mustExist(students[markNumber % students.length], 'A student').id,
      class_id,
      class_date: toClassDate(day),
      present: markNumber % 4 > 0,
    }
  }
  const createMarkRequest = () => ({
    ...get('/api/attendance'),
    method: 'POST' as const,
    body: JSON.stringify(createNextMark()),
  })
  const createRollRequest = () => {
    const { class_date, present } = createNextMark()
    const start = randomInt(students.length - ROLL_SIZE)
    return {
      ...get('/api/attendance/roll'),
      method: 'PUT' as const,
      body: JSON.stringify({
        class_id,
        class_date,
        marks: students
          .slice(start, start + ROLL_SIZE)
          .map(({ id }) => ({ student_id: id, present })),
      }),
    }
  }
  return [
    { title: 'unread count', firstRequest: get('/api/notifications/unread-count') },
    {
      title: 'notifications, unchanged (304)',
      firstRequest: {
        ...get('/api/notifications'),
        headers: { ...headersFor(token), 'if-none-match': 'etag' },
      },
    },
    { title: `${NOTIFICATIONS} notifications`, firstRequest: get('/api/notifications') },
    { title: `${STUDENTS} students, cached`, firstRequest: get('/api/students') },
    {
      title: 'mark attendance',
      firstRequest: createMarkRequest(),
      createChanges: () => ({ body: createMarkRequest().body }),
    },
    {
      title: `a roll of ${ROLL_SIZE}`,
      firstRequest: createRollRequest(),
      createChanges: () => ({ body: createRollRequest().body }),
      hasBaseline: false,
    },
    {
      title: UNCACHED_TITLE,
      firstRequest: get('/api/students'),
      createChanges: createTokenRotation(uncachedTokens),
      hasBaseline: false,
      tokens: uncachedTokens,
    },
    {
      title: PARALLEL_TITLE,
      connections: PARALLEL_DOJOS,
      firstRequest: get('/api/students'),
      createChanges: createTokenRotation(parallelTokens),
      hasBaseline: false,
      tokens: parallelTokens,
    },
  ]
}

/** `cpuSeconds` returns the processor time of the server and PostgreSQL since their start. */
type Target = { url: string; cpuSeconds: () => number }
/** `rate` is in requests per second. `microseconds` is the processor time of a request. */
type LoadResult = { rate: number; microseconds: number }

async function measureLoad(
  { url, cpuSeconds }: Target,
  { firstRequest, createChanges, connections = 10 }: Scenario,
  duration: number,
): Promise<LoadResult> {
  const request = createChanges
    ? {
        ...firstRequest,
        setupRequest: (initialRequest: Request) => ({ ...initialRequest, ...createChanges() }),
      }
    : firstRequest
  const cpuBefore = cpuSeconds()
  const {
    requests,
    duration: actualDuration,
    errors,
    statusCodeStats,
  } = await autocannon({ url, connections, duration, requests: [request] })
  const unexpectedStatuses = Object.keys(statusCodeStats ?? {}).filter(
    (status) => !/^(200|304)$/.test(status),
  )
  if (errors > 0 || unexpectedStatuses.length > 0)
    console.error(`${firstRequest.path}: ${errors} errors, ${JSON.stringify(statusCodeStats)}`)
  return {
    rate: requests.total / actualDuration,
    microseconds: ((cpuSeconds() - cpuBefore) / requests.total) * 1e6,
  }
}

const median = (numbers: number[]) =>
  mustExist(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)], 'The median')
const formatNumber = (number: number) => Math.round(number).toLocaleString('en')

type Version = Target & {
  scenarios: Scenario[]
  stop: () => Promise<void>
  databaseUrl: string
  postmaster: number
}

async function startVersion(port: number, checkout = ROOT): Promise<Version> {
  const tatami = await startTatami(port, {}, checkout)
  const postmaster = readPostmasterPid(tatami.dataDir)
  const cpuSeconds = () => processSeconds(tatami.pid) + treeSeconds(postmaster)
  return {
    ...tatami,
    postmaster,
    cpuSeconds,
    scenarios: await createScenarios(tatami.databaseUrl, checkout),
  }
}

/** Returns the text of the response. If the request has an ETag, replaces it with the ETag of the
 *  response. */
async function fetchFirstResponse({ url }: Version, { firstRequest }: Scenario): Promise<string> {
  const headers = firstRequest.headers as Record<string, string>
  const { 'if-none-match': etag, ...plainHeaders } = headers
  const response = await fetch(url + firstRequest.path!, {
    method: firstRequest.method!,
    headers: plainHeaders,
    ...(firstRequest.body && { body: String(firstRequest.body) }),
  })
  const bytes = await response.text()
  if (!response.ok) throw new Error(`${firstRequest.path}: ${response.status} ${bytes}`)
  if (etag) headers['if-none-match'] = response.headers.get('etag')!
  return bytes
}

type TargetScenario = { target: Target; scenario: Scenario }

async function warmUp({ target, scenario }: TargetScenario) {
  for (const token of scenario.tokens ?? [])
    await fetch(`${target.url}/api/notifications/unread-count`, {
      headers: { authorization: `Bearer ${token}` },
    })
  await measureLoad(target, scenario, WARM_UP_SECONDS)
}

/** Measures the targets alternately, and returns the median of each. */
async function measureTargets(targets: TargetScenario[]): Promise<LoadResult[]> {
  for (const target of targets) await warmUp(target)
  const runsByTarget = targets.map((): LoadResult[] => [])
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, { target, scenario }] of targets.entries())
      runsByTarget[index]?.push(await measureLoad(target, scenario, SECONDS))
  return runsByTarget.map((runs) => ({
    rate: median(runs.map(({ rate }) => rate)),
    microseconds: median(runs.map(({ microseconds }) => microseconds)),
  }))
}

const getScenario = ({ scenarios }: Version, index: number) =>
  mustExist(scenarios[index], 'The scenario')

/** Returns a row of the Markdown table. */
async function measure(versions: Version[], index: number): Promise<string> {
  const latestVersion = mustExist(versions.at(-1), 'A version')
  const { title, hasBaseline = true } = getScenario(latestVersion, index)
  let bytes = ''
  for (const version of versions)
    bytes = await fetchFirstResponse(version, getScenario(version, index))
  const baseline = hasBaseline
    ? await startBaseline(PORT + versions.length, bytes, latestVersion.databaseUrl)
    : undefined
  const targets = versions.map((version): TargetScenario => ({
    target: version,
    scenario: getScenario(version, index),
  }))
  if (baseline) {
    const cpuSeconds = () => processSeconds(baseline.pid) + treeSeconds(latestVersion.postmaster)
    targets.unshift({
      target: { url: baseline.url, cpuSeconds },
      scenario: getScenario(latestVersion, index),
    })
  }
  const results = await measureTargets(targets)
  await baseline?.stop()
  const baselineResult = baseline ? results.shift() : undefined
  const resultCells = (result: LoadResult) => [
    formatNumber(result.rate),
    baselineResult ? (result.rate / baselineResult.rate).toFixed(2) : '',
    formatNumber(result.microseconds),
    baselineResult ? (baselineResult.microseconds / result.microseconds).toFixed(2) : '',
  ]
  const cells = [
    title,
    baselineResult ? formatNumber(baselineResult.rate) : '',
    baselineResult ? formatNumber(baselineResult.microseconds) : '',
    ...results.flatMap(resultCells),
  ]
  return `| ${cells.join(' | ')} |`
}

const versions: Version[] = []
try {
  if (EARLIER_CHECKOUT) versions.push(await startVersion(PORT, EARLIER_CHECKOUT))
  versions.push(await startVersion(PORT + versions.length))
  const columns = versions.flatMap((_, index) => {
    const name = index < versions.length - 1 ? 'before' : 'now'
    return [`${name}, a second`, 'of baseline', `${name}, µs`, 'of baseline']
  })
  console.log(
    `| | baseline Fastify, a second | µs of processor | ${columns.join(' | ')} ` +
      `|\n|---|---|---|${'---|'.repeat(columns.length)}`,
  )
  for (const [index, { title }] of firstRow(versions).scenarios.entries())
    if (isWanted(title)) console.log(await measure(versions, index))
} finally {
  for (const { stop } of versions) await stop()
}
