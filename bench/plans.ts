/** Compares a school whose students have plans with one without, in one process: node
 *  bench/plans.ts [part of a row's name …]. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import pg from 'pg'
import { addMonthsToDay, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { createFirstSuperAdmin } from '../server/accounts/first-super-admin.ts'
import { type AppOptions, buildApp } from '../server/app.ts'
import { DATABASE_RULES } from '../server/database-rules.ts'
import { connect, DOJO_CHANGED } from '../server/db/database.ts'
import { startEmbeddedDatabase } from '../server/db/embedded-database.ts'
import { prepareDatabase } from '../server/db/migrate.ts'
import { connectPubSub } from '../server/db/pubsub.ts'
import { connectForFixtures, embeddedDatabaseUrl } from '../server/test/fixtures.ts'
import { type BenchDojo, createBenchDojo } from './plan-dojos.ts'
import { SUPER_ADMIN } from './servers.ts'
import { listChildProcesses, readPostmasterPid } from './usage.ts'

const SETTINGS: AppOptions['env'] = {
  logLevel: 'silent',
  logDays: 92,
  activationTime: 'one business day',
  trustProxy: false,
  signInsPerMinute: 10_000,
  registrationsPerHour: 10_000,
  consentsPerHour: 10_000,
  exportsPerHour: 10_000,
  failedSignIns: 10,
  publicUrl: 'https://tatami.test',
  smtpUrl: undefined,
  mailFrom: undefined,
  smsProvider: 'simulator',
  smsPerSecond: 1000,
}
const STUDENTS = 500
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 30)
const WARM_UP_ROUNDS = 5
const today = new Date().toISOString().slice(0, 10)
const { month, year } = monthOfDate(today)
const lastYear = addMonthsToDay(today, -11).slice(0, 7)

type BenchCall = { title: string; request: (dojo: BenchDojo, round: number) => InjectOptions }

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const get = (title: string, path: string | ((dojo: BenchDojo) => string)): BenchCall => ({
  title,
  request: (dojo) => ({
    method: 'GET',
    url: `/api${typeof path === 'string' ? path : path(dojo)}`,
    headers: bearer(dojo.sensei),
  }),
})

const CALLS: BenchCall[] = [
  get('dashboard', '/dashboard/stats'),
  get('dashboard, numbers', '/dashboard/analytics'),
  get('Payment Center: statistics', '/payment-statistics'),
  get('Payment Center: records', '/payment-records'),
  get('Payment Center: balances', '/payment-balances'),
  get('Payment Center: plans', '/membership-list'),
  get('owing', '/owing'),
  get('month dues', '/month-dues'),
  get('payment figures', `/payment-figures?from=${lastYear}&to=${today.slice(0, 7)}`),
  get('late fees, preview', `/late-fees/preview?month=${month}&year=${year}`),
  get('students', '/students'),
  get('roll', ({ classId }) => `/class-entries?class_id=${classId}&day=${today}`),
  get('roll, marks', `/attendance?class_date=${today}`),
  {
    title: 'kiosk, search',
    request: ({ kiosk }) => ({
      method: 'POST',
      url: '/api/kiosk/search',
      headers: bearer(kiosk),
      payload: { text: 'ken' },
    }),
  },
  {
    title: 'mark paid',
    request: ({ sensei, studentId }, round) => ({
      method: 'POST',
      url: '/api/payment-records',
      headers: bearer(sensei),
      payload: {
        student_id: studentId,
        payment_month: month,
        payment_year: year,
        payment_status: round % 2 ? 'unpaid' : 'paid',
      },
    }),
  },
  get('account of a student', ({ studentId }) => `/students/${studentId}/account`),
  get('statement', ({ studentId }) => `/statements?student_id=${studentId}&year=${year}`),
  get('reminder, preview', '/sms/reminders/on_due/preview'),
  get('next reminder', '/sms/upcoming-reminder'),
]

type Cost = { serverMs: number; databaseMs: number; queries: number }

let queries = 0
const originalQuery = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...args: unknown[]) {
    queries += 1
    return originalQuery.apply(this, args)
  },
})

/** Returns the processor time of PostgreSQL so far, in milliseconds. */
const databaseTime = (postmaster: number): number =>
  listChildProcesses(postmaster)
    .map(readNanoseconds)
    .reduce((sum, nanoseconds) => sum + nanoseconds / 1e6, 0)

/** Returns 0 if the process has ended. */
function readNanoseconds(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0])
  } catch {
    return 0
  }
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0)

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tatami-bench-'))
  const database = await startEmbeddedDatabase({ dataDir, settings: {} })
  await prepareDatabase({ databaseUrl: database.logins.postgres.url }, DATABASE_RULES)
  const fixtures = connectForFixtures(embeddedDatabaseUrl(dataDir))
  await createFirstSuperAdmin(fixtures, SUPER_ADMIN)
  const dojos = [
    await createBenchDojo(fixtures, STUDENTS, false),
    await createBenchDojo(fixtures, STUDENTS, true),
  ]
  await fixtures.close()
  const owner = new pg.Client({ connectionString: database.logins.postgres.url })
  await owner.connect()
  await owner.query('vacuum analyze')
  // PostgreSQL then uses indexes, as with many schools. With two, it would often read whole tables.
  await owner.query('alter database tatami set enable_seqscan = off')
  await owner.end()
  const { url } = database.logins.postgres
  const pubsub = await connectPubSub(url)
  const db = connect(url, { maxConnections: 5, onPublish: pubsub.deliver, ping: pubsub.ping })
  const http = await buildApp({ db, pubsub, env: SETTINGS })
  const postmaster = readPostmasterPid(dataDir)

  async function measureCall({ title, request }: BenchCall, dojo: BenchDojo, round: number) {
    // Clears the cache of the dojo, because most responses would come from it.
    await db.inDojo(dojo.dojoId, (tx) => tx.publish(DOJO_CHANGED, dojo.dojoId))
    const databaseBefore = databaseTime(postmaster)
    const queriesBefore = queries
    const serverBefore = process.cpuUsage()
    const { statusCode, body } = await http.inject(request(dojo, round))
    const { user, system } = process.cpuUsage(serverBefore)
    if (statusCode !== 200) throw new Error(`${title}: ${statusCode} ${body}`)
    return {
      serverMs: (user + system) / 1000,
      databaseMs: databaseTime(postmaster) - databaseBefore,
      queries: queries - queriesBefore,
    }
  }

  async function measure(call: BenchCall): Promise<string> {
    const costs: Cost[][] = dojos.map(() => [])
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1)
      for (const [index, dojo] of dojos.entries()) {
        const cost = await measureCall(call, dojo, round)
        if (round >= WARM_UP_ROUNDS) costs[index]?.push(cost)
      }
    const columns = (['serverMs', 'databaseMs', 'queries'] as const).map((column) => {
      const medians = costs.map((rows) => median(rows.map((cost) => cost[column])))
      const digits = column === 'queries' ? 0 : 1
      return { medians, cells: medians.map((value) => value.toFixed(digits)) }
    })
    const [plainMs = 0, planMs = 0] = dojos.map((_, index) =>
      sumOf(columns.slice(0, 2).map(({ medians }) => medians[index] ?? 0)),
    )
    const ratio = (planMs / plainMs).toFixed(2)
    return `| ${[call.title, ...columns.flatMap(({ cells }) => cells), ratio].join(' | ')} |`
  }

  console.log(
    '| | server, ms | with plans | PostgreSQL, ms | with plans | queries | with plans | ratio |\n' +
      `|${'---|'.repeat(8)}`,
  )
  const titleParts = process.argv.slice(2)
  for (const call of CALLS)
    if (titleParts.length === 0 || titleParts.some((part) => call.title.includes(part)))
      console.log(await measure(call).catch(String))
  await http.close()
  await pubsub.close()
  await db.close()
  await database.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

await main()
