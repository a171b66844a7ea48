import { monthOfDate, addMonths, monthKey } from '../lib/calendar-day.ts'
import { DATE_ORDERS, type DateOrder, isPlaceholderDate, parseDate } from './dates.ts'
import type { ImportField } from './import-fields.ts'
import { type FilledCell, quoteCell, type RowReader } from './row-reader.ts'
import { parseAmount } from './values.ts'
import { regex } from './patterns.ts'
import { sumDollars } from '../lib/money.ts'

/** What the school's earlier software knew about a student. */
export type ImportedHistory = {
  joined_on: string | null
  promoted_on: string | null
  stripes: number | null
  /** Classes since the last promotion. */
  classes_in_rank: number | null
  /** The last month that was paid: "2026-11". */
  paid_through: string | null
  /** In dollars: above 0 is owed, below 0 is credit. */
  balance: number | null
}

/** What an amount in a column such as "Balance" means, which only the school knows. */
export const BALANCE_MEANINGS = ['owed', 'credit'] as const
export type BalanceMeaning = (typeof BALANCE_MEANINGS)[number]

export const MAX_STRIPES = 10
const MAX_CLASSES_IN_RANK = 10_000
const MAX_BALANCE = 100_000

/** Dates that decide how the dates of a sheet are written. */
export const DATE_FIELDS = [
  'date_of_birth',
  'joined_on',
  'promoted_on',
  'paid_through',
] as const satisfies ImportField[]

type HistoryReading = {
  order: DateOrder
  today: string
  balanceMeaning?: BalanceMeaning | null | undefined
}

export function readHistory(
  reader: RowReader,
  reading: HistoryReading,
  birthday: string | null,
): ImportedHistory {
  const joined_on = readPastDay(reader, 'joined_on', reading, birthday)
  return {
    joined_on,
    promoted_on: readPastDay(reader, 'promoted_on', reading, birthday),
    stripes: readStripes(reader),
    classes_in_rank: readCount(reader, 'classes_in_rank', MAX_CLASSES_IN_RANK),
    paid_through: readPaidThrough(reader, reading),
    balance: readBalance(reader, reading.balanceMeaning ?? null),
  }
}

const LABELS = {
  joined_on: 'Join date',
  promoted_on: 'Last promotion',
  stripes: 'Stripes',
  classes_in_rank: 'Classes since promotion',
  paid_through: 'Paid through',
  balance: 'Balance',
  amount_owed: 'Amount owed',
  account_credit: 'Credit',
} as const satisfies Partial<Record<ImportField, string>>
type HistoryField = keyof typeof LABELS

/** History that cannot be read does not stop a row. It goes into the notes. */
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
  field: 'joined_on' | 'promoted_on',
  { order, today }: HistoryReading,
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
function parseMonth(text: string, { order, today }: HistoryReading): string | null {
  const [, first = '', second = ''] =
    /^(\p{L}{3,9}|\d{1,2})\W+(\d{4})$/u.exec(text) ?? /^(\d{4})\W(\d{1,2})$/.exec(text) ?? []
  const asDay = first.length === 4 ? `${first}-${second}-1` : `${second}-${first}-1`
  const isNamed = /\p{L}/u.test(first)
  const dayText = isNamed ? `1 ${first} ${second}` : asDay
  const day = first === '' ? parseDate(text, order, today) : parseDate(dayText, order, today)
  return day === null ? null : monthKey(monthOfDate(day))
}

function readPaidThrough(reader: RowReader, reading: HistoryReading): string | null {
  const [cell] = reader.filledCells('paid_through')
  if (!cell || isPlaceholderDate(cell.text, reading.today)) return null
  const month = parseMonth(cell.text, reading)
  if (month === null) saveInNotes(reader, 'paid_through', cell)
  return month
}

const WORDS_OF_NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six']
const STRIPES_IN_WORDS = regex('i')`
  (?:\b(?:with|w\/?|and|plus)\s*|[-–—+&,(\[/]\s*)?\b(?:(?<count>\d{1,2}|no|one|two|three|four
  |five|six)(?:st|nd|rd|th)?\s*(?:stripes?|tips?|tags?|degrees?)|(?:stripes?|tips?|tags?|degrees?)
  \s*[:=#]?\s*(?<number>\d{1,2}))\b[)\]]?`

export type BeltWords = { belt: string; stripes: number | null }

/** Splits "White w/ 1 stripe" into the belt and its stripes. */
export function splitStripes(text: string): BeltWords {
  const match = STRIPES_IN_WORDS.exec(text)
  const countText = match?.groups?.['count'] ?? match?.groups?.['number']
  if (!match || countText === undefined) return { belt: text, stripes: null }
  const word = WORDS_OF_NUMBERS.indexOf(countText.toLowerCase())
  const stripes = word >= 0 ? word : Number(countText)
  const belt = text
    .replace(match[0], ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[\s,;:/+&–—-]+|[\s,;:/+&–—-]+$/g, '')
  // "2nd degree" is a rank of its own if no belt is named beside it.
  if (belt === '' || stripes > MAX_STRIPES) return { belt: text, stripes: null }
  return { belt, stripes }
}

function readStripes(reader: RowReader): number | null {
  const ownColumn = readCount(reader, 'stripes', MAX_STRIPES)
  return ownColumn ?? splitStripes(reader.text('belt_level')).stripes
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

/** Reads "(45.00)" and "45.00-" as negative, as accountants write them. */
function parseBalance(text: string): { amount: number; saysCredit: boolean } {
  const saysCredit = /\b(cr|credit)\b/i.test(text)
  const bare = text.replaceAll(/\b(cr|credit|dr|debit|owed|due)\b\.?/gi, '').trim()
  const isNegative = /^\(.*\)$/.test(bare) || /\d\s*-$/.test(bare)
  const amount = parseAmount(bare.replaceAll(/[()]|-$/g, '').replace(/^([$€£])\s*-/, '-$1'))
  return { amount: isNegative ? 0 - Math.abs(amount) : amount, saysCredit }
}

/** The amount that a student owes. What is credit in one column reduces it. */
function readBalance(reader: RowReader, meaning: BalanceMeaning | null): number | null {
  const amounts = [
    readAmount(reader, 'amount_owed', 1),
    readAmount(reader, 'account_credit', -1),
    meaning === null ? null : readAmount(reader, 'balance', meaning === 'owed' ? 1 : -1),
  ].filter((amount) => amount !== null)
  if (amounts.length === 0) return null
  const total = sumDollars(amounts)
  return total === 0 ? null : total
}

function readAmount(
  reader: RowReader,
  field: 'amount_owed' | 'account_credit' | 'balance',
  sign: 1 | -1,
): number | null {
  const [cell] = reader.filledCells(field)
  if (!cell) return null
  const { amount, saysCredit } = parseBalance(cell.text)
  // Below a heading such as "Account credit", it is unclear who owes a negative amount.
  const isClear = Math.abs(amount) <= MAX_BALANCE && (field !== 'account_credit' || amount >= 0)
  if (isClear) return saysCredit ? 0 - Math.abs(amount) : amount * sign
  saveInNotes(reader, field, cell)
  return null
}

/** The first amount below a heading such as "Balance" that is not 0, to ask what it means. */
export function findUnclearBalance(
  columns: readonly ImportField[],
  rows: readonly (readonly string[])[],
): string | null {
  const column = columns.indexOf('balance')
  if (column < 0) return null
  const texts = rows.map((row) => (row[column] ?? '').trim())
  const isAmount = (text: string) => {
    const { amount, saysCredit } = parseBalance(text)
    return Math.abs(amount) > 0 && !saysCredit
  }
  return texts.find((text) => isAmount(text) && !/^[-(]/.test(text)) ?? texts.find(isAmount) ?? null
}

const MONTHS_AHEAD = 12

/** The months through which students may have paid elsewhere: the last month, and those after. */
export const paidThroughMonths = (today: string): string[] =>
  Array.from({ length: MONTHS_AHEAD + 2 }, (_, index) =>
    monthKey(addMonths(monthOfDate(today), index - 1)),
  )

/** Nobody owes a month before this one, and nobody has paid for more than a year. */
export function nearestPaidThrough(month: string, today: string): string {
  const [firstMonth = month, ...laterMonths] = paidThroughMonths(today)
  const lastMonth = laterMonths.at(-1) ?? firstMonth
  if (month < firstMonth) return firstMonth
  return month > lastMonth ? lastMonth : month
}

export const currentMonthKey = (today: string): string => monthKey(monthOfDate(today))
