import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { today } from './dates.ts'

const HISTORY_KEY = 'install'
const PAUSE_AFTER_NOT_NOW_DAYS = 90

export type InstallHistory = {
  /** The number of days on which the user opened Tatami. */
  visits: number
  /** The day of the last visit. */
  visitedOn: string
  /** True once the user has taken attendance. */
  hasFinishedJob: boolean
  /** When the user last chose "Not now", in milliseconds since 1970. */
  notNowAt: number | null
}
const NO_HISTORY: InstallHistory = {
  visits: 0,
  visitedOn: '',
  hasFinishedJob: false,
  notNowAt: null,
}

/** Instructors must have taken attendance and come back on a second day. Others see the offer after
 *  they log in. */
export const isInstallMoment = (
  { visits, hasFinishedJob, notNowAt }: Omit<InstallHistory, 'visitedOn'>,
  isInstructor: boolean,
  nowMs: number,
) => {
  const isPaused = notNowAt !== null && nowMs - notNowAt < PAUSE_AFTER_NOT_NOW_DAYS * DAY_MS
  return !isPaused && (!isInstructor || (visits > 1 && hasFinishedJob))
}

export const installHistory = (): InstallHistory => ({
  ...NO_HISTORY,
  ...(JSON.parse(localStorage.getItem(HISTORY_KEY) ?? '{}') as object),
})
const changeHistory = (change: Partial<InstallHistory>) =>
  localStorage.setItem(HISTORY_KEY, JSON.stringify({ ...installHistory(), ...change }))

export function recordVisit() {
  const { visits, visitedOn } = installHistory()
  if (visitedOn !== today()) changeHistory({ visits: visits + 1, visitedOn: today() })
}
export const recordFinishedJob = () => changeHistory({ hasFinishedJob: true })
export const recordNotNow = () => changeHistory({ notNowAt: Date.now() })
