import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newId } from '../../db/columns.ts'
import { createStudents, dojoIdOf } from '../../test/fixtures.ts'
import { startTestServer } from '../../test/test-server.ts'
import { type DeliveryStatus, OPTED_OUT } from '../providers/provider.ts'
import { receiveStatus, recordAccepted } from './outcomes.ts'

const server = await startTestServer()

type Report = readonly [status: DeliveryStatus, errorCode: number | null]
/** Lists the items in every possible order. */
const listPermutations = <Item>(items: readonly Item[]): Item[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, index) =>
        listPermutations(items.toSpliced(index, 1)).map((otherItems) => [item, ...otherItems]),
      )

/** Receives the statuses in every order, and returns the distinct results. Tries each order twice,
 *  because the server may record the accepted text before or after it receives the statuses. */
async function listOutcomes(statuses: readonly Report[]) {
  const orders = listPermutations(statuses)
  const sensei = await server.createSensei()
  const dojoId = await dojoIdOf(server.db, sensei.id)
  await createStudents(server.db, dojoId, 2 * orders.length)
  const { batch_id } = (
    await sensei.post('/sms/send-bulk-message', {
      message_type: 'weather_cancel',
      custom_message: 'No class today.',
    })
  ).body
  const { rows: texts } = await server.db.inDojo(dojoId, (tx) =>
    tx.execute<{ id: string }>(
      sql`update messages set state = 'sending' where batch_id = ${batch_id} returning id`,
    ),
  )
  for (const [index, { id }] of texts.entries()) {
    const providerId = newId()
    const isRecordedFirst = index % 2 === 0
    const hasCallbacks = true
    const recordText = () =>
      server.db.inDojo(dojoId, (tx) =>
        recordAccepted(
          tx,
          { id, dojo_id: dojoId, account_sid: null },
          { id: providerId, status: 'accepted', errorCode: null },
          hasCallbacks,
        ),
      )
    if (isRecordedFirst) await recordText()
    for (const [status, errorCode] of orders[Math.floor(index / 2)]!)
      await server.db.withoutDojo((tx) => receiveStatus(tx, { id: providerId, status, errorCode }))
    if (!isRecordedFirst) await recordText()
  }
  const { rows } = await server.db.inDojo(dojoId, (tx) =>
    tx.execute<{
      state: string
      error_code: number | null
      reason: string | null
      undeliverable_phones: number
    }>(
      sql`select distinct state, error_code, reason, (
          select count(*)::int from undeliverable_phones p where p.student_id = m.student_id
        ) as undeliverable_phones from messages m`,
    ),
  )
  return {
    orders: orders.length,
    outcomes: rows,
    usedPerText: (await sensei.get('/daily-message-usage')).body.message_count / orders.length / 2,
  }
}

const DELIVERED_TEXT = {
  state: 'delivered',
  error_code: null,
  reason: null,
  undeliverable_phones: 0,
}

/** `npm run test:long` tries the 120 orders of five statuses, `npm test` the 24 orders of four. */
const ACCEPTED_REPORTS: Report[] = process.env.LONG ? [['accepted', null]] : []

test(
  'ends as delivered if one of the statuses is delivered, in any order',
  { timeout: 60_000 },
  async () => {
    expect(
      await listOutcomes([
        ...ACCEPTED_REPORTS,
        ['sent', null],
        ['failed', 30008],
        ['undelivered', 30005],
        ['delivered', null],
      ]),
    ).toEqual({ orders: process.env.LONG ? 120 : 24, outcomes: [DELIVERED_TEXT], usedPerText: 1 })
  },
)

test('ends as undelivered, with its error code, after sent, failed and undelivered', async () => {
  const { outcomes } = await listOutcomes([
    ['sent', null],
    ['failed', 30008],
    ['undelivered', null],
    ['undelivered', 30003],
  ])
  expect(outcomes).toEqual([
    {
      state: 'undelivered',
      error_code: 30003,
      reason: 'The phone was off or could not be reached',
      undeliverable_phones: 0,
    },
  ])
})

test('charges a text again if it was refunded but then delivered, in either order', async () => {
  expect(
    await listOutcomes([
      ['undelivered', OPTED_OUT],
      ['delivered', null],
    ]),
  ).toEqual({ orders: 2, outcomes: [DELIVERED_TEXT], usedPerText: 1 })
})
