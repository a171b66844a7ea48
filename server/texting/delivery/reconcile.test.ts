import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { dojoIdOf } from '../../test/fixtures.ts'
import { startTestServer } from '../../test/test-server.ts'
import { claimNextTexts, claimTextsOfDojo } from './queue.ts'
import { resolveInDoubt, NOT_SENT_AFTER_SECONDS, secondsUntilNextLookup } from './reconcile.ts'
import { NO_PROVIDER, type ProviderStatus } from '../providers/provider.ts'

const server = await startTestServer()
let knownMessages: ProviderStatus[] = []
const provider = { ...NO_PROVIDER, findSent: () => Promise.resolve(knownMessages) }

/** Creates a text in doubt, and a function that looks it up some seconds after its claim. */
async function createTextInDoubt() {
  knownMessages = []
  const sensei = await server.createSensei()
  const dojoId = await dojoIdOf(server.db, sensei.id)
  await server.createStudent(sensei)
  const { batch_id } = (
    await sensei.post('/sms/send-bulk-message', {
      message_type: 'weather_cancel',
      custom_message: 'No class today.',
    })
  ).body
  await server.db.withoutDojo((tx) =>
    tx.execute(sql`update sending_rate set next_at = clock_timestamp() - interval '1 hour'`),
  )
  await server.db.withoutDojo((tx) => claimNextTexts(tx, 100, 1))
  const lookUpAfter = async (seconds: number) => {
    await server.db.inDojo(dojoId, (tx) =>
      tx.execute(
        sql`update messages set state = 'in_doubt', due_at = clock_timestamp(),
          claimed_at = clock_timestamp() - ${seconds} * interval '1 second'`,
      ),
    )
    const [text] = await server.db.inDojo(dojoId, (tx) =>
      claimTextsOfDojo(tx, dojoId, 'in_doubt', 1),
    )
    await resolveInDoubt(server.db, provider, text!, NOT_SENT_AFTER_SECONDS)
    return (await sensei.get(`/sms/batches/${batch_id}`)).body.texts[0].state as string
  }
  return { sensei, lookUpAfter }
}

test('sends a text again only if the provider does not know it after 60 s', async () => {
  const { lookUpAfter } = await createTextInDoubt()
  for (const seconds of [0, 5, 12, 27, 40, 55]) expect(await lookUpAfter(seconds)).toBe('in_doubt')
  expect(await lookUpAfter(60)).toBe('queued')
})

test('finds a text that the provider accepts 42 s after its claim', async () => {
  const { sensei, lookUpAfter } = await createTextInDoubt()
  expect(await lookUpAfter(10)).toBe('in_doubt')
  knownMessages = [{ id: `SM${'b'.repeat(32)}`, status: 'accepted', errorCode: null }]
  expect(await lookUpAfter(42)).toBe('accepted')
  expect((await sensei.get('/daily-message-usage')).body.message_count).toBe(1)
})

test('looks up a text less and less often, and for the last time after 60 s', () => {
  const moments = [0]
  while (moments.at(-1)! < NOT_SENT_AFTER_SECONDS)
    moments.push(moments.at(-1)! + secondsUntilNextLookup(moments.at(-1)!, NOT_SENT_AFTER_SECONDS))
  expect(moments).toEqual([0, 5, 10, 20, 40, 60])
})
