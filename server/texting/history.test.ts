import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { students } from '../students/tables.ts'
import { dojoIdOf } from '../test/fixtures.ts'
import { type TwilioFault, startFakeTwilio } from '../test/fake-twilio.ts'
import { startTestServer } from '../test/test-server.ts'
import { startTestWorker } from '../test/texting-worker.ts'

const NOT_A_NUMBER: TwilioFault = { status: 400, code: 21211 }
let fault: TwilioFault | null = null
const twilio = await startFakeTwilio(() => fault)
const settings = {
  publicUrl: 'http://localhost:3000',
  smsPerSecond: 1000,
  ...twilio.settings(twilio.url),
}
const server = await startTestServer(settings)
const stopWorker = startTestWorker(server, settings)
afterAll(async () => {
  await stopWorker()
  await twilio.close()
})

test(
  'sends failed texts again to the current number, and skips students now on vacation',
  { timeout: 30_000 },
  async () => {
    fault = NOT_A_NUMBER
    const sensei = await server.createSensei()
    const sharedPhone = { phone_number: '(512) 555-0142' }
    const ann = await server.createStudent(sensei, { name: 'Ann Lee', ...sharedPhone })
    const bo = await server.createStudent(sensei, { name: 'Bo Kim', ...sharedPhone })
    const { batch_id } = (
      await sensei.post('/sms/send-bulk-message', {
        message_type: 'weather_cancel',
        custom_message: 'Hi {name}, no class today.',
      })
    ).body
    const readOutcomes = async () =>
      (await sensei.get(`/sms/batches/${batch_id}`)).body.texts.map(
        ({ state, reason, phone_number }: Record<string, string>) => [state, reason, phone_number],
      )
    const sendAgain = async () => (await sensei.post(`/sms/batches/${batch_id}/send-again`)).body
    const forBothTexts = (outcome: unknown) => [outcome, outcome]
    const oldPhone = '+15125550142'
    await expect
      .poll(readOutcomes, { timeout: 10_000 })
      .toEqual(forBothTexts(['failed', 'Not a phone number that can get texts', oldPhone]))
    expect([await sendAgain(), await readOutcomes()]).toEqual([
      { success: true, total_recipients: 0, total_texts: 0 },
      forBothTexts(['failed', 'No valid phone number', oldPhone]),
    ])

    fault = null
    const dojoId = await dojoIdOf(server.db, sensei.id)
    const updateStudent = (
      { id }: { id: string },
      changes: Partial<typeof students.$inferInsert>,
    ) =>
      server.db.inDojo(dojoId, (tx) => tx.update(students).set(changes).where(eq(students.id, id)))
    await updateStudent(ann, { phone_number: '(512) 555-0177' })
    await updateStudent(bo, { phone_number: '(512) 555-0178', on_vacation: true })
    expect(await sendAgain()).toEqual({ success: true, total_recipients: 1, total_texts: 1 })
    await expect.poll(readOutcomes, { timeout: 10_000 }).toEqual([
      ['accepted', null, '+15125550177'],
      ['failed', 'On vacation', oldPhone],
    ])
    expect(twilio.messages.map(({ to, body }) => [to, body])).toEqual([
      ['+15125550177', 'Hi Ann, no class today.'],
    ])
    expect((await sensei.get('/daily-message-usage')).body.message_count).toBe(1)
  },
)
