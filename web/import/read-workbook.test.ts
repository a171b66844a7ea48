import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { SheetError } from './delimited-text.ts'
import { isQuestion, readFile } from './read-table.ts'

const WORKSHEET_TYPE =
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet'

type TestSheet = {
  name: string
  rows: (string | number)[][]
  state?: string
  hidden?: number[]
  merged?: string[]
}

const toCellXml = (value: string | number, row: number, column: number) => {
  const address = `${String.fromCharCode(65 + column)}${row}`
  if (typeof value === 'number') return `<c r="${address}"><v>${value}</v></c>`
  return value === '' ? '' : `<c r="${address}" t="inlineStr"><is><t>${value}</t></is></c>`
}

function toSheetXml({ rows, hidden = [], merged = [] }: TestSheet): string {
  const rowsXml = rows.map((cells, index) => {
    const row = index + 1
    const isHidden = hidden.includes(row) ? ' hidden="1"' : ''
    const cellsXml = cells.map((cell, column) => toCellXml(cell, row, column)).join('')
    return `<row r="${row}"${isHidden}>${cellsXml}</row>`
  })
  const mergedXml = merged.map((area) => `<mergeCell ref="${area}"/>`).join('')
  return (
    `<worksheet><sheetData>${rowsXml.join('')}</sheetData>` +
    `<mergeCells>${mergedXml}</mergeCells></worksheet>`
  )
}

function createWorkbook(...sheets: TestSheet[]): File {
  const list = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"` +
      `${state ? ` state="${state}"` : ''}/>`,
  )
  const relationships = sheets.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${WORKSHEET_TYPE}" ` +
      `Target="worksheets/sheet${index + 1}.xml"/>`,
  )
  const parts = Object.fromEntries(
    sheets.map((sheet, index) => [
      `xl/worksheets/sheet${index + 1}.xml`,
      strToU8(toSheetXml(sheet)),
    ]),
  )
  return createFile(
    'list.xlsx',
    zipSync({
      'xl/workbook.xml': strToU8(
        `<workbook xmlns:r="r"><sheets>${list.join('')}</sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': strToU8(
        `<Relationships>${relationships.join('')}</Relationships>`,
      ),
      ...parts,
    }),
  )
}

const createFile = (name: string, bytes: Uint8Array | string) =>
  new File([bytes as Uint8Array<ArrayBuffer>], name)

const ROSTER: TestSheet = { name: 'Roster &amp; fees', rows: [['Name'], ['Ken Adams']] }

describe('a workbook', () => {
  test('with several sheets asks which one has the students', async () => {
    const guide: TestSheet = { name: 'Instructions', rows: [['How to use this file']] }
    const result = await readFile(createWorkbook(guide, ROSTER))
    if (!isQuestion(result)) throw new Error('There was no question')
    expect(result.about).toBe('sheet')
    expect(result.options.map(({ label, description }) => [label, description])).toEqual([
      ['Instructions', '1 row'],
      ['Roster & fees', '2 rows'],
    ])
    expect(result.options[1]?.table.rows).toEqual([['Name'], ['Ken Adams']])
  })

  test('has numbers that are rounded to cents', async () => {
    const numbers = [11.875, -11.879, 31.666666667, 45.1, 95, 5125550142]
    const sheet: TestSheet = {
      name: 'Fees',
      rows: [['Name', 'Fee'], ...numbers.map((fee) => ['Ken', fee])],
    }
    const { rows } = (await readFile(createWorkbook(sheet))) as { rows: string[][] }
    expect(rows.slice(1).map(([, fee]) => fee)).toEqual([
      '11.88',
      '-11.88',
      '31.67',
      '45.1',
      '95',
      '5125550142',
    ])
  })

  test.each(['hidden', 'veryHidden'])('leaves out %s and empty sheets', async (state) => {
    const lists: TestSheet = { name: 'Lists', rows: [['Belts'], ['White']], state }
    const empty: TestSheet = { name: 'Sheet3', rows: [] }
    expect(await readFile(createWorkbook(lists, ROSTER, empty))).toEqual({
      rows: [['Name'], ['Ken Adams']],
      warnings: [],
    })
  })

  test('leaves out hidden rows, and says so', async () => {
    const rows = [['Name'], ['Ken Adams'], ['Gone Gary'], ['Mia Ruiz'], []]
    const result = await readFile(createWorkbook({ name: 'A', rows, hidden: [3, 5] }))
    if (isQuestion(result)) throw new Error('There was a question')
    expect(result.rows.flat().filter(Boolean)).toEqual(['Name', 'Ken Adams', 'Mia Ruiz'])
    expect(result.warnings).toEqual([expect.stringMatching(/^1 row is hidden in your sheet/)])
  })

  test('copies a merged cell into each of its rows', async () => {
    const rows = [
      ['Parent', 'Name'],
      ['Ann Adams', 'Ken Adams'],
      ['', 'Mia Adams'],
      ['', ''],
      ['', 'Tom Lee'],
    ]
    const result = await readFile(createWorkbook({ name: 'A', rows, merged: ['A2:A4'] }))
    if (isQuestion(result)) throw new Error('There was a question')
    expect(result.rows.map(([parent]) => parent ?? '')).toEqual([
      'Parent',
      'Ann Adams',
      'Ann Adams',
      '',
      '',
    ])
  })
})

describe('a file that is not a table', () => {
  const OLD_EXCEL_BYTES = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
  const createZip = (name: string) => zipSync({ [name]: strToU8('x') })

  test.each([
    ['an old .xls', 'list.xls', OLD_EXCEL_BYTES, 'old Excel file'],
    ['a PDF', 'list.pdf', '%PDF-1.7', 'This is a PDF'],
    ['a photo', 'list.jpg', Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]), 'picture'],
    ['a web page', 'list.xls', '<html><body><table><tr><td>Ken</td></tr></table>', 'web page'],
    ['an XML spreadsheet', 'list.xls', '<?xml version="1.0"?><Workbook>', 'XML spreadsheet'],
    ['a Numbers file', 'list.numbers', createZip('Index/Document.iwa'), 'Numbers file'],
    ['a Word document', 'list.docx', createZip('word/document.xml'), 'Word document'],
    ['an .ods', 'list.ods', createZip('content.xml'), 'OpenDocument'],
    ['another ZIP file', 'lists.zip', createZip('list.csv'), 'ZIP file'],
  ])('is refused with advice: %s', async (_, name, bytes, message) => {
    const error = await readFile(createFile(name, bytes)).then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(SheetError)
    expect((error as Error).message).toContain(message)
  })
})
