import { describe, expect, test } from 'vitest'
import { findUnclearBalance, nearestPaidThrough, paidThroughMonths } from './history.ts'
import type { ImportField } from './import-fields.ts'
import { readRow } from './rows.ts'
import { parseSheet } from './sheet.ts'

const TODAY = '2026-11-22'
const OPTIONS = { order: 'month-first', today: TODAY } as const

const readStudent = (cells: Partial<Record<ImportField, string>>, options: object = {}) =>
  readRow(
    ['name', ...(Object.keys(cells) as ImportField[])],
    ['Ken Adams', ...Object.values(cells)],
    { ...OPTIONS, ...options },
  )

describe('history', () => {
  test('is read as dates and numbers', () => {
    const { person, problems } = readStudent({
      joined_on: '3/4/2019',
      promoted_on: '2025-05-06',
      waiver_signed_on: '5/6/2025',
      stripes: '2',
      classes_in_rank: '41',
    })
    expect(problems).toEqual([])
    expect(person).toMatchObject({
      joined_on: '2019-03-04',
      promoted_on: '2025-05-06',
      waiver_signed_on: '2025-05-06',
      stripes: 2,
      classes_in_rank: 41,
    })
  })

  test('takes the stripes from the belt unless a column has them', () => {
    expect(readStudent({ belt_level: 'White w/ 1 stripe' }).person).toMatchObject({
      belt_level: 'white',
      stripes: 1,
    })
    expect(readStudent({ belt_level: 'White w/ 1 stripe', stripes: '3' }).person.stripes).toBe(3)
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
  ] as const)('is saved in the notes if we cannot read it: %s %j', (field, text) => {
    const { person, problems, notices } = readStudent({ [field]: text })
    expect(problems).toEqual([])
    expect(notices).toMatchObject([{ field }])
    expect(person.private_notes).toContain(text)
  })

  test('cannot be from before the student was born', () => {
    const { person } = readStudent({ date_of_birth: '3/4/2015', joined_on: '3/4/2014' })
    expect(person.joined_on).toBeNull()
  })

  test('ignores placeholder dates', () => {
    const { person, notices } = readStudent({ joined_on: '1/1/1900', promoted_on: '0000-00-00' })
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
  expect(readStudent({ paid_through: text }).person.paid_through).toBe(month)
})

test('limits the last paid month to between last month and a year from now', () => {
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
    expect(readStudent(cells).person.balance).toBe(balance)
  })

  test('in a Balance column is a debt or credit, as the instructor chooses', () => {
    expect(readStudent({ balance: '45' }, { balanceMeaning: 'owed' }).person.balance).toBe(45)
    expect(readStudent({ balance: '-45' }, { balanceMeaning: 'owed' }).person.balance).toBe(-45)
    expect(readStudent({ balance: '45' }, { balanceMeaning: 'credit' }).person.balance).toBe(-45)
  })

  test('is shown as an example when we ask what a Balance column means', () => {
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

test('offers last month, this month and the next twelve as the last paid month', () => {
  const months = paidThroughMonths('2026-11-22')
  expect(months.slice(0, 3)).toEqual(['2026-10', '2026-11', '2026-12'])
  expect(months.at(-1)).toBe('2027-11')
  expect(months).toHaveLength(14)
})

test.each([
  ['Waiver Signed On', 'waiver_signed_on'],
  ['Liability Waiver Date', 'waiver_signed_on'],
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
])('reads the heading %s as the field %s', (heading, field) => {
  expect(
    parseSheet(
      [
        ['Name', heading],
        ['Ken Adams', '1'],
      ],
      TODAY,
    ).fields,
  ).toEqual(['name', field])
})

test.each(['Amount Due', 'Past Due', 'Credits', 'Credit', 'Paid', 'Unpaid'])(
  'does not read the heading %s as a debt or credit',
  (heading) => {
    const { fields } = parseSheet(
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

test('reads the column Past Due as a balance if it holds amounts, but not dates', () => {
  const readFields = (cell: string) =>
    parseSheet(
      [
        ['Name', 'Past Due'],
        ['Ken Adams', cell],
      ],
      TODAY,
    ).fields
  expect(readFields('$95.00')).toEqual(['name', 'balance'])
  expect(readFields('Yes')).toEqual(['name', null])
  expect(readFields('11/20/2026')).toEqual(['name', null])
})

test('guesses from all dates whether the day or the month comes first', () => {
  const { dateOrder } = parseSheet(
    [
      ['Name', 'DOB', 'Join Date'],
      ['Ken Adams', '3/4/2015', '25/12/2019'],
    ],
    TODAY,
  )
  expect(dateOrder).toBe('day-first')
})
