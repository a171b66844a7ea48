import { formatDecimal, toDollars } from '@tatami/contract/lib/money'
import { Readable } from 'node:stream'
import { chargeName, methodName } from '@tatami/contract/ledger/charge-words'
import { guardFormula } from '@tatami/contract/import/students-csv'
import type { ParsedInput } from '@tatami/contract/lib/endpoint'
import type { BookkeepingFormat, exportsApi } from '@tatami/contract/exports/exports'
import type { ChargeKind, PaymentMethod } from '@tatami/contract/ledger/ledger'
import { formatPercent } from '@tatami/contract/ledger/tax-words'
import { type BeltTestName, beltTestLabels } from '@tatami/contract/dojos/belt-test'
import { receiptNumber } from '@tatami/contract/bookkeeping/receipt-number'
import { type SQL, sql } from 'drizzle-orm'
import Papa from 'papaparse'
import { receiptLines, receipts } from '../bookkeeping/tables.ts'
import { currentDojoId } from '../db/columns.ts'
import { dojos } from '../dojos/tables.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { charges, ledgerLines } from '../ledger/tables.ts'
import { students } from '../students/tables.ts'
import type { ExportSource } from './blocks.ts'

type BookkeepingBody = ParsedInput<(typeof exportsApi)['bookkeeping']>['body']
type MoneyMovement = {
  id: string
  made_on: string
  cents: number
  tax_cents: number | null
  tax_percent: number | null
  line: 'payment' | 'refund'
  is_reversal: boolean
  method: PaymentMethod | null
  student_name: string | null
  payer_name: string | null
  kind: ChargeKind | null
  month: number | null
  year: number | null
  note: string | null
  receipt_year: number | null
  receipt_number: number | null
  belt_test_name: BeltTestName
}

const BLOCK_ROWS = 1000
const LINE_END = '\r\n'

/** The columns that each program expects in the file of a bank statement. */
const FORMATS: Record<
  BookkeepingFormat,
  { columns: string[]; createCells: (movement: MoneyMovement) => string[] }
> = {
  quickbooks: {
    columns: ['Date', 'Description', 'Amount'],
    createCells: (movement) => [
      formatUsDate(movement.made_on),
      guardFormula(`${getPayee(movement)}: ${composeDescription(movement)}`),
      formatAmount(movement),
    ],
  },
  xero: {
    columns: ['*Date', '*Amount', 'Payee', 'Description', 'Reference', 'Cheque Number'],
    createCells: (movement) => [
      formatUsDate(movement.made_on),
      formatAmount(movement),
      guardFormula(getPayee(movement)),
      guardFormula(composeDescription(movement)),
      composeReference(movement),
      '',
    ],
  },
}

const formatUsDate = (date: string) =>
  `${date.slice(5, 7)}/${date.slice(8, 10)}/${date.slice(0, 4)}`
/** Does not need `guardFormula`, because a number is not a formula. */
const formatAmount = ({ cents }: MoneyMovement) => formatDecimal(toDollars(cents))
export const DELETED_STUDENT = 'Deleted student'
const getPayee = ({ payer_name, student_name }: MoneyMovement) =>
  payer_name ?? student_name ?? DELETED_STUDENT
const composeReference = ({ receipt_year, receipt_number }: MoneyMovement) =>
  receipt_year === null || receipt_number === null
    ? ''
    : receiptNumber(receipt_year, receipt_number)

function composeDescription(movement: MoneyMovement): string {
  const kindPrefix = movement.line === 'refund' ? 'Refund: ' : ''
  const prefix = movement.is_reversal ? 'Undone: ' : kindPrefix
  const parts = [
    chargeName(movement, beltTestLabels(movement.belt_test_name)),
    ...(movement.student_name === null ? [] : [movement.student_name]),
    ...(movement.method ? [methodName(movement.method).toLowerCase()] : []),
  ]
  return prefix + parts.join(', ')
}

const TAX_COLUMNS = ['Sales Tax', 'Sales Tax Rate']
const createTaxCells = ({ tax_cents, tax_percent }: MoneyMovement): string[] =>
  tax_cents === null || tax_percent === null
    ? ['', '']
    : [formatDecimal(toDollars(tax_cents)), formatPercent(tax_percent)]

const toCsvLines = (rows: string[][]) => Papa.unparse(rows, { newline: LINE_END }) + LINE_END

export const streamBookkeepingCsv = (
  source: ExportSource,
  { format, from, to }: BookkeepingBody,
): Readable => Readable.from(writeCsv(source, FORMATS[format], from, to), { objectMode: false })

async function* writeCsv(
  source: ExportSource,
  { columns, createCells }: (typeof FORMATS)[BookkeepingFormat],
  firstDay: string,
  lastDay: string,
) {
  const hasTax = await hasSalesTax(source, firstDay, lastDay)
  yield toCsvLines([hasTax ? [...columns, ...TAX_COLUMNS] : columns])
  for await (const rows of readMovements(source, firstDay, lastDay)) {
    const lines = rows.map((movement) =>
      hasTax ? [...createCells(movement), ...createTaxCells(movement)] : createCells(movement),
    )
    if (lines.length > 0) yield toCsvLines(lines)
  }
}

const isMovementBetween = (firstDay: string, lastDay: string): SQL =>
  sql`l.kind in ('payment', 'refund') and l.amount <> 0
    and l.made_on between ${firstDay} and ${lastDay}`

/** A file without sales tax has only the standard columns. */
async function hasSalesTax({ tx }: ExportSource, firstDay: string, lastDay: string) {
  const { rows } = await tx.execute<{ has_tax: boolean }>(sql`
    select exists (
      select from ${ledgerLines} l
      where l.tax_percent is not null and ${isMovementBetween(firstDay, lastDay)}
    ) as has_tax`)
  return rows[0]?.has_tax === true
}

const isAfterMovement = (movement: MoneyMovement | undefined): SQL =>
  movement ? sql`and (l.made_on, l.id) > (${movement.made_on}::date, ${movement.id}::uuid)` : sql``

async function* readMovements(
  { tx, signal }: ExportSource,
  firstDay: string,
  lastDay: string,
): AsyncGenerator<MoneyMovement[]> {
  let lastMovement: MoneyMovement | undefined
  do {
    signal.throwIfAborted()
    const { rows } = await tx.execute<MoneyMovement>(sql`
      select l.id, l.made_on::text, -l.amount as cents, l.kind as line,
        -l.tax as tax_cents, l.tax_percent::float8,
        l.reverses is not null as is_reversal, l.method, s.name as student_name,
        g.name as payer_name, c.kind, c.month, c.year, c.note,
        r.year as receipt_year, r.number as receipt_number,
        (select belt_test_name from ${dojos} where id = ${currentDojoId})
      from ${ledgerLines} l
        left join ${students} s on s.id = l.student_id
        left join ${charges} c on c.id = l.charge_id
        left join ${guardianships} gs
          on gs.student_id = l.student_id and gs.pays and gs.ended_at is null
        left join ${guardians} g on g.id = gs.guardian_id
        left join ${receiptLines} rl on rl.ledger_line_id = l.id
        left join ${receipts} r on r.id = rl.receipt_id
      where ${isMovementBetween(firstDay, lastDay)}
        ${isAfterMovement(lastMovement)}
      order by l.made_on, l.id limit ${BLOCK_ROWS}`)
    yield rows
    lastMovement = rows.length === BLOCK_ROWS ? rows.at(-1) : undefined
  } while (lastMovement)
}
