import { utcMidnight } from '@tatami/contract/lib/calendar-day'

const dayWithWeekday = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
})
const dayAndMonth = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
})
const fullDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** Such as "Thursday, November 26". */
export const formatDay = (day: string): string => dayWithWeekday.format(utcMidnight(day))

/** Such as "November 26". */
export const formatShortDay = (day: string): string => dayAndMonth.format(utcMidnight(day))

/** Such as "November 26, 2026". */
export const formatFullDate = (day: string): string => fullDate.format(utcMidnight(day))

/** Converts "17:30" to "5:30 PM". */
export function formatTime(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}
