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
const note = (change: Partial<InstallHistory>) =>
  localStorage.setItem(KEY, JSON.stringify({ ...installHistory(), ...change }))

export function noteVisit() {
  const { visits, visitedOn } = installHistory()
  if (visitedOn !== today()) note({ visits: visits + 1, visitedOn: today() })
}
export const noteFinishedJob = () => note({ hasFinishedJob: true })
export const noteNotNow = () => note({ notNowAt: Date.now() })
