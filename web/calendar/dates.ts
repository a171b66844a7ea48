import { daysBetween } from '@tatami/contract/lib/calendar-day'
import { classDatesApi, type DatedClass } from '@tatami/contract/calendar/class-dates'
import { classesApi } from '@tatami/contract/classes/classes'
import {
  breakAfterCommas,
  formatMonthAndDay,
  formatWeekday,
  formatWeekdayAndDay,
  today,
} from '../lib/dates.ts'
import { endpointQuery } from '../lib/query.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'

/** The lists to load again after a change of a class date. */
export const CLASS_DATE_QUERIES = [
  classDatesApi.list,
  classDatesApi.holidays,
  classesApi.list,
] as const

export const datesOnDayQuery = (day: string) =>
  endpointQuery(classDatesApi.list, { query: { from: day, until: day } })

export const dateKey = ({ class_id, day }: Pick<DatedClass, 'class_id' | 'day'>) =>
  `${class_id} ${day}`
export const dateTarget = ({ class_id, day }: Pick<DatedClass, 'class_id' | 'day'>) => ({
  class_id,
  day,
})

const DAYS_PER_WEEK = 7

/** Returns "today" or "tomorrow", "Friday" within six days, and otherwise "Friday, March 5". */
export function describeDay(day: string): string {
  const daysAhead = daysBetween(today(), day)
  if (daysAhead === 0) return 'today'
  if (daysAhead === 1) return 'tomorrow'
  return daysAhead > 1 && daysAhead < DAYS_PER_WEEK ? formatWeekday(day) : formatWeekdayAndDay(day)
}

/** Returns "Today" or for example "Friday, March 5". */
export const formatDayTitle = (day: string) =>
  day === today() ? 'Today' : breakAfterCommas(formatWeekdayAndDay(day))

type DateFields = Pick<
  DatedClass,
  'status' | 'origin' | 'day' | 'reason' | 'moved_from' | 'moved_to'
>

export function describeState({
  status,
  origin,
  day,
  reason,
  moved_from,
  moved_to,
}: DateFields): string | null {
  if (status === 'cancelled') return reason ? `Canceled: ${reason}` : 'Canceled'
  if (status === 'holiday') return `No class: ${reason ?? 'holiday'}`
  if (status === 'moved' && moved_to)
    return `Moved to ${describeDay(moved_to.day)}, ${moved_to.time}`
  if (origin === 'moved' && moved_from)
    return moved_from.day === day
      ? `Moved, was ${moved_from.time}`
      : `Moved from ${describeDay(moved_from.day)}`
  return origin === 'added' ? 'Extra class' : null
}

export type AttendeeCounts = Pick<
  DatedClass,
  'expected' | 'excused' | 'places' | 'waiting' | 'trials'
>

/** Returns for example "12 expected · 2 excused", or "8 of 10 · 2 waiting" for a class with a
 *  limited number of places. */
export const describeCounts = ({
  expected,
  excused,
  places,
  waiting,
  trials,
}: AttendeeCounts): string =>
  joinNonEmpty(
    [
      expected !== null && (places === null ? `${expected} expected` : `${expected} of ${places}`),
      excused && `${excused} excused`,
      waiting && `${waiting} waiting`,
      trials && pluralize(trials, 'trial'),
    ],
    ' · ',
  )

/** Returns for example "Kids Karate today" or "Kids Karate on Friday". */
export function describeDate({ class_name, day }: Pick<DatedClass, 'class_name' | 'day'>): string {
  const dayText = describeDay(day)
  return `${class_name} ${['today', 'tomorrow'].includes(dayText) ? dayText : `on ${dayText}`}`
}

export const describeSentTexts = (textCount: number) =>
  textCount === 0
    ? 'No texts were sent'
    : `${pluralize(textCount, 'text')} ${textCount === 1 ? 'is on its way' : 'are on their way'}`

export const formatDayRange = (firstDay: string, lastDay: string) =>
  firstDay === lastDay
    ? formatMonthAndDay(firstDay)
    : `${formatMonthAndDay(firstDay)} – ${formatMonthAndDay(lastDay)}`
