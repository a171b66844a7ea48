import type { Readable } from 'node:stream'
import { now } from '../lib/clock.ts'
import { writeCsvBlocks, type CsvRow } from './csv.ts'
import { LISTS, type StudentFile } from './student-file.ts'
import type { FileReader } from './student-reader.ts'
import { createTextFile, type ZipEntry, streamZip } from './zip.ts'

async function* toSingleBlock(rows: CsvRow[]): AsyncGenerator<CsvRow[]> {
  yield rows
}

const createCsvFile = (
  name: string,
  rows: CsvRow[],
  columns = Object.keys(rows[0] ?? {}),
): ZipEntry => ({
  name: `${name}.csv`,
  content: () => writeCsvBlocks(columns, toSingleBlock(rows)),
})

export function createStudentZip(
  { name: studentName, student, lists }: StudentFile,
  dojoName: string,
  { kind }: FileReader,
  photoFiles: readonly ZipEntry[],
): Readable {
  const madeAt = now()
  const nonEmptyLists = LISTS.flatMap(({ name, description }) => {
    const rows = lists[name] ?? []
    return rows.length > 0 ? [{ name, description, rows }] : []
  })
  const readerNote =
    kind === 'instructor' ? ', for the dojo: contains notes that are not for families' : ''
  const readme = [
    `Data of ${dojoName} about ${studentName}`,
    `Made on ${madeAt.toISOString()} (UTC)${readerNote}.`,
    '',
    '  student.csv  the student',
    ...nonEmptyLists.map(({ name, description }) => `  ${name}.csv  ${description}`),
    ...photoFiles.map(({ name }) => `  ${name}  the photo`),
    '  student.json  everything except the photo, for programs',
    '',
    'Dates are YYYY-MM-DD. A cell that would begin a formula, such as +1 512 555 0142,',
    "has an apostrophe (') before it.",
    '',
  ]
  return streamZip(
    [
      createTextFile('README.txt', readme.join('\r\n')),
      createCsvFile('student', [student]),
      ...nonEmptyLists.map(({ name, rows }) => createCsvFile(name, rows)),
      ...photoFiles,
      createTextFile('student.json', `${JSON.stringify({ ...student, ...lists }, null, 2)}\n`),
    ],
    madeAt,
  )
}
