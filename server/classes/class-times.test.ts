import { expect, test } from 'vitest'
import { exampleClass } from '../test/fixtures.ts'
import { createKioskDojo, checkIn, findCheckInPass } from '../test/kiosk-dojo.ts'
import { startTestServer } from '../test/test-server.ts'

const server = await startTestServer()
// In the dojo, it is 4:10 PM on this Monday.
const MONDAY = '2026-03-02'
const TIMES = { class_start_time: '5:35 PM', class_end_time: '6:20 PM' }
const TIME_RANGE = '5:35 PM - 6:20 PM'

test('shows the same class time on every screen and in the calendar', async () => {
  const dojo = await createKioskDojo(server)
  const { sensei, kids, kiosk } = dojo
  const days = ['monday', 'wednesday']
  const juniors = await sensei.post('/classes', exampleClass({ ...TIMES, class_days: days }))
  expect([juniors.status, juniors.body]).toEqual([200, expect.objectContaining(TIMES)])
  const leo = await dojo.enroll('Leo Adams', [juniors.body.id])
  // The schedule sorts the classes by time.
  const dates = (await sensei.get(`/class-dates?from=${MONDAY}&until=${MONDAY}`)).body
  expect(dates.map(({ time }: { time: string }) => time)).toEqual([
    '4:00 PM - 5:00 PM',
    '5:00 PM - 6:00 PM',
    TIME_RANGE,
  ])
  // `checkIn` marks students in the class `kids`, so the new class takes its place.
  const { classes } = (await kiosk.get('/kiosk')).body
  expect(classes.at(-1)).toMatchObject({
    time: TIME_RANGE,
    starts: 17 * 60 + 35,
    ends: 18 * 60 + 20,
  })
  const greeting = await checkIn(
    { ...dojo, kids: { ...kids, id: juniors.body.id } },
    { passes: [await findCheckInPass(dojo, 'leo')] },
  )
  expect(greeting.body).toMatchObject({ greetings: [{ class_time: TIME_RANGE }] })
  // The mark, the guardian's home and the calendar show the same time.
  expect((await sensei.get(`/attendance?student_id=${leo.id}`)).body).toMatchObject([
    { class_time: TIME_RANGE },
  ])
  const guardian = await server.createGuardian(sensei, [leo])
  expect((await guardian.get('/family/home')).body.children[0].next_class).toMatchObject({
    class_time: TIME_RANGE,
  })
  const { pathname } = new URL((await sensei.post('/calendar-feed')).body.url)
  const { payload } = await server.http.inject({ url: pathname })
  expect(payload).toContain('DTSTART:20260302T233500Z')
  expect(payload).toContain('DTEND:20260303T002000Z')
  const lateTimes = { ...TIMES, class_start_time: '11:55 PM', class_end_time: '12:10 AM' }
  const reply = await sensei.put(
    `/classes/${juniors.body.id}`,
    exampleClass({ ...lateTimes, class_days: days }),
  )
  expect([reply.status, reply.body]).toEqual([200, expect.objectContaining(lateTimes)])
  const kioskReply = (await kiosk.get('/kiosk')).body
  expect(kioskReply.classes.at(-1)).toMatchObject({ starts: 23 * 60 + 55, ends: 24 * 60 + 10 })
  const feed = await server.http.inject({ url: pathname })
  expect(feed.payload).toContain('DTSTART:20260303T055500Z')
  expect(feed.payload).toContain('DTEND:20260303T061000Z')
})
