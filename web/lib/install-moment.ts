/** Decides when to offer installing Tatami: rarely, and only once it has been useful. */
import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { today } from './dates.ts'

const KEY = 'install'
const NOT_NOW_DAYS = 90

export type InstallHistory = {
  visits: number
  visitedOn: string
  hasFinishedJob: boolean
  notNowAt: number | null
}
const NO_HISTORY: InstallHistory = {
  visits: 0,
  visitedOn: '',
  hasFinishedJob: false,
  notNowAt: null,
}

/** Instructors after a second day and a finished job, others after logging in. */
export const isInstallMoment = (
  { visits, hasFinishedJob, notNowAt }: Omit<InstallHistory, 'visitedOn'>,
  isInstructor: boolean,
  nowMs: number,
) =>
  (notNowAt === null || nowMs - notNowAt >= NOT_NOW_DAYS * DAY_MS) &&
  (!isInstructor || (visits > 1 && hasFinishedJob))

export const installHistory = (): InstallHistory => ({
  ...NO_HISTORY,
  ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as object),
})
const update = (change: Partial<InstallHistory>) =>
  localStorage.setItem(KEY, JSON.stringify({ ...installHistory(), ...change }))

export function recordVisit() {
  const { visits, visitedOn } = installHistory()
  if (visitedOn !== today()) update({ visits: visits + 1, visitedOn: today() })
}
export const recordFinishedJob = () => update({ hasFinishedJob: true })
export const recordNotNow = () => update({ notNowAt: Date.now() })
