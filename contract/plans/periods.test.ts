import { describe, expect, test } from 'vitest'
import { addDays, addMonthsToDay, lastDayOf, monthsFrom } from '../lib/calendar-day.ts'
import { sumCents } from '../lib/money.ts'
import { endAfterHolds } from './billed-holds.ts'
import {
  type BilledHold,
  type BilledSubscription,
  calculateMonthSum,
  toMonthlyCents,
  periodsUntil,
  calculateTotalCents,
} from './periods.ts'

const createSubscription = (
  changes: Partial<BilledSubscription> & { cents?: number } = {},
): BilledSubscription => ({
  starts_on: '2026-01-01',
  ends_on: null,
  cycle: { unit: 'month', count: 1 },
  billing_day: 'first',
  first_period: 'prorated',
  prices: [{ from: '2026-01-01', cents: changes.cents ?? 9600 }],
  holds: [],
  ...changes,
})
const hold = (firstDay: string, lastDay: string | null, changes: Partial<BilledHold> = {}) => ({
  from: firstDay,
  until: lastDay,
  billing: 'prorated' as const,
  fee_cents: 0,
  moves_end: false,
  ...changes,
})
/** "2026-03-17..2026-03-31 4645 15 of 31 days" */
const describePeriods = (subscription: BilledSubscription, lastDay: string) =>
  periodsUntil(subscription, lastDay).map(({ from, until, due_on, cents, reason }) => {
    expect(due_on).toBe(from)
    return `${from}..${until} ${cents}${reason ? ` ${reason}` : ''}`
  })
const centsUntil = (subscription: BilledSubscription, lastDay: string) =>
  periodsUntil(subscription, lastDay).map(({ cents }) => cents)
const sumUntil = (subscription: BilledSubscription, lastDay: string) =>
  sumCents(centsUntil(subscription, lastDay))

describe('a month that starts on the 1st', () => {
  test('costs its price', () => {
    expect(describePeriods(createSubscription(), '2026-02-28')).toEqual([
      '2026-01-01..2026-01-31 9600',
      '2026-02-01..2026-02-28 9600',
    ])
  })

  test.each([
    ['2026-03-17', 'prorated', '2026-03-17..2026-03-31 4645 15 of 31 days'],
    ['2026-03-17', 'full', '2026-03-17..2026-03-31 9600'],
    ['2026-03-17', 'free', '2026-03-17..2026-03-31 0 free through March 31'],
    ['2026-03-01', 'free', '2026-03-01..2026-03-31 9600'],
    ['2026-03-31', 'prorated', '2026-03-31..2026-03-31 310 1 of 31 days'],
    ['2026-02-15', 'prorated', '2026-02-15..2026-02-28 4800 14 of 28 days'],
    ['2028-02-15', 'prorated', '2028-02-15..2028-02-29 4966 15 of 29 days'],
  ] as const)('that starts on %s, %s', (starts_on, first_period, firstPeriod) => {
    const [first, second] = describePeriods(
      createSubscription({ starts_on, first_period }),
      addDays(
        lastDayOf({
          month: Number(starts_on.slice(5, 7)) - 1,
          year: Number(starts_on.slice(0, 4)),
        }),
        1,
      ),
    )
    expect(first).toBe(firstPeriod)
    expect(second).toMatch(/-01\.\..* 9600$/)
  })
})

describe('a billing day of its own', () => {
  const startDays = (
    starts_on: string,
    lastDay: string,
    changes: Partial<BilledSubscription> = {},
  ) =>
    periodsUntil(createSubscription({ starts_on, billing_day: 'start', ...changes }), lastDay).map(
      ({ from }) => from,
    )

  test('returns to the 31st after short months', () => {
    expect(startDays('2026-01-31', '2026-06-30')).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
      '2026-06-30',
    ])
  })

  test.each([
    ['2026-01-29', ['2026-01-29', '2026-02-28', '2026-03-29']],
    ['2026-01-30', ['2026-01-30', '2026-02-28', '2026-03-30']],
    ['2028-01-30', ['2028-01-30', '2028-02-29', '2028-03-30']],
    ['2028-01-31', ['2028-01-31', '2028-02-29', '2028-03-31']],
  ])('from %s', (starts_on, days) => {
    expect(startDays(starts_on, `${starts_on.slice(0, 4)}-03-31`)).toEqual(days)
  })

  test('charges whole periods from the first on', () => {
    expect(
      describePeriods(
        createSubscription({ starts_on: '2026-01-31', billing_day: 'start' }),
        '2026-03-30',
      ),
    ).toEqual(['2026-01-31..2026-02-27 9600', '2026-02-28..2026-03-30 9600'])
  })

  test('of a year that starts on a leap day', () => {
    expect(startDays('2028-02-29', '2032-12-31', { cycle: { unit: 'year', count: 1 } })).toEqual([
      '2028-02-29',
      '2029-02-28',
      '2030-02-28',
      '2031-02-28',
      '2032-02-29',
    ])
  })
})

describe('other cycles', () => {
  test('weeks start on the weekday of the start, also when clocks change', () => {
    const weekly = createSubscription({
      starts_on: '2026-03-03',
      cycle: { unit: 'week', count: 1 },
    })
    expect(
      describePeriods({ ...weekly, prices: [{ from: '2026-03-03', cents: 2500 }] }, '2026-03-20'),
    ).toEqual([
      '2026-03-03..2026-03-09 2500',
      '2026-03-10..2026-03-16 2500',
      '2026-03-17..2026-03-23 2500',
    ])
  })

  test('a month owes the weeks that start in it, due with the first', () => {
    const weekly = createSubscription({
      starts_on: '2026-03-03',
      cycle: { unit: 'week', count: 1 },
      cents: 2500,
    })
    expect(calculateMonthSum(weekly, { month: 2, year: 2026 })).toEqual({
      cents: 12_500,
      due_on: '2026-03-03',
      reason: null,
    })
    expect(calculateMonthSum(weekly, { month: 3, year: 2026 })).toEqual({
      cents: 10_000,
      due_on: '2026-04-07',
      reason: null,
    })
  })

  test('two weeks', () => {
    const biweekly = createSubscription({
      starts_on: '2026-12-28',
      cycle: { unit: 'week', count: 2 },
    })
    expect(describePeriods(biweekly, '2027-01-11')).toEqual([
      '2026-12-28..2027-01-10 9600',
      '2027-01-11..2027-01-24 9600',
    ])
  })

  test('a year is due in its month, and no other month owes anything', () => {
    const yearly = createSubscription({
      starts_on: '2026-03-17',
      billing_day: 'start',
      cycle: { unit: 'year', count: 1 },
    })
    expect(calculateMonthSum(yearly, { month: 2, year: 2026 }).due_on).toBe('2026-03-17')
    expect(calculateMonthSum(yearly, { month: 3, year: 2026 })).toEqual({
      cents: 0,
      due_on: null,
      reason: null,
    })
    expect(calculateMonthSum(yearly, { month: 2, year: 2027 }).cents).toBe(9600)
  })

  test('three months count from the 1st of the month of the start', () => {
    const quarterly = createSubscription({
      starts_on: '2026-03-17',
      cycle: { unit: 'month', count: 3 },
    })
    expect(describePeriods(quarterly, '2026-06-30')).toEqual([
      '2026-03-17..2026-05-31 7930 76 of 92 days',
      '2026-06-01..2026-08-31 9600',
    ])
    expect(describePeriods({ ...quarterly, first_period: 'free' }, '2026-06-30')).toEqual([
      '2026-03-17..2026-03-31 0 free through March 31',
      '2026-04-01..2026-06-30 9600',
    ])
  })

  test.each([
    [{ unit: 'month', count: 1 }, 9600],
    [{ unit: 'month', count: 3 }, 3200],
    [{ unit: 'year', count: 1 }, 800],
    [{ unit: 'week', count: 1 }, 41_600],
    [{ unit: 'week', count: 2 }, 20_800],
  ] as const)('the monthly price of %o', (cycle, cents) => {
    expect(toMonthlyCents(9600, cycle)).toBe(cents)
  })
})

describe('the end', () => {
  test('leaves nothing after it', () => {
    const endedSubscription = createSubscription({ ends_on: '2026-02-14' })
    expect(describePeriods(endedSubscription, '2026-12-31')).toEqual([
      '2026-01-01..2026-01-31 9600',
      '2026-02-01..2026-02-14 4800 14 of 28 days',
    ])
    expect(calculateMonthSum(endedSubscription, { month: 2, year: 2026 })).toEqual({
      cents: 0,
      due_on: null,
      reason: null,
    })
  })

  test('is open if the day is null', () => {
    expect(centsUntil(createSubscription(), '2030-12-31')).toHaveLength(60)
  })

  test.each([101, 9600, 9601, 3, 1, 0])('parts of a month of %i cents add up', (cents) => {
    for (const first of [5, 10, 15])
      for (const second of [16, 20, 29]) {
        const parts = [
          createSubscription({
            starts_on: '2026-04-01',
            ends_on: `2026-04-${String(first).padStart(2, '0')}`,
          }),
          createSubscription({
            starts_on: addDays('2026-04-01', first),
            ends_on: `2026-04-${second}`,
          }),
          createSubscription({ starts_on: addDays('2026-04-01', second) }),
        ].map((part) =>
          sumUntil({ ...part, prices: [{ from: '2026-01-01', cents }] }, '2026-04-30'),
        )
        expect(sumCents(parts)).toBe(cents)
        expect(Math.min(...parts)).toBeGreaterThanOrEqual(0)
      }
  })

  test('half a cent is rounded up', () => {
    expect(
      sumUntil(createSubscription({ starts_on: '2026-04-16', cents: 101 }), '2026-04-30'),
    ).toBe(51)
  })
})

describe('prices', () => {
  const raisedSubscription = createSubscription({
    prices: [
      { from: '2026-01-01', cents: 9600 },
      { from: '2026-02-10', cents: 9900 },
    ],
  })

  test('a price that changes inside a period counts from the next one', () => {
    expect(centsUntil(raisedSubscription, '2026-03-01')).toEqual([9600, 9600, 9900])
  })

  test('a price from the first day of a period counts for it', () => {
    expect(
      centsUntil(
        {
          ...raisedSubscription,
          prices: [...raisedSubscription.prices, { from: '2026-04-01', cents: 5000 }],
        },
        '2026-04-01',
      ),
    ).toEqual([9600, 9600, 9900, 5000])
  })

  test('the first price counts from the start', () => {
    expect(
      centsUntil(
        createSubscription({ prices: [{ from: '2026-06-01', cents: 100 }] }),
        '2026-01-31',
      ),
    ).toEqual([100])
  })
})

describe('holds', () => {
  const onHold = (...holds: BilledHold[]) => createSubscription({ starts_on: '2026-03-01', holds })

  test.each([
    ['a whole month', [hold('2026-03-01', '2026-03-31')], '0 on hold'],
    ['a part', [hold('2026-03-10', '2026-03-19')], '6503 21 of 31 days'],
    [
      'a part of a free one',
      [hold('2026-03-10', '2026-03-19', { billing: 'free' })],
      '6503 21 of 31 days',
    ],
    ['a whole free one', [hold('2026-02-10', '2026-04-02', { billing: 'free' })], '0 on hold'],
    ['full price', [hold('2026-03-01', '2026-03-31', { billing: 'full' })], '9600'],
    [
      'a fee',
      [hold('2026-03-01', '2026-03-31', { billing: 'fee', fee_cents: 1000 })],
      '1000 on hold',
    ],
    [
      'a fee for a part',
      [hold('2026-03-17', '2026-03-31', { billing: 'fee', fee_cents: 1000 })],
      '5439 16 of 31 days',
    ],
    [
      'two that touch',
      [
        hold('2026-03-01', '2026-03-15', { billing: 'free' }),
        hold('2026-03-16', '2026-03-31', { billing: 'free' }),
      ],
      '0 on hold',
    ],
    [
      'two that overlap',
      [hold('2026-03-05', '2026-03-10'), hold('2026-03-08', '2026-03-12')],
      '7123 23 of 31 days',
    ],
    ['no end', [hold('2026-03-11', null)], '3097 10 of 31 days'],
    ['before', [hold('2026-01-11', '2026-02-28')], '9600'],
  ])('%s', (_case, holds, march) => {
    expect(describePeriods(onHold(...holds), '2026-03-31')).toEqual([
      `2026-03-01..2026-03-31 ${march}`,
    ])
  })

  test('an open hold costs nothing for as long as it lasts', () => {
    expect(centsUntil(onHold(hold('2026-04-01', null)), '2027-04-30')).toEqual([
      9600,
      ...Array.from({ length: 13 }, () => 0),
    ])
  })

  test('after a hold the next period costs its price, and nothing is charged afterward', () => {
    expect(centsUntil(onHold(hold('2026-04-01', '2026-05-31')), '2026-07-01')).toEqual([
      9600, 0, 0, 9600, 9600,
    ])
  })

  test('the first, shorter period can be wholly on hold', () => {
    const subscription = createSubscription({
      starts_on: '2026-03-17',
      first_period: 'full',
      holds: [hold('2026-03-17', '2026-03-31', { billing: 'free' })],
    })
    expect(centsUntil(subscription, '2026-04-01')).toEqual([0, 9600])
  })
})

describe('holds that move the end', () => {
  const term = (...holds: BilledHold[]) =>
    createSubscription({ ends_on: '2026-03-31', holds, starts_on: '2026-01-01' })
  const movingHold = (
    firstDay: string,
    lastDay: string | null,
    changes: Partial<BilledHold> = {},
  ) => hold(firstDay, lastDay, { moves_end: true, ...changes })

  test.each([
    ['none', [], '2026-03-31'],
    ['ten days', [movingHold('2026-02-01', '2026-02-10')], '2026-04-10'],
    [
      'days that count once',
      [movingHold('2026-02-01', '2026-02-10'), movingHold('2026-02-05', '2026-02-10')],
      '2026-04-10',
    ],
    [
      'two that touch',
      [movingHold('2026-02-01', '2026-02-10'), movingHold('2026-02-11', '2026-02-12')],
      '2026-04-12',
    ],
    [
      'one within the time that another added',
      [movingHold('2026-03-01', '2026-03-31'), movingHold('2026-04-20', '2026-04-21')],
      '2026-05-03',
    ],
    ['one after the end', [movingHold('2026-04-01', '2026-04-10')], '2026-03-31'],
    ['one before the start', [movingHold('2025-12-01', '2026-01-05')], '2026-04-05'],
    ['one that does not move it', [hold('2026-02-01', '2026-02-10')], '2026-03-31'],
    ['one without an end', [movingHold('2026-02-01', null)], null],
  ])('%s', (_case, holds, end) => {
    expect(endAfterHolds(term(...holds))).toBe(end)
  })

  test('days that were not paid for are paid for later', () => {
    expect(describePeriods(term(movingHold('2026-02-01', '2026-02-28')), '2026-12-31')).toEqual([
      '2026-01-01..2026-01-31 9600',
      '2026-02-01..2026-02-28 0 on hold',
      '2026-03-01..2026-03-31 9600',
      '2026-04-01..2026-04-28 9600 rest of the term',
    ])
  })

  test('days that were paid for are made up free', () => {
    const subscription = term(movingHold('2026-02-01', '2026-02-10', { billing: 'full' }))
    expect(describePeriods(subscription, '2026-12-31')).toEqual([
      '2026-01-01..2026-01-31 9600',
      '2026-02-01..2026-02-28 9600',
      '2026-03-01..2026-03-31 9600',
      '2026-04-01..2026-04-10 0 paid already',
    ])
  })

  test('a hold that does not move the end takes its days off', () => {
    const subscription = term(
      movingHold('2026-02-01', '2026-02-10', { billing: 'free' }),
      hold('2026-04-06', '2026-04-10', { billing: 'free' }),
    )
    expect(describePeriods(subscription, '2026-12-31').slice(1)).toEqual([
      '2026-02-01..2026-02-28 6171 18 of 28 days',
      '2026-03-01..2026-03-31 9600',
      '2026-04-01..2026-04-10 1715 rest of the term',
    ])
  })

  test('a prepaid year costs nothing more', () => {
    const year = createSubscription({
      cycle: { unit: 'year', count: 1 },
      ends_on: '2026-12-31',
      holds: [movingHold('2026-06-01', '2026-06-30', { billing: 'free' })],
    })
    expect(sumUntil(year, '2028-01-01')).toBe(9600)
    expect(endAfterHolds(year)).toBe('2027-01-30')
  })

  test('no end at all stays open', () => {
    expect(
      endAfterHolds({ ...term(movingHold('2026-02-01', '2026-02-10')), ends_on: null }),
    ).toBeNull()
  })
})

describe('a term', () => {
  const cycles = [
    { cycle: { unit: 'month', count: 1 }, wholePeriods: 6 },
    { cycle: { unit: 'month', count: 2 }, wholePeriods: 3 },
    { cycle: { unit: 'month', count: 6 }, wholePeriods: 1 },
  ] as const
  const billings = ['free', 'prorated', 'full'] as const
  const firstDays = ['2026-03-01', '2026-03-17', '2026-03-31', '2028-02-29', '2026-08-31']

  test.each(cycles)('of $wholePeriods periods adds up to its price', ({ cycle, wholePeriods }) => {
    for (const starts_on of firstDays)
      for (const billing_day of ['first', 'start'] as const)
        for (const first_period of ['prorated', 'full'] as const) {
          const term = createSubscription({
            ...{ starts_on, cycle, billing_day, first_period, ends_with_term: true },
            ends_on: addDays(addMonthsToDay(starts_on, 6), -1),
          })
          expect(calculateTotalCents(term)).toBe(9600 * wholePeriods)
          for (const billing of billings)
            for (const length of [1, 10, 31, 45]) {
              const heldFrom = addDays(starts_on, 40)
              const movingHold = hold(heldFrom, addDays(heldFrom, length - 1), {
                billing,
                moves_end: true,
              })
              expect(calculateTotalCents({ ...term, holds: [movingHold] })).toBe(
                9600 * wholePeriods,
              )
            }
        }
  })

  test('of weeks or a year adds up to its price, too', () => {
    for (const [cycle, days, cents] of [
      [{ unit: 'week', count: 1 }, 42, 57_600],
      [{ unit: 'week', count: 6 }, 42, 9600],
      [{ unit: 'year', count: 1 }, 365, 9600],
    ] as const)
      for (const billing of billings) {
        const term = createSubscription({
          ...{ cycle, starts_on: '2026-03-17', ends_with_term: true },
          ends_on: addDays('2026-03-16', days),
          holds: [hold('2026-04-02', '2026-04-11', { billing, moves_end: true })],
        })
        expect(calculateTotalCents(term)).toBe(cents)
      }
  })

  test('of 6 × $96 from the middle of a month has one whole price in its two parts', () => {
    const term = createSubscription({
      ...{ starts_on: '2026-03-17', ends_on: '2026-09-16', ends_with_term: true },
    })
    const periods = describePeriods(term, '2026-12-31')
    expect([periods[0], periods.at(-1)]).toEqual([
      '2026-03-17..2026-03-31 4645 15 of 31 days',
      '2026-09-01..2026-09-16 4955 rest of the term',
    ])
    const fullTerm = { ...term, first_period: 'full' as const }
    expect(describePeriods(fullTerm, '2026-12-31').at(-1)).toBe(
      '2026-09-01..2026-09-16 0 paid already',
    )
  })

  test('that starts free costs the days after that', () => {
    const term = createSubscription({
      ...{ starts_on: '2026-03-17', ends_on: '2026-09-16', ends_with_term: true },
      first_period: 'free',
    })
    expect(calculateTotalCents(term)).toBe(5 * 9600 + 5120)
  })
})

describe('periods that continue those of another plan', () => {
  const lastDates = (subscription: BilledSubscription, lastDay: string) =>
    periodsUntil(subscription, lastDay).map(({ from }) => from.slice(5))
  const anchor = { month: { month: 0, year: 2027 }, date: 31 }

  test('return to the 31st after a short month', () => {
    const subscription = createSubscription({
      ...{ starts_on: '2027-02-28', billing_day: 'start', anchor },
    })
    expect(lastDates(subscription, '2027-07-01')).toEqual([
      ...['02-28', '03-31', '04-30', '05-31', '06-30'],
    ])
  })

  test('have a first part up to the next billing day', () => {
    const subscription = createSubscription({
      ...{ starts_on: '2027-02-10', billing_day: 'start', anchor },
    })
    expect(describePeriods(subscription, '2027-03-01')).toEqual([
      '2027-02-10..2027-02-27 6171 18 of 28 days',
      '2027-02-28..2027-03-30 9600',
    ])
  })

  test('keep the month in which a year starts', () => {
    const subscription = createSubscription({
      ...{ starts_on: '2027-09-01', billing_day: 'start', cycle: { unit: 'year', count: 1 } },
      anchor: { month: { month: 4, year: 2026 }, date: 3 },
    })
    expect(describePeriods(subscription, '2028-05-03')).toEqual([
      '2027-09-01..2028-05-02 6426 245 of 366 days',
      '2028-05-03..2029-05-02 9600',
    ])
  })
})

test('the months of a subscription are the sum of its periods', () => {
  const subscription = createSubscription({
    starts_on: '2026-01-31',
    billing_day: 'start',
    ends_on: '2027-02-10',
    holds: [hold('2026-05-03', '2026-07-20')],
  })
  const months = monthsFrom({ month: 0, year: 2026 }, { month: 2, year: 2027 })
  expect(sumCents(months.map((month) => calculateMonthSum(subscription, month).cents))).toBe(
    sumUntil(subscription, '2027-12-31'),
  )
  expect(calculateMonthSum(subscription, { month: 4, year: 2026 }).reason).toBe('on hold')
})
