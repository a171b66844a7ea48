import { expect, test } from 'vitest'
import { listPromiseDays, describePromise } from './promise-days.ts'

const MONDAY = '2026-11-23'
const THURSDAY = '2026-12-03'

test('offers the usual days once each, in order', () => {
  expect(listPromiseDays(MONDAY).map(({ day, label }) => `${day} ${label}`)).toEqual([
    '2026-11-23 Today',
    '2026-11-24 Tomorrow',
    '2026-11-27 Friday',
    '2026-11-30 In a week',
  ])
  expect(listPromiseDays(THURSDAY).map(({ day, label }) => `${day} ${label}`)).toEqual([
    '2026-12-03 Today',
    '2026-12-04 Tomorrow',
    '2026-12-07 Monday',
    '2026-12-10 In a week',
    '2026-12-31 December 31',
  ])
})

test('describes the day by which a family will pay or should have paid', () => {
  expect(
    ['2026-11-20', '2026-11-23', '2026-11-27', '2026-11-29', '2026-11-30'].map((day) =>
      describePromise(day, MONDAY),
    ),
  ).toEqual([
    'Did not pay by November 20',
    'Will pay today',
    'Will pay by Friday',
    'Will pay by Sunday',
    'Will pay by November 30',
  ])
})
