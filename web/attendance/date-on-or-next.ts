import { type ClassDate, type DojoTime, isOver } from '@tatami/contract/calendar/timetable'

/** The current or next date of a day, or else its last one. `dates` start with the soonest. */
export function dateOnOrNext<D extends ClassDate>(
  dates: readonly D[],
  now: DojoTime,
): D | undefined {
  const takingPlace = dates.filter(({ status }) => status === 'on')
  return takingPlace.find((date) => !isOver(date, now)) ?? takingPlace.at(-1)
}
