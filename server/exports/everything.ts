import type { Readable } from 'node:stream'
import { dojoById, type Dojo } from '../dojos/dojos.ts'
import { now } from '../lib/clock.ts'
import { readBlocks, listExportedColumns, type Row, type ExportSource } from './blocks.ts'
import { writeCsvBlocks, writeJsonBlocks } from './csv.ts'
import { readNames, addNameColumns, addNames } from './names.ts'
import { STUDENTS_CSV, readStudentRows } from './students-csv.ts'
import { TABLES } from '../tables.ts'
import type { TableRules } from '../db/table-rules.ts'
import { listPictureFiles } from './pictures.ts'
import { listSignedFiles } from './signed-documents.ts'
import { createTextFile, type ZipEntry, streamZip } from './zip.ts'

type ExportedTable = TableRules & { exported: NonNullable<TableRules['exported']> }

const EXPORTED_TABLES = TABLES.filter((rules): rules is ExportedTable => 'exported' in rules)

/** Creates a zip of all data of a dojo. The data is read while the zip is sent. */
export async function exportEverything(source: ExportSource, dojoId: string): Promise<Readable> {
  const dojo = await dojoById(source.tx, dojoId)
  const names = await readNames(source.tx)
  const madeAt = now()
  const rowCounts: Record<string, number> = {}
  const tables = EXPORTED_TABLES.flatMap((table) =>
    createTableFiles(source, dojoId, table, names, (count) => {
      rowCounts[table.exported.name] = count
    }),
  )
  const students = {
    name: 'students.csv',
    content: () => writeCsvBlocks(STUDENTS_CSV, readStudentRows(source, { withFormer: true })),
  }
  // The manifest comes last, because it counts the rows of the other files.
  const manifest: ZipEntry = {
    name: 'manifest.json',
    async *content() {
      const manifestContent = {
        format: 1,
        dojo: dojo.name,
        made_at: madeAt.toISOString(),
        rows: rowCounts,
      }
      yield `${JSON.stringify(manifestContent, null, 2)}\n`
    },
  }
  return streamZip(
    [
      createTextFile('README.txt', writeReadme(dojo, madeAt)),
      students,
      ...tables,
      ...(await listPictureFiles(source)),
      ...(await listSignedFiles(source)),
      manifest,
    ],
    madeAt,
  )
}

function createTableFiles(
  source: ExportSource,
  dojoId: string,
  { table, exported: { name, hidden, where } }: ExportedTable,
  names: ReadonlyMap<string, string>,
  onCounted: (rowCount: number) => void,
): ZipEntry[] {
  const columns = listExportedColumns(table, hidden)
  const blocks = () => readBlocks(source, table, { columns, where: where?.(dojoId) })
  return [
    {
      name: `csv/${name}.csv`,
      content: () =>
        writeCsvBlocks(addNameColumns(Object.keys(columns)), addNames(blocks(), names)),
    },
    { name: `json/${name}.json`, content: () => writeJsonBlocks(countRows(blocks(), onCounted)) },
  ]
}

async function* countRows(
  blocks: AsyncIterable<Row[]>,
  onCounted: (rowCount: number) => void,
): AsyncGenerator<Row[]> {
  let rowCount = 0
  for await (const block of blocks) {
    rowCount += block.length
    yield block
  }
  onCounted(rowCount)
}

const NAME_WIDTH = 24
const describeFile = (name: string, description: string) =>
  `  ${name.padEnd(NAME_WIDTH)}${description}`

const writeReadme = ({ name, time_zone }: Dojo, madeAt: Date) =>
  [
    `All data of ${name}`,
    `Made on ${madeAt.toISOString()} (UTC). All data is as of that moment.`,
    '',
    'students.csv is a list that is easy to read. Open it in a spreadsheet, or import it again',
    'under "Import students" in Tatami. Each line has one student, with classes, allergies,',
    'medical note and two guardians.',
    '',
    'Each file below is in two folders: in csv/ for spreadsheets, with names next to the ids, and',
    'in json/ for programs, exactly as stored.',
    '',
    ...EXPORTED_TABLES.map(({ exported }) => describeFile(exported.name, exported.about)),
    '',
    describeFile('pictures/', 'Photos of students, and your logo'),
    describeFile('signed-documents/', 'The PDFs of signatures. Their hashes are in signatures'),
    describeFile('manifest.json', 'The number of rows in each file'),
    '',
    'Text is UTF-8. Dates are YYYY-MM-DD. Times are in UTC, such as 2026-01-31T17:05:00.000Z.',
    `Your dojo's time zone is ${time_zone}. Amounts are in dollars.`,
    "A CSV cell that would begin a formula, such as +1 512 555 0142 or =1+1, has an apostrophe (')",
    'before it; the JSON has none.',
    '',
    'Left out, because they are secrets or mean nothing elsewhere: passwords, sessions, invitation',
    "links and codes, browsers with notifications, and the server's own records.",
    '',
  ].join('\r\n')
