import type { Readable } from 'node:stream'
import { now } from '../lib/clock.ts'
import { csvOf, type CsvRow } from './csv.ts'
import type { StudentFile } from './student-file.ts'
import type { Reader } from './student-reader.ts'
import { textFile, type ZipEntry, zipOf } from './zip.ts'

const DESCRIPTIONS: Record<string, string> = {
  attendance: 'every class that was marked',
  belt_changes: 'each new belt',
  excuses: 'classes that the student was excused from',
  places: 'requested places and waitlists',
  payments: 'every month that was marked',
  guardians: 'guardians with their rights',
  texts: 'texts about the student',
  replies: 'what was written back',
  text_consents: 'agreements to texts, and opt-outs',
}

async function* block(rows: CsvRow[]): AsyncGenerator<CsvRow[]> {
  yield rows
}

const table = (name: string, rows: CsvRow[], columns = Object.keys(rows[0] ?? {})): ZipEntry => ({
  name: `${name}.csv`,
  text: () => csvOf(columns, block(rows)),
})

export function studentZip(
  { name: studentName, student, lists }: StudentFile,
  dojoName: string,
  { kind }: Reader,
): Readable {
  const madeAt = now()
  const filledLists = Object.entries(lists).filter(([, rows]) => rows.length > 0)
  const remark = kind === 'instructor' ? ', for the dojo: has notes that are not for families' : ''
  const readme = [
    `Data of ${dojoName} about ${studentName}`,
    `Made on ${madeAt.toISOString()} (UTC)${remark}.`,
    '',
    '  student.csv  the student',
    ...filledLists.map(([name]) => `  ${name}.csv  ${DESCRIPTIONS[name]}`),
    '  student.json  all of it, for programs',
    '',
    'Dates are YYYY-MM-DD. A cell that would begin a formula, such as +1 512 555 0142,',
    "has an apostrophe (') before it.",
    '',
  ]
  return zipOf(
    [
      textFile('README.txt', readme.join('\r\n')),
      table('student', [student]),
      ...filledLists.map(([name, rows]) => table(name, rows)),
      textFile('student.json', `${JSON.stringify({ ...student, ...lists }, null, 2)}\n`),
    ],
    madeAt,
  )
}
