/** Times how long Tatami takes to accept and to send a bulk message to 10,000 students, compared
 *  with baselines. Also times sending while the provider rejects some calls as too many (429). */
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
import { createCaller, createDojo } from './dojo.ts'
import { PORT, startTatami, SUPER_ADMIN } from './servers.ts'

const TEXTS = 10_000
const BASELINE_TEXTS = 2_000
const PARALLEL_CALLS = 100
const TEXTS_PER_SECOND = 1_000
const REFUSALS = [
  { texts: 600, perSecond: 40, share: 0.2 },
  { texts: 1_000, perSecond: 100, share: 0.05 },
]
const MESSAGE_TEXT = 'Hi {name}, no class today.'

async function timeWork<Result>(
  work: () => Promise<Result>,
): Promise<{ ms: number; result: Result }> {
  const startedAt = performance.now()
  const result = await work()
  return { ms: performance.now() - startedAt, result }
}

/** Measures the baseline for accepting a message: one insert of all rows. Returns milliseconds. */
async function insertBaseline(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    'create table bare (id int primary key, phone text, text text, due_at timestamptz); ' +
      'create index on bare (due_at)',
  )
  const rows = JSON.stringify(
    Array.from({ length: TEXTS }, (_, id) => ({ id, phone: phoneAt(id), text: MESSAGE_TEXT })),
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

/** Measures the baseline for sending: Twilio's library in a loop. Returns texts per second. */
async function sendBaseline(apiUrl: string): Promise<number> {
  const client = twilio(ACCOUNT, TOKEN, {
    httpClient: new twilio.RequestClient({ maxSockets: PARALLEL_CALLS }),
  })
  client.api.baseUrl = apiUrl
  const message = { from: SENDER_NUMBER, body: MESSAGE_TEXT }
  let lastTextNumber = 0
  const sendAll = async () => {
    while ((lastTextNumber += 1) <= BASELINE_TEXTS)
      await client.messages.create({ ...message, to: phoneAt(lastTextNumber) })
  }
  const { ms } = await timeWork(() => Promise.all(Array.from({ length: PARALLEL_CALLS }, sendAll)))
  return (BASELINE_TEXTS / ms) * 1000
}

const phoneAt = (index: number) => `+1512${2_000_000 + index}`

const dataDir = mkdtempSync(join(tmpdir(), 'tatami-bench-'))
const database = await startEmbeddedDatabase({ dataDir })
const db = connect(database.logins.postgres.url)
let refusedShare = 0
const provider = await startFakeTwilio((call) =>
  call === 'send' && Math.random() < refusedShare ? 'rate-limited' : null,
)

type Call = ReturnType<typeof createCaller>
async function withTatami(perSecond: number, work: (call: Call) => Promise<void>): Promise<void> {
  const tatami = await startTatami(PORT, {
    DATABASE_URL: database.logins.postgres.url,
    SMS_PER_SECOND: String(perSecond),
    TWILIO_ACCOUNT_SID: ACCOUNT,
    TWILIO_AUTH_TOKEN: TOKEN,
    TWILIO_FROM: SENDER_NUMBER,
    TWILIO_API_URL: provider.url,
  })
  try {
    const call = createCaller(tatami.url)
    const admin = await call(profileApi.login, { body: SUPER_ADMIN })
    await call(textingApi.setDailyLimit, { body: { daily_limit: DAILY_LIMIT_MAX } }, admin.token)
    await work(call)
  } finally {
    await tatami.stop()
  }
}

async function createDojoWith(students: number): Promise<string> {
  const { token, dojoId } = await createDojo(database.logins.postgres.url, 0)
  await createStudents(db, dojoId, students)
  return token
}
const MESSAGE = { message_type: 'weather_cancel', custom_message: MESSAGE_TEXT } as const
const send = (call: Call, token: string) => call(textingApi.sendBulk, { body: MESSAGE }, token)

try {
  await withTatami(TEXTS_PER_SECOND, async (call) => {
    const token = await createDojoWith(TEXTS)
    const baselineMs = await insertBaseline(database.logins.postgres.url)
    const baselineRate = await sendBaseline(provider.url)
    const sendCountBefore = provider.sendTimes.length
    await call(textingApi.preview, { body: MESSAGE }, token)
    const acceptance = await timeWork(() => send(call, token))
    while (provider.sendTimes.length < sendCountBefore + TEXTS) await pause(50)
    const firstSentAt = provider.sendTimes[sendCountBefore]!
    const lastSentAt = provider.sendTimes.at(-1)!
    const rate = (TEXTS / (lastSentAt - firstSentAt)) * 1000
    console.log(`\n${acceptance.result.success_count} texts, SMS_PER_SECOND=${TEXTS_PER_SECOND}`)
    console.table({
      'accepted, ms': {
        Tatami: Math.round(acceptance.ms),
        baseline: Math.round(baselineMs),
        ratio: (acceptance.ms / baselineMs).toFixed(1),
      },
      'texts a second': {
        Tatami: Math.round(rate),
        baseline: Math.round(baselineRate),
        ratio: (rate / baselineRate).toFixed(2),
      },
    })
  })
  for (const { texts, perSecond, share } of REFUSALS) {
    await withTatami(perSecond, async (call) => {
      const token = await createDojoWith(texts)
      const textCountBefore = provider.messages.length
      const sendCountBefore = provider.sendTimes.length
      refusedShare = share
      const { ms } = await timeWork(async () => {
        await send(call, token)
        while (provider.messages.length < textCountBefore + texts) await pause(50)
      })
      refusedShare = 0
      const callCount = provider.sendTimes.length - sendCountBefore
      const seconds = ms / 1000
      console.log(
        `${texts} texts, SMS_PER_SECOND=${perSecond}, ${share * 100} % refused with 429: ` +
          `${seconds.toFixed(1)} s, ${(texts / seconds).toFixed(1)} texts a second, ` +
          `${callCount} calls`,
      )
    })
  }
} finally {
  await provider.close()
  await db.close()
  await database.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
