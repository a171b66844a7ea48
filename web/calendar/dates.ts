import { daysBetween } from '@tatami/contract/lib/calendar-day'
import { classDatesApi, type DatedClass } from '@tatami/contract/calendar/class-dates'
import { classesApi } from '@tatami/contract/classes/classes'
import { formatMonthAndDay, formatWeekday, formatWeekdayAndDay, today } from '../lib/dates.ts'
import { endpointQuery } from '../lib/query.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'

export const DATE_READS = [classDatesApi.list, classDatesApi.holidays, classesApi.list] as const

export const todaysDatesQuery = (day: string) =>
  endpointQuery(classDatesApi.list, { query: { from: day, until: day } })

export const keyOfDate = ({ class_id, day }: Pick<DatedClass, 'class_id' | 'day'>) =>
  `${class_id} ${day}`
export const targetOf = ({ class_id, day }: Pick<DatedClass, 'class_id' | 'day'>) => ({
  class_id,
  day,
})

/** "today", "tomorrow", "Friday" within six days, otherwise "Friday, March 5" */
export function dayWords(day: string): string {
  const currentDay = today()
  const ahead = daysBetween(currentDay, day)
  if (ahead === 0) return 'today'
  if (ahead === 1) return 'tomorrow'
  return ahead > 1 && ahead < 7 ? formatWeekday(day) : formatWeekdayAndDay(day)
}
export const dayTitle = (day: string) => (day === today() ? 'Today' : formatWeekdayAndDay(day))

type DateFields = Pick<
  DatedClass,
  'status' | 'origin' | 'day' | 'reason' | 'moved_from' | 'moved_to'
>

/** How a date differs from the weekly timetable, or null if it does not */
export function stateWords({
  status,
  origin,
  day,
  reason,
  moved_from,
  moved_to,
}: DateFields): string | null {
  if (status === 'cancelled') return reason ? `Canceled: ${reason}` : 'Canceled'
  if (status === 'holiday') return `No class: ${reason ?? 'holiday'}`
  if (status === 'moved' && moved_to) return `Moved to ${dayWords(moved_to.day)}, ${moved_to.time}`
  if (origin === 'moved' && moved_from)
    return moved_from.day === day
      ? `Moved, was ${moved_from.time}`
      : `Moved from ${dayWords(moved_from.day)}`
  return origin === 'added' ? 'Extra class' : null
}

type AttendeeCounts = Pick<DatedClass, 'expected' | 'excused' | 'places' | 'waiting'>

/** "12 expected · 2 excused", or "8 of 10 · 2 waiting" for a class with a limit */
export const countWords = ({ expected, excused, places, waiting }: AttendeeCounts): string =>
  joinNonEmpty(
    [
      expected !== null && (places === null ? `${expected} expected` : `${expected} of ${places}`),
      excused && `${excused} excused`,
      waiting && `${waiting} waiting`,
    ],
    ' · ',
  )

export const dateName = ({ class_name, day }: Pick<DatedClass, 'class_name' | 'day'>) =>
  `${class_name} ${inSentence(day)}`
const inSentence = (day: string) =>
  ['today', 'tomorrow'].includes(dayWords(day)) ? dayWords(day) : `on ${dayWords(day)}`

export const textsWords = (texts: number) =>
  texts === 0
    ? 'No texts were sent'
    : `${pluralize(texts, 'text')} ${texts === 1 ? 'is on its way' : 'are on their way'}`

export const spanWords = (first: string, last: string) =>
  first === last
    ? formatMonthAndDay(first)
    : `${formatMonthAndDay(first)} – ${formatMonthAndDay(last)}`
