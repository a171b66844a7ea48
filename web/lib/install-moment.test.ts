import { expect, test } from 'vitest'
import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { isInstallMoment } from './install-moment.ts'

const NOW_MS = Date.parse('2027-03-14T12:00:00Z')
const daysAgo = (days: number) => NOW_MS - days * DAY_MS

test.each([
  [
    'an instructor on the second day, after a roll',
    true,
    { visits: 2, hasFinishedJob: true, notNowAt: null },
  ],
  ['a student who has just logged in', false, { visits: 1, hasFinishedJob: false, notNowAt: null }],
  [
    'an instructor who said "Not now" 90 days ago',
    true,
    { visits: 9, hasFinishedJob: true, notNowAt: daysAgo(90) },
  ],
])('offers the app to %s', (_, isInstructor, history) => {
  expect(isInstallMoment(history, isInstructor, NOW_MS)).toBe(true)
})

test.each([
  ['an instructor on the first day', true, { visits: 1, hasFinishedJob: true, notNowAt: null }],
  [
    'an instructor who has not taken attendance yet',
    true,
    { visits: 5, hasFinishedJob: false, notNowAt: null },
  ],
  [
    'a student who said "Not now" 89 days ago',
    false,
    { visits: 9, hasFinishedJob: true, notNowAt: daysAgo(89) },
  ],
])('does not offer the app to %s', (_, isInstructor, history) => {
  expect(isInstallMoment(history, isInstructor, NOW_MS)).toBe(false)
})
