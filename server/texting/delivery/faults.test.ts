import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { type TwilioFault, startFakeTwilio, REAL_LATE_CUT } from '../../test/fake-twilio.ts'
import { startTestServer } from '../../test/test-server.ts'
import { createStudents, dojoIdOf } from '../../test/fixtures.ts'

/** `npm run test:long` sends more texts and takes longer than `npm test`. */
const isLong = Boolean(process.env.LONG)
const RECIPIENT_COUNT = isLong ? 400 : 40
const KILL_COUNT = isLong ? 40 : 2
const KILL_EVERY_MS = 700
const PER_SECOND = isLong ? 15 : 40
/** In `npm test`, the provider is ten times faster. */
const LATE_CUT_MS: [number, number] = isLong ? REAL_LATE_CUT : [1_200, 2_700]
const NOT_SENT_AFTER_SECONDS = isLong ? 60 : 6
const MAX_SETTLE_MS = 30_000 + 2 * NOT_SENT_AFTER_SECONDS * 1000
const FAULTS: TwilioFault[] = [
  'rate-limited',
  'broken-before',
  'broken-after',
  'cut-before',
  'cut-after',
  'late',
  'late-cut',
  'slow',
]
const PROBABILITY_OF_EACH_FAULT = 0.05

const server = await startTestServer()
let isOverloaded = false
/** When the provider recovers, in milliseconds of the epoch. */
let recoversAt = Infinity
const twilio = await startFakeTwilio(
  (call) => {
    if (Date.now() >= recoversAt) return null
    if (isOverloaded) return 'rate-limited'
    const fault = FAULTS[Math.floor(Math.random() / PROBABILITY_OF_EACH_FAULT)] ?? null
    // Only sent texts are delayed. Lookups may only fail.
    const isDelay = typeof fault === 'string' && /^late|slow/.test(fault)
    return call !== 'send' && isDelay ? null : fault
  },
  { lateCutMs: LATE_CUT_MS },
)
const servers = new Set<ChildProcess>()
const settings = JSON.stringify({
  databaseUrl: server.databaseUrl,
  publicUrl: 'http://127.0.0.1',
  smsPerSecond: PER_SECOND,
  notSentAfterSeconds: NOT_SENT_AFTER_SECONDS,
  ...twilio.settings(twilio.url),
})
async function startServer() {
  const serverProcess = spawn(
    process.execPath,
    [`${import.meta.dirname}/../../test/texting-worker-process.ts`, settings],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  servers.add(serverProcess)
  await once(serverProcess.stdout, 'data')
  return serverProcess
}
async function killServer(serverProcess: ChildProcess) {
  serverProcess.kill('SIGKILL')
  await once(serverProcess, 'exit')
  servers.delete(serverProcess)
}
afterAll(async () => {
  for (const serverProcess of servers) await killServer(serverProcess)
  await twilio.close()
})

const countStates = async (dojoId: string) =>
  Object.fromEntries(
    (
      await server.db.inDojo(dojoId, (tx) =>
        tx.execute<{ state: string; count: number }>(
          sql`select state, count(*)::int as count from messages group by 1`,
        ),
      )
    ).rows.map(({ state, count }) => [state, count]),
  )
const UNSETTLED_STATES = ['queued', 'sending', 'in_doubt']

test(
  'sends each text exactly once, even if two servers are killed and the provider fails',
  { timeout: isLong ? 480_000 : 240_000 },
  async () => {
    for (const serverProcess of servers) await killServer(serverProcess)
    // A retry of this test counts only its own texts.
    const runId = randomUUID()
    recoversAt = Infinity
    const firstSensei = await server.createSensei()
    const secondSensei = await server.createSensei()
    const dojoIds = await Promise.all(
      [firstSensei, secondSensei].map(({ id }) => dojoIdOf(server.db, id)),
    )
    // Every tenth text is shared. Some phones get two equal replies.
    await createStudents(server.db, dojoIds[0]!, RECIPIENT_COUNT / 2, { sharingInterval: 10 })
    await createStudents(server.db, dojoIds[1]!, RECIPIENT_COUNT / 2, {
      sharingInterval: 10,
      firstNumber: 10_000,
    })
    const expectedCounts = new Map<string, number>()
    for (const sensei of [firstSensei, secondSensei]) {
      const { body } = await sensei.post('/sms/send-bulk-message', {
        message_type: 'weather_cancel',
        custom_message: `Hi {name}, no class today (${runId}).`,
      })
      expect([body.success_count, body.total_texts]).toEqual([
        RECIPIENT_COUNT / 2,
        RECIPIENT_COUNT / 2 - RECIPIENT_COUNT / 20,
      ])
      const expectText = (phone: string, text: string) =>
        expectedCounts.set(`${phone} ${text}`, (expectedCounts.get(`${phone} ${text}`) ?? 0) + 1)
      const rows: { id: string; text_id: string; phone_number: string; text: string }[] = (
        await sensei.get(`/sms/batches/${body.batch_id}`)
      ).body.texts
      for (const { id, text_id, phone_number, text } of rows)
        if (id === text_id) expectText(phone_number, text)
      for (const { phone_number } of rows.filter(({ id, text_id }) => id !== text_id)) {
        for (let times = 0; times < 2; times += 1) {
          const reply = `See you on Monday (${runId}).`
          await sensei.post(`/sms/conversations/${encodeURIComponent(phone_number)}/messages`, {
            text: reply,
          })
          expectText(phone_number, reply)
        }
      }
    }

    const runningServers = [await startServer(), await startServer()]
    for (let killCount = 0; killCount < KILL_COUNT; killCount += 1) {
      await sleep(KILL_EVERY_MS)
      // The provider is overloaded a fifth of the time.
      isOverloaded = killCount % 5 === 3
      await killServer(runningServers[killCount % 2]!)
      runningServers[killCount % 2] = await startServer()
    }
    isOverloaded = false

    const restoredAt = Date.now()
    const sendingMs = (RECIPIENT_COUNT / PER_SECOND) * 1000
    // The texts must be settled within a limit after the provider recovers.
    recoversAt = restoredAt + sendingMs
    const countUnsettled = async () =>
      (await Promise.all(dojoIds.map(countStates)))
        .flatMap((counts) => UNSETTLED_STATES.map((state) => counts[state] ?? 0))
        .reduce((sum, count) => sum + count, 0)
    while ((await countUnsettled()) > 0 && Date.now() - restoredAt < MAX_SETTLE_MS + sendingMs)
      await sleep(250)
    expect(await countUnsettled()).toBe(0)

    const receivedCounts = new Map<string, number>()
    for (const { to, body } of twilio.messages)
      if (body.includes(runId))
        receivedCounts.set(`${to} ${body}`, (receivedCounts.get(`${to} ${body}`) ?? 0) + 1)
    const doubledTexts = [...receivedCounts].filter(
      ([text, times]) => times > (expectedCounts.get(text) ?? 0),
    )
    const lostTexts = [...expectedCounts].filter(
      ([text, times]) => (receivedCounts.get(text) ?? 0) < times,
    )
    expect({
      doubled: doubledTexts,
      lost: lostTexts,
      states: await Promise.all(dojoIds.map(countStates)),
    }).toEqual({
      doubled: [],
      lost: [],
      // Both rows of a shared text count, and so do those of its two replies.
      states: dojoIds.map(() => ({
        accepted: RECIPIENT_COUNT / 2 + (2 * 2 * RECIPIENT_COUNT) / 20,
      })),
    })
    expect(twilio.violations).toEqual([])
    console.log(
      `${twilio.sendTimes.length} calls for ${twilio.messages.length} texts, ${KILL_COUNT} kills, ` +
        `settled ${Math.round((Date.now() - restoredAt) / 1000)} s after the last`,
    )
  },
)
