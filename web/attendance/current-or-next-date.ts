import { type ClassDate, type DojoTime, isOver } from '@tatami/contract/calendar/timetable'

/** The current or next class date of a day, or else the last one. `dates` are sorted by time. */
export function currentOrNextDate<D extends ClassDate>(
  dates: readonly D[],
  now: DojoTime,
): D | undefined {
  const heldDates = dates.filter(({ status }) => status === 'on')
  return heldDates.find((date) => !isOver(date, now)) ?? heldDates.at(-1)
}
