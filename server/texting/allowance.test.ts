import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { setClock } from '../test/clock.ts'
import { startTestServer } from '../test/test-server.ts'
import { createStudents, dojoIdOf } from '../test/fixtures.ts'

const server = await startTestServer()
const otherServer = await server.openServer()

type Usage = { message_count: number; remaining_messages: number }
const CANCELLATION = { message_type: 'weather_cancel', custom_message: 'No class today.' }
const readAllowanceEntries = async (dojoId: string) =>
  server.db.inDojo(
    dojoId,
    async (tx) =>
      (
        await tx.execute<{ day: string; used: number; rows: number }>(
          sql`select day::text, sum(texts)::int as used,
              (select count(*)::int from messages m where m.allowance_day = entry.day) as rows
            from allowance_entries entry group by day order by day`,
        )
      ).rows,
  )

async function createDojoWithStudents(studentCount: number) {
  const sensei = await server.createSensei()
  const dojoId = await dojoIdOf(server.db, sensei.id)
  await createStudents(server.db, dojoId, studentCount)
  const send = (http = server.http) =>
    http.inject({
      method: 'POST',
      url: '/api/sms/send-bulk-message',
      headers: { authorization: `Bearer ${sensei.token}` },
      payload: CANCELLATION,
    })
  return { sensei, dojoId, send }
}

test(
  'never exceeds the allowance with 200 concurrent batches on two servers',
  { timeout: 60_000 },
  async () => {
    const { sensei, dojoId, send } = await createDojoWithStudents(7)
    const statuses = await Promise.all(
      Array.from(
        { length: 200 },
        async (_, index) => (await send(index % 2 ? server.http : otherServer.http)).statusCode,
      ),
    )
    const acceptedCount = statuses.filter((status) => status === 200).length
    expect(acceptedCount).toBe(Math.floor(300 / 7))
    expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([])
    expect((await sensei.get('/daily-message-usage')).body).toMatchObject({
      message_count: acceptedCount * 7,
      remaining_messages: 300 - acceptedCount * 7,
    })
    expect(await readAllowanceEntries(dojoId)).toEqual([
      { day: expect.any(String), used: acceptedCount * 7, rows: acceptedCount * 7 },
    ])
  },
)

test('applies a lowered limit to batches that are being sent', { timeout: 60_000 }, async () => {
  const superAdmin = await server.signInSuperAdmin()
  const { sensei, send } = await createDojoWithStudents(5)
  const readUsage = async () => (await sensei.get('/daily-message-usage')).body as Usage
  const requests = Array.from({ length: 40 }, () => send(otherServer.http))
  await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 20 })
  const countAfterChange = (await readUsage()).message_count
  await Promise.all(requests)
  expect((await readUsage()).message_count).toBeLessThanOrEqual(Math.max(20, countAfterChange))
  await superAdmin.put('/super-admin/daily-message-limit', { daily_limit: 300 })
})

test('applies a changed limit immediately to every dojo on every server', async () => {
  const superAdmin = await server.signInSuperAdmin()
  const dojos = await Promise.all([createDojoWithStudents(5), createDojoWithStudents(5)])
  const sendFromBoth = async () =>
    await Promise.all(
      dojos.map(async ({ send }, index) => {
        const response = await send(index ? otherServer.http : server.http)
        return [response.statusCode, response.json().detail]
      }),
    )
  const readUsages = async () =>
    await Promise.all(
      dojos.map(async ({ sensei }) => (await sensei.get('/daily-message-usage')).body as Usage),
    )
  const setLimit = (daily_limit: number) =>
    superAdmin.put('/super-admin/daily-message-limit', { daily_limit })
  const forBothDojos = <Value>(value: Value) => [value, value]

  expect(await sendFromBoth()).toEqual(forBothDojos([200, undefined]))
  await setLimit(5)
  expect(await readUsages()).toMatchObject(
    forBothDojos({ daily_limit: 5, message_count: 5, remaining_messages: 0, limit_reached: true }),
  )
  expect(await sendFromBoth()).toEqual(
    forBothDojos([429, 'Daily limit reached. Resets at midnight UTC.']),
  )
  await setLimit(4)
  expect(await readUsages()).toMatchObject(
    forBothDojos({ daily_limit: 4, remaining_messages: 0, limit_reached: true }),
  )
  expect(await sendFromBoth()).toEqual(
    forBothDojos([429, 'Daily limit reached. Resets at midnight UTC.']),
  )
  await setLimit(8)
  expect(await readUsages()).toMatchObject(
    forBothDojos({ daily_limit: 8, remaining_messages: 3, limit_reached: false }),
  )
  expect(await sendFromBoth()).toEqual(
    forBothDojos([429, 'This message needs 5 texts but only 3 remain today.']),
  )
  await setLimit(10)
  expect(await sendFromBoth()).toEqual(forBothDojos([200, undefined]))
  expect(await readUsages()).toMatchObject(forBothDojos({ message_count: 10, limit_reached: true }))
  await setLimit(300)
})

test('resets the allowance at midnight UTC, even for dojos in other time zones', async () => {
  setClock('2027-03-03T23:59:30Z')
  const { sensei, dojoId, send } = await createDojoWithStudents(200)
  expect([(await send()).statusCode, (await send()).statusCode]).toEqual([200, 429])
  setClock('2027-03-04T00:00:01Z')
  expect((await sensei.get('/daily-message-usage')).body).toMatchObject({
    date: '2027-03-04',
    message_count: 0,
  })
  expect((await send()).statusCode).toBe(200)
  expect(await readAllowanceEntries(dojoId)).toEqual([
    { day: '2027-03-03', used: 200, rows: 200 },
    { day: '2027-03-04', used: 200, rows: 200 },
  ])
})

test('notifies the instructor once when the day’s texts are used up', async () => {
  const { sensei, send } = await createDojoWithStudents(100)
  for (let batch = 0; batch < 4; batch += 1) await send()
  const notices = ((await sensei.get('/notifications')).body as { title: string }[]).map(
    ({ title }) => title,
  )
  expect(notices).toEqual(['Daily text limit reached'])
})
