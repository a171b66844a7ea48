import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { dojoIdOf } from '../../test/fixtures.ts'
import { startTestServer } from '../../test/test-server.ts'
import { claimIn, claimTexts } from './claim.ts'
import { lookUp, NOT_SENT_AFTER_SECONDS, secondsUntilNextLookUp } from './reconcile.ts'
import { NO_PROVIDER, type Standing } from '../providers/provider.ts'

const server = await startTestServer()
let known: Standing[] = []
const provider = { ...NO_PROVIDER, find: () => Promise.resolve(known) }

/** A text whose call was cut so many seconds after it was claimed, as the database's clock has it. */
async function aTextInDoubt() {
  known = []
  const sensei = await server.createSensei(),
    dojoId = await dojoIdOf(server.db, sensei.id)
  await server.createStudent(sensei)
  const { batch_id } = (await sensei.post('/sms/send-bulk-message', { message_type: 'weather_cancel', custom_message: 'No class today.' }))
    .body
  await server.db.withoutDojo((tx) => tx.execute(sql`update sending_pace set next_at = clock_timestamp() - interval '1 hour'`))
  await server.db.withoutDojo((tx) => claimTexts(tx, 100, 1))
  const lookUpAt = async (seconds: number) => {
    await server.db.inDojo(dojoId, (tx) =>
      tx.execute(
        sql`update messages set state = 'in_doubt', due_at = clock_timestamp(), claimed_at = clock_timestamp() - ${seconds} * interval '1 second'`,
      ),
    )
    const [text] = await server.db.inDojo(dojoId, (tx) => claimIn(tx, dojoId, 'in_doubt', 1))
    await lookUp(server.db, provider, text!, NOT_SENT_AFTER_SECONDS)
    return (await sensei.get(`/sms/batches/${batch_id}`)).body.texts[0].state as string
  }
  return { sensei, lookUpAt }
}

test('a text that the provider does not know yet is not given up as not sent before 60 s, and then is sent', async () => {
  const { lookUpAt } = await aTextInDoubt()
  for (const seconds of [0, 5, 12, 27, 40, 55]) expect(await lookUpAt(seconds)).toBe('in_doubt')
  expect(await lookUpAt(60)).toBe('queued')
})

test('a text that the provider takes in up to 42 s after its claim is found, and counts once', async () => {
  const { sensei, lookUpAt } = await aTextInDoubt()
  expect(await lookUpAt(10)).toBe('in_doubt')
  known = [{ id: `SM${'b'.repeat(32)}`, fate: 'accepted', errorCode: null }]
  expect(await lookUpAt(42)).toBe('accepted')
  expect((await sensei.get('/daily-message-usage')).body.message_count).toBe(1)
})

test('look-ups come less and less often, and the last when the time is up', () => {
  const moments = [0]
  while (moments.at(-1)! < NOT_SENT_AFTER_SECONDS)
    moments.push(moments.at(-1)! + secondsUntilNextLookUp(moments.at(-1)!, NOT_SENT_AFTER_SECONDS))
  expect(moments).toEqual([0, 5, 10, 20, 40, 60])
})
