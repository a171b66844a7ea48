import { mustExist } from '@tatami/contract/lib/must-exist'
import { addDays, monthKey, monthOfDate, nextWeekday } from '@tatami/contract/lib/calendar-day'
/** The newest backup of each of the last days, weeks and months. */
const RETENTION = [
  { count: 7, periodOf: (day: string) => day },
  { count: 4, periodOf: (day: string) => nextWeekday('monday', addDays(day, -6)) },
  { count: 12, periodOf: (day: string) => monthKey(monthOfDate(day)) },
]

const NIGHTLY = /^tatami-nightly-(\d{4}-\d{2}-\d{2})T\d{6}Z\.zip$/

const compact = (instant: string) => `${instant.slice(0, 19).replaceAll(':', '')}Z`

export const nightlyName = (instant: string): string => `tatami-nightly-${compact(instant)}.zip`
export const manualName = (instant: string): string => `tatami-${compact(instant)}.zip`

/** Keeps 7 daily, 4 weekly and 12 monthly ones. */
export function outdatedBackups(names: string[]): string[] {
  const nightly = names
    .filter((name) => NIGHTLY.test(name))
    .toSorted()
    .toReversed()
  const dayOf = (name: string) => mustExist(NIGHTLY.exec(name)?.[1], 'The day')
  const keptNames = RETENTION.flatMap(({ count, periodOf }) => {
    const newest = new Map<string, string>()
    for (const name of nightly)
      if (!newest.has(periodOf(dayOf(name)))) newest.set(periodOf(dayOf(name)), name)
    return [...newest.values()].slice(0, count)
  })
  return nightly.filter((name) => !keptNames.includes(name))
}
