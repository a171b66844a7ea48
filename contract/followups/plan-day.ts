import { addDays, daysBetween } from '../lib/calendar-day.ts'

/** The plan covers so many days, from the first class on. */
export const PLAN_DAYS = 90

/** Days that do not count: a vacation, a hold or a holiday. Both days are included. */
export type Pause = { first: string; last: string }

/** Pauses may overlap, so each day is counted by itself. */
function countPausedDays(first: string, last: string, pauses: readonly Pause[]): number {
  const pausedDays = new Set<string>()
  for (const pause of pauses) {
    const pauseEnd = pause.last < last ? pause.last : last
    let day = pause.first > first ? pause.first : first
    for (; day <= pauseEnd; day = addDays(day, 1)) pausedDays.add(day)
  }
  return pausedDays.size
}

/** The day of the plan: 1 on the day of the first class. Paused days do not count. */
export function planDay(startedOn: string, today: string, pauses: readonly Pause[]): number {
  if (today <= startedOn) return 1
  const pausedDays = countPausedDays(addDays(startedOn, 1), today, pauses)
  return 1 + daysBetween(startedOn, today) - pausedDays
}
