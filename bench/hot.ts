/** Compares the most frequent calls with bare Fastify, which sends the same bytes: node
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
import { postmasterOf, processSeconds, treeSeconds } from './usage.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const EARLIER_CHECKOUT = process.env.BENCH_BEFORE
const STUDENTS = 300
const ROLL_SIZE = 20
const NOTIFICATIONS = 50
const WARM_UP_SECONDS = 5
/** Enough that a dojo is no longer cached by the time its next request comes. */
const UNCACHED_DOJOS = 200
const PARALLEL_DOJOS = 200
const STUDENTS_PER_PARALLEL_DOJO = 100
/** The first mark is on one of this many days, chosen at random, so most marks are new. */
const DAYS = 100_000

const UNCACHED_TITLE = `${STUDENTS} students, not cached`
const PARALLEL_TITLE = `${PARALLEL_DOJOS} parallel dojos of ${STUDENTS_PER_PARALLEL_DOJO} students`
const titleParts = process.argv.slice(2)
const isWanted = (title: string) =>
  titleParts.length === 0 || titleParts.some((part) => title.includes(part))

type Scenario = {
  title: string
  connections?: number
  first: Request
  /** What differs in each later request. */
  next?: () => Request
  hasBaseline?: false
  tokens?: string[]
}

async function scenariosOn(databaseUrl: string, checkout: string): Promise<Scenario[]> {
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
  const dojosFor = async (title: string, dojos: number, size: number) =>
    isWanted(title) ? fillDojos(client, dojos, size) : []
  const uncachedTokens = await dojosFor(UNCACHED_TITLE, UNCACHED_DOJOS, STUDENTS)
  const parallelTokens = await dojosFor(PARALLEL_TITLE, PARALLEL_DOJOS, STUDENTS_PER_PARALLEL_DOJO)
  await client.query('vacuum analyze')
  await client.end()
  const headersFor = (bearer: string) => ({
    authorization: `Bearer ${bearer}`,
    'content-type': 'application/json',
  })
  const get = (path: string) => ({ method: 'GET' as const, path, headers: headersFor(token) })
  const headersInTurn = (tokens: string[]) => {
    let tokenIndex = Math.floor(Math.random() * tokens.length)
    return () => ({ headers: headersFor(tokens[(tokenIndex += 1) % tokens.length]!) })
  }
  let marks = randomInt(DAYS) * students.length
  const mark = () => {
    const day = addDays('1910-01-01', Math.floor((marks += 1) / students.length) % DAYS)
    return {
      student_id: mustExist(students[marks % students.length], 'A student').id,
      class_id,
      class_date: toClassDate(day),
      present: marks % 4 > 0,
    }
  }
  const post = () => ({
    ...get('/api/attendance'),
    method: 'POST' as const,
    body: JSON.stringify(mark()),
  })
  const roll = () => {
    const { class_id: classId, class_date, present } = mark()
    const start = randomInt(students.length - ROLL_SIZE)
    return {
      ...get('/api/attendance/roll'),
      method: 'PUT' as const,
      body: JSON.stringify({
        class_id: classId,
        class_date,
        marks: students
          .slice(start, start + ROLL_SIZE)
          .map(({ id }) => ({ student_id: id, present })),
      }),
    }
  }
  return [
    { title: 'unread count', first: get('/api/notifications/unread-count') },
    {
      title: 'notifications, unchanged (304)',
      first: {
        ...get('/api/notifications'),
        headers: { ...headersFor(token), 'if-none-match': 'etag' },
      },
    },
    { title: `${NOTIFICATIONS} notifications`, first: get('/api/notifications') },
    { title: `${STUDENTS} students, cached`, first: get('/api/students') },
    { title: 'mark attendance', first: post(), next: () => ({ body: post().body }) },
    {
      title: `a roll of ${ROLL_SIZE}`,
      first: roll(),
      next: () => ({ body: roll().body }),
      hasBaseline: false,
    },
    {
      title: UNCACHED_TITLE,
      first: get('/api/students'),
      next: headersInTurn(uncachedTokens),
      hasBaseline: false,
      tokens: uncachedTokens,
    },
    {
      title: PARALLEL_TITLE,
      connections: PARALLEL_DOJOS,
      first: get('/api/students'),
      next: headersInTurn(parallelTokens),
      hasBaseline: false,
      tokens: parallelTokens,
    },
  ]
}

/** `cpuSeconds` returns the processor time used so far, including PostgreSQL's. */
type Target = { url: string; cpuSeconds: () => number }
/** Requests per second, and microseconds of processor time per request. */
type LoadResult = { rate: number; microseconds: number }

async function load(
  { url, cpuSeconds }: Target,
  { first, next, connections = 10 }: Scenario,
  duration: number,
): Promise<LoadResult> {
  const request = next
    ? { ...first, setupRequest: (initialRequest: Request) => ({ ...initialRequest, ...next() }) }
    : first
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
    console.error(`${first.path}: ${errors} errors, ${JSON.stringify(statusCodeStats)}`)
  return {
    rate: requests.total / actualDuration,
    microseconds: ((cpuSeconds() - cpuBefore) / requests.total) * 1e6,
  }
}

const median = (numbers: number[]) =>
  mustExist(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)], 'The median')
const figure = (number: number) => Math.round(number).toLocaleString('en')

type Version = Target & {
  scenarios: Scenario[]
  stop: () => Promise<void>
  databaseUrl: string
  postmaster: number
}

async function startVersion(port: number, checkout = ROOT): Promise<Version> {
  const tatami = await startTatami(port, {}, checkout)
  const postmaster = postmasterOf(tatami.dataDir)
  const cpuSeconds = () => processSeconds(tatami.pid) + treeSeconds(postmaster)
  return {
    ...tatami,
    postmaster,
    cpuSeconds,
    scenarios: await scenariosOn(tatami.databaseUrl, checkout),
  }
}

/** If the request has a placeholder for an ETag, replaces it with the response's ETag. */
async function fetchFirst({ url }: Version, { first }: Scenario): Promise<string> {
  const headers = first.headers as Record<string, string>
  const { 'if-none-match': etag, ...plainHeaders } = headers
  const response = await fetch(url + first.path!, {
    method: first.method!,
    headers: plainHeaders,
    ...(first.body && { body: String(first.body) }),
  })
  const bytes = await response.text()
  if (!response.ok) throw new Error(`${first.path}: ${response.status} ${bytes}`)
  if (etag) headers['if-none-match'] = response.headers.get('etag')!
  return bytes
}

async function measure(versions: Version[], index: number): Promise<string> {
  const latest = mustExist(versions.at(-1), 'A version')
  const { title, hasBaseline = true } = mustExist(latest.scenarios[index], 'The scenario')
  let bytes = ''
  for (const version of versions)
    bytes = await fetchFirst(version, mustExist(version.scenarios[index], 'The scenario'))
  const baseline = hasBaseline
    ? await startBaseline(PORT + versions.length, bytes, latest.databaseUrl)
    : undefined
  const targets = versions.map((version) => ({
    target: version as Target,
    scenario: mustExist(version.scenarios[index], 'The scenario'),
  }))
  if (baseline) {
    const cpuSeconds = () => processSeconds(baseline.pid) + treeSeconds(latest.postmaster)
    targets.unshift({
      target: { url: baseline.url, cpuSeconds },
      scenario: mustExist(latest.scenarios[index], 'The scenario'),
    })
  }
  const runsOfTargets = targets.map((): LoadResult[] => [])
  for (const { target, scenario } of targets) {
    for (const token of scenario.tokens ?? [])
      await fetch(`${target.url}/api/notifications/unread-count`, {
        headers: { authorization: `Bearer ${token}` },
      })
    await load(target, scenario, WARM_UP_SECONDS)
  }
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [targetIndex, { target, scenario }] of targets.entries())
      runsOfTargets[targetIndex]?.push(await load(target, scenario, SECONDS))
  await baseline?.stop()
  const results = runsOfTargets.map((runs) => ({
    rate: median(runs.map(({ rate }) => rate)),
    microseconds: median(runs.map(({ microseconds }) => microseconds)),
  }))
  const baselineResult = baseline ? results.shift() : undefined
  const ownCells = (result: LoadResult) => [
    figure(result.rate),
    baselineResult ? (result.rate / baselineResult.rate).toFixed(2) : '',
    figure(result.microseconds),
    baselineResult ? (baselineResult.microseconds / result.microseconds).toFixed(2) : '',
  ]
  const cells = [
    title,
    baselineResult ? figure(baselineResult.rate) : '',
    baselineResult ? figure(baselineResult.microseconds) : '',
    ...results.flatMap(ownCells),
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
