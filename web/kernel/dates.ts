/** A format is costly to make on a phone: each is made when it is first used. */
const shower = (options: Intl.DateTimeFormatOptions) => {
  let format: Intl.DateTimeFormat | undefined
  return (instant: string) => (format ??= new Intl.DateTimeFormat(undefined, options)).format(new Date(instant))
}

/** Calendar dates ('2026-01-31', or the day of an ISO date-time in UTC) are never shifted by a time zone. */
const calendar = (options: Intl.DateTimeFormatOptions) => {
  const show = shower({ ...options, timeZone: 'UTC' })
  return (date: string) => show(`${date.slice(0, 10)}T00:00:00.000Z`)
}

/** "Jan 31, 2026" */
export const showDate = calendar({ dateStyle: 'medium' })
/** "Saturday, January 31" */
export const showDay = calendar({ weekday: 'long', month: 'long', day: 'numeric' })
/** "January 31" */
export const showMonthDay = calendar({ month: 'long', day: 'numeric' })
/** "January 2026" */
export const showMonth = calendar({ month: 'long', year: 'numeric' })

/** An instant, as the clock on the wall shows it: "Jan 31, 2026, 4:05 PM". */
export const showMoment = shower({ dateStyle: 'medium', timeStyle: 'short' })
/** The day of an instant, as the calendar on the wall shows it. */
export const showMomentsDay = shower({ dateStyle: 'medium' })

const two = (number: number) => String(number).padStart(2, '0')
/** `month` counts from 0, as everywhere in the API. */
export const calendarDate = (year: number, month: number, day: number) => `${String(year).padStart(4, '0')}-${two(month + 1)}-${two(day)}`

/** Today where the reader is. */
export const today = (now = new Date()) => calendarDate(now.getFullYear(), now.getMonth(), now.getDate())

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
export const weekdayOf = (date: string) => WEEKDAYS[new Date(`${date.slice(0, 10)}T00:00:00.000Z`).getUTCDay()]!
