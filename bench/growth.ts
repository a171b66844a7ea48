/** Times each call with many dojos and with ten, and prints a Markdown table: node
 *  bench/growth.ts [--dojos 500] [--students 100] [--calls <part of the calls' names>]. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { listSuperAdminIds } from '../server/accounts/accounts.ts'
import { DATABASE_RULES } from '../server/database-rules.ts'
import { startEmbeddedDatabase } from '../server/db/embedded-database.ts'
import { prepareDatabase } from '../server/db/migrate.ts'
import { connectForFixtures, embeddedDatabaseUrl, signInAs } from '../server/test/fixtures.ts'
import { type Call, createCalls, type Visitor } from './growth-calls.ts'
import { DAYS, fillWithDojos, idsOfDojo } from './many-dojos.ts'
import { PORT, startTatami } from './servers.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { firstRow } from '../server/lib/rows.ts'
import { readPostmasterPid, processSeconds, residentMegabytes, treeSeconds } from './usage.ts'

const { values: options } = parseArgs({
  options: {
    dojos: { type: 'string', default: '500' },
    students: { type: 'string', default: '100' },
    calls: { type: 'string', default: '' },
  },
})
const DOJOS = Number(options.dojos)
const STUDENTS = Number(options.students)
const FEW_DOJOS = 10
const VISITED_DOJOS = 10
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 400)
/** The times are divided into blocks. The result is the median of the blocks' 95th percentiles, so
 *  a short disturbance changes only one block. */
const BLOCKS = 5
const WARM_UP_ROUNDS = 20
/** Short calls are repeated for this many seconds, because their 95th percentile varies. */
const MIN_SECONDS_PER_CALL = 3
const IDLE_SECONDS = Number(process.env.BENCH_SECONDS ?? 60)
const SETTLE_SECONDS = 30
const START_COUNT = 3

type Site = {
  url: string
  pid: number
  dataDir: string
  visitors: Visitor[]
  readyMs: number
  stop: () => Promise<void>
}

const quantile = (values: number[], share: number) =>
  mustExist(values.toSorted((a, b) => a - b)[Math.floor(values.length * share)], 'A value')
const median = (values: number[]) => quantile(values, 0.5)

async function startTimed(dataDir: string, port: number) {
  const startedAt = performance.now()
  const server = await startTatami(port, { DATA_DIR: dataDir, API_ONLY: '1', LOG_LEVEL: 'error' })
  return { server, readyMs: performance.now() - startedAt }
}

/** Spreads the visited dojos over all dojos. Skips every tenth dojo, because its sensei is
 *  inactive. */
function chooseDojoNumber(index: number, dojoCount: number): number {
  const firstOfTen = Math.floor((index * dojoCount) / VISITED_DOJOS / 10) * 10
  return firstOfTen + 1 + (index % 9)
}

async function startSite(dojos: number, port: number): Promise<Site> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tatami-bench-'))
  const database = await startEmbeddedDatabase({ dataDir, settings: { max_wal_size: '4GB' } })
  await prepareDatabase({ databaseUrl: database.logins.postgres.url }, DATABASE_RULES)
  await fillWithDojos(database.logins.postgres.url, dojos, STUDENTS)
  await database.stop()
  const startTimes: number[] = []
  let { server, readyMs } = await startTimed(dataDir, port)
  // The first start is not measured, because it also hashes the first super admin's password.
  for (let index = 0; index < START_COUNT; index += 1) {
    await server.stop()
    ;({ server, readyMs } = await startTimed(dataDir, port))
    startTimes.push(readyMs)
  }
  const databaseUrl = embeddedDatabaseUrl(dataDir)
  const db = connectForFixtures(databaseUrl)
  const [superAdmin] = await db.withoutDojo(listSuperAdminIds)
  const visitors: Visitor[] = []
  for (let index = 0; index < VISITED_DOJOS; index += 1) {
    const ids = await idsOfDojo(databaseUrl, chooseDojoNumber(index, dojos))
    const tokens = {
      student: await signInAs(db, ids.student_id),
      guardian: await signInAs(db, ids.guardian_id),
      instructor: await signInAs(db, ids.instructor_id),
      'super-admin': await signInAs(db, mustExist(superAdmin, 'The super admin')),
    }
    visitors.push({ ids, tokens })
  }
  await db.close()
  const stop = async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { url: server.url, pid: server.pid, dataDir, visitors, readyMs: median(startTimes), stop }
}

const connections = new Agent({ keepAlive: true })

/** Returns the duration of a call in milliseconds. `fetch` would keep responses in memory and cost
 *  time for garbage collection. */
async function timeCall(site: Site, call: Call, round: number): Promise<number> {
  const { method, url, body, token } = call.request(
    mustExist(site.visitors[round % VISITED_DOJOS], 'A visitor'),
    round,
  )
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': 'application/json' }),
  }
  const startedAt = performance.now()
  const clientRequest = request(site.url + url, { method, headers, agent: connections }).end(
    body && JSON.stringify(body),
  )
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  const ms = performance.now() - startedAt
  if (response.statusCode !== 200) throw new Error(`${call.name} returned ${response.statusCode}`)
  return ms
}

function medianP95(times: number[]): number {
  const size = Math.ceil(times.length / BLOCKS)
  return median(
    Array.from({ length: BLOCKS }, (_, block) =>
      quantile(times.slice(block * size, (block + 1) * size), 0.95),
    ),
  )
}

async function compareSites(call: Call, smallSite: Site, largeSite: Site): Promise<string> {
  const smallTimes: number[] = []
  const largeTimes: number[] = []
  const deadline = performance.now() + MIN_SECONDS_PER_CALL * 1000
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS || performance.now() < deadline; round += 1) {
    // The sites take turns to be first, because the first call fills the processor's caches.
    const order = round % 2 ? [smallSite, largeSite] : [largeSite, smallSite]
    for (const site of order) {
      const ms = await timeCall(site, call, round)
      if (round < WARM_UP_ROUNDS) continue
      if (site === smallSite) smallTimes.push(ms)
      else largeTimes.push(ms)
    }
  }
  const smallMedian = median(smallTimes)
  const largeMedian = median(largeTimes)
  const smallP95 = medianP95(smallTimes)
  const largeP95 = medianP95(largeTimes)
  return (
    `| ${call.name} | ${smallMedian.toFixed(1)} | ${largeMedian.toFixed(1)} | ` +
    `${(largeMedian / smallMedian).toFixed(2)} | ` +
    `${smallP95.toFixed(1)} | ${largeP95.toFixed(1)} | ${(largeP95 / smallP95).toFixed(2)} |`
  )
}

async function describeIdleUse({ pid, dataDir }: Site): Promise<string> {
  const postmaster = readPostmasterPid(dataDir)
  await pause(SETTLE_SECONDS * 1000)
  const readUsage = () => ({
    server: processSeconds(pid),
    postgres: treeSeconds(postmaster),
  })
  const usageBefore = readUsage()
  const startedAt = performance.now()
  await pause(IDLE_SECONDS * 1000)
  const usageAfter = readUsage()
  const seconds = (performance.now() - startedAt) / 1000
  const share = (part: 'server' | 'postgres') =>
    `${(((usageAfter[part] - usageBefore[part]) / seconds) * 100).toFixed(2)} %`
  return (
    `server ${share('server')}, PostgreSQL ${share('postgres')} of a core; the server uses ` +
    `${Math.round(residentMegabytes(pid))} MB`
  )
}

const smallSite = await startSite(FEW_DOJOS, PORT)
const largeSite = await startSite(DOJOS, PORT + 1)
try {
  console.log(
    `\n${DOJOS} dojos of ${STUDENTS} students and ${STUDENTS * DAYS} marks ` +
      `compared with ${FEW_DOJOS} dojos. At least ${ROUNDS} calls of each kind, for at least ` +
      `${MIN_SECONDS_PER_CALL} s. Times in milliseconds.\n`,
  )
  console.log(
    `Ready on existing data: ${Math.round(smallSite.readyMs)} ms, ` +
      `${Math.round(largeSite.readyMs)} ms`,
  )
  console.log(`Idle for ${IDLE_SECONDS} s, ${DOJOS} dojos: ${await describeIdleUse(largeSite)}`)
  console.log(
    `\n| call | p50, ${FEW_DOJOS} | p50, ${DOJOS} | ratio | p95, ${FEW_DOJOS} | p95, ` +
      `${DOJOS} | ratio |\n|---|---|---|---|---|---|---|`,
  )
  for (const call of createCalls(firstRow(smallSite.visitors)).filter(({ name }) =>
    name.includes(options.calls),
  ))
    console.log(
      await compareSites(call, smallSite, largeSite).catch(
        (error: Error) => `| ${error.message} | | | | | | |`,
      ),
    )
} finally {
  await Promise.all([smallSite.stop(), largeSite.stop()])
}
