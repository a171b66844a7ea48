import type { DatedClass } from '@tatami/contract/calendar/class-dates'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { setClock } from '../../test/clock.ts'
import { startTestServer } from '../../test/test-server.ts'

const server = await startTestServer()
const MONDAY = '2027-03-01'
const TUESDAY = '2027-03-02'
const WEDNESDAY = '2027-03-03'

// 9 AM in Austin
beforeEach(() => setClock('2027-03-01T15:00:00Z'))

async function setUpDojo() {
  const sensei = await server.createSensei()
  const { id: class_id } = await server.createClass(sensei)
  const ken = await server.createStudent(sensei, { enrolled_classes: [class_id] })
  const guardian = await server.createGuardian(sensei, [ken])
  const target = { class_id, day: MONDAY }
  return {
    sensei,
    class_id,
    ken,
    guardian,
    target,
    query: `class_id=${class_id}&day=${MONDAY}`,
    readDates: async (
      client: { get: typeof sensei.get } = sensei,
      query = 'until=2027-03-03',
    ): Promise<DatedClass[]> => (await client.get(`/class-dates?${query}`)).body,
    mark: (class_date: string, present = true) =>
      sensei.post('/attendance', { student_id: ken.id, class_id, class_date, present }),
  }
}
const formatDaysAndStatuses = (dates: DatedClass[]) =>
  dates.map(({ day, status }) => `${day} ${status}`)
type Notice = { title: string; message: string }
const readNotices = async (client: { get: (path: string) => Promise<{ body: Notice[] }> }) =>
  (await client.get('/notifications')).body.map(({ title, message }) => `${title}: ${message}`)

test('lists all students for instructors, and only their own for families', async () => {
  const { sensei, class_id, ken, guardian, readDates } = await setUpDojo()
  const studentOnVacation = await server.createStudent(sensei, {
    name: 'Mia Away',
    enrolled_classes: [class_id],
  })
  await sensei.put(`/students/${studentOnVacation.id}/vacation`, {
    vacation_from: MONDAY,
    vacation_until: TUESDAY,
  })
  const otherClass = await server.createClass(sensei, {
    class_name: 'Teens',
    class_days: ['monday'],
  })
  await ken.post('/excuses', { class_id, class_date: WEDNESDAY })
  expect(await readDates()).toMatchObject([
    {
      class_id,
      day: MONDAY,
      time: '4:00 PM - 5:00 PM',
      status: 'on',
      origin: 'weekly',
      expected: 1,
      excused: 0,
      students: [],
    },
    { class_id: otherClass.id, day: MONDAY, expected: 0 },
    {
      class_id,
      day: WEDNESDAY,
      expected: 1,
      excused: 1,
      waiting: 0,
      places: null,
      free_places: null,
    },
  ])
  for (const client of [ken, guardian])
    expect(await readDates(client)).toMatchObject([
      {
        class_id,
        day: MONDAY,
        expected: null,
        students: [{ student_id: ken.id, student_name: 'Ken Adams', state: 'expected' }],
      },
      { class_id, day: WEDNESDAY, students: [{ student_id: ken.id, state: 'excused' }] },
    ])
  expect(await readDates(studentOnVacation)).toMatchObject([
    { students: [{ state: 'away' }] },
    { students: [{ state: 'expected' }] },
  ])
  expect((await sensei.get('/class-dates?from=2027-03-02&until=2027-03-01')).status).toBe(422)
  expect((await sensei.get('/class-dates?from=2027-03-01&until=2027-06-01')).body.detail).toBe(
    'At most 92 days',
  )
})

test('counts the students who came, and returns null for a date without marks', async () => {
  const { sensei, class_id, ken, readDates, mark } = await setUpDojo()
  const mia = await server.createStudent(sensei, {
    name: 'Mia Ortiz',
    enrolled_classes: [class_id],
  })
  await mark('2027-02-22')
  await sensei.post('/attendance', {
    student_id: mia.id,
    class_id,
    class_date: '2027-02-22',
    present: true,
  })
  await mark('2027-02-24', false)
  await mark(MONDAY)
  await mark(WEDNESDAY)
  const readCameCounts = async (query: string, client: typeof sensei | typeof ken = sensei) =>
    (await readDates(client, query)).map(({ day, came: count }) => `${day.slice(5)} ${count}`)
  const expectedCounts = ['02-22 2', '02-24 0', '03-01 1', '03-03 null']
  expect(await readCameCounts('from=2027-02-22&until=2027-03-03')).toEqual(expectedCounts)
  expect(await readCameCounts(`from=2027-02-22&until=2027-03-03&class_id=${class_id}`)).toEqual(
    expectedCounts,
  )
  const dates = await readDates(sensei, 'from=2027-02-22&until=2027-03-03')
  expect(dates.map(({ marked, unmarked }) => [marked, unmarked])).toEqual([
    [2, 0],
    [1, 1],
    [1, 1],
    [null, null],
  ])
  expect(await readCameCounts('from=2027-02-22&until=2027-02-24', ken)).toEqual([
    '02-22 null',
    '02-24 null',
  ])
})

describe('a canceled date', () => {
  test('is announced, refuses excuses, and can be restored', async () => {
    const { sensei, class_id, ken, guardian, target, query, readDates } = await setUpDojo()
    const { status, body } = await sensei.put('/class-dates/cancelled', {
      ...target,
      reason: 'Weather',
    })
    expect([status, body]).toMatchObject([
      200,
      {
        date: { day: MONDAY, status: 'cancelled', reason: 'Weather' },
        text: 'Kids Judo today, 4:00 PM is canceled: weather. Reply OK so we know you read this.',
        student_ids: [ken.id],
      },
    ])
    for (const client of [ken, guardian]) {
      expect(await readNotices(client)).toEqual([
        'Class canceled: Kids Judo today, 4:00 PM is canceled: weather.',
      ])
      expect(formatDaysAndStatuses(await readDates(client))).toEqual([
        `${MONDAY} cancelled`,
        `${WEDNESDAY} on`,
      ])
    }
    expect((await guardian.get('/family/home')).body.children[0].next_class.class_date).toBe(
      WEDNESDAY,
    )
    expect((await ken.post('/excuses', { class_id, class_date: MONDAY })).body.detail).toBe(
      'This class does not take place on that day',
    )
    expect(
      (await sensei.put('/class-dates/moved', { ...target, to_day: TUESDAY })).body.detail,
    ).toBe('This class is canceled on that day')
    expect((await sensei.delete(`/class-dates/cancelled?${query}`)).body).toEqual({ success: true })
    expect((await sensei.delete(`/class-dates/cancelled?${query}`)).status).toBe(200)
    expect(formatDaysAndStatuses(await readDates())).toEqual([`${MONDAY} on`, `${WEDNESDAY} on`])
    expect((await readNotices(ken))[0]).toBe('Class back on: Kids Judo today, 4:00 PM is back on.')
  })

  test('refuses new marks, and hides earlier marks until it is restored', async () => {
    const { sensei, class_id, ken, target, query, mark } = await setUpDojo()
    await mark(MONDAY)
    await sensei.put('/class-dates/cancelled', {
      ...target,
      reason: 'Hall closed',
      gives_notice: false,
    })
    expect(await readNotices(ken)).toEqual([])
    const countRecords = async () => (await ken.get('/attendance')).body.length
    expect(await countRecords()).toBe(0)
    const response = await mark(MONDAY)
    expect([response.status, response.body.detail]).toEqual([
      409,
      'This class was canceled or moved to another day',
    ])
    const saveRoll = (present: boolean | null) =>
      sensei.put('/attendance/roll', {
        class_id,
        class_date: MONDAY,
        marks: [{ student_id: ken.id, present }],
      })
    expect([(await saveRoll(true)).status, (await saveRoll(null)).status]).toEqual([409, 200])
    const removal = await sensei.delete(
      `/attendance?student_id=${ken.id}&class_id=${class_id}&class_date=${MONDAY}`,
    )
    expect(removal.status).toBe(200)
    expect((await mark(WEDNESDAY)).status).toBe(200)
    await sensei.put('/class-dates/cancelled', { ...target, reason: 'Weather' })
    await sensei.delete(`/class-dates/cancelled?${query}`)
    expect((await ken.get('/attendance')).body).toMatchObject([
      { class_date: `${WEDNESDAY}T00:00:00.000Z` },
      { present: true },
    ])
  })
})

describe('a moved date', () => {
  test('takes place on the other day, and can be moved back', async () => {
    const { sensei, class_id, ken, target, readDates, mark } = await setUpDojo()
    const moveReply = await sensei.put('/class-dates/moved', {
      ...target,
      to_day: TUESDAY,
      start_time: '05:30 PM',
      end_time: '6:30 PM',
    })
    expect(moveReply.body).toMatchObject({
      day: TUESDAY,
      time: '5:30 PM - 6:30 PM',
      origin: 'moved',
      moved_from: { day: MONDAY },
      expected: 1,
    })
    expect(formatDaysAndStatuses(await readDates(ken))).toEqual([
      `${MONDAY} moved`,
      `${TUESDAY} on`,
      `${WEDNESDAY} on`,
    ])
    expect(await readNotices(ken)).toEqual([
      'Class moved: Kids Judo today, 4:00 PM was moved. It is now tomorrow, 5:30 PM.',
    ])
    expect([(await mark(MONDAY)).status, (await mark(TUESDAY)).body.class_time]).toEqual([
      409,
      '5:30 PM - 6:30 PM',
    ])
    const moveBackPath = `/class-dates/moved?class_id=${class_id}&day=${TUESDAY}`
    expect((await sensei.delete(moveBackPath)).status).toBe(409)
    await sensei.delete(
      `/attendance?student_id=${ken.id}&class_id=${class_id}&class_date=${TUESDAY}`,
    )
    expect((await sensei.delete(moveBackPath)).status).toBe(200)
    expect(formatDaysAndStatuses(await readDates())).toEqual([`${MONDAY} on`, `${WEDNESDAY} on`])
  })

  test('cannot be moved to a day with the same class, but can be moved again', async () => {
    const { sensei, class_id, target, readDates } = await setUpDojo()
    const move = (day: string, to_day: string, times = {}) =>
      sensei.put('/class-dates/moved', { class_id, day, to_day, ...times })
    expect((await move(MONDAY, WEDNESDAY)).body.detail).toBe('This class already meets on that day')
    expect((await move(MONDAY, MONDAY)).body.detail).toBe('Choose another day or another time')
    expect((await move(TUESDAY, MONDAY)).body.detail).toBe('This class does not meet on that day')
    expect(
      (await move(MONDAY, MONDAY, { start_time: '6:00 PM', end_time: '5:00 PM' })).body.detail,
    ).toBe('The end must be later than the start')
    expect(
      (await move(MONDAY, MONDAY, { start_time: '6:00 PM', end_time: '7:00 PM' })).body,
    ).toMatchObject({ origin: 'moved', day: MONDAY })
    expect((await move(MONDAY, TUESDAY)).body).toMatchObject({ day: TUESDAY })
    expect((await move(TUESDAY, '2027-03-04')).body).toMatchObject({
      time: '6:00 PM - 7:00 PM',
      moved_from: { day: MONDAY },
    })
    await sensei.put('/class-dates/cancelled', { class_id, day: '2027-03-04', reason: 'Weather' })
    expect(formatDaysAndStatuses(await readDates(sensei, 'until=2027-03-04'))).toEqual([
      `${MONDAY} moved`,
      `${WEDNESDAY} on`,
      '2027-03-04 cancelled',
    ])
    await sensei.delete(`/class-dates/cancelled?class_id=${class_id}&day=2027-03-04`)
    expect(
      (await move('2027-03-04', MONDAY, { start_time: '4:00 PM', end_time: '5:00 PM' })).body,
    ).toMatchObject({ origin: 'weekly' })
    expect(
      (await sensei.put('/class-dates/substitute', { ...target, substitute: 'Mr. Sato' })).body
        .substitute,
    ).toBe('Mr. Sato')
    expect(
      (await sensei.put('/class-dates/substitute', { ...target, substitute: null })).body
        .substitute,
    ).toBe(null)
  })
})

test('adds a date, even on a holiday, and removes it', async () => {
  const { sensei, class_id, ken, readDates } = await setUpDojo()
  const { body: holiday } = await sensei.post('/holidays', {
    name: 'Spring break',
    first_day: MONDAY,
    last_day: '2027-03-07',
  })
  expect(formatDaysAndStatuses(await readDates(ken))).toEqual([
    `${MONDAY} holiday`,
    `${WEDNESDAY} holiday`,
  ])
  const times = { start_time: '9:00 AM', end_time: '10:00 AM' }
  const add = (day: string) => sensei.post('/class-dates', { class_id, day, ...times })
  expect((await add(WEDNESDAY)).body).toMatchObject({
    status: 'on',
    origin: 'added',
    time: '9:00 AM - 10:00 AM',
  })
  expect([(await add(TUESDAY)).status, (await add(TUESDAY)).status]).toEqual([200, 409])
  expect(await readNotices(ken)).toContain('Class added: New class: Kids Judo tomorrow, 9:00 AM.')
  expect(formatDaysAndStatuses(await readDates())).toEqual([
    `${MONDAY} holiday`,
    `${TUESDAY} on`,
    `${WEDNESDAY} on`,
  ])
  expect(
    (await sensei.put('/class-dates/cancelled', { class_id, day: MONDAY, reason: 'Weather' })).body
      .detail,
  ).toBe('There is no class on that day: Spring break')
  for (const day of [TUESDAY, WEDNESDAY])
    await sensei.delete(`/class-dates?class_id=${class_id}&day=${day}`)
  await sensei.put(`/holidays/${holiday.id}`, {
    name: 'Closed',
    first_day: MONDAY,
    last_day: TUESDAY,
  })
  expect(formatDaysAndStatuses(await readDates())).toEqual([`${MONDAY} holiday`, `${WEDNESDAY} on`])
  expect((await ken.get('/holidays')).body).toEqual([
    { id: holiday.id, name: 'Closed', first_day: MONDAY, last_day: TUESDAY },
  ])
  await sensei.delete(`/holidays/${holiday.id}`)
  expect(formatDaysAndStatuses(await readDates())).toEqual([`${MONDAY} on`, `${WEDNESDAY} on`])
  expect(
    (await sensei.post('/holidays', { name: 'X', first_day: TUESDAY, last_day: MONDAY })).body
      .detail,
  ).toBe('The last day must not be before the first')
})

test('uses the dojo’s day, even when daylight saving begins or ends', async () => {
  // New York changes its clocks on March 14 and November 7, Lord Howe Island by half an hour.
  for (const [timeZone, moment, day] of [
    ['America/New_York', '2027-03-15T03:59:00Z', '2027-03-14'],
    ['America/New_York', '2027-11-08T04:59:00Z', '2027-11-07'],
    ['America/Chicago', '2028-03-01T05:59:00Z', '2028-02-29'],
    ['Australia/Lord_Howe', '2027-04-03T13:01:00Z', '2027-04-04'],
  ] as const) {
    setClock(moment)
    const { sensei } = await setUpDojo()
    await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.execute(sql`update dojos set time_zone = ${timeZone} where id = ${sensei.dojoId}`),
    )
    const dailyClass = await server.createClass(sensei, {
      class_days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
    })
    expect((await sensei.get(`/class-dates?class_id=${dailyClass.id}`)).body[0]).toMatchObject({
      day,
    })
  }
})
