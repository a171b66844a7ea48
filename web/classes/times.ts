import { minutesOf } from '@tatami/contract/classes/classes'

const twoDigits = (number: number) => String(number).padStart(2, '0')

/** "17:30", as a field for a time has it, of "5:30 PM"; '' where there is none. */
export function toField(time: string | null): string {
  const minutes = minutesOf(time)
  return minutes === null ? '' : `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

/** "5:30 PM" of what a field for a time has; as it is where that is no time. */
export function fromField(value: string): string {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(value) ?? []
  if (hours === undefined) return value
  return `${((Number(hours) + 11) % 12) + 1}:${minutes} ${Number(hours) < 12 ? 'AM' : 'PM'}`
}

/** The end moves with the start, so that the class stays as long; the same end where it would be after midnight. */
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
