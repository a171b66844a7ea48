import { type ClassDate, type DojoTime, isOver } from '@tatami/contract/calendar/timetable'

/** Finds the current or next class date of a day, or else the last one. `dates` are sorted by time. */
export function findCurrentOrNextDate<DateOfClass extends ClassDate>(
  dates: readonly DateOfClass[],
  now: DojoTime,
): DateOfClass | undefined {
  const heldDates = dates.filter(({ status }) => status === 'on')
  return heldDates.find((date) => !isOver(date, now)) ?? heldDates.at(-1)
}
