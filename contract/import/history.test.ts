import { describe, expect, test } from 'vitest'
import { findUnclearBalance, nearestPaidThrough, paidThroughMonths } from './history.ts'
import type { ImportField } from './import-fields.ts'
import { readRow } from './rows.ts'
import { sheetOf } from './sheet.ts'

const TODAY = '2026-11-22'
const READING = { order: 'month-first', today: TODAY } as const

/** Reads one row of a sheet with a name and these cells. */
const read = (cells: Partial<Record<ImportField, string>>, reading: object = {}) =>
  readRow(
    ['name', ...(Object.keys(cells) as ImportField[])],
    ['Ken Adams', ...Object.values(cells)],
    {
      ...READING,
      ...reading,
    },
  )

describe('history', () => {
  test('is read as dates and numbers', () => {
    const { person, problems } = read({
      joined_on: '3/4/2019',
      promoted_on: '2025-05-06',
      stripes: '2',
      classes_in_rank: '41',
    })
    expect(problems).toEqual([])
    expect(person).toMatchObject({
      joined_on: '2019-03-04',
      promoted_on: '2025-05-06',
      stripes: 2,
      classes_in_rank: 41,
    })
  })

  test('takes the stripes from the belt, unless a column has them', () => {
    expect(read({ belt_level: 'White w/ 1 stripe' }).person).toMatchObject({
      belt_level: 'white',
      stripes: 1,
    })
    expect(read({ belt_level: 'White w/ 1 stripe', stripes: '3' }).person.stripes).toBe(3)
  })

  test.each([
    ['joined_on', 'fall 2019'],
    ['joined_on', '3/4/2027'],
    ['promoted_on', 'soon'],
    ['stripes', 'some'],
    ['stripes', '40'],
    ['classes_in_rank', 'many'],
    ['account_credit', '-20'],
    ['amount_owed', 'ask Ann'],
  ] as const)('that cannot be used goes into the notes: %s %j', (field, text) => {
    const { person, problems, notices } = read({ [field]: text })
    expect(problems).toEqual([])
    expect(notices).toMatchObject([{ field }])
    expect(person.private_notes).toContain(text)
  })

  test('is not older than the student', () => {
    const { person } = read({ date_of_birth: '3/4/2015', joined_on: '3/4/2014' })
    expect(person.joined_on).toBeNull()
  })

  test('ignores placeholder dates', () => {
    const { person, notices } = read({ joined_on: '1/1/1900', promoted_on: '0000-00-00' })
    expect([person.joined_on, person.promoted_on, notices]).toEqual([null, null, []])
  })
})

test.each([
  ['11/30/2026', '2026-11'],
  ['2026-12-15', '2026-12'],
  ['November 2026', '2026-11'],
  ['Nov 2026', '2026-11'],
  ['11/2026', '2026-11'],
  ['2026-12', '2026-12'],
  ['soon', null],
])('reads %j under Paid Through as the month %j', (text, month) => {
  expect(read({ paid_through: text }).person.paid_through).toBe(month)
})

test('no month before the last one is owed, whatever the sheet says', () => {
  expect(nearestPaidThrough('2026-08', TODAY)).toBe('2026-10')
  expect(nearestPaidThrough('2026-12', TODAY)).toBe('2026-12')
  expect(nearestPaidThrough('2030-01', TODAY)).toBe('2027-11')
})

describe('a balance', () => {
  test.each([
    [{ amount_owed: '$45.00' }, 45],
    [{ amount_owed: '-12.5' }, -12.5],
    [{ amount_owed: '(12.50)' }, -12.5],
    [{ amount_owed: '30 CR' }, -30],
    [{ amount_owed: '\u2212$45.00' }, -45],
    [{ amount_owed: '$\u221245.00' }, -45],
    [{ account_credit: '20' }, -20],
    [{ amount_owed: '45', account_credit: '20' }, 25],
    [{ amount_owed: '0' }, null],
    [{ balance: '45' }, null],
  ])('of %j is %j', (cells, balance) => {
    expect(read(cells).person.balance).toBe(balance)
  })

  test('below a heading such as Balance means what the instructor says', () => {
    expect(read({ balance: '45' }, { balanceMeaning: 'owed' }).person.balance).toBe(45)
    expect(read({ balance: '-45' }, { balanceMeaning: 'owed' }).person.balance).toBe(-45)
    expect(read({ balance: '45' }, { balanceMeaning: 'credit' }).person.balance).toBe(-45)
  })

  test('is asked about with an amount of the sheet', () => {
    expect(
      findUnclearBalance(
        ['name', 'balance'],
        [
          ['Ken', '0'],
          ['Mia', '45.00'],
        ],
      ),
    ).toBe('45.00')
    expect(
      findUnclearBalance(
        ['name', 'balance'],
        [
          ['Ken', '0.00'],
          ['Mia', ''],
        ],
      ),
    ).toBeNull()
    expect(findUnclearBalance(['name', 'amount_owed'], [['Ken', '45']])).toBeNull()
  })
})

test('fees may be paid through the last month, this month or the next twelve', () => {
  const months = paidThroughMonths('2026-11-22')
  expect(months.slice(0, 3)).toEqual(['2026-10', '2026-11', '2026-12'])
  expect(months.at(-1)).toBe('2027-11')
  expect(months).toHaveLength(14)
})

test.each([
  ['Join Date', 'joined_on'],
  ['Member Since', 'joined_on'],
  ['Start Date', 'joined_on'],
  ['Last Promotion', 'promoted_on'],
  ['Last Belt Test', 'promoted_on'],
  ['Stripes', 'stripes'],
  ['Paid Through', 'paid_through'],
  ['Classes since promotion', 'classes_in_rank'],
  ['Balance', 'balance'],
  ['Account Balance', 'balance'],
  ['Past Due', 'balance'],
  ['Amount Due', 'balance'],
  ['Balance Due', 'amount_owed'],
  ['Account Credit', 'account_credit'],
])('the heading %s is the field %s', (heading, field) => {
  expect(
    sheetOf(
      [
        ['Name', heading],
        ['Ken Adams', '1'],
      ],
      TODAY,
    ).fields,
  ).toEqual(['name', field])
})

test.each(['Amount Due', 'Past Due', 'Credits', 'Credit', 'Paid', 'Unpaid'])(
  'the heading %s is not taken for a debt or credit',
  (heading) => {
    const { fields } = sheetOf(
      [
        ['Name', heading],
        ['Ken Adams', '45'],
      ],
      TODAY,
    )
    expect(fields).not.toContain('amount_owed')
    expect(fields).not.toContain('account_credit')
  },
)

test('a column of past due amounts is asked about, but not one of days', () => {
  const fieldsOf = (cell: string) =>
    sheetOf(
      [
        ['Name', 'Past Due'],
        ['Ken Adams', cell],
      ],
      TODAY,
    ).fields
  expect(fieldsOf('$95.00')).toEqual(['name', 'balance'])
  expect(fieldsOf('Yes')).toEqual(['name', null])
  expect(fieldsOf('11/20/2026')).toEqual(['name', null])
})

test('guesses from all dates whether the day or the month comes first', () => {
  const { dateOrder } = sheetOf(
    [
      ['Name', 'DOB', 'Join Date'],
      ['Ken Adams', '3/4/2015', '25/12/2019'],
    ],
    TODAY,
  )
  expect(dateOrder).toBe('day-first')
})
