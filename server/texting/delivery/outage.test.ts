import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { moveClock } from '../../lib/clock.ts'
import { createStudents, dojoIdOf } from '../../test/fixtures.ts'
import { type TwilioFault, startFakeTwilio } from '../../test/fake-twilio.ts'
import { startTestServer } from '../../test/test-server.ts'
import { startTestWorker } from '../../test/texting-worker.ts'
import { notifyFailures } from '../history.ts'

let fault: TwilioFault | null = null
const twilio = await startFakeTwilio(() => fault)
const settings = {
  publicUrl: 'https://tatami.example.org',
  smsPerSecond: 40,
  ...twilio.settings(twilio.url),
}
const server = await startTestServer(settings)
const stopWorker = startTestWorker(server, settings)
afterAll(async () => {
  await stopWorker()
  await twilio.close()
})

async function sendBatch(studentCount: number) {
  const sensei = await server.createSensei()
  const dojoId = await dojoIdOf(server.db, sensei.id)
  await createStudents(server.db, dojoId, studentCount)
  const message = { message_type: 'weather_cancel', custom_message: 'No class today.' }
  const { batch_id } = (await sensei.post('/sms/send-bulk-message', message)).body
  const readTexts = async (): Promise<{ state: string }[]> =>
    (await sensei.get(`/sms/batches/${batch_id}`)).body.texts
  const countInState = async (state: string) =>
    (await readTexts()).filter((text) => text.state === state).length
  return { sensei, dojoId, countInState }
}

test(
  'retries while the provider is down, and sends the queue when it recovers',
  { timeout: 60_000 },
  async () => {
    fault = 'broken-before'
    const { countInState } = await sendBatch(100)
    await sleep(process.env.LONG ? 8000 : 4000)
    // The worker pauses after several failures in a row.
    expect(twilio.sendTimes.length).toBeLessThan(40)
    expect(await countInState('queued')).toBeGreaterThan(60)
    fault = null
    await expect.poll(() => countInState('queued'), { timeout: 20_000 }).toBe(0)
  },
)

test(
  'polls a status whose callback was lost, and notifies the instructor of the failure',
  { timeout: 30_000 },
  async () => {
    const { sensei, dojoId, countInState } = await sendBatch(2)
    await expect.poll(() => countInState('accepted'), { timeout: 10_000 }).toBe(2)
    const [undeliveredText] = twilio.messages.slice(-1)
    Object.assign(undeliveredText!, { status: 'undelivered', error_code: 30005 })
    // With callbacks, a status is not polled before ten minutes have passed.
    const rescheduledTexts = await server.db.inDojo(dojoId, (tx) =>
      tx.execute<{ minutes: number }>(
        sql`update messages set due_at = due_at - interval '10 minutes' returning
          extract(epoch from due_at + interval '10 minutes' - clock_timestamp()) / 60::float8
            as minutes`,
      ),
    )
    for (const { minutes } of rescheduledTexts.rows) expect(minutes).toBeGreaterThan(8)
    await expect.poll(() => countInState('undelivered'), { timeout: 10_000 }).toBe(1)

    const readFailureNotices = async () => {
      await server.db.inDojo(dojoId, (tx) => notifyFailures(tx, dojoId))
      return (await sensei.get('/notifications')).body.map(
        ({ message }: { message: string }) => message,
      )
    }
    expect(await readFailureNotices()).toEqual([])
    moveClock(25 * 3_600_000)
    expect(await readFailureNotices()).toEqual([
      expect.stringMatching(/^Weather Cancellation: 1 text did not arrive/),
    ])
  },
)
