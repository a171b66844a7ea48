import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { runDueJobs } from './schedule.ts'
import { setClock } from './test/clock.ts'
import { startTestServer } from './test/test-server.ts'

const server = await startTestServer()
const HOUR_MS = 3_600_000
const NOON = Date.parse('2030-03-05T18:00:00Z')
const setHoursFromNoon = (hours: number) => setClock(new Date(NOON + hours * HOUR_MS).toISOString())
const runJobs = () =>
  runDueJobs(server.db, (error) => {
    throw error
  })

const HOURS_FROM_NOON = [0, 1, -1, 0]

test('a clock that moves by an hour ends no session and loses no attendance', async () => {
  setHoursFromNoon(0)
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  const { id: student_id } = await server.createStudent(sensei)
  for (const [index, hours] of HOURS_FROM_NOON.entries()) {
    setHoursFromNoon(hours)
    const class_date = `2030-02-0${index + 1}T00:00:00.000Z`
    expect(
      (await sensei.post('/attendance', { student_id, class_id, class_date, present: true }))
        .status,
    ).toBe(200)
    expect((await server.signIn(sensei.email)).token).toEqual(expect.any(String))
  }
  const { rows } = await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.execute(sql`select count(*)::int as marks from attendance`),
  )
  expect(rows).toEqual([{ marks: HOURS_FROM_NOON.length }])
})

test('runs a daily job only once even if the clock moves within the day', async () => {
  setHoursFromNoon(0)
  const sensei = await server.createSensei()
  await server.createStudent(sensei, { date_of_birth: '2015-03-05' })
  for (const hours of HOURS_FROM_NOON) {
    setHoursFromNoon(hours)
    await runJobs()
  }
  const { body } = await sensei.get('/notifications')
  expect(
    body.filter(({ title, message }: { title: string; message: string }) =>
      /birthday/i.test(`${title} ${message}`),
    ),
  ).toHaveLength(1)
})
