import { type ClassDate, type DojoMinute, isOver } from '@tatami/contract/calendar/timetable'

/** Of the dates of a day, soonest first, the one that is on or comes next, else the last; undefined where no class takes place. */
export function dateOnOrNext<D extends ClassDate>(
  dates: readonly D[],
  now: DojoMinute,
): D | undefined {
  const takingPlace = dates.filter(({ status }) => status === 'on')
  return takingPlace.find((date) => !isOver(date, now)) ?? takingPlace.at(-1)
}
