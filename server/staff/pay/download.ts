import { Readable } from 'node:stream'
import { formatDecimal } from '@tatami/contract/lib/money'
import type { PayOverviewQuery } from '@tatami/contract/staff/pay'
import { auditAction } from '../../audit/audit.ts'
import type { Tx } from '../../db/database.ts'
import { writeCsvBlocks, type CsvRow } from '../../exports/csv.ts'
import type { FileReply } from '../../http/file-reply.ts'
import type { DojoCaller } from '../../http/serve.ts'
import { pick } from '../../lib/rows.ts'
import type { PeriodLine } from './pay-lines.ts'
import { readPeriod } from './periods.ts'

const COLUMNS = [
  'day',
  'person_name',
  'task',
  'class_name',
  'minutes',
  'hours',
  'rate',
  'per',
  'pay',
  'correction',
  'person_id',
]

export async function downloadPay(
  tx: Tx,
  caller: DojoCaller,
  query: PayOverviewQuery,
): Promise<FileReply> {
  const { days, lines } = await readPeriod(tx, caller.dojoId, query)
  await auditAction(tx, caller, 'pay downloaded', {
    details: { first_day: days.from, last_day: days.until },
  })
  const rows = lines.map(toCsvRow)
  return {
    name: `pay-${days.from}-${days.until}.csv`,
    body: Readable.from(writeCsvBlocks(COLUMNS, toSingleBlock(rows)), { objectMode: false }),
  }
}

async function* toSingleBlock(rows: CsvRow[]): AsyncGenerator<CsvRow[]> {
  yield rows
}

/** The hours are rounded for reading. The pay is calculated from the minutes. */
const toCsvRow = ({ pay, rate, unit, is_correction, ...line }: PeriodLine): CsvRow => ({
  ...pick(line, 'day', 'person_name', 'task', 'class_name', 'minutes', 'person_id'),
  hours: formatDecimal(line.minutes / 60),
  rate: formatDecimal(rate),
  per: unit,
  pay: formatDecimal(pay),
  correction: is_correction,
})
