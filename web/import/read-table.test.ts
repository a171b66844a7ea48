import { readFileSync } from 'node:fs'
import { sheetOf } from '@tatami/contract/import-sheet'
import { expect, test } from 'vitest'
import { tableOfFile, tableOfText } from './read-table.ts'

const SHEETS = 'contract/test/sheets'
const fileOf = (name: string, bytes: Uint8Array | string = readFileSync(`${SHEETS}/${name}`)) =>
  new File([bytes as Uint8Array<ArrayBuffer>], name)
const fieldsOf = async (name: string) =>
  sheetOf(await tableOfFile(fileOf(name)), '2026-11-22').fields.filter((field) => field !== null)

test.each([
  [
    'gymdesk.csv',
    'first_name last_name email phone_number date_of_birth gender status classes belt_level monthly_payment_amount emergency_contact_name emergency_contact_phone allergies',
  ],
  [
    'kicksite.csv',
    'first_name last_name date_of_birth gender email phone_number phone_number guardian_first_name guardian_last_name guardian_email guardian_phone guardian_2_first_name guardian_2_last_name guardian_2_email guardian_2_phone classes belt_level status monthly_payment_amount',
  ],
  [
    'zen-planner.xlsx',
    'first_name last_name status date_of_birth gender email phone_number emergency_contact_name emergency_contact_phone belt_level classes',
  ],
  [
    'google-sheet.csv',
    'name date_of_birth guardian_name guardian_email phone_number belt_level classes monthly_payment_amount private_notes',
  ],
  [
    'european.csv',
    'first_name last_name date_of_birth gender email phone_number belt_level classes monthly_payment_amount',
  ],
  [
    'own-export.csv',
    readFileSync(`${SHEETS}/own-export.csv`, 'utf8').split('\n', 1)[0]!.replaceAll(',', ' '),
  ],
])('knows the columns of %s without a tap', async (name, fields) => {
  expect((await fieldsOf(name)).join(' ')).toBe(fields)
})

test('reads days and numbers of a workbook as text', async () => {
  const { rows } = sheetOf(await tableOfFile(fileOf('zen-planner.xlsx')), '2026-11-22')
  expect(rows[0]).toEqual(expect.arrayContaining(['Carla', '1986-03-29', '5125550141']))
})

test('reads what a spreadsheet puts on the clipboard, with a line break within a cell', () => {
  expect(tableOfText('Name\tNotes\nKen Adams\t"late,\nmostly"\n')).toEqual([
    ['Name', 'Notes'],
    ['Ken Adams', 'late,\nmostly'],
  ])
})

test.each([
  ['UTF-8', new TextEncoder().encode('Name;Gürtel\nJürgen;weiß')],
  [
    'Windows-1252',
    Uint8Array.from('Name;G\xfcrtel\nJ\xfcrgen;wei\xdf', (letter) => letter.charCodeAt(0)),
  ],
  [
    'UTF-16',
    new Uint8Array([
      0xff,
      0xfe,
      ...new Uint8Array(
        Uint16Array.from('Name;Gürtel\nJürgen;weiß', (letter) => letter.charCodeAt(0)).buffer,
      ),
    ]),
  ],
])('reads a CSV in %s', async (_, bytes) => {
  expect(await tableOfFile(fileOf('list.csv', bytes))).toEqual([
    ['Name', 'Gürtel'],
    ['Jürgen', 'weiß'],
  ])
})

test('refuses what is no workbook', async () => {
  await expect(
    tableOfFile(fileOf('photo.xlsx', new Uint8Array([0x50, 0x4b, 3, 4, 1, 2, 3]))),
  ).rejects.toThrow(/zip/i)
})
