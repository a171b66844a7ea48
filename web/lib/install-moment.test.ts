import { expect, test } from 'vitest'
import { isInstallMoment } from './install-moment.ts'

const NOW_MS = Date.parse('2027-03-14T12:00:00Z')
const daysAgo = (days: number) => NOW_MS - days * 86_400_000

test.each([
  [
    'an instructor on the first day',
    { visits: 1, hasFinishedJob: true, notNowAt: null },
    true,
    false,
  ],
  [
    'an instructor who has done nothing yet',
    { visits: 5, hasFinishedJob: false, notNowAt: null },
    true,
    false,
  ],
  [
    'an instructor on the second day, after a roll',
    { visits: 2, hasFinishedJob: true, notNowAt: null },
    true,
    true,
  ],
  [
    'a student who has just logged in',
    { visits: 1, hasFinishedJob: false, notNowAt: null },
    false,
    true,
  ],
  [
    'a student who said "Not now" 89 days ago',
    { visits: 9, hasFinishedJob: true, notNowAt: daysAgo(89) },
    false,
    false,
  ],
  [
    'an instructor who said "Not now" 90 days ago',
    { visits: 9, hasFinishedJob: true, notNowAt: daysAgo(90) },
    true,
    true,
  ],
])('asks %s at the right moment', (_, history, isInstructor, isAsked) => {
  expect(isInstallMoment(history, isInstructor, NOW_MS)).toBe(isAsked)
})
