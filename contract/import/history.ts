import { monthOfDate, addMonths, monthKey } from '../lib/calendar-day.ts'
import { DATE_ORDERS, type DateOrder, isPlaceholderDate, parseDate } from './dates.ts'
import type { ImportField } from './import-fields.ts'
import {
  type DecimalMark,
  type DecimalMarks,
  describeUnclearAmount,
  readAmountText,
} from './amounts.ts'
import { type FilledCell, quoteCell, type RowReader } from './row-reader.ts'
import { MAX_STRIPES } from './stripes.ts'
import { sumDollars } from '../lib/money.ts'

/** What the school's earlier software knew about a student. */
export type ImportedHistory = {
  joined_on: string | null
  promoted_on: string | null
  /** When the waiver was signed on paper. */
  waiver_signed_on: string | null
  stripes: number | null
  /** Classes since the last promotion. */
  classes_in_rank: number | null
  /** The last month that was paid: "2026-11". */
  paid_through: string | null
  /** In dollars: above 0 is owed, below 0 is credit. */
  balance: number | null
}

/** Only the school knows whether a column such as "Balance" shows debts or credit. */
export const BALANCE_MEANINGS = ['owed', 'credit'] as const
export type BalanceMeaning = (typeof BALANCE_MEANINGS)[number]

const MAX_CLASSES_IN_RANK = 10_000
const MAX_BALANCE = 100_000

/** Columns whose dates we check to see whether a sheet writes the month or the day first. */
export const DATE_FIELDS = [
  'date_of_birth',
  'joined_on',
  'promoted_on',
  'waiver_signed_on',
  'paid_through',
] as const satisfies ImportField[]

type HistoryOptions = {
  order: DateOrder
  today: string
  balanceMeaning?: BalanceMeaning | null | undefined
  decimalMarks?: DecimalMarks | undefined
}

export function readHistory(
  reader: RowReader,
  options: HistoryOptions,
  birthday: string | null,
  stripesInBelt: number | null,
): ImportedHistory {
  const joined_on = readPastDay(reader, 'joined_on', options, birthday)
  return {
    joined_on,
    promoted_on: readPastDay(reader, 'promoted_on', options, birthday),
    waiver_signed_on: readPastDay(reader, 'waiver_signed_on', options, birthday),
    stripes: readCount(reader, 'stripes', MAX_STRIPES) ?? stripesInBelt,
    classes_in_rank: readCount(reader, 'classes_in_rank', MAX_CLASSES_IN_RANK),
    paid_through: readPaidThrough(reader, options),
    balance: readBalance(reader, options),
  }
}

const LABELS = {
  joined_on: 'Join date',
  promoted_on: 'Last promotion',
  waiver_signed_on: 'Waiver signed on',
  stripes: 'Stripes',
  classes_in_rank: 'Classes since promotion',
  paid_through: 'Paid through',
  balance: 'Balance',
  amount_owed: 'Amount owed',
  account_credit: 'Credit',
} as const satisfies Partial<Record<ImportField, string>>
type HistoryField = keyof typeof LABELS

/** Saves a value that cannot be read in the notes, so that its row is still imported. */
function saveInNotes(
  { notes, notices }: RowReader,
  field: HistoryField,
  { heading, text }: FilledCell,
): void {
  const line = quoteCell(heading || LABELS[field], text)
  notes.push(line)
  notices.push({ field, message: `We couldn’t use this. Saved in notes: “${line}”` })
}

function readPastDay(
  reader: RowReader,
  field: 'joined_on' | 'promoted_on' | 'waiver_signed_on',
  { order, today }: HistoryOptions,
  birthday: string | null,
): string | null {
  const [cell] = reader.filledCells(field)
  if (!cell || isPlaceholderDate(cell.text, today)) return null
  const otherOrder = DATE_ORDERS.find((dateOrder) => dateOrder !== order) ?? order
  const day = parseDate(cell.text, order, today) ?? parseDate(cell.text, otherOrder, today)
  if (day !== null && day <= today && (birthday === null || day >= birthday)) return day
  saveInNotes(reader, field, cell)
  return null
}

/** Reads a day, "November 2026", "11/2026" or "2026-11". */
function parseMonth(text: string, { order, today }: HistoryOptions): string | null {
  const day = parseDate(firstDayOfMonth(text) ?? text, order, today)
  return day === null ? null : monthKey(monthOfDate(day))
}

/** Returns "1 November 2026" or "2026-11-1", or null if the text is not a month and a year. */
function firstDayOfMonth(text: string): string | null {
  const [, namedMonth = '', yearOfName = ''] = /^(\p{L}{3,9})\W+(\d{4})$/u.exec(text) ?? []
  if (namedMonth !== '') return `1 ${namedMonth} ${yearOfName}`
  const [, month = '', year = ''] = /^(\d{1,2})\W+(\d{4})$/.exec(text) ?? []
  if (month !== '') return `${year}-${month}-1`
  const [, leadingYear = '', lastMonth = ''] = /^(\d{4})\W(\d{1,2})$/.exec(text) ?? []
  return leadingYear === '' ? null : `${leadingYear}-${lastMonth}-1`
}

function readPaidThrough(reader: RowReader, options: HistoryOptions): string | null {
  const [cell] = reader.filledCells('paid_through')
  if (!cell || isPlaceholderDate(cell.text, options.today)) return null
  const month = parseMonth(cell.text, options)
  if (month === null) saveInNotes(reader, 'paid_through', cell)
  return month
}

function readCount(
  reader: RowReader,
  field: 'stripes' | 'classes_in_rank',
  max: number,
): number | null {
  const [cell] = reader.filledCells(field)
  if (!cell) return null
  const digits = /^(\d{1,6})(?:\.0+)?(?:\s*(?:stripes?|tips?|classes|visits))?$/i.exec(cell.text)
  const count = Number(digits?.[1] ?? NaN)
  if (count <= max) return count
  saveInNotes(reader, field, cell)
  return null
}

/** Subtracts from 0, because `-amount` would be -0 for 0. */
const toNegative = (amount: number) => 0 - Math.abs(amount)

const MINUS_SIGN = '\u2212'

/** Reads "(45.00)" and "45.00-" as negative, as accountants write them. */
function parseBalance(text: string, decimalMark?: DecimalMark) {
  const saysCredit = /\b(cr|credit)\b/i.test(text)
  const bareText = text
    .replaceAll(MINUS_SIGN, '-')
    .replaceAll(/\b(cr|credit|dr|debit|owed|due)\b\.?/gi, '')
    .trim()
  const isNegative = /^\(.*\)$/.test(bareText) || /\d\s*-$/.test(bareText)
  const { amount, isUnclear } = readAmountText(
    bareText.replaceAll(/[()]|-$/g, '').replace(/^([$€£])\s*-/, '-$1'),
    decimalMark,
  )
  return { amount: isNegative ? toNegative(amount) : amount, isUnclear, saysCredit }
}

/** Returns what a student owes, minus the credit in other columns. */
function readBalance(reader: RowReader, options: HistoryOptions): number | null {
  const { balanceMeaning: meaning, decimalMarks } = options
  const amounts = [
    readAmount(reader, 'amount_owed', 1, decimalMarks),
    readAmount(reader, 'account_credit', -1, decimalMarks),
    meaning ? readAmount(reader, 'balance', meaning === 'owed' ? 1 : -1, decimalMarks) : null,
  ].filter((amount) => amount !== null)
  if (amounts.length === 0) return null
  const total = sumDollars(amounts)
  return total === 0 ? null : total
}

function readAmount(
  reader: RowReader,
  field: 'amount_owed' | 'account_credit' | 'balance',
  sign: 1 | -1,
  decimalMarks: DecimalMarks | undefined,
): number | null {
  const [cell] = reader.filledCells(field)
  if (!cell) return null
  const { amount, isUnclear, saysCredit } = parseBalance(cell.text, decimalMarks?.get(field))
  // Below a heading such as "Account credit", it is unclear who owes a negative amount.
  const isClear = Math.abs(amount) <= MAX_BALANCE && (field !== 'account_credit' || amount >= 0)
  if (isClear && isUnclear)
    reader.notices.push({ field, message: describeUnclearAmount(cell.text, amount) })
  if (isClear) return saysCredit ? toNegative(amount) : amount * sign
  saveInNotes(reader, field, cell)
  return null
}

/** Finds an amount in the column "Balance" to ask the school about: not 0, and positive if possible,
 *  because that makes the question easier to understand. */
export function findUnclearBalance(
  columns: readonly ImportField[],
  rows: readonly (readonly string[])[],
): string | null {
  const column = columns.indexOf('balance')
  if (column < 0) return null
  const texts = rows.map((row) => (row[column] ?? '').trim())
  const isUnclear = (text: string) => {
    const { amount, saysCredit } = parseBalance(text)
    return Math.abs(amount) > 0 && !saysCredit
  }
  return (
    texts.find((text) => isUnclear(text) && !/^[-(]/.test(text)) ?? texts.find(isUnclear) ?? null
  )
}

const MONTHS_AHEAD = 12

/** The choices for the last paid month, from last month to a year from now. */
export const paidThroughMonths = (today: string): string[] =>
  Array.from({ length: MONTHS_AHEAD + 2 }, (_, index) =>
    monthKey(addMonths(monthOfDate(today), index - 1)),
  )

/** Returns the closest of the `paidThroughMonths`. An import charges no earlier months, and nobody
 *  pays more than a year ahead. */
export function nearestPaidThrough(month: string, today: string): string {
  const [firstMonth = month, ...laterMonths] = paidThroughMonths(today)
  const lastMonth = laterMonths.at(-1) ?? firstMonth
  if (month < firstMonth) return firstMonth
  return month > lastMonth ? lastMonth : month
}

export const currentMonthKey = (today: string): string => monthKey(monthOfDate(today))
