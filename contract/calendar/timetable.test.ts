import { WEEKDAYS, type Weekday, addDays } from '../lib/calendar-day.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DojoClass, parseMinutes } from '../classes/classes.ts'
import { cancellationText, cancellationNotice } from './class-date-texts.ts'
import {
  type ClassDate,
  classDatesBetween,
  type DateException,
  upcomingDates,
  hasBegun,
  isOver,
  type Timetable,
} from './timetable.ts'

const emptyLegacyFields = {
  class_day: null,
  location: null,
  class_time: null,
  time: null,
  day: null,
  days: null,
  start_time: null,
  end_time: null,
}
const createClass = (
  id: string,
  class_days: Weekday[],
  overrides: Partial<DojoClass> = {},
): DojoClass => ({
  id,
  _id: id,
  class_name: id,
  name: id,
  description: null,
  class_days,
  created_at: '',
  places: null,
  ...emptyLegacyFields,
  class_start_time: '4:00 PM',
  class_end_time: '5:00 PM',
  ...overrides,
})
const exceptionOn = (
  class_id: string,
  day: string,
  overrides: Partial<DateException> = {},
): DateException => ({
  class_id,
  day,
  held_on: day,
  start_time: null,
  end_time: null,
  is_added: false,
  is_cancelled: false,
  reason: null,
  substitute: null,
  substitute_id: null,
  ...overrides,
})
const kids = createClass('Kids', ['monday', 'wednesday'])
const teens = createClass('Teens', ['monday'], {
  class_start_time: '12:00 PM',
  class_end_time: '1:00 PM',
})
const createTimetable = (overrides: Partial<Timetable> = {}): Timetable => ({
  classes: [kids, teens],
  exceptions: [],
  holidays: [],
  ...overrides,
})
const describeDates = (timetable: Timetable, firstDay: string, lastDay: string) =>
  classDatesBetween(timetable, firstDay, lastDay).map(
    ({ day, class_name, time, status }) => `${day} ${class_name} ${time} ${status}`,
  )

const MONDAY = '2028-02-28',
  LEAP_DAY = '2028-02-29',
  WEDNESDAY = '2028-03-01'

describe('class dates', () => {
  test('are sorted by day and time, even across a leap day and New Year', () => {
    const dailyClass = createClass('Daily', [...WEEKDAYS])
    expect(
      classDatesBetween(createTimetable({ classes: [dailyClass] }), MONDAY, WEDNESDAY).map(
        ({ day }) => day,
      ),
    ).toEqual([MONDAY, LEAP_DAY, WEDNESDAY])
    expect(
      classDatesBetween(createTimetable({ classes: [dailyClass] }), '2027-12-31', '2028-01-01'),
    ).toHaveLength(2)
    expect(describeDates(createTimetable(), MONDAY, WEDNESDAY)).toEqual([
      '2028-02-28 Teens 12:00 PM - 1:00 PM on',
      '2028-02-28 Kids 4:00 PM - 5:00 PM on',
      '2028-03-01 Kids 4:00 PM - 5:00 PM on',
    ])
  })

  test('include canceled, moved and added dates, holidays and substitutes', () => {
    const exceptions = [
      exceptionOn('Kids', MONDAY, { is_cancelled: true, reason: 'Ice on the road' }),
      exceptionOn('Kids', WEDNESDAY, {
        held_on: LEAP_DAY,
        start_time: '5:30 PM',
        end_time: '6:30 PM',
        substitute: 'Mr. Sato',
      }),
      exceptionOn('Teens', WEDNESDAY, {
        is_added: true,
        start_time: '9:00 AM',
        end_time: '10:00 AM',
      }),
    ]
    expect(classDatesBetween(createTimetable({ exceptions }), MONDAY, WEDNESDAY)).toMatchObject([
      { class_id: 'Teens', day: MONDAY, status: 'on', origin: 'weekly' },
      { class_id: 'Kids', day: MONDAY, status: 'cancelled', reason: 'Ice on the road' },
      {
        class_id: 'Kids',
        day: LEAP_DAY,
        status: 'on',
        origin: 'moved',
        time: '5:30 PM - 6:30 PM',
        substitute: 'Mr. Sato',
        moved_from: { day: WEDNESDAY, time: '4:00 PM - 5:00 PM' },
      },
      { class_id: 'Teens', day: WEDNESDAY, status: 'on', origin: 'added' },
      {
        class_id: 'Kids',
        day: WEDNESDAY,
        status: 'moved',
        moved_to: { day: LEAP_DAY, time: '5:30 PM - 6:30 PM' },
      },
    ])
    const holidays = [{ name: 'Spring break', first_day: MONDAY, last_day: WEDNESDAY }]
    expect(
      describeDates(createTimetable({ exceptions, holidays }), MONDAY, WEDNESDAY).map((dateText) =>
        dateText.split(' ').at(-1),
      ),
    ).toEqual(['holiday', 'cancelled', 'on', 'on', 'moved'])
  })

  test('count as upcoming until they end, unless they are canceled', () => {
    const exceptions = [exceptionOn('Kids', MONDAY, { is_cancelled: true })]
    const upcomingAt = (minute: number) =>
      upcomingDates(createTimetable({ exceptions }), { day: MONDAY, minute }, 3).map(
        ({ class_id, day }) => `${class_id} ${day}`,
      )
    expect(upcomingAt(13 * 60 - 1)).toEqual([`Teens ${MONDAY}`, `Kids ${WEDNESDAY}`])
    expect(upcomingAt(13 * 60)).toEqual([`Kids ${WEDNESDAY}`])
    const lateTimetable = createTimetable({
      classes: [
        createClass('Late', ['monday'], { class_start_time: '9:00 PM', class_end_time: '7:00 AM' }),
      ],
    })
    // Ten hours are too long for a class, so the end time is ignored and it is over at midnight.
    expect(upcomingDates(lateTimetable, { day: MONDAY, minute: 23 * 60 + 59 }, 1)).toHaveLength(1)
  })
})

/** Computes the dates by looking at each day and class separately. */
function expectedDates(
  { classes, exceptions, holidays }: Timetable,
  firstDay: string,
  lastDay: string,
): string[] {
  const dates: string[] = []
  for (
    const instant = new Date(`${firstDay}T12:00Z`);
    instant.toISOString().slice(0, 10) <= lastDay;
    instant.setUTCDate(instant.getUTCDate() + 1)
  ) {
    const day = instant.toISOString().slice(0, 10)
    for (const dojoClass of classes) {
      const classExceptions = exceptions.filter(({ class_id }) => class_id === dojoClass.id)
      const extra = classExceptions.find(
        (exception) => exception.held_on === day && (exception.is_added || exception.day !== day),
      )
      const change = classExceptions.find((exception) => exception.day === day)
      const isWeekly = dojoClass.class_days.includes(WEEKDAYS[(instant.getUTCDay() + 6) % 7]!)
      const isHoliday = holidays.some(
        ({ first_day, last_day }) => first_day <= day && day <= last_day,
      )
      if (extra)
        dates.push(
          `${day} ${dojoClass.id} ${extra.is_cancelled ? 'cancelled' : 'on'} ${extra.start_time}`,
        )
      else if (isWeekly && change && change.held_on !== day)
        dates.push(`${day} ${dojoClass.id} moved null`)
      else if (isWeekly && change?.is_cancelled)
        dates.push(`${day} ${dojoClass.id} cancelled ${change.start_time}`)
      else if (isWeekly && change?.start_time)
        dates.push(`${day} ${dojoClass.id} on ${change.start_time}`)
      else if (isWeekly) dates.push(`${day} ${dojoClass.id} ${isHoliday ? 'holiday' : 'on'} null`)
    }
  }
  return dates.toSorted()
}

test('computes the dates of random timetables like a simple model, once per class and day', () => {
  const START = '2027-12-20'
  const day = fc.integer({ min: 0, max: 80 }).map((days) => addDays(START, days))
  const randomException = fc.record({
    class_id: fc.constantFrom('A', 'B'),
    day,
    held: fc.option(day, { nil: undefined, freq: 2 }),
    start_time: fc.option(fc.constantFrom('9:00 AM', '7:30 PM'), { nil: null }),
    is_added: fc.boolean(),
    is_cancelled: fc.boolean(),
  })
  const randomHoliday = fc.tuple(day, fc.nat(9)).map(([first_day, days]) => ({
    name: 'Closed',
    first_day,
    last_day: addDays(first_day, days),
  }))
  const scenarios = fc.record({
    days: fc.tuple(fc.subarray([...WEEKDAYS]), fc.subarray([...WEEKDAYS])),
    exceptions: fc.array(randomException, { maxLength: 12 }),
    holidays: fc.array(randomHoliday, { maxLength: 3 }),
    from: day,
    length: fc.nat(40),
  })
  fc.assert(
    fc.property(scenarios, ({ days, exceptions: rawExceptions, holidays, from, length }) => {
      const allExceptions = rawExceptions.map(({ held, start_time, is_added, ...rawException }) =>
        exceptionOn(rawException.class_id, rawException.day, {
          ...rawException,
          is_added,
          held_on: is_added ? rawException.day : (held ?? rawException.day),
          start_time,
          end_time: start_time && '10:00 PM',
        }),
      )
      // The table has only one exception for a class and day.
      const exceptions = allExceptions.filter(
        (exception, index) =>
          !allExceptions
            .slice(0, index)
            .some(
              (earlierException) =>
                earlierException.class_id === exception.class_id &&
                (earlierException.day === exception.day ||
                  earlierException.held_on === exception.held_on),
            ),
      )
      const timetable = {
        classes: [createClass('A', days[0]), createClass('B', days[1])],
        exceptions,
        holidays,
      }
      const lastDay = addDays(from, length)
      const dates = classDatesBetween(timetable, from, lastDay)
      const times = new Map(
        exceptions.map((exception) => [
          `${exception.class_id} ${exception.held_on}`,
          exception.start_time,
        ]),
      )
      const hasTime = ({ status }: ClassDate) => status === 'on' || status === 'cancelled'
      const findTime = (date: ClassDate) =>
        (hasTime(date) && times.get(`${date.class_id} ${date.day}`)) || null
      const dateTexts = dates.map(
        (date) => `${date.day} ${date.class_id} ${date.status} ${findTime(date)}`,
      )
      expect(dateTexts.toSorted()).toEqual(expectedDates(timetable, from, lastDay))
      expect(new Set(dates.map((date) => `${date.class_id} ${date.day}`)).size).toBe(dates.length)
      expect(dates.map(({ day: dateDay }) => dateDay)).toEqual(
        dates.map(({ day: dateDay }) => dateDay).toSorted(),
      )
    }),
    { numRuns: 300, seed: 20_270_101 },
  )
})

test('parses the times that the form offers', () => {
  expect(
    ['12:00 AM', '12:30 PM', '5:00 PM', '11:59 PM', '17:00', '0:30 AM', null].map(parseMinutes),
  ).toEqual([0, 750, 1020, 1439, null, null, null])
})

test('announces a cancellation with its reason and asks for a reply', () => {
  const date = { class_name: 'Kids Karate', day: '2027-03-01', start_time: '5:00 PM' }
  expect(cancellationText(date, 'Weather', '2027-03-01')).toBe(
    'Kids Karate today, 5:00 PM is canceled: weather. Reply OK so we know you read this.',
  )
  expect(cancellationNotice(date, 'Ice on the road.', '2027-02-28')).toBe(
    'Kids Karate tomorrow, 5:00 PM is canceled: Ice on the road.',
  )
  expect(cancellationNotice({ ...date, start_time: null }, '', '2027-02-01')).toBe(
    'Kids Karate on Monday, March 1 is canceled.',
  )
})

test('considers a date begun at its start time or, without one, when it is over', () => {
  const hasBegunAt = (minute: number, start_time: string | null, end_time: string | null) =>
    hasBegun({ day: '2026-03-02', start_time, end_time }, { day: '2026-03-02', minute })
  expect(hasBegunAt(16 * 60 - 1, '4:00 PM', '5:00 PM')).toBe(false)
  expect(hasBegunAt(16 * 60, '4:00 PM', '5:00 PM')).toBe(true)
  expect(hasBegunAt(16 * 60, null, null)).toBe(false)
  expect(hasBegunAt(24 * 60, null, null)).toBe(true)
})

test('considers a date over when it ends, even after midnight', () => {
  const isOverAt = (start_time: string | null, end_time: string | null) =>
    [
      { day: '2026-03-02', minute: 17 * 60 },
      { day: '2026-03-02', minute: 24 * 60 - 1 },
      { day: '2026-03-03', minute: 29 },
      { day: '2026-03-03', minute: 30 },
      { day: '2026-03-04', minute: 0 },
    ].map((dojoTime) => isOver({ day: '2026-03-02', start_time, end_time }, dojoTime))
  expect(isOverAt('4:00 PM', '5:00 PM')).toEqual([true, true, true, true, true])
  expect(isOverAt('11:30 PM', '12:30 AM')).toEqual([false, false, false, true, true])
  expect(isOverAt('10:00 PM', '12:00 AM')).toEqual([false, false, true, true, true])
  // With an impossible end, or none, the date is over at midnight.
  for (const [start, end] of [
    ['6:00 PM', '5:00 PM'],
    ['5:00 PM', '7:00 AM'],
    ['6:00 PM', '6:00 PM'],
    [null, null],
    [null, '12:00 AM'],
  ] as const)
    expect(isOverAt(start, end)).toEqual([false, false, true, true, true])
})
