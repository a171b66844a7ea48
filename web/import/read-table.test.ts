import { readFileSync } from 'node:fs'
import { parseSheet } from '@tatami/contract/import/sheet'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { isQuestion, readFile, readText } from './read-table.ts'
import { SheetError } from './delimited-text.ts'

const SHEETS_FOLDER = 'contract/test/sheets'
const TODAY = '2026-11-22'
const createFile = (
  name: string,
  bytes: Uint8Array | string = readFileSync(`${SHEETS_FOLDER}/${name}`),
) => new File([bytes as Uint8Array<ArrayBuffer>], name)
/** Throws if reading the file raises a question. */
async function readTable(file: File) {
  const result = await readFile(file)
  if (isQuestion(result)) throw new Error(`A question about the ${result.about}`)
  return result
}
const readRows = async (file: File) => (await readTable(file)).rows
const guessFieldsOfFile = async (name: string) =>
  parseSheet(await readRows(createFile(name)), TODAY).fields.filter((field) => field !== null)

test.each([
  [
    'gymdesk.csv',
    'first_name last_name email phone_number date_of_birth gender status classes belt_level ' +
      'membership_plan monthly_payment_amount emergency_contact_name emergency_contact_phone ' +
      'allergies joined_on',
  ],
  [
    'kicksite.csv',
    'first_name last_name date_of_birth gender email phone_number phone_number ' +
      'guardian_first_name guardian_last_name guardian_email guardian_phone ' +
      'guardian_2_first_name guardian_2_last_name guardian_2_email guardian_2_phone ' +
      'classes belt_level status monthly_payment_amount',
  ],
  [
    'zen-planner.xlsx',
    'first_name last_name status date_of_birth gender email phone_number ' +
      'emergency_contact_name emergency_contact_phone belt_level classes joined_on',
  ],
  [
    'google-sheet.csv',
    'name date_of_birth guardian_name guardian_email phone_number belt_level classes ' +
      'monthly_payment_amount private_notes',
  ],
  [
    'european.csv',
    'first_name last_name date_of_birth gender email phone_number belt_level classes ' +
      'monthly_payment_amount',
  ],
  [
    'own-export.csv',
    readFileSync(`${SHEETS_FOLDER}/own-export.csv`, 'utf8').split('\n', 1)[0]!.replaceAll(',', ' '),
  ],
])('recognizes the columns of %s', async (name, fields) => {
  expect((await guessFieldsOfFile(name)).join(' ')).toBe(fields)
})

test('reads dates and numbers of a workbook as text', async () => {
  const { rows } = parseSheet(await readRows(createFile('zen-planner.xlsx')), TODAY)
  expect(rows[0]).toEqual(expect.arrayContaining(['Carla', '1986-03-29', '5125550141']))
})

test('reads cells copied from a spreadsheet, with a line break inside a cell', () => {
  expect(readText('Name\tNotes\nKen Adams\t"late,\nmostly"\n').rows).toEqual([
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
  expect(await readRows(createFile('list.csv', bytes))).toEqual([
    ['Name', 'Gürtel'],
    ['Jürgen', 'weiß'],
  ])
})

test('refuses a damaged file that starts like a workbook', async () => {
  await expect(
    readFile(createFile('photo.xlsx', new Uint8Array([0x50, 0x4b, 3, 4, 1, 2, 3]))),
  ).rejects.toThrow(/zip/i)
})

describe('a quotation mark that is never closed', () => {
  const readNames = (text: string) => readText(text).rows.map(([name]) => name)

  test.each([
    [
      'in a note that does not end with one',
      'Name,Notes,Email\r\nKen Adams,"brings his own gi,ken@example.com\r\n' +
        'Mia Ruiz,,mia@example.com\r\nTom Lee,,tom@example.com\r\nAna Diaz,,ana@example.com\r\n',
    ],
    [
      'before a row whose note is quoted',
      'Name,Notes,Email\nKen Adams,"brings his own gi,ken@example.com\n' +
        'Mia Ruiz,"asthma, mild",mia@example.com\nTom Lee,,tom@example.com\nAna Diaz,,',
    ],
    [
      'before a row that has another one',
      'Name,Notes,Email\nKen Adams,"own gi,ken@example.com\nMia Ruiz,,mia@example.com\n' +
        'Tom Lee,"late,tom@example.com\nAna Diaz,,',
    ],
    ['for inches', 'Name;Belt;Height\nKen Adams;"5 ft;x\nMia Ruiz;;y\nTom Lee;;"\nAna Diaz;;y'],
  ])('%s is ignored with a warning', (_, text) => {
    expect(readNames(text)).toEqual(['Name', 'Ken Adams', 'Mia Ruiz', 'Tom Lee', 'Ana Diaz'])
    expect(readText(text).warnings[0]).toMatch(/rows? that begins? with “Ken Adams”/)
  })

  test('does not affect the line breaks and quotation marks of a note', () => {
    const notes = 'late,\nmostly ""on time"", he says,\nand 5\'6" tall'
    const text = `Name,Notes,Email\nKen Adams,"${notes}",ken@example.com\nMia Ruiz,"a, b","c"\n`
    expect(readText(text)).toEqual({
      rows: [
        ['Name', 'Notes', 'Email'],
        ['Ken Adams', notes.replaceAll('""', '"'), 'ken@example.com'],
        ['Mia Ruiz', 'a, b', 'c'],
      ],
      warnings: [],
    })
  })
})

/** Creates a workbook with cells at these addresses, or with the given rows as XML. */
const createWorkbook = (addresses: string[], rowsXml = addresses.map(toCellXml).join('')) =>
  zipSync({
    'xl/workbook.xml': strToU8(
      '<workbook xmlns:r="r"><sheets>' +
        '<sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships><Relationship Id="rId1" Type="${WORKSHEET_TYPE}" ` +
        'Target="worksheets/sheet1.xml"/></Relationships>',
    ),
    'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${rowsXml}</sheetData></worksheet>`),
  })
const WORKSHEET_TYPE =
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet'
const toCellXml = (address: string) =>
  `<row r="${address.replace(/\D+/, '')}">` +
  `<c r="${address}" t="inlineStr"><is><t>Name</t></is></c></row>`

describe('a sheet that is too large', () => {
  const readRefusal = async (name: string, bytes: Uint8Array | string) => {
    const startTime = performance.now()
    const error = await readFile(createFile(name, bytes)).then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(performance.now() - startTime).toBeLessThan(2000)
    expect(error).toBeInstanceOf(SheetError)
    return (error as Error).message
  }

  // XFD is Excel's last column. Our limits are 500 columns (SF) and 10,000 rows.
  test.each(['XFD1048576', 'A1048576', 'XFD1', 'SG2', 'A10001', 'ZZZZ1', 'A99999999'])(
    'is refused if a workbook has something in %s',
    async (address) => {
      expect(await readRefusal('list.xlsx', createWorkbook(['A1', address]))).toContain(address)
    },
  )

  test('is refused if a workbook has a row beyond the last possible one', async () => {
    const rowsXml = '<row r="1"/><row r="4000000000"/>'
    expect(await readRefusal('list.xlsx', createWorkbook([], rowsXml))).toContain('row 4000000000')
  })

  test('is accepted if only the formats reach far', async () => {
    const rowsXml = `${toCellXml('A1')}<row r="1048576"><c r="XFD1048576" s="1"/></row>`
    expect(await readRows(createFile('list.xlsx', createWorkbook([], rowsXml)))).toEqual([['Name']])
  })

  test.each([
    ['10 MB of quotation marks', '"'.repeat(10_000_000), 'too large'],
    ['quotation marks that open again and again', '"a,'.repeat(1_500_000), 'quotation marks'],
    ['rows that each open one', '"a\n'.repeat(1_500_000), 'quotation marks'],
    ['separators', ','.repeat(5_000_000), 'columns'],
    ['empty rows', `${'\n'.repeat(2_000_000)}a`, 'rows'],
  ])('is refused if it has %s', async (_, text, message) => {
    expect(await readRefusal('list.csv', text)).toContain(message)
  })

  test('is accepted if it is one cell with 5 MB of quotation marks', () => {
    expect(readText('"'.repeat(5_000_000)).rows).toHaveLength(1)
  })
})
