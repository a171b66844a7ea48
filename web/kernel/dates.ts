/** Calendar dates ('2026-01-31', or the day of an ISO date-time in UTC) are never shifted by a time zone. */
const calendar = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' })
  return (date: string) => format.format(new Date(`${date.slice(0, 10)}T00:00:00.000Z`))
}

/** "Jan 31, 2026" */
export const showDate = calendar({ dateStyle: 'medium' })
/** "Saturday, January 31" */
export const showDay = calendar({ weekday: 'long', month: 'long', day: 'numeric' })
/** "January 31" */
export const showMonthDay = calendar({ month: 'long', day: 'numeric' })
/** "January 2026" */
export const showMonth = calendar({ month: 'long', year: 'numeric' })

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const momentsDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
/** An instant, as the clock on the wall shows it: "Jan 31, 2026, 4:05 PM". */
export const showMoment = (instant: string) => moment.format(new Date(instant))
/** The day of an instant, as the calendar on the wall shows it. */
export const showMomentsDay = (instant: string) => momentsDay.format(new Date(instant))

const two = (number: number) => String(number).padStart(2, '0')
/** `month` counts from 0, as everywhere in the API. */
export const calendarDate = (year: number, month: number, day: number) => `${String(year).padStart(4, '0')}-${two(month + 1)}-${two(day)}`

/** Today where the reader is. */
export const today = (now = new Date()) => calendarDate(now.getFullYear(), now.getMonth(), now.getDate())

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
export const weekdayOf = (date: string) => WEEKDAYS[new Date(`${date.slice(0, 10)}T00:00:00.000Z`).getUTCDay()]!
