import { addDays } from '@tatami/contract/lib/calendar-day'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { setClock } from '../../test/clock.ts'
import { startTestServer } from '../../test/test-server.ts'
import { toInstant } from './instants.ts'

const server = await startTestServer()
type Person = { post: (path: string) => Promise<{ body: { url: string } }> }

const createFeedPath = async (person: Person) =>
  new URL((await person.post('/calendar-feed')).body.url).pathname
const fetchFeed = (url: string, headers = {}) => server.http.inject({ url, headers })

/** Reads a calendar like a calendar app, with times in UTC. */
async function readEvents(url: string) {
  const response = await fetchFeed(url)
  expect([
    response.statusCode,
    response.headers['content-type'],
    response.headers['cache-control'],
  ]).toEqual([200, 'text/calendar; charset=utf-8', 'private, no-cache'])
  const calendar = new ICAL.Component(ICAL.parse(response.payload))
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component)
    const formatTime = (time: ICAL.Time) =>
      time.isDate ? time.toString() : time.toJSDate().toISOString()
    return {
      uid: event.uid,
      title: event.summary,
      start: formatTime(event.startDate),
      end: formatTime(event.endDate),
      status: component.getFirstPropertyValue('status'),
      details: event.description,
    }
  })
}
type Events = Awaited<ReturnType<typeof readEvents>>
const filterByDay = (events: Events, day: string) =>
  events.filter(({ start }) => start.startsWith(day))

async function setUpDojo(timeZone: string) {
  const sensei = await server.createSensei()
  await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.execute(sql`update dojos set time_zone = ${timeZone} where id = ${sensei.dojoId}`),
  )
  const kids = await server.createClass(sensei, {
    class_days: ['tuesday', 'sunday'],
    class_start_time: '5:00 PM',
    class_end_time: '6:00 PM',
  })
  const leo = await server.createStudent(sensei, { name: 'Leo Adams', enrolled_classes: [kids.id] })
  const mia = await server.createStudent(sensei, { name: 'Mia Adams', enrolled_classes: [kids.id] })
  return { sensei, kids, leo, mia }
}

const formatTwoDigits = (number: number) => String(number).padStart(2, '0')

describe('a calendar', () => {
  test.each([
    // The Sunday before daylight saving begins or ends, and the Sunday on which it changes.
    [
      'America/New_York',
      '2027-03-01T15:00:00Z',
      '2027-03-07T22:00:00.000Z',
      '2027-03-14T21:00:00.000Z',
    ],
    [
      'America/Chicago',
      '2027-10-20T15:00:00Z',
      '2027-10-31T22:00:00.000Z',
      '2027-11-07T23:00:00.000Z',
    ],
    [
      'Australia/Lord_Howe',
      '2027-03-20T00:00:00Z',
      '2027-03-28T06:00:00.000Z',
      '2027-04-04T06:30:00.000Z',
    ],
  ])(
    'keeps a class at 5 PM in %s when daylight saving begins or ends',
    async (timeZone, moment, startBeforeChange, startAfterChange) => {
      setClock(moment)
      const { leo } = await setUpDojo(timeZone)
      const events = await readEvents(await createFeedPath(leo))
      const starts = events.map(({ start }) => start)
      expect(starts).toEqual(expect.arrayContaining([startBeforeChange, startAfterChange]))
    },
  )

  test('shows leap days, holidays, and canceled, moved and added dates once each', async () => {
    setClock('2028-02-20T15:00:00Z')
    const { sensei, kids, leo } = await setUpDojo('America/Chicago')
    const address = await createFeedPath(leo)
    expect(filterByDay(await readEvents(address), '2028-02-29')).toEqual([
      {
        uid: `${kids.id}-2028-02-29@tatami`,
        title: 'Kids Judo',
        status: 'CONFIRMED',
        details: null,
        start: '2028-02-29T23:00:00.000Z',
        end: '2028-03-01T00:00:00.000Z',
      },
    ])
    await sensei.put('/class-dates/cancelled', {
      class_id: kids.id,
      day: '2028-02-27',
      reason: 'Ice; snow, hail',
    })
    await sensei.put('/class-dates/moved', {
      class_id: kids.id,
      day: '2028-02-29',
      to_day: '2028-03-01',
      start_time: '6:30 PM',
      end_time: '7:30 PM',
    })
    await sensei.post('/class-dates', {
      class_id: kids.id,
      day: '2028-03-04',
      start_time: '9:00 AM',
      end_time: '10:00 AM',
    })
    await sensei.post('/holidays', {
      name: 'Spring break',
      first_day: '2028-03-05',
      last_day: '2028-03-11',
    })
    const events = await readEvents(address)
    expect(filterByDay(events, '2028-02-27')).toMatchObject([
      { title: 'Kids Judo (canceled)', status: 'CANCELLED', details: 'Ice; snow, hail' },
    ])
    expect(filterByDay(events, '2028-02-29')).toEqual([])
    // In UTC, 6:30 PM is on the next day.
    expect(filterByDay(events, '2028-03-02')).toMatchObject([
      { uid: `${kids.id}-2028-02-29@tatami`, start: '2028-03-02T00:30:00.000Z' },
    ])
    expect(filterByDay(events, '2028-03-04')).toMatchObject([{ start: '2028-03-04T15:00:00.000Z' }])
    expect(events.filter(({ start }) => start >= '2028-03-05' && start < '2028-03-12')).toEqual([
      expect.objectContaining({
        title: 'Spring break: no classes',
        start: '2028-03-05',
        end: '2028-03-12',
      }),
    ])
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length)
  })

  test('shows only classes that the reader may see, and no phone numbers or fees', async () => {
    setClock('2027-03-01T15:00:00Z')
    const { sensei, kids, leo, mia } = await setUpDojo('America/Chicago')
    const teens = await server.createClass(sensei, { class_name: 'Teens', class_days: ['tuesday'] })
    const guardian = await server.createGuardian(sensei, [leo, mia])
    await mia.post('/excuses', { class_id: kids.id, class_date: '2027-03-02' })
    const readTitles = async (person: Person) => {
      const events = await readEvents(await createFeedPath(person))
      return filterByDay(events, '2027-03-02').map(({ title }) => title)
    }
    expect(await readTitles(leo)).toEqual(['Kids Judo'])
    expect(await readTitles(guardian)).toEqual(['Leo: Kids Judo'])
    expect(await readTitles(mia)).toEqual([])
    expect((await readTitles(sensei)).toSorted()).toEqual(['Kids Judo', 'Teens'])
    await sensei.post(`/students/${mia.id}/enroll/${teens.id}`)
    expect((await readTitles(guardian)).toSorted()).toEqual(['Leo: Kids Judo', 'Mia: Teens'])
    const { payload } = await fetchFeed(await createFeedPath(guardian))
    // The last name, phone number, fee and email address of the students.
    expect(payload).not.toMatch(/Adams|512.?555|85\.5|@example/)
  })
})

describe('a calendar address', () => {
  test('is cached until something changes, and stops working when it is renewed', async () => {
    const { sensei, kids, leo } = await setUpDojo('America/Chicago')
    expect((await leo.get('/calendar-feed')).body).toEqual({ created_at: null })
    const firstPath = await createFeedPath(leo)
    const { headers } = await fetchFeed(firstPath)
    const secondResponse = await fetchFeed(firstPath, { 'if-none-match': headers.etag })
    expect([secondResponse.statusCode, secondResponse.payload]).toEqual([304, ''])
    const { body: classDates } = await sensei.get(`/class-dates?class_id=${kids.id}`)
    await sensei.put('/class-dates/cancelled', {
      class_id: kids.id,
      day: classDates[0].day,
      reason: 'Weather',
    })
    expect((await fetchFeed(firstPath, { 'if-none-match': headers.etag })).statusCode).toBe(200)
    const secondPath = await createFeedPath(leo)
    expect((await fetchFeed(firstPath)).statusCode).toBe(404)
    expect((await fetchFeed(secondPath)).statusCode).toBe(200)
    expect((await leo.get('/calendar-feed')).body).toEqual({ created_at: expect.any(String) })
    await leo.delete('/calendar-feed')
    const thirdPath = await createFeedPath(leo)
    await server.db.withoutDojo((tx) =>
      tx.execute(sql`update accounts set is_active = false where id = ${leo.id}`),
    )
    for (const path of [secondPath, thirdPath]) expect((await fetchFeed(path)).statusCode).toBe(404)
  })

  test('that is wrong gets the same response as an unknown path', async () => {
    const { leo, sensei } = await setUpDojo('America/Chicago')
    const { sensei: otherSensei } = await setUpDojo('America/Chicago')
    const address = await createFeedPath(leo)
    const unknownPathReply = (await fetchFeed('/api/nothing')).json()
    const swappedAddress = address.replace(sensei.dojoId, otherSensei.dojoId)
    for (const url of [
      swappedAddress,
      '/calendar/x.ics',
      `${address.slice(0, -5)}.ics`,
      address.slice(0, -4),
      `/calendar/${'a'.repeat(99)}.ics`,
    ]) {
      const response = await fetchFeed(url)
      expect([url, response.statusCode, response.json()]).toEqual([url, 404, unknownPathReply])
    }
    const { rows } = await server.db.inDojo(sensei.dojoId, (tx) =>
      tx.execute(sql`select * from calendar_feeds`),
    )
    expect(JSON.stringify(rows)).not.toContain(address.split('.')[1])
  })
})

test('renders a long calendar, and renders it again after each change', async () => {
  setClock('2027-03-01T15:00:00Z')
  const { sensei, kids, leo, mia } = await setUpDojo('America/Chicago')
  for (const class_name of ['Teens', 'Adults', 'Open Mat'])
    await server.createClass(sensei, { class_name, class_days: ['monday', 'tuesday', 'friday'] })
  const address = await createFeedPath(sensei)
  const { payload } = await fetchFeed(address)
  const countLines = (line: string) => payload.split(line).length - 1
  const eventCount = countLines('BEGIN:VEVENT')
  expect(eventCount).toBeGreaterThan(300)
  expect([
    countLines('BEGIN:VCALENDAR'),
    countLines('END:VCALENDAR'),
    countLines('END:VEVENT'),
  ]).toEqual([1, 1, eventCount])
  const miaAddress = await createFeedPath(mia)
  expect(filterByDay(await readEvents(miaAddress), '2027-03-02')).toHaveLength(1)
  await mia.post('/excuses', { class_id: kids.id, class_date: '2027-03-02' })
  expect(filterByDay(await readEvents(miaAddress), '2027-03-02')).toEqual([])
  await server.db.inDojo(sensei.dojoId, (tx) =>
    tx.execute(sql`with style as (
        insert into styles (id, name, is_main, created_at)
        values (gen_random_uuid(), 'Judo', true, now()) returning id)
      insert into gradings (id, style_id, name, held_on, created_at)
        select gen_random_uuid(), id, 'Spring', '2027-03-20', now() from style`),
  )
  expect(filterByDay(await readEvents(address), '2027-03-20')).toMatchObject([
    { title: 'Belt test: Spring' },
  ])
  const leosEvents = await readEvents(await createFeedPath(leo))
  expect(filterByDay(leosEvents, '2027-03-20')).toEqual([])
})

test('converts each local time to the right instant, even when daylight saving changes', () => {
  // Clocks change before 4 AM.
  const day = fc.integer({ min: 0, max: 3 * 365 }).map((days) => addDays('2027-01-01', days))
  const zone = fc.constantFrom(
    'America/New_York',
    'America/Chicago',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Asia/Kathmandu',
    'UTC',
  )
  const minuteOfDay = fc.integer({ min: 4 * 60, max: 24 * 60 - 1 })
  fc.assert(
    fc.property(day, minuteOfDay, zone, (date, minute, timeZone) => {
      const wallClock = new Intl.DateTimeFormat('sv-SE', {
        timeZone,
        dateStyle: 'short',
        timeStyle: 'short',
      }).format(toInstant(date, minute, timeZone))
      expect(wallClock).toBe(
        `${date} ${formatTwoDigits(Math.floor(minute / 60))}:${formatTwoDigits(minute % 60)}`,
      )
    }),
    { numRuns: 300, seed: 1 },
  )
  const newYorkTime = (date: string, minute: number) =>
    toInstant(date, minute, 'America/New_York').toISOString()
  // In spring 2:30 AM is skipped. In fall 1:30 AM occurs twice.
  expect(newYorkTime('2027-03-14', 2 * 60 + 30)).toBe('2027-03-14T07:30:00.000Z')
  expect(newYorkTime('2027-11-07', 60 + 30)).toBe('2027-11-07T05:30:00.000Z')
})
