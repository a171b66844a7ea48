import { mustExist } from '@tatami/contract/lib/must-exist'
import { addDays, monthKey, monthOfDate, nextWeekday } from '@tatami/contract/lib/calendar-day'

/** The newest backup of each of the last 7 days, 4 weeks and 12 months is kept. */
const RETENTION = [
  { count: 7, findPeriod: (day: string) => day },
  { count: 4, findPeriod: (day: string) => nextWeekday('monday', addDays(day, -6)) },
  { count: 12, findPeriod: (day: string) => monthKey(monthOfDate(day)) },
]

const NIGHTLY_FILE = /^tatami-nightly-(\d{4}-\d{2}-\d{2})T\d{6}Z\.zip$/

/** Such as "2027-06-10T080030Z". Some file systems do not allow colons. */
const formatInstant = (instant: string) => `${instant.slice(0, 19).replaceAll(':', '')}Z`

export const nightlyFileName = (instant: string): string =>
  `tatami-nightly-${formatInstant(instant)}.zip`
export const manualFileName = (instant: string): string => `tatami-${formatInstant(instant)}.zip`

/** Returns nightly backups that are not kept any longer. */
export function findOutdatedBackups(names: string[]): string[] {
  const nightlyNames = names
    .filter((name) => NIGHTLY_FILE.test(name))
    .toSorted()
    .toReversed()
  const findDay = (name: string) => mustExist(NIGHTLY_FILE.exec(name)?.[1], 'The day')
  const keptNames = RETENTION.flatMap(({ count, findPeriod }) => {
    const newestByPeriod = new Map<string, string>()
    for (const name of nightlyNames)
      if (!newestByPeriod.has(findPeriod(findDay(name))))
        newestByPeriod.set(findPeriod(findDay(name)), name)
    return [...newestByPeriod.values()].slice(0, count)
  })
  return nightlyNames.filter((name) => !keptNames.includes(name))
}
