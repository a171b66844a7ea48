const clockFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'short', timeZone: 'UTC' })

/** "18:30" → "6:30 PM" */
export const formatClock = (time: string): string =>
  clockFormat.format(new Date(`2000-01-01T${time}Z`))

export const formatClockRange = (startTime: string, endTime: string): string =>
  `${formatClock(startTime)} to ${formatClock(endTime)}`

/** "45 min", "2 h", "1 h 30 min". A correction can be negative. */
export function formatDuration(minutes: number): string {
  const sign = minutes < 0 ? '−' : ''
  const wholeHours = Math.floor(Math.abs(minutes) / 60)
  const remainingMinutes = Math.abs(minutes) % 60
  if (wholeHours === 0) return `${sign}${remainingMinutes} min`
  return `${sign}${wholeHours} h${remainingMinutes === 0 ? '' : ` ${remainingMinutes} min`}`
}
