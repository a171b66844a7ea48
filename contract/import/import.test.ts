import { describe, expect, test } from 'vitest'
import { guessFields } from './columns.ts'
import { parseHeading } from './heading-fields.ts'
import type { ImportField } from './import-fields.ts'
import { guessDateOrder, parseDate } from './dates.ts'
import { readRow } from './rows.ts'
import { parsePhone } from './phones.ts'
import { parseStatus } from './status.ts'
import { toImportForm, parseSheet } from './sheet.ts'
import {
  cellText,
  cleanStudentName,
  parseBelt,
  parseClasses,
  parseFlag,
  parseName,
} from './values.ts'

const TODAY = '2026-11-22'

test.each([
  ['White', 'white'],
  ['yellow belt', 'yellow'],
  ['ORANGE-BELT', 'orange'],
  ['3rd kyu (brown)', 'brown'],
  ['Black Belt, 2nd Dan', 'black'],
  ['1st degree', 'black'],
  ['Gelbgurt', 'yellow'],
  ['weiß', 'white'],
  ['marrón', 'brown'],
  ['white belt, yellow stripe', 'white'],
  ['white w/ yellow stripe', 'white'],
  ['grn', 'green'],
  ['purple', null],
  ['yellow/orange', null],
  ['5', null],
])('reads the belt %j as %j', (text, belt) => {
  expect(parseBelt(text)).toBe(belt)
})

test.each([
  ['2015-03-01', '2015-03-01'],
  ['2015-03-01T00:00:00.000Z', '2015-03-01'],
  ['3/1/2015', '2015-03-01'],
  ['3/1/15', '2015-03-01'],
  ['3/1/85', '1985-03-01'],
  ['3-1-2015 12:00 AM', '2015-03-01'],
  ['March 1, 2015', '2015-03-01'],
  ['1st Mar 2015', '2015-03-01'],
  ['1-Mar-15', '2015-03-01'],
  ['42064', '2015-03-01'],
  ['42064.5', '2015-03-01'],
  ['20150301', '2015-03-01'],
  ['2/30/2016', null],
  ['25/12/2014', null],
  ['7', null],
  ['soon', null],
])('reads the birthday %j, month first, as %j', (text, date) => {
  expect(parseDate(text, 'month-first', TODAY)).toBe(date)
})

test('guesses from the whole column whether the day or the month comes first', () => {
  expect(guessDateOrder(['1/2/2015', '25/12/2014'])).toEqual({
    order: 'day-first',
    isCertain: true,
  })
  expect(guessDateOrder(['1/2/2015', '12/25/2014'])).toEqual({
    order: 'month-first',
    isCertain: true,
  })
  expect(guessDateOrder(['1.2.2015'])).toEqual({ order: 'day-first', isCertain: false })
  expect(guessDateOrder(['1/2/2015'])).toEqual({ order: 'month-first', isCertain: false })
  expect(guessDateOrder(['2015-02-01'])).toMatchObject({ isCertain: true })
  expect(parseDate('1/2/2015', 'day-first', TODAY)).toBe('2015-02-01')
})

test.each([
  ['512.555.0142', '512-555-0142'],
  ['cell: (512) 555-0142', '(512) 555-0142'],
  ['512 555 0142 ext 4', '512 555 0142'],
  ['512-555-0142 / 512-555-0143', '512-555-0142'],
  ['512–555–0142', '512-555-0142'],
  ['5125550142.0', '5125550142'],
  ['no phone', 'no phone'],
])('reads the phone %j as %j', (text, phone) => {
  expect(parsePhone(text).number).toBe(phone)
})

test('reads names, flags, statuses and classes as people write them', () => {
  expect([parseName('Adams, Ken'), cleanStudentName('Mary-Ann O`Brien Jr.')]).toEqual([
    'Ken Adams',
    "Mary-Ann O'Brien Jr.",
  ])
  expect(['Yes', 'x', '0', 'FALSE', 'maybe'].map(parseFlag)).toEqual([
    true,
    true,
    false,
    false,
    null,
  ])
  expect(
    ['Trial member', 'On Hold', 'Active', 'Cancelled', 'Prospect', '?!'].map((text) =>
      parseStatus(text, TODAY),
    ),
  ).toEqual(['trial', 'vacation', 'active', 'left', 'left', null])
  expect(parseClasses('Kids; Saturday, Kids\r\nTeens; n/a')).toEqual(['Kids', 'Saturday', 'Teens'])
  expect(parseClasses('Kids\\, small; Open\u0000Mat')).toEqual(['Kids, small', 'Open Mat'])
  expect([
    cellText("'=1+1"),
    cellText("'+1 512"),
    cellText("O'Brien"),
    cellText(' a\u0000\tb '),
  ]).toEqual(['=1+1', '+1 512', "O'Brien", 'a b'])
})

test.each([
  ['Date of Birth', 'date_of_birth'],
  ['DOB', 'date_of_birth'],
  ['Emergency Contact Phone Number', 'emergency_contact_phone'],
  ["Parent's Email", 'guardian_email'],
  ['Parent/Guardian Name', 'guardian_name'],
  ['Guardian 2 First Name', 'guardian_2_first_name'],
  ['Second parent phone', 'guardian_2_phone'],
  ['guardian_2_relation', 'guardian_2_relation'],
  ['Last Name', 'last_name'],
  ['Last Attendance', ''],
  ['Member ID', ''],
  ['Shoe', undefined],
])('reads the heading %j as %j', (heading, field) => {
  expect(parseHeading(heading)).toBe(field)
})

test('reads mother and father as two guardians', () => {
  expect(
    guessFields(['Name', 'Mother', 'Mother phone', 'Father', 'Father email'], [], TODAY),
  ).toEqual(['name', 'guardian_name', 'guardian_phone', 'guardian_2_name', 'guardian_2_email'])
})

test('recognizes columns without headings by their values', () => {
  const sheet = parseSheet(
    [
      ['Ken Adams', '3/1/2015', 'yellow', 'ken@home.org', '512-555-0142', '$85.00'],
      ['Mia Chen', '4/25/2013', 'green', 'mia@home.org', '512-555-0143', '$60.00'],
    ],
    TODAY,
  )
  expect(sheet.fields).toEqual([
    'name',
    'date_of_birth',
    'belt_level',
    'email',
    'phone_number',
    'monthly_payment_amount',
  ])
  expect(sheet.rows).toHaveLength(2)
  expect(toImportForm(sheet)).toMatchObject({ date_order: 'month-first', columns: sheet.fields })
})

test('finds the headings below a title, and drops empty columns and repeated headings', () => {
  const sheet = parseSheet(
    [
      ['Our students', '', ''],
      ['', '', ''],
      ['Name', '', 'Belt'],
      ['Ken Adams', '', 'white'],
      ['Name', '', 'Belt'],
    ],
    TODAY,
  )
  expect(sheet).toMatchObject({
    headings: ['Name', 'Belt'],
    rows: [['Ken Adams', 'white']],
    fields: ['name', 'belt_level'],
  })
})

describe('readRow', () => {
  const readCells = (cells: Record<string, string>) =>
    readRow(Object.keys(cells) as ImportField[], Object.values(cells), {
      order: 'month-first',
      today: TODAY,
    })

  test('reports each problem with its field', () => {
    const { problems } = readCells({
      name: 'Ken 2',
      email: 'ken@',
      belt_level: 'purple',
      date_of_birth: '31/31/2015',
      monthly_payment_amount: '?!',
    })
    expect(problems.map(({ field }) => field)).toEqual([
      'date_of_birth',
      'belt_level',
      'name',
      'email',
      'monthly_payment_amount',
    ])
    expect(readCells({ name: ' ', belt_level: 'white' }).problems).toEqual([
      { field: 'name', message: 'Name is required' },
    ])
  })

  test('splits a contact cell into name, phone and relation', () => {
    const { person } = readCells({
      name: 'Ken Adams',
      emergency_contact_name: 'Ann Adams (mom) 512-555-0143',
      guardian_name: 'Ann & Bob Adams',
    })
    expect(person).toMatchObject({
      emergency_contact_name: 'Ann Adams',
      emergency_contact_phone: '512-555-0143',
      emergency_relation: 'mother',
      guardians: [{ name: 'Ann Adams' }, { name: 'Bob Adams' }],
    })
  })

  test('keeps punctuation that belongs to a name, and reports the characters it removes', () => {
    const renameNotice = (name: string) => ({
      field: 'name',
      message: `Becomes “${name}”, without the other characters`,
      becomes: name,
    })
    expect(
      readCells({
        first_name: 'Tom',
        last_name: "O'Brien Jr.",
        emergency_contact_name: 'Ann Smith-Jones (mother)',
      }),
    ).toMatchObject({
      person: { name: "Tom O'Brien Jr.", emergency_contact_name: 'Ann Smith-Jones' },
      notices: [],
      problems: [],
    })
    for (const [writtenName, name] of [
      ['O’Brien, Mary-Ann', null],
      ["Tom O''Brien", "Tom O'Brien"],
      ['Tom O`Brien', "Tom O'Brien"],
      ['Tom "Tommy" Adams', 'Tom Tommy Adams'],
      ['Tom ‘Tommy’ Adams-', 'Tom Tommy Adams'],
      ['Tom Smith - Jones', 'Tom Smith Jones'],
    ] as const)
      expect([writtenName, readCells({ name: writtenName }).notices]).toEqual([
        writtenName,
        name ? [renameNotice(name)] : [],
      ])
    for (const name of ["D'", '--', 'Ann\u202Eeel'])
      expect(readCells({ name }).problems).toHaveLength(1)
    expect(readCells({ first_name: 'Tom', last_name: 'Li 2' }).problems).toEqual([
      { field: 'last_name', message: 'Name may contain letters and spaces only' },
    ])
    // The name of a guardian may have any visible characters.
    expect(readCells({ name: 'Tom', guardian_name: "Ann O'Brien-Smith" })).toMatchObject({
      person: { guardians: [{ name: "Ann O'Brien-Smith" }] },
      notices: [],
    })
  })

  test.each([
    'Łukasz Żółć',
    'Đặng Thị Hoa',
    'Đặng Thị Hoa'.normalize('NFD'),
    'Zoë Ångström',
    'Þórunn Ægisdóttir',
    'Σοφία',
    '北村 健',
    'محمد علي',
  ])('keeps the letters of any alphabet: %s', (name) => {
    for (const row of [
      readCells({ name }),
      readCells({ name: `\u200E${name.replace(' ', '  ')}\u00AD` }),
    ])
      expect(row).toMatchObject({ person: { name }, problems: [], notices: [] })
  })
})
