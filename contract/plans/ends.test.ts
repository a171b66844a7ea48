import { describe, expect, test } from 'vitest'
import {
  agreedEnd,
  type EndTerms,
  holdNoticeDay,
  lastCoolingOffDay,
  lastDayAfterNotice,
  nextAnniversary,
  nextHoldQuestion,
  nextRenewal,
  noticeDay,
  termOn,
} from './ends.ts'
import { yearlyFeeDays } from './yearly-fees.ts'

const createTerms = (changes: Partial<EndTerms> = {}): EndTerms => ({
  kind: 'open',
  starts_on: '2026-01-31',
  cycle: { unit: 'month', count: 1 },
  minimum_months: 0,
  renews_for_months: 0,
  notice_days: 30,
  holds: [],
  told_renewals: [],
  ...changes,
})
const HOLD = { billing: 'free' as const, fee_cents: 0, moves_end: true }

describe('the agreed end', () => {
  test.each([
    [{}, null],
    [{ minimum_months: 1 }, '2026-02-27'],
    [{ minimum_months: 6 }, '2026-07-30'],
    [{ kind: 'term' as const }, '2026-02-27'],
    [{ kind: 'term' as const, cycle: { unit: 'week' as const, count: 6 } }, '2026-03-13'],
    [{ kind: 'term' as const, cycle: { unit: 'year' as const, count: 1 } }, '2027-01-30'],
    [{ starts_on: '2028-02-29', minimum_months: 12 }, '2029-02-27'],
  ])('of %o is %s', (changes, lastDay) => {
    expect(agreedEnd(createTerms(changes))).toBe(lastDay)
  })
})

describe('the last day after asking', () => {
  test.each([
    ['the notice counts', {}, '2026-03-01', '2026-03-31'],
    ['without notice it is today', { notice_days: 0 }, '2026-03-01', '2026-03-01'],
    ['the minimum term counts', { minimum_months: 6 }, '2026-03-01', '2026-07-30'],
    ['the notice is longer', { minimum_months: 6 }, '2026-07-10', '2026-08-09'],
    ['after the minimum term', { minimum_months: 6 }, '2026-09-01', '2026-10-01'],
    ['before it has begun', { minimum_months: 1 }, '2026-01-01', '2026-02-27'],
    ['across clock changes', { notice_days: 14 }, '2026-03-02', '2026-03-16'],
    [
      'a term ends with itself',
      { kind: 'term' as const, minimum_months: 3 },
      '2026-04-25',
      '2026-04-29',
    ],
    [
      'a hold moves the minimum term',
      { minimum_months: 6, holds: [{ ...HOLD, from: '2026-03-01', until: '2026-03-10' }] },
      '2026-04-01',
      '2026-08-09',
    ],
    [
      'an open hold has moved it so far',
      { minimum_months: 6, holds: [{ ...HOLD, from: '2026-03-01', until: null }] },
      '2026-03-10',
      '2026-08-09',
    ],
    [
      'a hold that does not move it',
      {
        minimum_months: 6,
        holds: [{ ...HOLD, moves_end: false, from: '2026-03-01', until: '2026-03-10' }],
      },
      '2026-04-01',
      '2026-07-30',
    ],
  ])('%s', (_case, changes, askedOn, lastDay) => {
    expect(lastDayAfterNotice(createTerms(changes), askedOn)).toBe(lastDay)
  })
})

describe('renewals', () => {
  const renewing = (...toldRenewals: string[]) =>
    createTerms({
      kind: 'renewing',
      minimum_months: 6,
      renews_for_months: 3,
      told_renewals: toldRenewals,
    })

  test('start on the day after the term', () => {
    expect(nextRenewal(renewing(), '2026-03-01')).toBe('2026-07-31')
    expect(nextRenewal(renewing('2026-07-31'), '2026-08-01')).toBe('2026-10-31')
    expect(nextRenewal(renewing('2026-07-31', '2026-10-31'), '2026-11-01')).toBe('2027-01-31')
  })

  test('that the payer was told about bind to the new term', () => {
    expect(termOn(renewing('2026-07-31'), '2026-08-15')).toEqual({
      from: '2026-07-31',
      until: '2026-10-30',
    })
    expect(lastDayAfterNotice(renewing('2026-07-31'), '2026-08-15')).toBe('2026-10-30')
  })

  test('without a notice, continues month to month and never for another term', () => {
    expect(termOn(renewing(), '2026-08-15')).toBeNull()
    expect(lastDayAfterNotice(renewing(), '2026-08-15')).toBe('2026-09-14')
    expect(nextRenewal(renewing(), '2026-08-15')).toBeNull()
    expect(termOn(renewing('2026-10-31'), '2026-11-15')).toBeNull()
  })

  test('notice shortly before the end adds only the days of the notice', () => {
    expect(lastDayAfterNotice(renewing('2026-07-31'), '2026-07-20')).toBe('2026-08-19')
  })

  test('move with holds', () => {
    const holds = [{ ...HOLD, from: '2026-03-01', until: '2026-03-10' }]
    expect(nextRenewal({ ...renewing(), holds }, '2026-03-01')).toBe('2026-08-10')
  })

  test('of other plans do not exist', () => {
    expect(nextRenewal(createTerms({ minimum_months: 6 }), '2026-03-01')).toBeNull()
    expect(nextAnniversary('2028-02-29', '2028-03-01')).toBe('2029-02-28')
    expect(nextAnniversary('2026-01-31', '2026-01-31')).toBe('2027-01-31')
  })
})

test('members are told some days before', () => {
  expect(noticeDay('2026-03-31', 30)).toBe('2026-03-01')
  expect(holdNoticeDay('2026-03-07')).toBe('2026-02-28')
  expect(holdNoticeDay('2028-03-07')).toBe('2028-02-29')
})

test('open holds are asked about every 30 days', () => {
  expect(nextHoldQuestion('2026-01-31', null)).toBe('2026-03-02')
  expect(nextHoldQuestion('2026-01-31', '2026-03-05')).toBe('2026-04-04')
})

test('the last day of cooling off', () => {
  expect(lastCoolingOffDay('2026-02-27', 3)).toBe('2026-03-02')
  expect(lastCoolingOffDay('2026-02-27', 0)).toBeNull()
})

test.each([
  ['2026-03-17', 60, ['2027-01-01', '2028-01-01']],
  ['2026-11-02', 60, ['2028-01-01']],
  ['2026-11-01', 60, ['2027-01-01', '2028-01-01']],
  ['2026-01-01', 0, ['2027-01-01', '2028-01-01']],
])('a student since %s pays the yearly fee, not within %i days', (starts_on, gap_days, days) => {
  const fee = { starts_on, gap_days, month: 0 }
  expect(yearlyFeeDays(fee, starts_on, '2028-12-31')).toEqual(days)
})
