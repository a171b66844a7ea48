/** A bulk message to 10,000 students: how long until it is accepted, and how fast its texts leave. Each beside its floor, in one run. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { announcementsApi } from '@tatami/contract/announcements'
import { DAILY_LIMIT_MAX, messagesApi } from '@tatami/contract/messages'
import { profileApi } from '@tatami/contract/profile'
import pg from 'pg'
import twilio from 'twilio'
import { connect } from '../server/kernel/database.ts'
import { startEmbeddedPostgres } from '../server/kernel/embedded-postgres.ts'
import { ACCOUNT, fakeTwilio, FROM, TOKEN } from '../server/test/fake-twilio.ts'
import { dojoOf } from '../server/test/dojo-of.ts'
import { manyStudents } from '../server/test/many-students.ts'
import { aDojo, callerOf } from './dojo.ts'
import { startTatami, SUPER_ADMIN } from './servers.ts'

const PORT = Number(process.env.BENCH_PORT ?? 41_700)
const TEXTS = 10_000,
  BARE_TEXTS = 2_000,
  AT_ONCE = 100,
  PER_SECOND = 1_000
const WORDS = 'Hi {name}, no class today.'

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const from = performance.now()
  const result = await work()
  return { ms: performance.now() - from, result }
}

/** The floor of the accepting: one row a text with a key and an index, in one statement and nothing else. */
async function insertBare(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('create table bare (id int primary key, phone text, text text, due_at timestamptz); create index on bare (due_at)')
  const rows = JSON.stringify(Array.from({ length: TEXTS }, (_, id) => ({ id, phone: phoneAt(id), text: WORDS })))
  const { ms } = await timed(() =>
    client.query('insert into bare select id, phone, text, now() from jsonb_to_recordset($1::jsonb) as r(id int, phone text, text text)', [
      rows,
    ]),
  )
  await client.end()
  return ms
}

/** The floor of the sending: Twilio's library in a loop, with nothing kept and nothing paced. Texts a second. */
async function sendBare(apiUrl: string): Promise<number> {
  const client = twilio(ACCOUNT, TOKEN, { httpClient: new twilio.RequestClient({ maxSockets: AT_ONCE }) })
  client.api.baseUrl = apiUrl
  let next = 0
  const send = async () => {
    while ((next += 1) <= BARE_TEXTS) await client.messages.create({ to: phoneAt(next), from: FROM, body: WORDS })
  }
  const { ms } = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, send)))
  return (BARE_TEXTS / ms) * 1000
}

const phoneAt = (place: number) => `+1512${2_000_000 + place}`

const dataDir = mkdtempSync(join(tmpdir(), 'tatami-bench-'))
const database = await startEmbeddedPostgres({ dataDir, dataDirIsDefault: false, say: () => {} })
const carrier = await fakeTwilio()
const tatami = await startTatami(PORT, {
  DATABASE_URL: database.databaseUrl,
  SMS_PER_SECOND: String(PER_SECOND),
  TWILIO_ACCOUNT_SID: ACCOUNT,
  TWILIO_AUTH_TOKEN: TOKEN,
  TWILIO_FROM: FROM,
  TWILIO_API_URL: carrier.url,
})
try {
  const { token, sensei_id } = await aDojo(tatami.url, 0)
  const db = connect(database.databaseUrl)
  await manyStudents(db, await dojoOf(db, sensei_id), TEXTS)
  await db.close()
  const call = callerOf(tatami.url)
  const admin = await call(profileApi.login, { body: SUPER_ADMIN })
  await call(messagesApi.setDailyLimit, { body: { daily_limit: DAILY_LIMIT_MAX } }, admin.token)

  const bareMs = await insertBare(database.databaseUrl)
  const bareRate = await sendBare(carrier.url)
  const sentBare = carrier.sends.length
  const accepted = await timed(() =>
    call(announcementsApi.sendBulk, { body: { message_type: 'weather_cancel', custom_message: WORDS } }, token),
  )
  while (carrier.sends.length < sentBare + TEXTS) await pause(50)
  const [first, last] = [carrier.sends[sentBare]!, carrier.sends.at(-1)!]
  const rate = (TEXTS / (last - first)) * 1000

  console.log(`\n${accepted.result.success_count} texts, SMS_PER_SECOND=${PER_SECOND}`)
  console.table({
    'accepted, ms': { Tatami: Math.round(accepted.ms), floor: Math.round(bareMs), ratio: (accepted.ms / bareMs).toFixed(1) },
    'texts a second': { Tatami: Math.round(rate), floor: Math.round(bareRate), ratio: (rate / bareRate).toFixed(2) },
  })
} finally {
  await tatami.stop()
  await carrier.close()
  await database.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
