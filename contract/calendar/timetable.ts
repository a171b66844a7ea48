import { addDays, daysBetween, type Weekday, WEEKDAYS, weekdayOf } from '../lib/calendar-day.ts'
import { z } from 'zod'
import {
  classesOn,
  type DojoClass,
  DAY_MINUTES,
  endMinutesOf,
  minutesOf,
  timeRange,
} from '../classes/classes.ts'

/** A class has at most one date on a day. A date that was moved to another day is `moved` on its
 *  weekly day and `on` on the other. */
const DATE_STATUSES = ['on', 'cancelled', 'moved', 'holiday'] as const
const DATE_ORIGINS = ['weekly', 'moved', 'added'] as const

const place = z.object({ day: z.string(), time: z.string() })
export const classDate = z.object({
  class_id: z.uuid(),
  class_name: z.string(),
  day: z.string(),
  start_time: z.string().nullable(),
  end_time: z.string().nullable(),
  /** "5:00 PM - 6:00 PM", an older record's words, or "Time not specified". */
  time: z.string(),
  status: z.enum(DATE_STATUSES),
  origin: z.enum(DATE_ORIGINS),
  reason: z.string().nullable(),
  moved_from: place.nullable(),
  moved_to: place.nullable(),
  substitute: z.string().nullable(),
})
export type ClassDate = z.output<typeof classDate>

export type DateException = {
  class_id: string
  day: string
  held_on: string
  start_time: string | null
  end_time: string | null
  is_added: boolean
  is_cancelled: boolean
  reason: string | null
  substitute: string | null
}

/** Both days included. Added and moved dates take place on holidays, too. */
export type HolidayDays = { name: string; first_day: string; last_day: string }

export type Timetable = {
  classes: readonly DojoClass[]
  exceptions: readonly DateException[]
  holidays: readonly HolidayDays[]
}

const timeWords = (
  { start_time, end_time }: Pick<DateException, 'start_time' | 'end_time'>,
  c: DojoClass,
) => (start_time && end_time ? `${start_time} - ${end_time}` : timeRange(c))

/** A date of its own, whatever the weekly timetable says of its day. */
const isExtra = ({ day, held_on, is_added }: DateException) => is_added || held_on !== day

/** Every date of the classes between two days, both included, in the order of day and time. This
 *  is the only place that says what takes place. If the days of a class were changed, an added
 *  or moved date replaces the weekly one of its day. */
export function classDatesBetween(
  { classes, exceptions, holidays }: Timetable,
  firstDay: string,
  lastDay: string,
): ClassDate[] {
  const classById = new Map(classes.map((dojoClass) => [dojoClass.id, dojoClass]))
  const exceptionOf = new Map(
    exceptions.map((exception) => [`${exception.class_id} ${exception.day}`, exception]),
  )
  const extras = exceptions.filter(
    (exception) =>
      isExtra(exception) && firstDay <= exception.held_on && exception.held_on <= lastDay,
  )
  const extraOf = new Set(extras.map((extra) => `${extra.class_id} ${extra.held_on}`))
  const onWeekday = Object.fromEntries(
    WEEKDAYS.map((weekday) => [weekday, classesOn(weekday, classes)]),
  ) as Record<Weekday, DojoClass[]>
  const dates = extras.flatMap((extra) => {
    const dojoClass = classById.get(extra.class_id)
    return dojoClass ? [changedDate(dojoClass, extra, holidays)] : []
  })
  for (let day = firstDay; day <= lastDay; day = addDays(day, 1))
    for (const dojoClass of onWeekday[weekdayOf(day)]) {
      const exception = exceptionOf.get(`${dojoClass.id} ${day}`)
      if (extraOf.has(`${dojoClass.id} ${day}`)) continue
      if (!exception) dates.push(weeklyDate(dojoClass, day, holidays))
      else if (isExtra(exception)) dates.push(movedAwayDate(dojoClass, exception))
      else dates.push(changedDate(dojoClass, exception, holidays))
    }
  return sortDates(dates)
}

const holidayOn = (day: string, holidays: readonly HolidayDays[]) =>
  holidays.find(({ first_day, last_day }) => first_day <= day && day <= last_day)

function weeklyDate(c: DojoClass, day: string, holidays: readonly HolidayDays[]): ClassDate {
  const holiday = holidayOn(day, holidays)
  return {
    ...asEveryWeek(c, day),
    status: holiday ? 'holiday' : 'on',
    reason: holiday?.name ?? null,
  }
}

const movedAwayDate = (c: DojoClass, exception: DateException): ClassDate => ({
  ...asEveryWeek(c, exception.day),
  status: 'moved',
  moved_to: { day: exception.held_on, time: timeWords(exception, c) },
})

function changedDate(
  c: DojoClass,
  exception: DateException,
  holidays: readonly HolidayDays[],
): ClassDate {
  const { day, held_on, start_time, end_time, is_added, is_cancelled, substitute } = exception
  const isMoved = !is_added && (held_on !== day || start_time !== null)
  const holiday = is_added || isMoved || is_cancelled ? undefined : holidayOn(held_on, holidays)
  return {
    ...asEveryWeek(c, held_on),
    ...(start_time !== null && { start_time, end_time, time: timeWords(exception, c) }),
    status: is_cancelled ? 'cancelled' : holiday ? 'holiday' : 'on',
    origin: is_added ? 'added' : isMoved ? 'moved' : 'weekly',
    reason: is_cancelled ? exception.reason : (holiday?.name ?? null),
    moved_from: isMoved ? { day, time: timeRange(c) } : null,
    substitute,
  }
}

const asEveryWeek = (c: DojoClass, day: string): ClassDate => ({
  class_id: c.id,
  class_name: c.class_name,
  day,
  start_time: c.class_start_time ?? c.start_time,
  end_time: c.class_end_time ?? c.end_time,
  time: timeRange(c),
  status: 'on',
  origin: 'weekly',
  reason: null,
  moved_from: null,
  moved_to: null,
  substitute: null,
})

const END_OF_DAY = DAY_MINUTES

export const soonestFirst = (a: ClassDate, b: ClassDate) =>
  compareDates(a, b, minutesOf(a.start_time), minutesOf(b.start_time))

const compareDates = (
  a: ClassDate,
  b: ClassDate,
  start: number | null,
  otherStart: number | null,
) =>
  (a.day < b.day ? -1 : a.day > b.day ? 1 : 0) ||
  (start ?? END_OF_DAY) - (otherStart ?? END_OF_DAY) ||
  (a.class_name < b.class_name ? -1 : a.class_name > b.class_name ? 1 : 0) ||
  (a.class_id < b.class_id ? -1 : 1)

const sortDates = (dates: readonly ClassDate[]): ClassDate[] =>
  dates
    .map((date) => ({ date, start: minutesOf(date.start_time) }))
    .toSorted((a, b) => compareDates(a.date, b.date, a.start, b.start))
    .map(({ date }) => date)

/** The day and the minutes since midnight by the dojo's clock. */
export type DojoTime = { day: string; minute: number }

export const minutesSince = (day: string, dojoTime: DojoTime): number =>
  daysBetween(day, dojoTime.day) * DAY_MINUTES + dojoTime.minute

/** A date without an end is over at midnight. */
export function isOver(
  { day, start_time, end_time }: Pick<ClassDate, 'day' | 'start_time' | 'end_time'>,
  dojoTime: DojoTime,
): boolean {
  const end = endMinutesOf(minutesOf(start_time), minutesOf(end_time)) || END_OF_DAY
  return end <= minutesSince(day, dojoTime)
}

export const datesToCome = (timetable: Timetable, dojoTime: DojoTime, days = 14): ClassDate[] =>
  classDatesBetween(timetable, dojoTime.day, addDays(dojoTime.day, days - 1)).filter(
    (date) => date.status === 'on' && !isOver(date, dojoTime),
  )
