import { SheetError } from './delimited-text.ts'

const OR_COPY = 'or copy its rows and paste them here.'
const SAVE_AGAIN = `Open it in Excel or Google Sheets and save it as XLSX or CSV, ${OR_COPY}`
const OLD_EXCEL = `This is an old Excel file (.xls), or it has a password. ${SAVE_AGAIN}`
const WEB_PAGE = `This file is actually a web page. ${SAVE_AGAIN}`
const XML_SHEET = `This is an old XML spreadsheet. ${SAVE_AGAIN}`
const PDF = `This is a PDF, which has no cells. Export your list as XLSX or CSV instead, ${OR_COPY}`
const PICTURE = 'This is a picture. Choose the spreadsheet itself: an XLSX or CSV file.'

/** The first bytes of files that people often choose by mistake. */
const SIGNATURES: { bytes: readonly number[]; offset?: number; advice: string }[] = [
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], advice: OLD_EXCEL },
  { bytes: [0x09, 0x08], advice: OLD_EXCEL },
  { bytes: [0x25, 0x50, 0x44, 0x46], advice: PDF },
  { bytes: [0x89, 0x50, 0x4e, 0x47], advice: PICTURE },
  { bytes: [0xff, 0xd8, 0xff], advice: PICTURE },
  // HEIC: "ftyp" after the length
  { bytes: [0x66, 0x74, 0x79, 0x70], offset: 4, advice: PICTURE },
]

/** Throws a SheetError that says what to do with a file that is not a table. */
export function refuseOtherFiles(file: Uint8Array): void {
  const signature = SIGNATURES.find(({ bytes, offset = 0 }) =>
    bytes.every((byte, index) => file[offset + index] === byte),
  )
  if (signature) throw new SheetError(signature.advice)
}

const START_LENGTH = 2000

/** Throws a SheetError for a web page, which some software exports as ".xls". */
export function refuseMarkup(text: string): void {
  const start = text.slice(0, START_LENGTH).trimStart()
  if (/^<(!doctype html|html|head|body|table|meta|style|div|!--)/i.test(start))
    throw new SheetError(WEB_PAGE)
  if (/^<\?xml/i.test(start)) throw new SheetError(/<html/i.test(start) ? WEB_PAGE : XML_SHEET)
}

/** Files inside a ZIP file that is not an Excel workbook, and what to do with it. */
const OTHER_ZIP_FILES: [pattern: RegExp, advice: string][] = [
  [/^Index\/.*\.iwa$/, `This is a Numbers file. In Numbers, export it as Excel or CSV, ${OR_COPY}`],
  [/^word\//, 'This is a Word document. Copy its table and paste it here.'],
  [/^content\.xml$/, `This is an OpenDocument file (.ods). Save it as XLSX or CSV, ${OR_COPY}`],
  [
    /^xl\/workbook\.bin$/,
    `This is a binary Excel file (.xlsb). Save it as XLSX or CSV, ${OR_COPY}`,
  ],
  [/./, 'This ZIP file is not an Excel workbook. Unpack it and choose the file inside.'],
]

export function refuseOtherZipFile(names: readonly string[]): void {
  if (names.some((name) => /^\/?xl\/workbook\.xml$/i.test(name))) return
  const otherFile = OTHER_ZIP_FILES.find(([pattern]) => names.some((name) => pattern.test(name)))
  throw new SheetError(otherFile?.[1] ?? 'This file is empty.')
}
