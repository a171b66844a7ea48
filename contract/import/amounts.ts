import { formatMoneyInText, toCents, toDollars } from '../lib/money.ts'
import type { ImportField } from './import-fields.ts'

/** The character before the cents. It decides whether "11.875" is $11.88 or $11,875. */
export type DecimalMark = '.' | ','

const cleanAmount = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/usd|eur|gbp|dollars?|euros?|[$€£\s']/g, '')
    .replace(/(\/|per|a)?(mo|month|monthly|m)\.?$/, '')

const GROUPS_OF_THREE = /^\D*\d{1,3}(\.\d{3})+\D*$/

/** Finds the mark that a column of amounts uses. When in doubt, it is a point, so that nobody is
 *  charged a thousand times too much. */
export function findDecimalMark(cells: readonly string[]): DecimalMark {
  const amounts = cells.map(cleanAmount)
  if (amounts.some((amount) => /\.\d{1,2}\D*$/.test(amount))) return '.'
  if (amounts.some((amount) => /,\d{1,2}\D*$/.test(amount))) return ','
  const amountsWithDot = amounts.filter((amount) => /\d\.\d/.test(amount))
  const dotsSeparateThousands = amountsWithDot.some((amount) => /\.\d+\./.test(amount))
  return dotsSeparateThousands && amountsWithDot.every((amount) => GROUPS_OF_THREE.test(amount))
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
      return [field, findDecimalMark(column < 0 ? [] : rows.map((cells) => cells[column] ?? ''))]
    }),
  )

export type Amount = {
  /** In dollars, rounded to cents. NaN for text that is no amount. */
  amount: number
  /** True if the text can be read as two amounts: 1.290 may be 1.29 or 1,290. */
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

/** Splits an amount into its whole part and its decimals. One or two digits after the last mark are
 *  decimals. More digits are decimals only after the second kind of mark ("1,290.125") or after a
 *  single mark that is the column's decimal mark. */
function splitDecimals(digits: string, decimalMark: DecimalMark): [string, string] {
  const [, whole = '', mark = '', decimals = ''] = /^(.*)([.,])(\d+)$/.exec(digits) ?? []
  const isSecondKind = /[.,]/.test(whole) && !whole.includes(mark)
  const isOnlyMark = mark === decimalMark && !/[.,]/.test(whole)
  const hasDecimals = mark !== '' && (decimals.length <= 2 || isSecondKind || isOnlyMark)
  return hasDecimals ? [whole, decimals] : [digits, '']
}

export const describeUnclearAmount = (text: string, amount: number): string =>
  `“${text}” is read as ${formatMoneyInText(amount)}`
