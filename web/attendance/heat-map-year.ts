import { addDays, daysBetween, daysSinceSunday } from '@tatami/contract/lib/calendar-day'

export type HeatMapDay = { day: string; isPresent: boolean }
type Cell = {
  day: string
  /** 0 is the week of the first day. */
  week: number
  /** 0 is Sunday. */
  weekday: number
  state: 'present' | 'absent' | 'none'
}

/** A cell for each day from the first to the last. A day without marks has the state `none`. */
export function createCells(
  firstDay: string,
  lastDay: string,
  days: readonly HeatMapDay[],
): Cell[] {
  const isPresentByDay = new Map(days.map(({ day, isPresent }) => [day, isPresent]))
  const offset = daysSinceSunday(firstDay)
  return Array.from({ length: daysBetween(firstDay, lastDay) + 1 }, (_, index) => {
    const day = addDays(firstDay, index)
    const isPresent = isPresentByDay.get(day)
    const markedState = isPresent ? 'present' : 'absent'
    return {
      day,
      week: Math.floor((offset + index) / 7),
      weekday: (offset + index) % 7,
      state: isPresent === undefined ? 'none' : markedState,
    }
  })
}
