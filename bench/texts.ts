/** A bulk message to 10,000 students: how long it takes to accept, and how fast its texts leave,
 *  each beside a baseline. Then how long texts take while the provider refuses some of them as too
 *  fast (429). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DAILY_LIMIT_MAX, textingApi } from '@tatami/contract/texting/texting'
import { profileApi } from '@tatami/contract/profile/profile'
import pg from 'pg'
import twilio from 'twilio'
import { connect } from '../server/db/database.ts'
import { startEmbeddedDatabase } from '../server/db/embedded-database.ts'
import { ACCOUNT, startFakeTwilio, SENDER_NUMBER, TOKEN } from '../server/test/fake-twilio.ts'
import { createStudents } from '../server/test/fixtures.ts'
import { callerOf, createDojo } from './dojo.ts'
import { PORT, startTatami, SUPER_ADMIN } from './servers.ts'

const TEXTS = 10_000,
  BARE_TEXTS = 2_000,
  AT_ONCE = 100,
  PER_SECOND = 1_000
const REFUSALS = [
  { texts: 600, perSecond: 40, share: 0.2 },
  { texts: 1_000, perSecond: 100, share: 0.05 },
]
const WORDS = 'Hi {name}, no class today.'

async function timeWork<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const startedAt = performance.now()
  const result = await work()
  return { ms: performance.now() - startedAt, result }
}

async function insertBare(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    'create table bare (id int primary key, phone text, text text, due_at timestamptz); ' +
      'create index on bare (due_at)',
  )
  const rows = JSON.stringify(
    Array.from({ length: TEXTS }, (_, id) => ({ id, phone: phoneAt(id), text: WORDS })),
  )
  const { ms } = await timeWork(() =>
    client.query(
      'insert into bare select id, phone, text, now() from jsonb_to_recordset($1::jsonb) ' +
        'as r(id int, phone text, text text)',
      [rows],
    ),
  )
  await client.query('drop table bare')
  await client.end()
  return ms
}

/** The baseline of sending: Twilio's library in a loop. Returns texts per second. */
async function sendBare(apiUrl: string): Promise<number> {
  const client = twilio(ACCOUNT, TOKEN, {
    httpClient: new twilio.RequestClient({ maxSockets: AT_ONCE }),
  })
  client.api.baseUrl = apiUrl
  let next = 0
  const send = async () => {
    while ((next += 1) <= BARE_TEXTS)
      await client.messages.create({ to: phoneAt(next), from: SENDER_NUMBER, body: WORDS })
  }
  const { ms } = await timeWork(() => Promise.all(Array.from({ length: AT_ONCE }, send)))
  return (BARE_TEXTS / ms) * 1000
}

const phoneAt = (place: number) => `+1512${2_000_000 + place}`

const dataDir = mkdtempSync(join(tmpdir(), 'tatami-bench-'))
const database = await startEmbeddedDatabase({ dataDir })
const db = connect(database.logins.postgres.url)
let refusedShare = 0
const carrier = await startFakeTwilio((call) =>
  call === 'send' && Math.random() < refusedShare ? 'rate-limited' : null,
)

type Call = ReturnType<typeof callerOf>
async function withTatami(perSecond: number, work: (call: Call) => Promise<void>): Promise<void> {
  const tatami = await startTatami(PORT, {
    DATABASE_URL: database.logins.postgres.url,
    SMS_PER_SECOND: String(perSecond),
    TWILIO_ACCOUNT_SID: ACCOUNT,
    TWILIO_AUTH_TOKEN: TOKEN,
    TWILIO_FROM: SENDER_NUMBER,
    TWILIO_API_URL: carrier.url,
  })
  try {
    const call = callerOf(tatami.url)
    const admin = await call(profileApi.login, { body: SUPER_ADMIN })
    await call(textingApi.setDailyLimit, { body: { daily_limit: DAILY_LIMIT_MAX } }, admin.token)
    await work(call)
  } finally {
    await tatami.stop()
  }
}

async function dojoWith(students: number): Promise<string> {
  const { token, dojoId } = await createDojo(database.logins.postgres.url, 0)
  await createStudents(db, dojoId, students)
  return token
}
const MESSAGE = { message_type: 'weather_cancel', custom_message: WORDS } as const
const send = (call: Call, token: string) => call(textingApi.sendBulk, { body: MESSAGE }, token)

try {
  await withTatami(PER_SECOND, async (call) => {
    const token = await dojoWith(TEXTS)
    const bareMs = await insertBare(database.logins.postgres.url)
    const bareRate = await sendBare(carrier.url)
    const sentBare = carrier.sends.length
    await call(textingApi.preview, { body: MESSAGE }, token)
    const acceptance = await timeWork(() => send(call, token))
    while (carrier.sends.length < sentBare + TEXTS) await pause(50)
    const [first, last] = [carrier.sends[sentBare]!, carrier.sends.at(-1)!]
    const rate = (TEXTS / (last - first)) * 1000

    console.log(`\n${acceptance.result.success_count} texts, SMS_PER_SECOND=${PER_SECOND}`)
    console.table({
      'accepted, ms': {
        Tatami: Math.round(acceptance.ms),
        baseline: Math.round(bareMs),
        ratio: (acceptance.ms / bareMs).toFixed(1),
      },
      'texts a second': {
        Tatami: Math.round(rate),
        baseline: Math.round(bareRate),
        ratio: (rate / bareRate).toFixed(2),
      },
    })
  })
  for (const { texts, perSecond, share } of REFUSALS) {
    await withTatami(perSecond, async (call) => {
      const token = await dojoWith(texts)
      const keptBefore = carrier.messages.length,
        sentBefore = carrier.sends.length
      refusedShare = share
      const { ms } = await timeWork(async () => {
        await send(call, token)
        while (carrier.messages.length < keptBefore + texts) await pause(50)
      })
      refusedShare = 0
      const calls = carrier.sends.length - sentBefore
      const seconds = ms / 1000
      console.log(
        `${texts} texts, SMS_PER_SECOND=${perSecond}, ${share * 100} % refused with 429: ` +
          `${seconds.toFixed(1)} s, ` +
          `${(texts / seconds).toFixed(1)} texts a second, ${calls} calls`,
      )
    })
  }
} finally {
  await carrier.close()
  await db.close()
  await database.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
