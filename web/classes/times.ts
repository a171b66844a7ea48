import { minutesOf } from '@tatami/contract/classes/classes'

const twoDigits = (number: number) => String(number).padStart(2, '0')

/** "5:30 PM" → "17:30"; '' if there is no time */
export function toField(time: string | null): string {
  const minutes = minutesOf(time)
  return minutes === null ? '' : `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

/** "17:30" → "5:30 PM"; other input is returned unchanged. */
export function fromField(value: string): string {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(value) ?? []
  if (hours === undefined) return value
  return `${((Number(hours) + 11) % 12) + 1}:${minutes} ${Number(hours) < 12 ? 'AM' : 'PM'}`
}

/** Moves the end with the start to keep the class's length, unless it would pass midnight. */
export function shiftedEnd(start: string, end: string, nextStart: string): string {
  const [startMinute, endMinute, nextStartMinute] = [start, end, nextStart].map((field) =>
    minutesOf(fromField(field)),
  )
  if (startMinute == null || endMinute == null || nextStartMinute == null) return end
  const newEndMinute = nextStartMinute + (endMinute - startMinute)
  return newEndMinute < 24 * 60
    ? `${twoDigits(Math.floor(newEndMinute / 60))}:${twoDigits(newEndMinute % 60)}`
    : end
}
