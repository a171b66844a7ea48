/** When to ask whether Tatami shall be installed: once it has proved of use, and seldom. What is counted stays on this device. */
import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { today } from './dates.ts'

const KEY = 'install'
const NOT_NOW_DAYS = 90

export type InstallHistory = {
  /** On how many days this browser has opened Tatami, and on which one last. */
  visits: number
  visitedOn: string
  hasFinishedJob: boolean
  /** When somebody last answered "Not now", in milliseconds. */
  notNowAt: number | null
}
const NO_HISTORY: InstallHistory = {
  visits: 0,
  visitedOn: '',
  hasFinishedJob: false,
  notNowAt: null,
}

/** An instructor is asked from the second day on, after a job was finished; students and parents after they have logged in. */
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
