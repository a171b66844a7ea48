import { parseMinutes } from '@tatami/contract/classes/classes'

const MINUTES_PER_DAY = 24 * 60

const padToTwoDigits = (number: number) => String(number).padStart(2, '0')

/** Formats 1050 as "17:30". */
const formatMinutes = (minutes: number) =>
  `${padToTwoDigits(Math.floor(minutes / 60))}:${padToTwoDigits(minutes % 60)}`

/** Turns "5:30 PM" into "17:30", the format of a time input. Returns '' for text that is not a
 *  time. */
export function toTimeInput(time: string | null): string {
  const minutes = parseMinutes(time)
  return minutes === null ? '' : formatMinutes(minutes)
}

/** Turns "17:30" into "5:30 PM". Returns other text unchanged. */
export function fromTimeInput(value: string): string {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(value) ?? []
  if (hours === undefined) return value
  const hour = Number(hours)
  return `${hour % 12 || 12}:${minutes} ${hour < 12 ? 'AM' : 'PM'}`
}

/** Moves the end of a class with its start, unless the new end would be after midnight. */
export function moveEndWithStart(start: string, end: string, newStart: string): string {
  const startMinute = parseMinutes(fromTimeInput(start))
  const endMinute = parseMinutes(fromTimeInput(end))
  const newStartMinute = parseMinutes(fromTimeInput(newStart))
  if (startMinute === null || endMinute === null || newStartMinute === null) return end
  const newEndMinute = newStartMinute + (endMinute - startMinute)
  return newEndMinute < MINUTES_PER_DAY ? formatMinutes(newEndMinute) : end
}
