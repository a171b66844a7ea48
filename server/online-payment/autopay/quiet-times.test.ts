import { expect, test, vi } from 'vitest'
import { LIFE_TIMEOUT_MS, startServerWithAutopay } from '../../test/autopay-payers.ts'

const autopay = await startServerWithAutopay()
const { createAutopayer, clientOf, queryRows } = autopay
vi.setConfig({ testTimeout: LIFE_TIMEOUT_MS })

/** Hours are those of UTC. The school is in Chicago, five hours behind. */
const HOUR_21 = 2
const HOUR_20 = 1
const HOUR_7 = 12
const HOUR_8 = 13

test('a decline at 9 PM is texted at 8 AM', async () => {
  const { liveThrough, setBank, texts } = await createAutopayer()
  await liveThrough('2026-03-29')
  await setBank('visa_chargeDeclined')
  // The server was off all day.
  expect(await liveThrough('2026-04-02', HOUR_21)).toEqual([])
  expect(await liveThrough('2026-04-02', HOUR_7)).toEqual([])
  expect(await texts()).toEqual([])
  await liveThrough('2026-04-02', HOUR_8)
  expect(await texts()).toHaveLength(1)
})

test('a decline at 8 PM is texted at once', async () => {
  const { liveThrough, setBank, texts } = await createAutopayer()
  await liveThrough('2026-03-29')
  await setBank('visa_chargeDeclined')
  await liveThrough('2026-04-02', HOUR_20)
  expect(await texts()).toHaveLength(1)
})

test('if the server was off at 10:00, the money is taken later that day', async () => {
  const { liveThrough, taken } = await createAutopayer()
  await liveThrough('2026-03-29')
  await liveThrough('2026-04-01', 23)
  await liveThrough('2026-04-02')
  expect(await taken()).toEqual([17500])
})

test('if the server was off all day, the money is taken on the next day', async () => {
  const { liveThrough, taken } = await createAutopayer()
  await liveThrough('2026-03-29')
  await liveThrough('2026-04-02')
  await liveThrough('2026-04-03')
  expect(await taken()).toEqual([17500])
})

test('a notice is texted only to a payer without a login and an email address', async () => {
  const reachable = await createAutopayer()
  await reachable.liveThrough('2026-03-29')
  expect(await reachable.notices()).toMatchObject([{ ways: ['bell', 'mail'] }])
  expect(await reachable.texts()).toEqual([])

  const { sensei, ana, liveThrough, notices, texts } = await createAutopayer()
  await queryRows(
    sensei,
    `update guardians set email = null, account_id = null where id = '${ana.id}' returning id`,
  )
  expect(await liveThrough('2026-03-29')).toEqual([])
  expect(await notices()).toMatchObject([{ ways: ['text'] }])
  expect(await texts()).toMatchObject([
    { text: expect.stringContaining('On April 1, autopay pays $175.00 for Leo and Mia.') },
  ])
})

test('a declined payment that is promised for later is not tried before that day', async () => {
  const { liveThrough, setBank, students, sensei, taken, texts } = await createAutopayer()
  await liveThrough('2026-03-29')
  await setBank('visa_chargeDeclined')
  await liveThrough('2026-04-01')
  await setBank('visa')
  const promise = { student_ids: students.map(({ id }) => id), promised_on: '2026-04-08' }
  const { status } = await (await clientOf(sensei)).post('/payment-promises', promise)
  expect(status).toBe(200)
  for (const day of ['03', '05', '07']) await liveThrough(`2026-04-${day}`)
  expect(await taken()).toEqual([])
  expect(await texts()).toHaveLength(1)
  const emails = await liveThrough('2026-04-08')
  expect(emails[0]?.text).toContain('On April 11, autopay pays $175.00')
  await liveThrough('2026-04-11')
  expect(await taken()).toEqual([17500])
})
