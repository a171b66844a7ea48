import { type ClassDate, type DojoTime, isOver } from '@tatami/contract/calendar/timetable'

/** Finds the current or next class date of a day. After the last class, finds that one. `dates`
 *  must be sorted by time. Skips canceled dates. */
export function findCurrentOrNextDate<DateOfClass extends ClassDate>(
  dates: readonly DateOfClass[],
  now: DojoTime,
): DateOfClass | undefined {
  const activeDates = dates.filter(({ status }) => status === 'on')
  return activeDates.find((date) => !isOver(date, now)) ?? activeDates.at(-1)
}
