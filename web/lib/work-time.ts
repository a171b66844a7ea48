/** How hours of work are written on screens. */

const clockFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'short', timeZone: 'UTC' })

/** "6:30 PM" of "18:30" */
export const formatClock = (time: string): string =>
  clockFormat.format(new Date(`2000-01-01T${time}Z`))

export const formatClockRange = (startTime: string, endTime: string): string =>
  `${formatClock(startTime)} to ${formatClock(endTime)}`

/** "45 min", "2 h", "1 h 30 min". A correction can be negative. */
export function formatDuration(minutes: number): string {
  const sign = minutes < 0 ? '−' : ''
  const [hours, restMinutes] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  if (hours === 0) return `${sign}${restMinutes} min`
  return `${sign}${hours} h${restMinutes === 0 ? '' : ` ${restMinutes} min`}`
}
