import { mustExist } from '@tatami/contract/lib/must-exist'
import { addDays, monthKey, monthOfDate, nextWeekday } from '@tatami/contract/lib/calendar-day'

/** We keep the newest backup of each of the last days, weeks and months. */
const RETENTION = [
  { count: 7, periodOf: (day: string) => day },
  { count: 4, periodOf: (day: string) => nextWeekday('monday', addDays(day, -6)) },
  { count: 12, periodOf: (day: string) => monthKey(monthOfDate(day)) },
]

const NIGHTLY_FILE = /^tatami-nightly-(\d{4}-\d{2}-\d{2})T\d{6}Z\.zip$/

const compactInstant = (instant: string) => `${instant.slice(0, 19).replaceAll(':', '')}Z`

export const nightlyFileName = (instant: string): string =>
  `tatami-nightly-${compactInstant(instant)}.zip`
export const manualFileName = (instant: string): string => `tatami-${compactInstant(instant)}.zip`

export function findOutdatedBackups(names: string[]): string[] {
  const nightlyNames = names
    .filter((name) => NIGHTLY_FILE.test(name))
    .toSorted()
    .toReversed()
  const dayOf = (name: string) => mustExist(NIGHTLY_FILE.exec(name)?.[1], 'The day')
  const keptNames = RETENTION.flatMap(({ count, periodOf }) => {
    const newestByPeriod = new Map<string, string>()
    for (const name of nightlyNames)
      if (!newestByPeriod.has(periodOf(dayOf(name))))
        newestByPeriod.set(periodOf(dayOf(name)), name)
    return [...newestByPeriod.values()].slice(0, count)
  })
  return nightlyNames.filter((name) => !keptNames.includes(name))
}
