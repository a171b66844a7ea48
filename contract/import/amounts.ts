import { formatMoneyInText, toCents, toDollars } from '../lib/money.ts'
import type { ImportField } from './import-fields.ts'

/** The sign before the cents: "11.875" is $11.88 with a point and $11,875 with a comma. */
export type DecimalMark = '.' | ','

const cleanAmount = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/usd|eur|gbp|dollars?|euros?|[$€£\s']/g, '')
    .replace(/(\/|per|a)?(mo|month|monthly|m)\.?$/, '')

const GROUPS_OF_THREE = /^\D*\d{1,3}(\.\d{3})+\D*$/

/** A column shows which mark it uses. In doubt it is a point, so nobody is charged a
 *  thousandfold. */
export function decimalMarkOf(cells: readonly string[]): DecimalMark {
  const amounts = cells.map(cleanAmount)
  if (amounts.some((amount) => /\.\d{1,2}\D*$/.test(amount))) return '.'
  if (amounts.some((amount) => /,\d{1,2}\D*$/.test(amount))) return ','
  const amountsWithDot = amounts.filter((amount) => /\d\.\d/.test(amount))
  const showsThousands = amountsWithDot.some((amount) => /\.\d+\./.test(amount))
  return showsThousands && amountsWithDot.every((amount) => GROUPS_OF_THREE.test(amount))
    ? ','
    : '.'
}

const AMOUNT_FIELDS = [
  'monthly_payment_amount',
  'amount_owed',
  'account_credit',
  'balance',
] as const satisfies ImportField[]

export type DecimalMarks = ReadonlyMap<ImportField, DecimalMark>

export const findDecimalMarks = (
  columns: readonly ImportField[],
  rows: readonly (readonly string[])[],
): DecimalMarks =>
  new Map(
    AMOUNT_FIELDS.map((field) => {
      const column = columns.indexOf(field)
      return [field, decimalMarkOf(column < 0 ? [] : rows.map((cells) => cells[column] ?? ''))]
    }),
  )

export type Amount = {
  /** In dollars, rounded to cents. NaN for text that is no amount. */
  amount: number
  /** True if somebody may mean another amount: 11.875 dollars, or 1.290 for a thousand. */
  isUnclear: boolean
}

/** Reads "$129.00", "1.290,00 €", "129/month" or "free". */
export function readAmountText(text: string, decimalMark: DecimalMark = '.'): Amount {
  const [whole, decimals] = splitDecimals(cleanAmount(text), decimalMark)
  const exactAmount = parseParts(whole, decimals)
  const amount = toDollars(toCents(exactAmount))
  const isUnclear = decimals.length === 3 || amount !== exactAmount
  return { amount, isUnclear: isUnclear && !Number.isNaN(amount) }
}

export const parseAmount = (text: string, decimalMark: DecimalMark = '.'): number =>
  readAmountText(text, decimalMark).amount

function parseParts(whole: string, decimals: string): number {
  if (/^(free|comp|complimentary|scholarship)$/.test(whole)) return 0
  return /^-?\d{1,3}([.,]\d{3})+$|^-?\d+$/.test(whole)
    ? Number(`${whole.replaceAll(/[.,]/g, '')}.${decimals || '0'}`)
    : NaN
}

/** One or two digits after the last mark are cents, and so are digits after a mark that is not
 *  repeated, if it comes after the other one or is the one of the column. */
function splitDecimals(digits: string, decimalMark: DecimalMark): [string, string] {
  const [, whole = '', mark = '', decimals = ''] = /^(.*)([.,])(\d+)$/.exec(digits) ?? []
  const isLastOfTwo = /[.,]/.test(whole) && !whole.includes(mark)
  const isOnlyMark = mark === decimalMark && !/[.,]/.test(whole)
  const isCents = mark !== '' && (decimals.length <= 2 || isLastOfTwo || isOnlyMark)
  return isCents ? [whole, decimals] : [digits, '']
}

export const describeUnclearAmount = (text: string, amount: number): string =>
  `“${text}” is read as ${formatMoneyInText(amount)}`
