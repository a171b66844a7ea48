import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { expect, test } from 'vitest'
import { manualFileName, nightlyFileName, findOutdatedBackups } from './rotation.ts'

const FIRST = Date.parse('2025-01-01T09:00:00Z')
const night = (number: number) => nightlyFileName(new Date(FIRST + number * DAY_MS).toISOString())

function afterNights(count: number, isMade: (number: number) => boolean = () => true): string[] {
  let files: string[] = []
  for (let number = 0; number < count; number += 1) {
    if (!isMade(number)) continue
    files.push(night(number))
    const outdatedNames = findOutdatedBackups(files)
    files = files.filter((name) => !outdatedNames.includes(name))
  }
  return files.map((name) => /\d{4}-\d{2}-\d{2}/.exec(name)![0])
}

test('after two years of nights, 7 days, 4 weeks and 12 months are there', () => {
  expect(afterNights(730)).toEqual([
    // The newest of each month, except where weeks and days cover it.
    ...[
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
      '2026-06-30',
      '2026-07-31',
      '2026-08-31',
      '2026-09-30',
    ],
    ...['2026-10-31', '2026-11-30'],
    ...['2026-12-13', '2026-12-20'],
    ...[
      '2026-12-25',
      '2026-12-26',
      '2026-12-27',
      '2026-12-28',
      '2026-12-29',
      '2026-12-30',
      '2026-12-31',
    ],
  ])
})

test('nights without a backup cost no older one its place', () => {
  expect(afterNights(400, (number) => number % 50 === 0)).toHaveLength(8)
})

test('of several backups of one night the newest stays', () => {
  const [early, late] = ['2026-03-01T09:00:00Z', '2026-03-01T11:30:00Z'].map(nightlyFileName)
  expect(findOutdatedBackups([late!, early!])).toEqual([early])
})

test('what somebody has asked for, and what is no backup, is never deleted', () => {
  const otherNames = [
    manualFileName('2020-01-01T00:00:00Z'),
    'tatami-nightly-2020-01-01.zip',
    'notes.txt',
    `${night(1)}.part`,
  ]
  expect(
    findOutdatedBackups([
      ...otherNames,
      night(0),
      ...Array.from({ length: 30 }, (_, index) => night(300 + index)),
    ]),
  ).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/notes|tatami-2020|tatami-nightly-2020|part/)]),
  )
})
