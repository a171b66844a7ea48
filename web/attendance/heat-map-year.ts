import { addDays, daysBetween, daysSinceSunday } from '@tatami/contract/lib/calendar-day'

export type HeatMapDay = { day: string; isPresent: boolean }
type HeatMapCell = {
  day: string
  /** 0 is the week of the first day. */
  week: number
  /** 0 is Sunday. */
  weekday: number
  state: 'present' | 'absent' | 'none'
}

function toState(isPresent: boolean | undefined): HeatMapCell['state'] {
  if (isPresent === undefined) return 'none'
  return isPresent ? 'present' : 'absent'
}

/** Creates a cell for each day. A day without marks has the state `none`. */
export function createHeatMapCells(
  firstDay: string,
  lastDay: string,
  days: readonly HeatMapDay[],
): HeatMapCell[] {
  const isPresentByDay = new Map(days.map(({ day, isPresent }) => [day, isPresent]))
  const firstWeekday = daysSinceSunday(firstDay)
  return Array.from({ length: daysBetween(firstDay, lastDay) + 1 }, (_, index) => {
    const day = addDays(firstDay, index)
    return {
      day,
      week: Math.floor((firstWeekday + index) / 7),
      weekday: (firstWeekday + index) % 7,
      state: toState(isPresentByDay.get(day)),
    }
  })
}
