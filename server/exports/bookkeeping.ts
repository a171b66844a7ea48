import { formatDecimal, toDollars } from '@tatami/contract/lib/money'
import { Readable } from 'node:stream'
import { chargeName, methodName } from '@tatami/contract/ledger/charge-words'
import { guardFormula } from '@tatami/contract/import/students-csv'
import type { ParsedInput } from '@tatami/contract/lib/endpoint'
import type { BookkeepingFormat, exportsApi } from '@tatami/contract/exports/exports'
import type { ChargeKind, PaymentMethod } from '@tatami/contract/ledger/ledger'
import { type BeltTestName, beltTestLabels } from '@tatami/contract/dojos/belt-test'
import { receiptNumber } from '@tatami/contract/bookkeeping/receipt-number'
import { sql } from 'drizzle-orm'
import Papa from 'papaparse'
import { receiptLines, receipts } from '../bookkeeping/tables.ts'
import { currentDojoId } from '../db/columns.ts'
import { dojos } from '../dojos/tables.ts'
import { guardians, guardianships } from '../guardians/tables.ts'
import { charges, ledgerLines } from '../ledger/tables.ts'
import { students } from '../students/tables.ts'
import type { Source } from './blocks.ts'

type Body = ParsedInput<(typeof exportsApi)['bookkeeping']>['body']
type Money = {
  id: string
  made_on: string
  cents: number
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

/** The columns of each program's import of bank statements, by their exact names. */
const FORMATS: Record<BookkeepingFormat, { columns: string[]; cells: (money: Money) => string[] }> =
  {
    quickbooks: {
      columns: ['Date', 'Description', 'Amount'],
      cells: (money) => [
        usDate(money.made_on),
        guardFormula(`${payeeOf(money)}: ${descriptionOf(money)}`),
        amountOf(money),
      ],
    },
    xero: {
      columns: ['*Date', '*Amount', 'Payee', 'Description', 'Reference', 'Cheque Number'],
      cells: (money) => [
        usDate(money.made_on),
        amountOf(money),
        guardFormula(payeeOf(money)),
        guardFormula(descriptionOf(money)),
        referenceOf(money),
        '',
      ],
    },
  }

const usDate = (date: string) => `${date.slice(5, 7)}/${date.slice(8, 10)}/${date.slice(0, 4)}`
/** Not guarded: a number is no formula. */
const amountOf = ({ cents }: Money) => formatDecimal(toDollars(cents))
export const FORMER_STUDENT = 'Former student'
const payeeOf = ({ payer_name, student_name }: Money) =>
  payer_name ?? student_name ?? FORMER_STUDENT
const referenceOf = ({ receipt_year, receipt_number }: Money) =>
  receipt_year === null || receipt_number === null
    ? ''
    : receiptNumber(receipt_year, receipt_number)

function descriptionOf(money: Money): string {
  const kindPrefix = money.line === 'refund' ? 'Refund: ' : ''
  const prefix = money.is_reversal ? 'Undone: ' : kindPrefix
  const parts = [
    chargeName(money, beltTestLabels(money.belt_test_name)),
    ...(money.student_name === null ? [] : [money.student_name]),
    ...(money.method ? [methodName(money.method).toLowerCase()] : []),
  ]
  return prefix + parts.join(', ')
}

const linesOf = (rows: string[][]) => Papa.unparse(rows, { newline: LINE_END }) + LINE_END

/** Payments and refunds. Neither program takes a byte-order mark. */
export const bookkeepingCsv = (source: Source, { format, from, to }: Body): Readable =>
  Readable.from(csvOf(source, FORMATS[format], from, to), { objectMode: false })

async function* csvOf(
  source: Source,
  { columns, cells }: (typeof FORMATS)[BookkeepingFormat],
  firstDay: string,
  lastDay: string,
) {
  yield linesOf([columns])
  for await (const rows of moneyBetween(source, firstDay, lastDay))
    if (rows.length > 0) yield linesOf(rows.map(cells))
}

async function* moneyBetween(
  { tx, signal }: Source,
  firstDay: string,
  lastDay: string,
): AsyncGenerator<Money[]> {
  let last: Money | undefined
  do {
    signal.throwIfAborted()
    const { rows } = await tx.execute<Money>(sql`
      select l.id, l.made_on::text, -l.amount as cents, l.kind as line,
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
      where l.kind in ('payment', 'refund') and l.amount <> 0
        and l.made_on between ${firstDay} and ${lastDay}
        ${last ? sql`and (l.made_on, l.id) > (${last.made_on}::date, ${last.id}::uuid)` : sql``}
      order by l.made_on, l.id limit ${BLOCK_ROWS}`)
    yield rows
    last = rows.length === BLOCK_ROWS ? rows.at(-1) : undefined
  } while (last)
}
