import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { expect, test } from 'vitest'
import { manualFileName, nightlyFileName, findOutdatedBackups } from './rotation.ts'

const FIRST_NIGHT_MS = Date.parse('2025-01-01T09:00:00Z')
const nameFileOfNight = (number: number) =>
  nightlyFileName(new Date(FIRST_NIGHT_MS + number * DAY_MS).toISOString())

/** Lists the days of the backups that are kept after this many nights. */
function listDaysAfterNights(
  count: number,
  isMade: (number: number) => boolean = () => true,
): string[] {
  let files: string[] = []
  for (let number = 0; number < count; number += 1) {
    if (!isMade(number)) continue
    files.push(nameFileOfNight(number))
    const outdatedNames = findOutdatedBackups(files)
    files = files.filter((name) => !outdatedNames.includes(name))
  }
  return files.map((name) => /\d{4}-\d{2}-\d{2}/.exec(name)![0])
}

test('keeps 7 daily, 4 weekly and 12 monthly backups after two years', () => {
  expect(listDaysAfterNights(730)).toEqual([
    // The newest of each month, unless it is among the weekly and daily backups.
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

test('keeps older backups if there was no backup on many nights', () => {
  expect(listDaysAfterNights(400, (number) => number % 50 === 0)).toHaveLength(8)
})

test('keeps the newest of several backups from one night', () => {
  const [earlyName, lateName] = ['2026-03-01T09:00:00Z', '2026-03-01T11:30:00Z'].map(
    nightlyFileName,
  )
  expect(findOutdatedBackups([lateName!, earlyName!])).toEqual([earlyName])
})

test('never deletes backups made by hand, or other files', () => {
  const otherNames = [
    manualFileName('2020-01-01T00:00:00Z'),
    'tatami-nightly-2020-01-01.zip',
    'notes.txt',
    `${nameFileOfNight(1)}.part`,
  ]
  expect(
    findOutdatedBackups([
      ...otherNames,
      nameFileOfNight(0),
      ...Array.from({ length: 30 }, (_, index) => nameFileOfNight(300 + index)),
    ]),
  ).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/notes|tatami-2020|tatami-nightly-2020|part/)]),
  )
})
