/** Measures whether memory grows during an hour of typical calls. */
import { addDays, utcDay } from '@tatami/contract/lib/calendar-day'
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { fillDojos } from './fill.ts'
import { PORT, startTatami, SUPER_ADMIN } from './servers.ts'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { getOrThrow } from '../server/lib/rows.ts'
import { readPostmasterPid, proportionalMegabytes, residentMegabytes } from './usage.ts'

const MINUTES = Number(process.env.BENCH_MINUTES ?? 60)
const CALLS_PER_SECOND = Number(process.env.BENCH_RATE ?? 100)
const DOJOS = 200
const STUDENTS = 60
const MINUTE_MS = 60_000
const WARM_UP_MINUTES = 5

const tatami = await startTatami(PORT)
const postmaster = readPostmasterPid(tatami.dataDir)
const client = new pg.Client({ connectionString: tatami.databaseUrl })
await client.connect()
const tokens = await fillDojos(client, DOJOS, STUDENTS)
await client.query('analyze')
await client.end()

type Json = Record<string, unknown>
let responseCount = 0
let refusedCount = 0
const statuses: Record<number, number> = {}

async function call(
  token: string | undefined,
  method: string,
  path: string,
  body?: Json,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${tatami.url}/api${path}`, {
    method,
    headers: {
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  responseCount += 1
  statuses[response.status] = (statuses[response.status] ?? 0) + 1
  if (!response.ok && response.status !== 304) refusedCount += 1
  return { response, json: () => JSON.parse(text) as unknown }
}

type EnrolledStudent = { student_id: string; class_id: string }
const studentsByToken = new Map<string, EnrolledStudent[]>()
async function chooseStudent(token: string): Promise<EnrolledStudent> {
  if (!studentsByToken.has(token)) {
    const students = (await call(token, 'GET', '/students')).json() as {
      id: string
      enrolled_classes: string[]
    }[]
    studentsByToken.set(
      token,
      students.map(({ id, enrolled_classes: [classId] }) => ({
        student_id: id,
        class_id: mustExist(classId, 'The class'),
      })),
    )
  }
  const students = getOrThrow(studentsByToken, token)
  return mustExist(students[randomInt(students.length)], 'A student')
}

const etags = new Map<string, string>()
async function poll(token: string) {
  const etag = etags.get(token)
  const { response } = await call(
    token,
    'GET',
    '/notifications',
    undefined,
    etag ? { 'if-none-match': etag } : {},
  )
  etags.set(token, response.headers.get('etag') ?? '')
}

const classDateDaysAgo = (days: number) => `${addDays(utcDay(new Date()), -days)}T00:00:00.000Z`
const ACTIONS: [relativeFrequency: number, action: (token: string) => Promise<unknown>][] = [
  [400, (token) => call(token, 'GET', '/notifications/unread-count')],
  [200, poll],
  [100, (token) => call(token, 'GET', '/students')],
  [60, (token) => call(token, 'GET', '/dashboard/stats')],
  [40, (token) => call(token, 'GET', '/attendance')],
  [
    150,
    async (token) => {
      const mark = {
        ...(await chooseStudent(token)),
        class_date: classDateDaysAgo(randomInt(300)),
        present: randomInt(4) > 0,
      }
      return call(token, 'POST', '/attendance', mark)
    },
  ],
  [
    30,
    async (token) =>
      call(token, 'POST', '/payment-records', {
        student_id: (await chooseStudent(token)).student_id,
        payment_status: 'paid',
        payment_month: randomInt(12),
        payment_year: 2026,
        monthly_payment_amount: 85,
      }),
  ],
  [
    10,
    (token) =>
      call(token, 'POST', '/notifications/send', {
        title: 'News',
        message: 'Class begins at five today.',
      }),
  ],
  [
    5,
    (token) =>
      call(token, 'POST', '/sms/send-bulk-message', {
        message_type: 'weather_cancel',
        custom_message: 'No class today.',
      }),
  ],
  [
    5,
    async () => {
      const { token } = (await call(undefined, 'POST', '/login', SUPER_ADMIN)).json() as {
        token: string
      }
      await call(token, 'GET', '/super-admin/sensei?limit=50')
      await call(token, 'POST', '/logout')
    },
  ],
]
const TOTAL_FREQUENCY = ACTIONS.reduce((sum, [frequency]) => sum + frequency, 0)
function chooseAction() {
  let remainder = randomInt(TOTAL_FREQUENCY)
  for (const [frequency, action] of ACTIONS) {
    if (remainder < frequency) return action
    remainder -= frequency
  }
  throw new Error('The frequencies do not add up.')
}

const failures = new Map<string, number>()
const startedAt = performance.now()
async function keepCalling(minutes: number) {
  for (let callNumber = 1; callNumber < minutes * 60 * CALLS_PER_SECOND; callNumber += 1) {
    const action = chooseAction()
    action(mustExist(tokens[randomInt(tokens.length)], 'A token')).catch(({ message }: Error) =>
      failures.set(message, (failures.get(message) ?? 0) + 1),
    )
    const nextCallAt = startedAt + (callNumber * 1000) / CALLS_PER_SECOND
    await pause(Math.max(0, nextCallAt - performance.now()))
  }
}

type Sample = { minute: number; server: number; postgres: number }
const samples: Sample[] = []
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
try {
  const endOfCalls = keepCalling(MINUTES)
  console.log(
    `${DOJOS} dojos of ${STUDENTS} students, ${CALLS_PER_SECOND} actions a second, ` +
      `${MINUTES} minutes\n`,
  )
  console.log('| minute | server, MB | PostgreSQL, MB | responses |\n|---|---|---|---|')
  for (let minute = 1; minute <= MINUTES; minute += 1) {
    await pause(startedAt + minute * MINUTE_MS - performance.now())
    samples.push({
      minute,
      server: residentMegabytes(tatami.pid),
      postgres: proportionalMegabytes(postmaster),
    })
    const { server, postgres } = mustExist(samples.at(-1), 'A sample')
    if (minute % 5 === 0)
      console.log(
        `| ${minute} | ${Math.round(server)} | ${Math.round(postgres)} | ` +
          `${responseCount.toLocaleString('en')} |`,
      )
  }
  await endOfCalls
  const warmSamples = samples.filter(({ minute }) => minute > WARM_UP_MINUTES)
  const thirdLength = Math.floor(warmSamples.length / 3)
  const change = (part: 'server' | 'postgres') =>
    `${Math.round(mean(warmSamples.slice(0, thirdLength).map((sample) => sample[part])))} → ` +
    `${Math.round(mean(warmSamples.slice(-thirdLength).map((sample) => sample[part])))} MB`
  console.log(
    `\nMean of the first and the last third after ${WARM_UP_MINUTES} minutes: server ` +
      `${change('server')}, PostgreSQL ${change('postgres')}`,
  )
  console.log(
    `Statuses: ${JSON.stringify(statuses)}; refused ${refusedCount}; ` +
      `failed ${JSON.stringify([...failures])}`,
  )
} finally {
  await tatami.stop()
}
