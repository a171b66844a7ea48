import { dayFrom, utcMidnight } from '@tatami/contract/lib/calendar-day'

/** The time zone of the school, in which all dates and times are shown. Undefined for visitors and
 *  super admins, who see the time zone of their device. */
let dojoZone: string | undefined

export function setTimeZone(timeZone: string | null | undefined) {
  dojoZone = timeZone && isSupportedTimeZone(timeZone) ? timeZone : undefined
}

export const dojoTimeZone = () => dojoZone

/** An old browser may not know a zone that was chosen on a newer one. */
function isSupportedTimeZone(timeZone: string) {
  try {
    Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

/** Formats are slow to create on a phone, so each is created once per time zone. */
function cachedFormat(locale: string | undefined, options: Intl.DateTimeFormatOptions) {
  const formats = new Map<string | undefined, Intl.DateTimeFormat>()
  return (timeZone: string | undefined) => {
    const format =
      formats.get(timeZone) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone })
    formats.set(timeZone, format)
    return format
  }
}

/** Calendar dates ('2026-01-31', or a timestamp's UTC day) are never shifted by a time zone. */
const calendarDateFormatter = (options: Intl.DateTimeFormatOptions) => {
  const format = cachedFormat(undefined, options)
  return (date: string) => format('UTC').format(utcMidnight(date.slice(0, 10)))
}

export const withoutLineBreaks = (text: string) => text.replaceAll(' ', '\u00A0')
/** Allows line breaks in "Saturday, December 12, 6:00 PM" only after commas. */
export const breakAfterCommas = (text: string) => text.split(', ').map(withoutLineBreaks).join(', ')

const formatMediumDate = calendarDateFormatter({ dateStyle: 'medium' })
/** "Jan 31, 2026", without line breaks */
export const formatDate = (date: string) => withoutLineBreaks(formatMediumDate(date))
export const formatWeekdayAndDay = calendarDateFormatter({
  weekday: 'long',
  month: 'long',
  day: 'numeric',
})
export const formatWeekday = calendarDateFormatter({ weekday: 'long' })
export const formatMonthAndDay = calendarDateFormatter({ month: 'long', day: 'numeric' })
export const formatMonthOfDate = calendarDateFormatter({ month: 'long', year: 'numeric' })
export const formatMonthInitial = calendarDateFormatter({ month: 'narrow' })

const timestampFormatter = (options: Intl.DateTimeFormatOptions) => {
  const format = cachedFormat(undefined, options)
  return (timestamp: string) => format(dojoZone).format(new Date(timestamp))
}

const formatMediumDateTime = timestampFormatter({ dateStyle: 'medium', timeStyle: 'short' })
/** "Jan 31, 2026, 4:05 PM" in the dojo's time zone, without line breaks */
export const formatDateTime = (timestamp: string) =>
  withoutLineBreaks(formatMediumDateTime(timestamp))
const formatInstantMediumDate = timestampFormatter({ dateStyle: 'medium' })
/** "Jan 31, 2026": the date of a timestamp in the dojo's time zone. */
export const formatInstantDate = (timestamp: string) =>
  withoutLineBreaks(formatInstantMediumDate(timestamp))

const formatTime = timestampFormatter({ timeStyle: 'short' })
/** "4:05 PM" today, "Jan 31, 2026" on other days */
export const formatTimeOrDate = (timestamp: string, now = new Date()) =>
  formatInstantDate(timestamp) === formatInstantDate(now.toISOString())
    ? formatTime(timestamp)
    : formatInstantDate(timestamp)

// The result is parsed, so it needs the Gregorian calendar and the digits 0 to 9.
const dayFormat = cachedFormat('en-US-u-ca-gregory-nu-latn', {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
})

function dayAt(time: Date) {
  const parts = dayFormat(dojoZone).formatToParts(time)
  const partValue = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value)
  return dayFrom({ month: partValue('month') - 1, year: partValue('year') }, partValue('day'))
}

const MINUTE_MS = 60_000
let cachedToday = { minute: NaN, timeZone: dojoZone, day: '' }
/** Today in the dojo's time zone. Cached for a minute, because each row of a long list calls it. */
export function today(now = new Date()) {
  const minute = Math.floor(now.getTime() / MINUTE_MS)
  if (cachedToday.minute !== minute || cachedToday.timeZone !== dojoZone)
    cachedToday = { minute, timeZone: dojoZone, day: dayAt(now) }
  return cachedToday.day
}

const clockFormat = cachedFormat('en-US-u-nu-latn', {
  hour: 'numeric',
  minute: 'numeric',
  hourCycle: 'h23',
})
/** Minutes since midnight in the dojo's time zone. */
export function currentMinuteOfDay(now = new Date()) {
  const [hour = 0, minute = 0] = clockFormat(dojoZone).format(now).split(':').map(Number)
  return hour * 60 + minute
}
