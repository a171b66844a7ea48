/**
 * Everything that computes with money or writes it down belongs here. Amounts are dollars on the
 * wire and on the screen, and whole cents wherever they are added, split or compared.
 */

export const toCents = (dollars: number): number => Math.round(dollars * 100)
export const toDollars = (cents: number): number => cents / 100

export const sumCents = (amounts: readonly number[]): number =>
  amounts.reduce((sum, cents) => sum + cents, 0)

/** A sum of dollars, exact to the cent. */
export const sumDollars = (amounts: readonly number[]): number =>
  toDollars(sumCents(amounts.map(toCents)))

/** Rounded to the cent, half a cent up. */
export const percentOf = (cents: number, percent: number): number =>
  Math.round((cents * percent) / 100)

/** Even parts, of which the first has what is left over, so that their sum is exact. */
export function splitCents(cents: number, parts: number): number[] {
  const part = Math.trunc(cents / parts)
  return Array.from({ length: parts }, (_, index) =>
    index === 0 ? cents - part * (parts - 1) : part,
  )
}

const currency = (locale?: string, options?: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', ...options })
const readerFormat = currency()
const wholeFormat = currency(undefined, { maximumFractionDigits: 0 })
const textFormat = currency('en-US')

/** "$120.50", written as the reader's device writes money; an unset fee counts as 0. */
export const formatMoney = (dollars: number | null): string => readerFormat.format(dollars ?? 0)

/** "$120.50" in texts and documents, which have no reader's device. */
export const formatMoneyInText = (dollars: number): string => textFormat.format(dollars)

/** "120.50" for spreadsheets and input fields; an unset amount is empty. */
export const formatDecimal = (dollars: number | null | undefined): string =>
  dollars?.toFixed(2) ?? ''

/** "$50 of $95", "$49.50 of $99.50": cents where there are any. */
export function formatPart(part: number, whole: number): string {
  const isWhole = Number.isInteger(part) && Number.isInteger(whole)
  const { format } = isWhole ? wholeFormat : readerFormat
  return `${format(part)} of ${format(whole)}`
}

/** Rounded up to a whole dollar (specification, section 9), but not for a fraction of a cent. */
export const formatMoneyRoundedUp = (dollars: number): string =>
  wholeFormat.format(Math.ceil(toDollars(toCents(dollars))))

/** What a money field keeps of what is typed: digits and one decimal point. */
export function sanitizeMoneyInput(input: string): string {
  const [whole = '', ...decimals] = input.replace(/[^\d.]/g, '').split('.')
  return decimals.length > 0 ? `${whole}.${decimals.join('')}` : whole
}

/** The amount that was typed; undefined while there is none. */
export const parseMoney = (input: string): number | undefined =>
  /\d/.test(input) ? Number(input) : undefined
