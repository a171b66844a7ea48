/** A server that measures how long each request blocks its event loop. A test starts it with
 *  `node measured-server.ts <database URL> <settings as JSON>`, and sends work as messages to the
 *  process. The server rolls back everything that requests write. */
import { sql } from 'drizzle-orm'
import type { InjectOptions } from 'fastify'
import pg from 'pg'
import { buildApp, type AppOptions } from '../app.ts'
import { COMMIT, connect, DOJO_CHANGED } from '../db/database.ts'
import { moveClock } from '../lib/clock.ts'
import { parsedPhones } from '../lib/phone.ts'
import { connectPubSub } from '../db/pubsub.ts'
import { runDueJobs } from '../schedule.ts'

/** A request to a dojo, the jobs that are due at a time, or a fixed amount of work
 *  (`calibration`). */
export type MeasuredWork =
  | { kind: 'request'; options: InjectOptions; dojoId: string }
  | { kind: 'jobs'; at: string }
  | { kind: 'calibration' }
/** `blockMs` is the longest time for which code kept the event loop busy. */
export type Measurement = { status: number; blockMs: number; body: string }

const readProcessorMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Returns a function that stops watching and returns the longest time between two timer ticks. */
function watchEventLoop(): () => number {
  let previousMs = readProcessorMs()
  let longestMs = 0
  const measureGap = () => {
    const currentMs = readProcessorMs()
    longestMs = Math.max(longestMs, currentMs - previousMs)
    previousMs = currentMs
  }
  const timer = setInterval(measureGap, 1)
  return () => {
    measureGap()
    clearInterval(timer)
    return longestMs
  }
}

let mayCommit = false
let rollbackCount = 0
const query = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown
const rollbackStatement = COMMIT.replace('commit', 'rollback')
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, statement: unknown, ...args: unknown[]) {
    if (mayCommit || statement !== COMMIT) return query.call(this, statement, ...args)
    rollbackCount += 1
    return query.call(this, rollbackStatement, ...args)
  },
})

const [databaseUrl = '', settings = ''] = process.argv.slice(2)
const pubsub = await connectPubSub(databaseUrl)
const db = connect(databaseUrl, { onPublish: pubsub.deliver, ping: pubsub.ping })
const http = await buildApp({ db, pubsub, env: JSON.parse(settings) as AppOptions['env'] })
await http.ready()
await requireRollback()

/** Checks that transactions still end with the statement that is replaced above. */
async function requireRollback() {
  await db.withoutDojo((tx) => tx.execute(sql`select 1`))
  if (rollbackCount === 0) throw new Error('A transaction was not rolled back')
}

/** Without this, the response to a request could come from a cache. */
async function clearCaches(dojoId: string) {
  mayCommit = true
  await db.inDojo(dojoId, (tx) => tx.publish(DOJO_CHANGED, dojoId))
  mayCommit = false
  parsedPhones.clear()
}

/** Keeps only the start of the body, because files can be long. */
async function send(options: InjectOptions) {
  const response = await http.inject({ ...options, payloadAsStream: true })
  let body = ''
  for await (const chunk of response.stream()) if (body === '') body = String(chunk).slice(0, 200)
  return { statusCode: response.statusCode, body }
}

function calibrate() {
  const rows = Array.from({ length: 100_000 }, (_, index) => ({
    id: index,
    name: `Kim ${(index * 7919) % 100_003}`,
  }))
  const sortedRows = rows.toSorted((first, second) => (first.name < second.name ? -1 : 1))
  return JSON.stringify([...Map.groupBy(sortedRows, ({ id }) => id % 100)]).length
}

async function runJobs(instant: string) {
  const offsetMs = Date.parse(instant) - Date.now()
  moveClock(offsetMs)
  await runDueJobs(db, (error) => {
    throw error
  })
  moveClock(-offsetMs)
}

const EMPTY_RESPONSE = { statusCode: 200, body: '' }

async function run(work: MeasuredWork) {
  if (work.kind === 'request') return send(work.options)
  if (work.kind === 'jobs') await runJobs(work.at)
  else calibrate()
  return EMPTY_RESPONSE
}

async function measure(work: MeasuredWork): Promise<Measurement> {
  if (work.kind === 'request') await clearCaches(work.dojoId)
  // Otherwise, the measurement could include garbage collection for earlier requests.
  if (work.kind === 'calibration') globalThis.gc?.()
  const stopWatching = watchEventLoop()
  const { statusCode, body } = await run(work)
  await new Promise((resolve) => setTimeout(resolve, 2))
  return { status: statusCode, blockMs: stopWatching(), body }
}

process.on('message', (work: MeasuredWork) => {
  measure(work).then(
    (measurement) => process.send!(measurement),
    (error: unknown) => process.send!({ status: 500, blockMs: Infinity, body: String(error) }),
  )
})
process.once('disconnect', () => process.exit())
process.send!('ready')
