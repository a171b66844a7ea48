import { utcMidnight } from '@tatami/contract/lib/calendar-day'
const longDay = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
})
const shortDay = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
})
const fullDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

export const formatDay = (day: string): string => longDay.format(utcMidnight(day))
export const formatShortDay = (day: string): string => shortDay.format(utcMidnight(day))
export const formatFullDate = (day: string): string => fullDate.format(utcMidnight(day))

export function formatTime(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}
