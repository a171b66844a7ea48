import { addDays, daysBetween, WEEKDAYS, weekdayOf } from '../lib/calendar-day.ts'
import { z } from 'zod'
import {
  classesOn,
  type DojoClass,
  DAY_MINUTES,
  findEndMinutes,
  parseMinutes,
  timeRange,
} from '../classes/classes.ts'

/** A class moved to another day has two dates: the weekly one is `moved`, the new one is `on`. */
const DATE_STATUSES = ['on', 'cancelled', 'moved', 'holiday'] as const
const DATE_ORIGINS = ['weekly', 'moved', 'added'] as const

const dayAndTime = z.object({ day: z.string(), time: z.string() })
export const classDate = z.object({
  class_id: z.uuid(),
  class_name: z.string(),
  day: z.string(),
  start_time: z.string().nullable(),
  end_time: z.string().nullable(),
  /** "5:00 PM - 6:00 PM", a text from an older record, or "Time not specified". */
  time: z.string(),
  status: z.enum(DATE_STATUSES),
  origin: z.enum(DATE_ORIGINS),
  reason: z.string().nullable(),
  moved_from: dayAndTime.nullable(),
  moved_to: dayAndTime.nullable(),
  substitute: z.string().nullable(),
  /** The substitute, if they are on the staff. */
  substitute_id: z.uuid().nullable(),
})
export type ClassDate = z.output<typeof classDate>

export type DateException = {
  class_id: string
  /** The date in the weekly timetable. The class takes place on the day `held_on`. */
  day: string
  held_on: string
  start_time: string | null
  end_time: string | null
  is_added: boolean
  is_cancelled: boolean
  reason: string | null
  substitute: string | null
  substitute_id: string | null
}

/** Both days are part of the holiday. Added and moved dates take place on holidays, too. */
export type HolidayDays = { name: string; first_day: string; last_day: string }

/** Classes that a substitute sees only on the day of the substitution */
export type OneDayClasses = { day: string; classIds: readonly string[] }

export type Timetable = {
  classes: readonly DojoClass[]
  exceptions: readonly DateException[]
  holidays: readonly HolidayDays[]
  oneDayClasses?: OneDayClasses | null
}

const formatExceptionTime = (
  { start_time, end_time }: Pick<DateException, 'start_time' | 'end_time'>,
  dojoClass: DojoClass,
) => (start_time && end_time ? `${start_time} - ${end_time}` : timeRange(dojoClass))

/** Returns true for a date that takes place even if the class does not meet on that weekday. */
const isExtraDate = ({ day, held_on, is_added }: DateException) => is_added || held_on !== day

/** Sorted class dates between two days, both included. Only this function decides which classes
 *  take place. An added or moved date on a weekday of the class replaces the weekly date. */
export function classDatesBetween(
  { classes, exceptions, holidays, oneDayClasses = null }: Timetable,
  firstDay: string,
  lastDay: string,
): ClassDate[] {
  const classById = new Map(classes.map((dojoClass) => [dojoClass.id, dojoClass]))
  const exceptionByKey = new Map(
    exceptions.map((exception) => [`${exception.class_id} ${exception.day}`, exception]),
  )
  const extraExceptions = exceptions.filter(
    (exception) =>
      isExtraDate(exception) && firstDay <= exception.held_on && exception.held_on <= lastDay,
  )
  const extraKeys = new Set(extraExceptions.map((extra) => `${extra.class_id} ${extra.held_on}`))
  const classesByWeekday = new Map(
    WEEKDAYS.map((weekday) => [weekday, classesOn(weekday, classes)]),
  )
  const dates: ClassDate[] = []
  for (const extra of extraExceptions) {
    const dojoClass = classById.get(extra.class_id)
    if (dojoClass) dates.push(createChangedDate(dojoClass, extra, holidays))
  }
  for (let day = firstDay; day <= lastDay; day = addDays(day, 1))
    for (const dojoClass of classesByWeekday.get(weekdayOf(day)) ?? []) {
      const exception = exceptionByKey.get(`${dojoClass.id} ${day}`)
      if (extraKeys.has(`${dojoClass.id} ${day}`)) continue
      if (!exception) dates.push(createWeeklyDate(dojoClass, day, holidays))
      else if (isExtraDate(exception)) dates.push(createMovedAwayDate(dojoClass, exception))
      else dates.push(createChangedDate(dojoClass, exception, holidays))
    }
  const visibleDates = oneDayClasses
    ? dates.filter((date) => isVisible(date, oneDayClasses))
    : dates
  return sortDates(visibleDates)
}

const isVisible = ({ class_id, day }: ClassDate, oneDayClasses: OneDayClasses) =>
  day === oneDayClasses.day || !oneDayClasses.classIds.includes(class_id)

const findHoliday = (day: string, holidays: readonly HolidayDays[]) =>
  holidays.find(({ first_day, last_day }) => first_day <= day && day <= last_day)

function createWeeklyDate(
  dojoClass: DojoClass,
  day: string,
  holidays: readonly HolidayDays[],
): ClassDate {
  const holiday = findHoliday(day, holidays)
  return {
    ...createUsualDate(dojoClass, day),
    status: holiday ? 'holiday' : 'on',
    reason: holiday?.name ?? null,
  }
}

const createMovedAwayDate = (dojoClass: DojoClass, exception: DateException): ClassDate => ({
  ...createUsualDate(dojoClass, exception.day),
  status: 'moved',
  moved_to: { day: exception.held_on, time: formatExceptionTime(exception, dojoClass) },
})

function createChangedDate(
  dojoClass: DojoClass,
  exception: DateException,
  holidays: readonly HolidayDays[],
): ClassDate {
  const { day, held_on, start_time, end_time, is_added, is_cancelled } = exception
  const isMoved = !is_added && (held_on !== day || start_time !== null)
  const holiday = is_added || isMoved || is_cancelled ? undefined : findHoliday(held_on, holidays)
  const statusOnDay = holiday ? 'holiday' : 'on'
  const weeklyOrigin = isMoved ? 'moved' : 'weekly'
  return {
    ...createUsualDate(dojoClass, held_on),
    ...(start_time !== null && {
      start_time,
      end_time,
      time: formatExceptionTime(exception, dojoClass),
    }),
    status: is_cancelled ? 'cancelled' : statusOnDay,
    origin: is_added ? 'added' : weeklyOrigin,
    reason: is_cancelled ? exception.reason : (holiday?.name ?? null),
    moved_from: isMoved ? { day, time: timeRange(dojoClass) } : null,
    substitute: exception.substitute,
    substitute_id: exception.substitute_id,
  }
}

const createUsualDate = (dojoClass: DojoClass, day: string): ClassDate => ({
  class_id: dojoClass.id,
  class_name: dojoClass.class_name,
  day,
  start_time: dojoClass.class_start_time ?? dojoClass.start_time,
  end_time: dojoClass.class_end_time ?? dojoClass.end_time,
  time: timeRange(dojoClass),
  status: 'on',
  origin: 'weekly',
  reason: null,
  moved_from: null,
  moved_to: null,
  substitute: null,
  substitute_id: null,
})

const findStartMinute = ({ start_time }: ClassDate) => parseMinutes(start_time) ?? DAY_MINUTES

export const soonestFirst = (a: ClassDate, b: ClassDate) =>
  compareDates(a, b, findStartMinute(a) - findStartMinute(b))

function compareDates(a: ClassDate, b: ClassDate, startDifference: number): number {
  if (a.day !== b.day) return a.day < b.day ? -1 : 1
  if (startDifference !== 0) return startDifference
  if (a.class_name !== b.class_name) return a.class_name < b.class_name ? -1 : 1
  return a.class_id < b.class_id ? -1 : 1
}

/** Parses each start time only once, because a calendar can have thousands of dates. */
const sortDates = (dates: readonly ClassDate[]): ClassDate[] =>
  dates
    .map((date) => ({ date, start: findStartMinute(date) }))
    .toSorted((a, b) => compareDates(a.date, b.date, a.start - b.start))
    .map(({ date }) => date)

export type DojoTime = { day: string; minute: number }

export const minutesSince = (day: string, dojoTime: DojoTime): number =>
  daysBetween(day, dojoTime.day) * DAY_MINUTES + dojoTime.minute

/** A date without an end time is over at midnight. */
export function isOver(
  { day, start_time, end_time }: Pick<ClassDate, 'day' | 'start_time' | 'end_time'>,
  dojoTime: DojoTime,
): boolean {
  const end = findEndMinutes(parseMinutes(start_time), parseMinutes(end_time)) || DAY_MINUTES
  return end <= minutesSince(day, dojoTime)
}

/** A date without a start time counts as begun when it is over. */
export function hasBegun(
  date: Pick<ClassDate, 'day' | 'start_time' | 'end_time'>,
  dojoTime: DojoTime,
): boolean {
  const start = parseMinutes(date.start_time) ?? DAY_MINUTES
  return start <= minutesSince(date.day, dojoTime) || isOver(date, dojoTime)
}

export const upcomingDates = (timetable: Timetable, dojoTime: DojoTime, days = 14): ClassDate[] =>
  classDatesBetween(timetable, dojoTime.day, addDays(dojoTime.day, days - 1)).filter(
    (date) => date.status === 'on' && !isOver(date, dojoTime),
  )
