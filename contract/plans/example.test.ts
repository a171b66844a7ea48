import { describe, expect, test } from 'vitest'
import { type ExamplePlan, type ExampleRules, exampleSentences } from './example.ts'

const MONTHLY: ExamplePlan = {
  kind: 'open',
  price: 96,
  cycle_unit: 'month',
  cycle_count: 1,
  minimum_months: 0,
  renews_for_months: 0,
  notice_days: 0,
  sign_up_fee: 0,
  yearly_fee: 0,
  yearly_fee_month: null,
  early_end_fee: 0,
  entry_limit: null,
  entry_limit_per: null,
  visits: null,
  valid_days: null,
  is_add_on: false,
}
const FIRST = { billing_day: 'first', first_period: 'prorated' } as const
const START = { billing_day: 'start', first_period: 'full' } as const
const WEEKLY = { cycle_unit: 'week', price: 25 } as const
const YEARLY = { cycle_unit: 'year', price: 900 } as const
const SIX_WEEKS = { kind: 'term', price: 99, cycle_unit: 'week', cycle_count: 6 } as const
const HALF_YEAR = { minimum_months: 6, notice_days: 30 } as const
const ANY_TIME = 'They can end it at any time.'
const ON_THE_1ST = 'After that, it is $96 on the 1st of each month.'

/** The first sentence after "A student who starts on …", then the others. */
type Case = [startsOn: string, plan: Partial<ExamplePlan>, sentences: string[]]

const describeCases = (rules: Omit<ExampleRules, 'yearly_fee_gap_days'>, cases: Case[]) =>
  test.each(cases)('%s %j', (startsOn, plan, [payments = '', ...sentences]) => {
    const [firstSentence = '', ...otherSentences] = exampleSentences(
      { ...MONTHLY, ...plan },
      { ...rules, yearly_fee_gap_days: 60 },
      startsOn,
    )
    expect(firstSentence.replace(/^A student who starts on \w+ \d+ /, '')).toBe(payments)
    expect(otherSentences).toEqual(sentences)
  })

test('names the day of the start', () => {
  const [sentence] = exampleSentences(MONTHLY, { ...FIRST, yearly_fee_gap_days: 60 }, '2026-03-17')
  expect(sentence).toBe('A student who starts on March 17 pays $46.45 today and $96 on April 1.')
})

// All sums below were calculated by hand.
describe('the first month by days', () => {
  describeCases(FIRST, [
    ['2026-03-17', {}, ['pays $46.45 today and $96 on April 1.', ON_THE_1ST, ANY_TIME]],
    ['2026-03-01', {}, ['pays $96 today and $96 on April 1.', ON_THE_1ST, ANY_TIME]],
    ['2026-03-02', {}, ['pays $92.90 today and $96 on April 1.', ON_THE_1ST, ANY_TIME]],
    ['2026-03-31', {}, ['pays $3.10 today and $96 on April 1.', ON_THE_1ST, ANY_TIME]],
    ['2026-02-15', {}, ['pays $48 today and $96 on March 1.', ON_THE_1ST, ANY_TIME]],
    ['2028-02-15', {}, ['pays $49.66 today and $96 on March 1.', ON_THE_1ST, ANY_TIME]],
    ['2026-02-28', {}, ['pays $3.43 today and $96 on March 1.', ON_THE_1ST, ANY_TIME]],
    ['2028-02-29', {}, ['pays $3.31 today and $96 on March 1.', ON_THE_1ST, ANY_TIME]],
    ['2026-04-16', {}, ['pays $48 today and $96 on May 1.', ON_THE_1ST, ANY_TIME]],
    ['2026-12-31', {}, ['pays $3.10 today and $96 on January 1, 2027.', ON_THE_1ST, ANY_TIME]],
    [
      '2026-03-17',
      { price: 99.99 },
      [
        'pays $48.38 today and $99.99 on April 1.',
        'After that, it is $99.99 on the 1st of each month.',
        ANY_TIME,
      ],
    ],
    [
      '2026-04-16',
      { price: 1.01 },
      [
        'pays $0.51 today and $1.01 on May 1.',
        'After that, it is $1.01 on the 1st of each month.',
        ANY_TIME,
      ],
    ],
    ['2026-03-17', { price: 0 }, ['pays nothing today.', ANY_TIME]],
    ['2026-03-17', { price: 0, sign_up_fee: 50 }, ['pays the $50 sign-up fee today.', ANY_TIME]],
    [
      '2026-03-17',
      { sign_up_fee: 50 },
      [
        'pays $96.45 today ($46.45 and the $50 sign-up fee) and $96 on April 1.',
        ON_THE_1ST,
        ANY_TIME,
      ],
    ],
  ])
})

describe('the first month in full', () => {
  describeCases({ billing_day: 'first', first_period: 'full' }, [
    ['2026-03-17', {}, ['pays $96 today and $96 on April 1.', ON_THE_1ST, ANY_TIME]],
    ['2026-02-28', {}, ['pays $96 today and $96 on March 1.', ON_THE_1ST, ANY_TIME]],
    [
      '2026-03-17',
      { sign_up_fee: 49.99 },
      [
        'pays $145.99 today ($96 and the $49.99 sign-up fee) and $96 on April 1.',
        ON_THE_1ST,
        ANY_TIME,
      ],
    ],
  ])
})

describe('free until the billing day', () => {
  describeCases({ billing_day: 'first', first_period: 'free' }, [
    ['2026-03-17', {}, ['pays nothing today and $96 on April 1.', ON_THE_1ST, ANY_TIME]],
    ['2026-03-01', {}, ['pays $96 today and $96 on April 1.', ON_THE_1ST, ANY_TIME]],
    [
      '2026-03-17',
      { sign_up_fee: 50 },
      ['pays the $50 sign-up fee today and $96 on April 1.', ON_THE_1ST, ANY_TIME],
    ],
    [
      '2026-03-17',
      { cycle_count: 3, price: 270 },
      [
        'pays nothing today and $270 on April 1.',
        'After that, it is $270 every 3 months.',
        ANY_TIME,
      ],
    ],
  ])
})

describe('a billing day of the student', () => {
  const monthlyOn = (day: string) => `After that, it is $96 on the ${day} of each month.`
  const LAST_DAY_OF_MONTH = 'of each month, or on its last day.'
  describeCases(START, [
    ['2026-03-17', {}, ['pays $96 today and $96 on April 17.', monthlyOn('17th'), ANY_TIME]],
    ['2026-03-01', {}, ['pays $96 today and $96 on April 1.', monthlyOn('1st'), ANY_TIME]],
    ['2026-03-02', {}, ['pays $96 today and $96 on April 2.', monthlyOn('2nd'), ANY_TIME]],
    ['2026-03-03', {}, ['pays $96 today and $96 on April 3.', monthlyOn('3rd'), ANY_TIME]],
    ['2026-03-11', {}, ['pays $96 today and $96 on April 11.', monthlyOn('11th'), ANY_TIME]],
    ['2026-01-28', {}, ['pays $96 today and $96 on February 28.', monthlyOn('28th'), ANY_TIME]],
    [
      '2026-01-30',
      {},
      [
        'pays $96 today and $96 on February 28.',
        `After that, it is $96 on the 30th ${LAST_DAY_OF_MONTH}`,
        ANY_TIME,
      ],
    ],
    [
      '2028-01-31',
      {},
      [
        'pays $96 today and $96 on February 29.',
        `After that, it is $96 on the 31st ${LAST_DAY_OF_MONTH}`,
        ANY_TIME,
      ],
    ],
    [
      '2026-12-31',
      {},
      [
        'pays $96 today and $96 on January 31, 2027.',
        `After that, it is $96 on the 31st ${LAST_DAY_OF_MONTH}`,
        ANY_TIME,
      ],
    ],
  ])
})

// The weeks that start in a month are the price of that month.
describe('weeks', () => {
  const ON_FIRST_TUESDAY =
    'After that, they pay on the first Tuesday of each month: $25 for each week that starts in it.'
  const BIWEEKLY = [
    'After that, it is $45 every other Tuesday.',
    'Payments in the same month are billed together, with the first one.',
  ]
  describeCases(FIRST, [
    [
      '2026-03-17',
      WEEKLY,
      ['pays $75 today for 3 weeks and $100 on April 7 for 4 weeks.', ON_FIRST_TUESDAY, ANY_TIME],
    ],
    [
      '2026-03-03',
      WEEKLY,
      ['pays $125 today for 5 weeks and $100 on April 7 for 4 weeks.', ON_FIRST_TUESDAY, ANY_TIME],
    ],
    [
      '2026-03-03',
      { ...WEEKLY, sign_up_fee: 50 },
      [
        'pays $175 today ($125 for 5 weeks and the $50 sign-up fee) ' +
          'and $100 on April 7 for 4 weeks.',
        ON_FIRST_TUESDAY,
        ANY_TIME,
      ],
    ],
    [
      '2026-12-29',
      WEEKLY,
      ['pays $25 today and $100 on January 5, 2027 for 4 weeks.', ON_FIRST_TUESDAY, ANY_TIME],
    ],
    [
      '2026-03-17',
      { ...WEEKLY, cycle_count: 2, price: 45 },
      ['pays $90 today for 4 weeks and $90 on April 14 for 4 weeks.', ...BIWEEKLY, ANY_TIME],
    ],
    [
      '2026-03-17',
      { ...WEEKLY, cycle_count: 6, price: 99 },
      ['pays $99 today and $99 on April 28.', 'After that, it is $99 every 6 weeks.', ANY_TIME],
    ],
  ])
})

describe('weeks of an add-on, which is charged by itself', () => {
  const EACH_TUESDAY = 'After that, it is $25 every Tuesday.'
  const ADD_ON = { ...WEEKLY, is_add_on: true }
  describeCases(FIRST, [
    ['2026-03-17', ADD_ON, ['pays $25 today and $25 on March 24.', EACH_TUESDAY, ANY_TIME]],
    ['2026-12-29', ADD_ON, ['pays $25 today and $25 on January 5, 2027.', EACH_TUESDAY, ANY_TIME]],
    [
      '2026-03-17',
      { ...ADD_ON, cycle_count: 2, price: 45 },
      [
        'pays $45 today and $45 on March 31.',
        'After that, it is $45 every other Tuesday.',
        ANY_TIME,
      ],
    ],
  ])
})

describe('several months and years', () => {
  describeCases(FIRST, [
    [
      '2026-03-17',
      { cycle_count: 3, price: 270 },
      [
        'pays $223.04 today and $270 on June 1.',
        'After that, it is $270 every 3 months.',
        ANY_TIME,
      ],
    ],
    [
      '2026-03-17',
      YEARLY,
      [
        'pays $860.55 today and $900 on March 1, 2027.',
        'After that, it is $900 every year on March 1.',
        ANY_TIME,
      ],
    ],
  ])
  describeCases(START, [
    [
      '2026-03-17',
      { cycle_count: 3, price: 270 },
      ['pays $270 today and $270 on June 17.', 'After that, it is $270 every 3 months.', ANY_TIME],
    ],
    [
      '2026-03-17',
      YEARLY,
      [
        'pays $900 today and $900 on March 17, 2027.',
        'After that, it is $900 every year on March 17.',
        ANY_TIME,
      ],
    ],
    [
      '2026-03-17',
      { ...YEARLY, cycle_count: 2, price: 1700 },
      [
        'pays $1,700 today and $1,700 on March 17, 2028.',
        'After that, it is $1,700 every 2 years.',
        ANY_TIME,
      ],
    ],
  ])
})

describe('a plan that ends by itself', () => {
  describeCases(FIRST, [
    ['2026-03-17', SIX_WEEKS, ['pays $99 today.', 'It ends automatically on April 27.']],
    [
      '2026-03-17',
      { kind: 'term', minimum_months: 1 },
      [
        'pays $46.45 today and $49.55 on April 1.',
        'It ends automatically on April 16, and costs $96 in total.',
      ],
    ],
    [
      '2026-03-17',
      { kind: 'term', minimum_months: 3 },
      [
        'pays $46.45 today and $96 on April 1.',
        ON_THE_1ST,
        'The last payment is $49.55 on June 1.',
        'It ends automatically on June 16, and costs $288 in total.',
      ],
    ],
    [
      '2026-03-01',
      { kind: 'term', minimum_months: 3, early_end_fee: 40 },
      [
        'pays $96 today and $96 on April 1.',
        'The last payment is $96 on May 1.',
        'It ends automatically on May 31, and costs $288 in total.',
        'Ending earlier costs $40.',
      ],
    ],
    [
      '2026-03-17',
      { ...WEEKLY, kind: 'term', minimum_months: 1 },
      [
        'pays $75 today for 3 weeks and $35.71 on April 7.',
        'It ends automatically on April 16, and costs $110.71 in total.',
      ],
    ],
  ])
  describeCases(START, [
    [
      '2026-03-17',
      { kind: 'term', minimum_months: 1 },
      ['pays $96 today.', 'It ends automatically on April 16.'],
    ],
    [
      '2026-01-31',
      { kind: 'term', minimum_months: 3 },
      [
        'pays $96 today and $96 on February 28.',
        'The last payment is $96 on March 31.',
        'It ends automatically on April 29, and costs $288 in total.',
      ],
    ],
  ])
})

describe('a plan that ends by itself, in a school with family prices', () => {
  describeCases({ ...FIRST, has_family_prices: true }, [
    [
      '2026-03-17',
      { kind: 'term', minimum_months: 1 },
      [
        'pays $46.45 today and $49.55 on April 1.',
        'It ends automatically on April 16, and costs $96 in total, before family discounts.',
      ],
    ],
  ])
})

describe('notice, minimum term and renewal', () => {
  const payments = ['pays $46.45 today and $96 on April 1.', ON_THE_1ST]
  describeCases(FIRST, [
    [
      '2026-03-17',
      { notice_days: 30 },
      [...payments, 'They can end it at any time, with 30 days’ notice.'],
    ],
    [
      '2026-03-17',
      { notice_days: 1 },
      [...payments, 'They can end it at any time, with 1 day’s notice.'],
    ],
    [
      '2026-03-17',
      HALF_YEAR,
      [...payments, 'They can end it on September 16 or later, with 30 days’ notice.'],
    ],
    [
      '2026-03-17',
      { minimum_months: 12, early_end_fee: 100 },
      [...payments, 'They can end it on March 16, 2027 or later.', 'Ending earlier costs $100.'],
    ],
    [
      '2026-03-17',
      { ...HALF_YEAR, kind: 'renewing', renews_for_months: 6 },
      [
        ...payments,
        'They can end it on September 16 or later, with 30 days’ notice.',
        'If they don’t end it, it renews on September 17 for 6 months.',
      ],
    ],
    [
      '2026-03-17',
      { minimum_months: 1, kind: 'renewing', renews_for_months: 1 },
      [
        ...payments,
        'They can end it on April 16 or later.',
        'If they don’t end it, it renews on April 17 for 1 month.',
      ],
    ],
    [
      '2026-03-17',
      { minimum_months: 12, kind: 'renewing' },
      [
        ...payments,
        'They can end it on March 16, 2027 or later.',
        'After March 16, 2027, it continues month to month.',
      ],
    ],
  ])
})

describe('yearly fees and limits', () => {
  const payments = ['pays $46.45 today and $96 on April 1.', ON_THE_1ST]
  const YEARLY_FEE = { yearly_fee: 35, yearly_fee_month: 0 }
  describeCases(FIRST, [
    [
      '2026-03-17',
      YEARLY_FEE,
      [...payments, 'The $35 yearly fee is due every January, first on January 1, 2027.', ANY_TIME],
    ],
    [
      '2026-11-02',
      YEARLY_FEE,
      [
        'pays $92.80 today and $96 on December 1.',
        ON_THE_1ST,
        'The $35 yearly fee is due every January, first on January 1, 2028.',
        ANY_TIME,
      ],
    ],
    [
      '2026-03-17',
      { yearly_fee: 35, yearly_fee_month: 5 },
      [...payments, 'The $35 yearly fee is due every June, first on June 1.', ANY_TIME],
    ],
    [
      '2026-03-17',
      { ...SIX_WEEKS, ...YEARLY_FEE },
      ['pays $99 today.', 'It ends automatically on April 27.'],
    ],
    [
      '2026-03-17',
      { entry_limit: 2, entry_limit_per: 'week' },
      [...payments, ANY_TIME, 'They can come twice a week.'],
    ],
    [
      '2026-03-17',
      { entry_limit: 1, entry_limit_per: 'day' },
      [...payments, ANY_TIME, 'They can come once a day.'],
    ],
    [
      '2026-03-17',
      { entry_limit: 8, entry_limit_per: 'cycle' },
      [...payments, ANY_TIME, 'They can come 8 times a month.'],
    ],
    [
      '2026-03-17',
      { ...WEEKLY, cycle_count: 6, entry_limit: 12, entry_limit_per: 'cycle' },
      [
        'pays $25 today and $25 on April 28.',
        'After that, it is $25 every 6 weeks.',
        ANY_TIME,
        'They can come 12 times in 6 weeks.',
      ],
    ],
  ])
})

test.each([
  ['2026-03-17', 10, 183, 'pays $150 for 10 classes, to use by September 16.'],
  ['2026-03-17', 1, 30, 'pays $150 for 1 class, to use by April 16.'],
  ['2026-12-17', 10, 30, 'pays $150 for 10 classes, to use by January 16, 2027.'],
  ['2026-03-17', 20, null, 'pays $150 for 20 classes.'],
])('a pack bought on %s of %i visits for %s days', (boughtOn, visits, valid_days, sentence) => {
  const plan = { ...MONTHLY, kind: 'pack' as const, price: 150, visits, valid_days }
  const sentences = exampleSentences(plan, { ...FIRST, yearly_fee_gap_days: 60 }, boughtOn)
  expect(sentences).toEqual([expect.stringContaining(sentence)])
})

test('a drop-in', () => {
  const plan = { ...MONTHLY, kind: 'drop_in' as const, price: 20 }
  expect(exampleSentences(plan, { ...FIRST, yearly_fee_gap_days: 60 }, '2026-03-17')).toEqual([
    'A student pays $20 for each class.',
  ])
})
