import { describe, expect, test } from 'vitest'
import { readRow } from './rows.ts'
import { hasNameColumn, parseSheet, toImportForm } from './sheet.ts'

const TODAY = '2026-11-22'

/** Takes the lines of a CSV file without quoted cells. */
const readSheet = (...lines: string[]) =>
  parseSheet(
    lines.map((line) => line.split(',')),
    TODAY,
  )

function readRows(...lines: string[]) {
  const { columns, rows, headings } = toImportForm(readSheet(...lines))
  return rows.map((cells) =>
    readRow(columns, cells, { order: 'month-first', today: TODAY, headings }),
  )
}

describe('a fee', () => {
  test('is left out and noted if it is not paid every month', () => {
    const [ella, al, bea] = readRows(
      'Name,Membership Price,Billing Frequency',
      'Ella Ray,149,Monthly',
      'Al Dunn,1788,Annually',
      'Bea Moss,39,One Time',
    )
    expect(ella?.person.monthly_payment_amount).toBe(149)
    expect(al?.person).toMatchObject({
      monthly_payment_amount: null,
      private_notes: 'Membership Price: 1788, Annually',
    })
    expect(bea?.person.monthly_payment_amount).toBeNull()
  })

  test.each(['Commitment Total', 'Registration', 'Weekly rate', 'Total paid'])(
    'is not guessed from the amounts below %j',
    (heading) => {
      expect(readSheet(`Name,${heading}`, 'Uma Vale,1980.00').fields).toEqual(['name', null])
    },
  )
})

test('splits a family in one row into a row for each child', () => {
  const rows = readRows(
    'Parent Name,Parent Cell,Child 1 Name,Child 1 DOB,Child 2 Name,Child 2 DOB',
    'Kim Ash,512-555-0281,Lia Ash,3/3/2014,Max Ash,4/4/2016',
    'Rob Bay,512-555-0282,Sue Bay,5/5/2013,,',
  )
  expect(rows.map(({ person }) => [person.name, person.date_of_birth])).toEqual([
    ['Lia Ash', '2014-03-03'],
    ['Max Ash', '2016-04-04'],
    ['Sue Bay', '2013-05-05'],
  ])
  expect(rows[1]?.person.guardians).toMatchObject([{ name: 'Kim Ash', phone: '512-555-0281' }])
})

test('does not use a family name as the name of a student', () => {
  const [row] = readRows('Family,Students,Phone', 'Lowe,Amy & Ben Lowe,512-555-0351')
  expect(row?.problems).toMatchObject([{ field: 'name' }])
  expect(hasNameColumn(readSheet('Family,Phone', 'Lowe,512-555-0351'))).toBe(false)
})

test('reads "Ph" as phone, and prefers the cell phone for texts', () => {
  const [row] = readRows(
    'Member Name,Home Ph,Cell Ph,Bal Due',
    'Hugo Irving,512-555-0341,512-555-0342,99.00',
  )
  expect(row?.person).toMatchObject({ phone_number: '512-555-0342', balance: 99 })
})

test('reads numbers below "Parent #" as the phone of the parent', () => {
  const [row] = readRows('Name,Parent,Parent #', 'Eli Ford,Jo Ford,512-555-0331')
  expect(row?.person.guardians).toMatchObject([{ name: 'Jo Ford', phone: '512-555-0331' }])
})

test.each([
  'Buyer First Name,Buyer Last Name,Buyer Email,Buyer Phone',
  'Payer First Name,Payer Last Name,Payer Email,Payer Phone',
])('reads the person who pays as a guardian: %s', (headings) => {
  const [row] = readRows(`Name,${headings}`, 'Xan Zorn,Yul,Zorn,yul@example.com,512-555-0311')
  expect(row?.person.guardians).toMatchObject([
    { name: 'Yul Zorn', email: 'yul@example.com', phone: '512-555-0311' },
  ])
})

test('reads a billing contact with an email and a phone as a guardian', () => {
  const [row] = readRows(
    'Name,Billing Contact,Billing Email,Billing Phone',
    'Ella Ray,Jill Ray,jill@example.com,512-555-0241',
  )
  expect(row?.person.guardians).toMatchObject([
    { name: 'Jill Ray', email: 'jill@example.com', phone: '512-555-0241' },
  ])
})

test.each(['Schedule Texts', 'Account Texts'])('opts out of texts if %j says No', (heading) => {
  const [row] = readRows(`Name,Phone,${heading}`, 'Dov Quinn,512-555-0253,No')
  expect(row?.optOuts).toMatchObject([{ phone: '512-555-0253' }])
})

test('ignores a prefix that all headings share', () => {
  expect(
    readSheet('Contact.First Name,Contact.Last Name,Contact.Rank', 'Jo,Tate,Orange').headings,
  ).toEqual(['First Name', 'Last Name', 'Rank'])
})

test.each(['No', 'none known', 'N/A', 'NKA', 'No known allergies'])(
  'reads the answer %j to a question about allergies as none',
  (answer) => {
    expect(readRows('Name,Allergies', `Tad Wu,${answer}`)[0]?.person.allergies).toBeNull()
  },
)

test.each([
  ['Which class? (Check all that apply)', 'Kids', 'classes'],
  ['Rank Advanced Date', '10/1/2026', 'promoted_on'],
  ['Attendance Since Rank', '14', 'classes_in_rank'],
  ['Plan Start Date', '10/1/2024', 'joined_on'],
  ['Begin Date', '10/1/2024', 'joined_on'],
])('reads %j with %j as %s', (heading, cell, field) => {
  expect(readSheet(`Name,${heading}`, `Tad Wu,${cell}`).fields).toEqual(['name', field])
})
